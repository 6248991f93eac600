// What may be done with the pieces on the board: playing legal moves, or setting any position up.

import { announce } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { formatPosition, LETTERS, sideOf, withPiece } from "../text/position.js";
import { moverCategory, moverPlies } from "../text/words.js";
import { pieceName } from "./pieces.js";

/** Legal moves, as the service gave them. */
export class PlayControl {
  constructor(page) {
    this.page = page;
  }

  #moves(from) {
    return this.page.report?.moves.filter((move) => move.move.startsWith(from)) ?? [];
  }

  canPick(square) {
    const letter = this.page.position?.pieces.get(square);
    return letter !== undefined && sideOf(letter) === this.page.position.side && this.#moves(square).length > 0;
  }

  canDrop(from, to) {
    return this.#moves(from).some((move) => move.move === from + to);
  }

  /** The squares a piece may go to: whether it takes something there, and what the move comes to for its side. */
  targets(from) {
    const target = (move) => ({
      kind: move.capture ? "capture" : "move",
      // Who practises finds out by playing.
      ...(!this.page.aim && { value: moverCategory(move), plies: moverPlies(move) }),
    });
    return new Map(this.#moves(from).map((move) => [move.move.slice(2), target(move)]));
  }

  drop(from, to) {
    this.page.autoplay.stop();
    this.page.playMove(from + to);
  }
}

/** Any position; only where an animal may stand is heeded, as the service describes it. */
export class EditControl {
  constructor(page) {
    this.page = page;
  }

  get #position() {
    return this.page.board.position;
  }

  #letter(held) {
    return this.#position.pieces.get(held) ?? held;
  }

  canPick(square) {
    return this.#position?.pieces.has(square) ?? false;
  }

  canDrop(held, square) {
    // Off the board: the piece is taken away.
    return square === null || this.page.rules.mayStand(this.#letter(held), square);
  }

  targets(held) {
    const letter = this.#letter(held);
    const { rules } = this.page;
    return new Map(
      rules.squares.filter((square) => !rules.mayStand(letter, square)).map((square) => [square, { kind: "barred" }]),
    );
  }

  drop(held, square) {
    const letter = this.#letter(held);
    if (square === null && !this.#position.pieces.has(held)) return this.page.board.hold(null);
    this.change(withPiece(this.#position, square, letter));
    announce(
      square ? t("edit.placed", { piece: pieceName(letter), square }) : t("edit.removed", { piece: pieceName(letter) }),
    );
  }

  /** Takes what is held off the board. */
  remove(held) {
    const letter = this.#letter(held);
    if (![...this.#position.pieces.values()].includes(letter)) return;
    this.change(withPiece(this.#position, null, letter));
    announce(t("edit.removed", { piece: pieceName(letter) }));
  }

  held() {
    this.page.refreshEditor();
  }

  change(position) {
    this.page.open(formatPosition(position));
  }

  /** On a square: a letter puts that piece there, upper case White's, Delete empties it. */
  key(event, square) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Delete" || event.key === "Backspace") {
      if (this.#position.pieces.has(square)) this.remove(square);
      return true;
    }
    const letter = event.key.length === 1 && LETTERS.includes(event.key.toUpperCase()) ? event.key : null;
    if (!letter || !this.page.rules.animals.has(letter.toUpperCase())) return false;
    if (this.canDrop(letter, square)) this.drop(letter, square);
    else announce(t("board.cannot"));
    return true;
  }
}
