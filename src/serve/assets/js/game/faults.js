// What is wrong with a position that the service refused, as far as the page can tell, in the user's language. The
// service decides; this only says it again.

import { t } from "../base/i18n.js";
import { fields, sideNamed } from "../text/notation.js";
import { FILES, LETTERS } from "../text/position.js";

/** The squares of a rank by its symbols; null where a symbol means nothing, which is the second value. */
function readRank(cells) {
  const squares = [];
  for (const symbol of cells) {
    const letter = symbol.replace("J", "P").replace("j", "p");
    if (/[1-7]/.test(symbol)) squares.push(...Array(Number(symbol)).fill(null));
    else if (LETTERS.includes(letter.toUpperCase())) squares.push(letter);
    else return { symbol };
  }
  return { squares };
}

const piece = (letter) => t(`piece.${letter}`);

/** A sentence about a position's first fault; null if none was found. */
export function positionFault(text, rules) {
  const sentence = fault(text, rules);
  return sentence && sentence[0].toUpperCase() + sentence.slice(1);
}

function fault(text, rules) {
  const [board, side] = fields(text);
  if (!board) return null;
  const rows = board.split("/");
  if (rows.length !== rules.ranks) return t("fault.ranks", { n: rows.length, expected: rules.ranks });
  const places = new Map();
  for (const [row, cells] of rows.entries()) {
    const rank = rules.ranks - row;
    const { squares, symbol } = readRank(cells);
    if (symbol) return t("fault.symbol", { rank, symbol });
    if (squares.length !== FILES.length) return t("fault.width", { rank, n: squares.length });
    for (const [file, letter] of squares.entries()) {
      if (letter === null) continue;
      const square = FILES[file] + rank;
      if (places.has(letter))
        return t("fault.twice", { piece: piece(letter), first: places.get(letter), second: square });
      places.set(letter, square);
      const fault = pieceFault(letter, square, rules);
      if (fault) return t(fault, { piece: piece(letter), square });
    }
  }
  if (side === undefined) return t("fault.side");
  return sideNamed(side) ? null : t("fault.side");
}

function pieceFault(letter, square, rules) {
  if (!rules.animals.has(letter.toUpperCase())) return "fault.animal";
  if (rules.mayStand(letter, square)) return null;
  return { water: "fault.water", den: "fault.den", trap: "fault.trap" }[rules.groundAt(square)?.kind] ?? null;
}
