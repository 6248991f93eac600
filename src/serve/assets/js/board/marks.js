// Marks on squares: the last move, what is held, where it may go and what that comes to.

import { svg } from "../base/dom.js";
import { formatNumber } from "../base/i18n.js";

const WHOLE = { width: 100, height: 100 };
const SHAPES = {
  last: ["rect", WHOLE],
  barred: ["rect", WHOLE],
  held: ["rect", { x: 3, y: 3, width: 94, height: 94, rx: 8 }],
  move: ["circle", { cx: 50, cy: 50, r: 13 }],
  capture: ["circle", { cx: 50, cy: 50, r: 47 }],
};

/** A mark of a square of 100. */
export function drawMark(kind) {
  const [shape, props] = SHAPES[kind];
  return svg(shape, { class: `mark ${kind}`, ...props });
}

/** What stands for a value beside its color, in front of a distance. */
export const SIGNS = { win: "+", draw: "=", loss: "\u2212", unknown: "?" };

/** The outline of a value within 54 by 54: round, square, pointed. */
const OUTLINES = {
  win: ["circle", { r: 27 }],
  draw: ["rect", { x: -25, y: -25, width: 50, height: 50, rx: 9 }],
  loss: ["path", { d: "M-17 -27H17L30 0L17 27H-17L-30 0Z" }],
  unknown: ["circle", { r: 25 }],
};

/** What a move to a square comes to for its mover: outline, sign, distance. On a piece that is taken it is small. */
export function drawValue({ kind, value, plies }) {
  const [shape, props] = OUTLINES[value];
  const text = `${SIGNS[value]}${plies === null ? "" : formatNumber(plies)}`;
  const place = kind === "capture" ? "translate(74 24) scale(.82)" : "translate(50 50)";
  return svg(
    "g",
    {},
    svg(
      "g",
      { class: `value ${value}`, transform: place },
      svg(shape, props),
      svg("text", { y: 8.5, class: text.length > 3 ? "long" : null }, text),
    ),
  );
}
