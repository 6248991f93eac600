// The program, whose answers are those that count, and positions to ask about.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
export const TABLES = `${ROOT}/tablebases`;
export const PROGRAM = process.env.JUNGLETB ?? `${ROOT}/target/debug/jungletb`;

export function run(...args) {
  return execFileSync(PROGRAM, args, { encoding: "utf8", maxBuffer: 1 << 30 });
}

/** What the program answers for each position. */
export function answers(positions, tables = TABLES, rules = "standard") {
  let out;
  try {
    out = execFileSync(PROGRAM, ["probe", "--batch", "-", "--tables", tables, "--rules", rules], {
      input: positions.join("\n") + "\n",
      encoding: "utf8",
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "ignore"],
    });
  } catch (error) {
    // 2: a bad position among them; 4: a table is missing.
    if (![2, 4].includes(error.status)) throw error;
    out = error.stdout;
  }
  return out.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Numbers from 0 up to `below`, the same for the same seed. */
export function random(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n;
  return (below) => {
    state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
    let mixed = state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
    return Number((mixed ^ (mixed >> 31n)) % BigInt(below));
  };
}

const WATER = new Set(["b", "c", "e", "f"].flatMap((file) => [4, 5, 6].map((rank) => `${file}${rank}`)));
const ANIMALS = "RCDWPTLE";

/** A random position of this number of pieces under the rules `standard`, in which no den is entered. */
export function position(next, pieces) {
  const board = new Map();
  const used = new Set();
  while (used.size < pieces) {
    // Each side has a piece.
    const isWhite = used.size === 0 || (used.size > 1 && next(2) === 0);
    const letter = ANIMALS[next(8)];
    const piece = isWhite ? letter : letter.toLowerCase();
    const square = `${"abcdefg"[next(7)]}${next(9) + 1}`;
    const isOpen = square !== "d1" && square !== "d9" && (letter === "R" || !WATER.has(square));
    if (used.has(piece) || board.has(square) || !isOpen) continue;
    used.add(piece);
    board.set(square, piece);
  }
  return `${text(board)} ${next(2) === 0 ? "w" : "b"}`;
}

function text(board) {
  const ranks = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
    const files = [..."abcdefg"].map((file) => board.get(`${file}${rank}`) ?? "1").join("");
    return files.replace(/1+/g, (gap) => String(gap.length));
  });
  return ranks.join("/");
}

export function positions(count, pieces, seed = 1) {
  const next = random(seed);
  return Array.from({ length: count }, () => position(next, pieces[next(pieces.length)]));
}
