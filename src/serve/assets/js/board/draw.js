// The ground and the pieces as SVG. Squares are 100 wide; the board is seen from White unless flipped.

import { svg } from "../base/dom.js";
import { FILES } from "../text/position.js";
import { drawPiece, drawSmallPiece } from "./pieces.js";

/** The column and row, from the upper left, where a square is drawn. */
export function cellOf(square, ranks, flipped) {
  const column = FILES.indexOf(square[0]);
  const row = ranks - Number(square.slice(1));
  return flipped ? [6 - column, ranks - 1 - row] : [column, row];
}

/** The square drawn at a column and row, null outside of the board. */
export function squareAt(column, row, ranks, flipped) {
  if (column < 0 || column > 6 || row < 0 || row >= ranks) return null;
  return flipped ? FILES[6 - column] + (row + 1) : FILES[column] + (ranks - row);
}

/** Water with round corners where a lake ends. */
function water(rules, square, x, y, flipped) {
  const [column, row] = cellOf(square, rules.ranks, flipped);
  const wet = (dx, dy) => {
    const at = squareAt(column + dx, row + dy, rules.ranks, flipped);
    return at !== null && rules.groundAt(at)?.kind === "water";
  };
  const corner = (dx, dy) => (wet(dx, 0) || wet(0, dy) ? 0 : 22);
  const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  const shape =
    `M${x + a} ${y}H${x + 100 - b}a${b} ${b} 0 0 1 ${b} ${b}V${y + 100 - c}a${c} ${c} 0 0 1 ${-c} ${c}` +
    `H${x + d}a${d} ${d} 0 0 1 ${-d} ${-d}V${y + a}a${a} ${a} 0 0 1 ${a} ${-a}Z`;
  const wave = (dy) => `M${x + 18} ${y + dy}q8 -7 16 0t16 0t16 0t16 0`;
  return [svg("path", { class: "water", d: shape }), svg("path", { class: "wave", d: wave(36) + wave(66) })];
}

/** A net in a frame. */
function trap(side, x, y) {
  const lines = [];
  for (let n = 1; n < 6; n += 1) {
    const at = 12 + n * 12.67;
    lines.push(`M${x + at} ${y + 12}V${y + 88}M${x + 12} ${y + at}H${x + 88}`);
  }
  return svg(
    "g",
    { class: `trap ${side}` },
    svg("rect", { x: x + 12, y: y + 12, width: 76, height: 76, rx: 10 }),
    svg("path", { d: lines.join("") }),
  );
}

/** An arched gate. */
const den = (side, x, y) =>
  svg(
    "g",
    { class: `den ${side}` },
    svg("path", { class: "wall", d: `M${x + 12} ${y + 88}V${y + 50}a38 38 0 0 1 76 0V${y + 88}Z` }),
    svg("path", { class: "gate", d: `M${x + 27} ${y + 88}V${y + 52}a23 23 0 0 1 46 0V${y + 88}Z` }),
  );

/** Everything below the pieces. */
export function drawGround(rules, flipped, coordinates) {
  const { ranks } = rules;
  const group = svg("g", { class: "ground" }, svg("rect", { class: "land", width: 700, height: ranks * 100, rx: 14 }));
  for (const square of rules.squares) {
    const [column, row] = cellOf(square, ranks, flipped);
    const [x, y] = [column * 100, row * 100];
    const ground = rules.groundAt(square);
    if (ground?.kind === "water") group.append(...water(rules, square, x, y, flipped));
    else if (ground?.kind === "trap") group.append(trap(ground.side, x, y));
    else if (ground?.kind === "den") group.append(den(ground.side, x, y));
  }
  const lines = [];
  for (let n = 1; n < 7; n += 1) lines.push(`M${n * 100} 0V${ranks * 100}`);
  for (let n = 1; n < ranks; n += 1) lines.push(`M0 ${n * 100}H700`);
  group.append(svg("path", { class: "lines", d: lines.join("") }));
  if (coordinates) group.append(...drawCoordinates(ranks, flipped));
  return group;
}

/** Width left of the board and height below it that coordinates take. */
const GUTTER = { left: 30, below: 32 };

/** The view box of a board with coordinates beside it. css/board.css lays the cells by the same numbers. */
export const framedBox = (ranks) => `${-GUTTER.left} 0 ${700 + GUTTER.left} ${ranks * 100 + GUTTER.below}`;

/** Files below the board, ranks beside it. */
export function drawCoordinates(ranks, flipped) {
  const texts = [];
  for (let column = 0; column < 7; column += 1) {
    const square = squareAt(column, ranks - 1, ranks, flipped);
    texts.push(svg("text", { class: "coordinate", x: column * 100 + 50, y: ranks * 100 + 26 }, square[0]));
  }
  for (let row = 0; row < ranks; row += 1) {
    const square = squareAt(0, row, ranks, flipped);
    texts.push(svg("text", { class: "coordinate", x: -16, y: row * 100 + 58 }, square.slice(1)));
  }
  return texts;
}

/** A piece on its square. */
export function placePiece(rules, letter, square, flipped, draw = drawPiece) {
  const [column, row] = cellOf(square, rules.ranks, flipped);
  const piece = draw(letter, rules.strength(letter));
  piece.setAttribute("transform", `translate(${column * 100} ${row * 100})`);
  return piece;
}

/** An arrow from the middle of one square to another's. */
export function drawArrow(move, ranks, flipped, kind) {
  const middle = (square) => cellOf(square, ranks, flipped).map((n) => n * 100 + 50);
  const [[x1, y1], [x2, y2]] = [middle(move.slice(0, 2)), middle(move.slice(2, 4))];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) =>
    `${(x1 + ux * along - uy * across).toFixed(1)} ${(y1 + uy * along + ux * across).toFixed(1)}`;
  const neck = length - 34;
  const tip = length - 2;
  const points = [
    [20, 7],
    [neck, 7],
    [neck, 22],
    [tip, 0],
    [neck, -22],
    [neck, -7],
    [20, -7],
  ];
  return svg("polygon", { class: `arrow ${kind ?? ""}`, points: points.map(([a, b]) => at(a, b)).join(" ") });
}

/** A board to look at only. */
export function drawThumbnail(rules, position) {
  const picture = svg("svg", { class: "thumbnail", viewBox: `0 0 700 ${rules.ranks * 100}`, "aria-hidden": "true" });
  picture.append(drawGround(rules, false, false));
  for (const [square, letter] of position?.pieces ?? [])
    picture.append(placePiece(rules, letter, square, false, drawSmallPiece));
  return picture;
}
