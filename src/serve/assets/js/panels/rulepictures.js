// The rules in six pictures, each a part of the board with a sentence: moves, captures, rat and elephant, river, traps,
// dens.

import { h, svg } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { drawArrow, drawGround, placePiece } from "../board/draw.js";

/** Of each picture the pieces, the moves shown as arrows, and the part of the board: column, row, width, height. */
const JUNGLE = [
  { key: "step", pieces: { d3: "W" }, moves: ["d3d4", "d3e3", "d3c3", "d3d2"], part: [2, 4.5, 3, 3] },
  { key: "strength", pieces: { d6: "T", d7: "d" }, moves: ["d6d7"], part: [2, 1.5, 3, 3] },
  { key: "rat", pieces: { a4: "R", a5: "e" }, moves: ["a4a5"], part: [0, 3.5, 3, 3] },
  { key: "river", pieces: { d5: "L", b5: "R" }, moves: ["d5g5", "b5b6"], part: [0, 2, 7, 5] },
  { key: "trap", pieces: { d8: "E", d7: "c" }, moves: ["d7d8"], part: [2, 0, 3, 3] },
  { key: "den", pieces: { c9: "C" }, moves: ["c9d9"], part: [2, 0, 3, 3] },
];
const CHECKERS = [
  { key: "step", pieces: { d3: "D" }, moves: ["d3d4", "d3e3", "d3c3", "d3d2"], part: [2, 3, 3, 3] },
  { key: "strength", pieces: { d4: "T", d5: "d" }, moves: ["d4d5"], part: [2, 2, 3, 3] },
  { key: "rat", pieces: { b3: "R", b4: "e" }, moves: ["b3b4"], part: [0, 2, 3, 3] },
  { key: "den", pieces: { c7: "R" }, moves: ["c7d7"], part: [2, 0, 3, 3] },
];

function picture(rules, { pieces, moves, part }) {
  const view = svg("svg", { "viewBox": part.map((n) => n * 100).join(" "), "aria-hidden": "true" });
  view.append(drawGround(rules, false, false));
  for (const [square, letter] of Object.entries(pieces)) view.append(placePiece(rules, letter, square, false));
  for (const move of moves) view.append(drawArrow(move, rules.ranks, false, "plain"));
  return view;
}

/** The pictures of a rule set. */
export function rulePictures(rules) {
  const one = (shown) =>
    h(
      "li",
      {},
      picture(rules, shown),
      h("p", {}, h("strong", {}, t(`rule.${shown.key}`)), t(`rule.${shown.key}.text`)),
    );
  return h("ul", { class: "rule-pictures" }, (rules.ranks === 9 ? JUNGLE : CHECKERS).map(one));
}
