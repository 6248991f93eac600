// The rule sets as the service describes them: grounds and animals, never legality of moves.

import { FILES, TRADITIONAL } from "../text/position.js";

function ground(board) {
  const kinds = new Map();
  for (const square of board.water ?? []) kinds.set(square, { kind: "water" });
  for (const side of ["white", "black"]) {
    for (const square of board.traps?.[side] ?? []) kinds.set(square, { kind: "trap", side });
    kinds.set(board.dens[side], { kind: "den", side });
  }
  return kinds;
}

/** One rule set, with what the page works out from it. */
export class RuleSet {
  constructor(data) {
    this.name = data.name;
    this.board = data.board;
    this.ranks = data.board.ranks;
    // A game with fewer animals has no array that everybody plays.
    this.start = data.animals.length === 8 && this.ranks === 9 ? TRADITIONAL : null;
    this.ground = ground(data.board);
    this.animals = new Map(data.animals.map((animal) => [animal.letter, animal]));
    this.squares = [];
    for (let rank = this.ranks; rank >= 1; rank -= 1) for (const file of FILES) this.squares.push(file + rank);
    this.domains = new Map();
    for (const animal of data.animals) {
      const { white, black } = animal.squares;
      this.domains.set(animal.letter, new Set([...white, data.board.dens.black]));
      this.domains.set(animal.letter.toLowerCase(), new Set([...black, data.board.dens.white]));
    }
  }

  /** The ground of a square: `{kind, side}`, undefined on plain land. */
  groundAt(square) {
    return this.ground.get(square);
  }

  /** Whether a piece may stand on a square. */
  mayStand(letter, square) {
    return this.domains.get(letter)?.has(square) ?? false;
  }

  /** An animal's strength, whichever side's letter it is. */
  strength(letter) {
    return this.animals.get(letter.toUpperCase())?.strength;
  }
}
