// A position as text and as a map of squares. What is legal only the service knows.

import { fields, sideNamed } from "./notation.js";

/** The sixteen animals before the first move of a game on the board of nine ranks. */
export const TRADITIONAL = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

export const FILES = "abcdefg";
/** Animals, strongest first, as in the name of a material. */
export const LETTERS = "ELTPWDCR";

/** A position without pieces. */
export const emptyPosition = (ranks) => ({ ranks, pieces: new Map(), side: "w" });

/** Whether a piece letter is White's. */
export const isWhite = (letter) => letter === letter.toUpperCase();

/** The side, `w` or `b`, that a piece letter belongs to. */
export const sideOf = (letter) => (isWhite(letter) ? "w" : "b");

/** Reads a position as far as it can be drawn; null where it cannot. The service says what is wrong with it. */
export function parsePosition(text, ranks) {
  const [board, side = "w"] = fields(text);
  if (/^startpos$/i.test(board) && ranks === 9) return parsePosition(TRADITIONAL, ranks);
  const rows = board.split("/");
  if (rows.length !== ranks) return null;
  const pieces = new Map();
  for (const [row, cells] of rows.entries()) {
    let file = 0;
    for (const symbol of cells) {
      if (/[1-7]/.test(symbol)) {
        file += Number(symbol);
        continue;
      }
      const letter = symbol === "J" ? "P" : symbol === "j" ? "p" : symbol;
      if (!LETTERS.includes(letter.toUpperCase()) || file >= FILES.length) return null;
      pieces.set(FILES[file] + (ranks - row), letter);
      file += 1;
    }
    if (file !== FILES.length) return null;
  }
  return { ranks, pieces, side: sideNamed(side) ?? "w" };
}

/** A position as the service writes it. */
export function formatPosition({ ranks, pieces, side }) {
  const rows = [];
  for (let rank = ranks; rank >= 1; rank -= 1) {
    const cells = [...FILES].map((file) => pieces.get(file + rank) ?? "1").join("");
    rows.push(cells.replace(/1+/g, (gap) => String(gap.length)));
  }
  return `${rows.join("/")} ${side}`;
}

const otherSide = (side) => (side === "w" ? "b" : "w");
const swapCase = (letter) => (isWhite(letter) ? letter.toLowerCase() : letter.toUpperCase());
const rankOf = (square) => Number(square.slice(1));
const mirrored = (square) => FILES[6 - FILES.indexOf(square[0])] + square.slice(1);
const changed = (position, square, letter, side) => ({
  ranks: position.ranks,
  pieces: new Map([...position.pieces].map(([at, piece]) => [square(at), letter(piece)])),
  side: side(position.side),
});
const same = (value) => value;

/** Files exchanged: what becomes of a position and of a square, on a board of any number of ranks. */
export const MIRROR = () => ({ position: (position) => changed(position, mirrored, same, same), square: mirrored });

/** The same for the other side: board turned, colors exchanged. */
export const SWAP = (ranks) => {
  const square = (at) => mirrored(at[0] + (ranks + 1 - rankOf(at)));
  return { position: (position) => changed(position, square, swapCase, otherSide), square };
};

/** The squares a move goes from and to. */
const moveSquares = (move) => [move.slice(0, 2), move.slice(2, 4)];

/** The position after a move that the service called legal. */
export function afterMove(position, move) {
  const [from, to] = moveSquares(move);
  const pieces = new Map(position.pieces);
  pieces.set(to, pieces.get(from));
  pieces.delete(from);
  return { ranks: position.ranks, pieces, side: otherSide(position.side) };
}

/** The position with a piece put on a square; a second one of its kind leaves its old square. Null takes it off. */
export function withPiece(position, square, letter) {
  const pieces = new Map([...position.pieces].filter(([at, piece]) => at !== square && piece !== letter));
  if (letter && square) pieces.set(square, letter);
  return { ...position, pieces };
}
