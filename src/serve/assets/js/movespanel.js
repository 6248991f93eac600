// The legal moves, grouped by what they come to for the mover, best first.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { smallIcon } from "./pieces.js";
import { moverCategory, moverPlies, moveValue } from "./words.js";

const GROUPS = ["win", "draw", "loss", "unknown"];

function row(move, position, { onPlay, onPoint }) {
  const [from, to] = [move.move.slice(0, 2), move.move.slice(2)];
  const letter = position.pieces.get(from);
  const kind = moverCategory(move);
  const plies = moverPlies(move);
  const note = move.den ? t("move.den") : null;
  const taken = move.capture && position.pieces.get(to);
  const label = [
    `${t(`animal.${letter.toUpperCase()}`)} ${from} ${to}`,
    taken && t("move.takes", { animal: t(`animal.${taken.toUpperCase()}`) }),
    note,
    moveValue(move),
  ].filter(Boolean).join(", ");
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "move",
        "data-move": move.move,
        "aria-label": label,
        onclick: () => onPlay(move.move),
        onpointerenter: () => onPoint(move.move, kind),
        onpointerleave: () => onPoint(null),
        onfocus: () => onPoint(move.move, kind),
        onblur: () => onPoint(null),
      },
      smallIcon(letter),
      h("span", { class: "squares" }, h("span", { class: "who" }, letter.toUpperCase()), `${from}\u2009–\u2009${to}`),
      h("span", { class: "event" }, taken && ["×", smallIcon(taken), taken.toUpperCase()], note),
      h("span", { class: "plies" }, plies === null ? "" : t("plies", { n: plies })),
    ),
  );
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
        h("ul", {}, moves.map((move) => row(move, position, handlers))),
      ),
    );
}
