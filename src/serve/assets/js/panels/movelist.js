// Moves as numbered buttons: a line, or a game with its variations.

import { h } from "../base/dom.js";

/** The number before a move, as `1.` and `1…`: two plies are one move, the first is White's. */
function number(ply, side, isFirst) {
  const at = ply + (side === "w" ? 0 : 1);
  if (at % 2 === 0) return `${at / 2 + 1}.`;
  return isFirst ? `${Math.floor(at / 2) + 1}…` : null;
}

function item(prefix, button, ...more) {
  return h("li", {}, prefix && h("span", { class: "number", "aria-hidden": "true" }, prefix), button, more);
}

/** A line of moves; `current` is the number of the one that the board shows. */
export function moveList(moves, side, { onGo, onPoint, current = -1, label }) {
  const button = (move, ply) =>
    h(
      "button",
      {
        type: "button",
        "data-ply": ply,
        "aria-current": ply === current ? "step" : null,
        onclick: () => onGo(ply),
        onpointerenter: () => onPoint?.(ply === current + 1 ? move : null),
        onpointerleave: () => onPoint?.(null),
      },
      move,
    );
  return h(
    "ol",
    { class: "line", "aria-label": label },
    moves.map((move, ply) => item(number(ply, side, ply === 0), button(move, ply))),
  );
}

/** A game's moves; `mark(node)` gives what stands beside a move, and its name. */
export function moveTree(game, side, { onGo, label, mark = () => null }) {
  const button = (node) => {
    const marked = mark(node);
    return h(
      "button",
      {
        type: "button",
        "data-node": node,
        class: marked?.kind,
        "aria-current": node === game.at ? "step" : null,
        title: marked?.name,
        onclick: () => onGo(node),
      },
      game.nodes[node].move,
      marked && [
        h("span", { class: "sign", "aria-hidden": "true" }, marked.sign),
        h("span", { class: "hidden" }, ` ${marked.name}`),
      ],
    );
  };
  /** The moves after a node, the first of them at `ply`; `broken` where a variation stands before it. */
  const after = (node, ply, broken) => {
    const [main, ...others] = game.nodes[node].next;
    if (main === undefined) return [];
    const rest = others.map((other) =>
      h(
        "li",
        { class: "variation" },
        h("ol", {}, item(number(ply, side, true), button(other)), after(other, ply + 1, false)),
      ),
    );
    return [item(number(ply, side, broken), button(main)), ...rest, ...after(main, ply + 1, rest.length > 0)];
  };
  return h("ol", { class: "line tree", "aria-label": label }, after(0, 0, true));
}
