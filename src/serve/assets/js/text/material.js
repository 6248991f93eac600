// Materials as text: what people type, what the service understands.

import { animalNames } from "../base/i18n.js";
import { LETTERS } from "./position.js";

const BETWEEN = /\s*(?:\bvs?\.?\b|\bgegen\b|против|対|对|對|vs?\.?|[:：–—|])\s*/iu;

/** Letters of a side in the order in which materials are written. */
const ordered = (letters) => [...LETTERS].filter((letter) => letters.includes(letter)).join("");

/** Reads the letters of one side, given as letters, names or characters; null if it is anything else. */
function readSide(text) {
  let rest = text.toLowerCase();
  let letters = "";
  const names = [...LETTERS].flatMap((letter) => animalNames(letter).map((name) => [name.toLowerCase(), letter]));
  names.sort((a, b) => b[0].length - a[0].length);
  for (const [name, letter] of names) {
    if (!rest.includes(name)) continue;
    rest = rest.replace(name, " ");
    letters += letter;
  }
  for (const symbol of rest.replace(/[\s,+&.、・]/gu, "")) {
    const letter = symbol === "j" ? "P" : symbol.toUpperCase();
    if (!LETTERS.includes(letter) || letters.includes(letter)) return null;
    letters += letter;
  }
  return ordered(letters);
}

/** The sides of what was typed: `{white, black}`, `black` null if only one was; null if it is no material. */
export function readMaterial(text) {
  const parts = text.trim().split(BETWEEN);
  if (parts.length > 2) return null;
  const sides = parts.map(readSide);
  if (sides.includes(null)) return null;
  return { white: sides[0], black: sides[1] ?? null };
}

/** The material that was typed, as the service writes it; null unless it has both sides. */
export function fullMaterial(text) {
  const sides = readMaterial(text);
  return sides?.white && sides.black ? `${sides.white}v${sides.black}` : null;
}

/** The letters of both sides of a material. */
export const sidesOf = (material) => material.split("v");

const has = (side, letters) => [...letters].every((letter) => side.includes(letter));

/** Whether a material, as it is or with the colors exchanged, has all the pieces that were typed. */
export function matches(material, { white, black }) {
  const [first, second] = sidesOf(material);
  const fits = (a, b) => has(a, white) && has(b, black ?? "");
  return fits(first, second) || fits(second, first);
}

/** The pieces of a material as piece letters, White's upper case. */
export function pieceLetters(material) {
  const [white, black] = sidesOf(material);
  return [...white, ...black.toLowerCase()];
}
