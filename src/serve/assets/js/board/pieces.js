// Pieces: a disc in the side's color with the animal's head, its letter and its strength.

import { h, svg } from "../base/dom.js";
import { pieceCharacter, t } from "../base/i18n.js";
import { isWhite, LETTERS } from "../text/position.js";
import { drawAnimal } from "./animals.js";

const disc = (letter, ...contents) =>
  svg(
    "g",
    { class: `piece ${isWhite(letter) ? "white" : "black"}` },
    svg("circle", { class: "disc", cx: 50, cy: 50, r: 45 }),
    svg("circle", { class: "rim", cx: 50, cy: 50, r: 41.5 }),
    contents,
  );

/** A piece's drawing on a square of 100, as an SVG group. */
export function drawPiece(letter, strength) {
  const animal = letter.toUpperCase();
  const character = pieceCharacter(animal);
  return disc(
    letter,
    character
      ? svg("text", { class: "character", x: 50, y: 58 }, character)
      : svg("g", { transform: "translate(5 4.5) scale(.9)" }, drawAnimal(animal)),
    svg("text", { class: "letter", x: 53, y: character ? 82 : 86 }, animal),
    strength && svg("text", { class: "strength", x: 57, y: character ? 81 : 85 }, String(strength)),
  );
}

/** A piece too small for its letter to be read. */
export function drawSmallPiece(letter) {
  const animal = letter.toUpperCase();
  const character = pieceCharacter(animal);
  return disc(
    letter,
    character
      ? svg("text", { class: "character alone", x: 50, y: 72 }, character)
      : svg("g", { transform: "translate(-2 9) scale(1.04)" }, drawAnimal(animal)),
  );
}

const icon = (drawing) =>
  h("span", { class: "piece-icon", "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 100 100" }, drawing));

/** A piece as a picture beside text. */
export const pieceIcon = (letter, strength) => icon(drawPiece(letter, strength));

/** A piece as a small picture within text that names it. */
export const smallIcon = (letter) => icon(drawSmallPiece(letter));

/** "white lion", in the user's language. */
export const pieceName = (letter) => t(`piece.${letter}`);

const SMALL = "piece-";

/** The small pieces, drawn once for a page that shows very many; `sharedIcon` refers to them. */
export const sharedPieces = () =>
  svg(
    "svg",
    { "class": "hidden", "aria-hidden": "true" },
    [...LETTERS, ...LETTERS.toLowerCase()].map((letter) =>
      svg("symbol", { id: SMALL + letter, viewBox: "0 0 100 100" }, drawSmallPiece(letter)),
    ),
  );

/** As `smallIcon`, on a page with `sharedPieces`. */
export const sharedIcon = (letter) => icon(svg("use", { href: `#${SMALL}${letter}` }));
