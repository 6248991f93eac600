// Keeps the review of the game that is shown: asked of the service a moment after each change of the game, by the tables;
// on request by proofs as well.

import { movesOf } from "../game/game.js";
import { fetchReview, reviewPath } from "../service/api.js";
import { work } from "../service/events.js";

/** Milliseconds without a change after which a game is reviewed. */
const QUIET = 120;
/** Seconds for the proof of a position. */
const PROOF_TIME = 1;

export class Reviewer {
  /** `changed()` is called when there is a review, or none any more. */
  constructor(rules, changed) {
    this.rules = rules;
    this.changed = changed;
    this.key = null;
    this.review = null;
    /** Of a review by proofs that runs: `done` positions `of` all. */
    this.progress = null;
    this.proven = new Map();
  }

  /** The game as the service reads it: the moves of a line of the game's numbers. */
  static question(game, line, tags) {
    return { ...tags, start: game.start, moves: movesOf(game, line) };
  }

  /** Sees to it that this game is reviewed. */
  see(game, line, tags) {
    this.question = Reviewer.question(game, line, tags);
    const key = JSON.stringify(this.question);
    if (key === this.key) return;
    this.stop();
    this.key = key;
    this.review = this.proven.get(key) ?? null;
    clearTimeout(this.timer);
    if (this.review || this.question.moves.length === 0) return;
    this.timer = setTimeout(() => this.#ask(key), QUIET);
  }

  async #ask(key) {
    this.asking = new AbortController();
    try {
      const review = await fetchReview(this.rules.name, this.question, this.asking.signal);
      if (this.key === key) this.review = review;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
    if (this.key === key) this.changed();
  }

  /** Reviews the game by proofs too. */
  async prove() {
    const { key } = this;
    this.stop();
    this.proving = new AbortController();
    const { signal } = this.proving;
    const onProgress = (progress) => {
      if (signal.aborted) return;
      this.progress = progress;
      this.changed();
    };
    onProgress({ done: 0, of: this.question.moves.length + 1 });
    try {
      const question = { ...this.question, time: PROOF_TIME };
      const review = await work(reviewPath(this.rules.name), question, { signal, onProgress });
      this.proven.set(key, review);
      if (this.key === key) this.review = review;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.failed = error;
    }
    if (signal.aborted) return;
    this.progress = null;
    this.changed();
  }

  /** Breaks off what is asked. */
  stop() {
    this.asking?.abort();
    this.proving?.abort();
    this.progress = null;
    this.failed = null;
  }

  leave() {
    clearTimeout(this.timer);
    this.key = null;
    this.stop();
  }
}
