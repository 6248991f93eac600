// The legal moves, grouped by what they come to for the mover, best first.

import { h } from "../base/dom.js";
import { formatNumber, t } from "../base/i18n.js";
import { smallIcon } from "../board/pieces.js";
import { moverCategory, moverPlies } from "../text/words.js";

const GROUPS = ["win", "draw", "loss", "unknown"];

/** Words for screen readers, within text that says the rest. */
const aside = (text) => h("span", { class: "hidden" }, t("list.comma"), text, t("list.comma"));

function row(move, position, { onPlay, onPoint }) {
  const [from, to] = [move.move.slice(0, 2), move.move.slice(2)];
  const letter = position.pieces.get(from);
  const animal = (piece) => t(`animal.${piece.toUpperCase()}`);
  const kind = moverCategory(move);
  const plies = moverPlies(move);
  const taken = move.capture && position.pieces.get(to);
  const point = () => onPoint(move.move, kind);
  const clear = () => onPoint(null);
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "move",
        "data-move": move.move,
        onclick: () => onPlay(move.move),
        onpointerenter: point,
        onpointerleave: clear,
        onfocus: point,
        onblur: clear,
      },
      smallIcon(letter),
      h(
        "span",
        { class: "squares" },
        h("span", { class: "who" }, letter.toUpperCase()),
        ` ${from}\u2009–\u2009${to}`,
        aside(animal(letter)),
      ),
      h(
        "span",
        { class: "event" },
        taken && [
          h("span", { "aria-hidden": "true" }, "×"),
          smallIcon(taken),
          taken.toUpperCase(),
          aside(t("move.takes", { animal: animal(taken) })),
        ],
        move.den && t("move.den"),
      ),
      h("span", { class: "plies" }, plies === null ? "" : t("plies", { n: plies }), aside(t(`value.${kind}`))),
    ),
  );
}

/** Tells beside the drawing moves how many of the opponent's replies lose, by the reports after them. */
export function tellReplies(element, replies) {
  for (const [move, report] of replies) {
    const place = element.querySelector(`[data-move="${move}"] .event`);
    if (!place || !report.moves) continue;
    const losing = report.moves.filter((reply) => moverCategory(reply) === "loss").length;
    const text = t("moves.replies", { n: losing, of: formatNumber(report.moves.length) });
    if (losing > 0) place.append(h("span", { class: "replies" }, text));
  }
}

/** The groups that have moves; empty if there is none. */
export function moveGroups(report, position, handlers) {
  return GROUPS.map((kind) => [kind, report.moves.filter((move) => moverCategory(move) === kind)])
    .filter(([, moves]) => moves.length > 0)
    .map(([kind, moves]) =>
      h(
        "section",
        { class: `moves ${kind}`, "aria-labelledby": `moves-${kind}` },
        h("h3", { id: `moves-${kind}` }, t(`moves.${kind}`), h("span", { class: "count" }, String(moves.length))),
        h(
          "ul",
          {},
          moves.map((move) => row(move, position, handlers)),
        ),
      ),
    );
}
