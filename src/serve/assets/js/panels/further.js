// Looking further where no table reaches: a bounded search for a proof, with its progress, which can be broken off.

import { announce, h } from "../base/dom.js";
import { formatCompact, t } from "../base/i18n.js";
import { fetchGuess, provePath } from "../service/api.js";
import { work } from "../service/events.js";
import { positionWords, sideToMove } from "../text/words.js";
import { problem } from "./problem.js";

/** Seconds to search for a proof, and for a guess; the service may allow less. */
const TIME = 10;
const GUESS_TIME = 1;

const OTHER = { w: "b", b: "w" };

/** What a finished search says. */
function found(proof) {
  const side = sideToMove(proof);
  const winner = { win: side, loss: OTHER[side], draw: "draw" }[proof.category];
  if (winner) return positionWords({ winner, plies: proof.dtw, bound: proof.bound });
  return t("further.none", { n: Math.max(0, (proof.not_before ?? 1) - 1) });
}

/** A button that looks further at a position; `point(move)` shows the move that was found. */
export class FurtherSearch {
  constructor(rules, position, point) {
    this.rules = rules;
    this.position = position;
    this.point = point;
    this.element = h("div", { class: "further" });
    this.#offer();
  }

  #show(...parts) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(...parts.filter(Boolean));
    if (hadFocus) this.element.querySelector("button")?.focus();
  }

  #offer(...before) {
    const button = (id, text, onclick) => h("button", { type: "button", class: "button", id, onclick }, text);
    const look = button("further", t("further.look"), () => this.#look());
    const ask = button("guess", t("further.ask"), () => this.#guess(ask));
    this.#show(...before, h("div", { class: "buttons wrap" }, look, ask));
  }

  /** Asks the engine, whose move is a guess. */
  async #guess(button) {
    this.leave();
    const search = new AbortController();
    this.search = search;
    button.disabled = true;
    try {
      const { move, depth } = await fetchGuess(this.rules.name, this.position, GUESS_TIME, search.signal);
      if (search.signal.aborted) return;
      const sentence = t("further.guessed", { move, n: depth });
      this.#offer(h("p", {}, sentence));
      this.point(move);
      announce(sentence);
    } catch (error) {
      if (error.name !== "AbortError") this.#show(...problem(error, () => this.#offer()));
    }
  }

  async #look() {
    const search = new AbortController();
    this.search = search;
    const bar = h("progress", { "max": TIME, "value": 0, "aria-label": t("further.label") });
    const said = h("p", { class: "hint" }, t("further.begins"));
    const stop = () => {
      this.leave();
      this.#offer(h("p", { class: "hint" }, t("cancelled")));
      announce(t("cancelled"));
    };
    this.#show(
      h("div", { class: "working" }, bar, h("button", { type: "button", class: "button", onclick: stop }, t("cancel"))),
      said,
    );
    const onProgress = ({ not_before: plies, positions, seconds }) => {
      bar.value = seconds;
      said.textContent = t("further.progress", { n: Math.max(0, plies - 1), positions: formatCompact(positions) });
    };
    try {
      const question = { position: this.position, time: TIME };
      const proof = await work(provePath(this.rules.name), question, { signal: search.signal, onProgress });
      if (!search.signal.aborted) this.#found(proof);
    } catch (error) {
      if (error.name !== "AbortError") this.#show(...problem(error, () => this.#look()));
    }
  }

  #found(proof) {
    const sentence = found(proof);
    const [move] = proof.category === "unknown" ? [] : proof.line;
    const show = () => this.point(move);
    const parts = [
      h("p", { class: "found" }, h("strong", {}, sentence)),
      h("p", { class: "hint" }, t("further.by", { positions: formatCompact(proof.positions) })),
      move && h("button", { type: "button", class: "button", onclick: show }, t("further.move", { move })),
    ];
    if (proof.category === "unknown") this.#offer(...parts);
    else this.#show(...parts);
    announce(sentence);
  }

  /** Breaks the search off. */
  leave() {
    this.search?.abort();
  }
}
