// The game: its moves with variations, what they were worth, what was better; to open, to slide through, to take along.

import { announce, h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { Strip } from "../figures/strip.js";
import { currentLine, cut, goTo, isEmpty, isVariation, promote } from "../game/game.js";
import { mistakesOf, valuesOf } from "../game/review.js";
import { writeRecord } from "../game/write.js";
import { fetchReview } from "../service/api.js";
import { parsePosition } from "../text/position.js";
import { positionWords } from "../text/words.js";
import { copyButton } from "../base/clipboard.js";
import { moveTree } from "./movelist.js";
import { openGame } from "./opengame.js";
import { problem } from "./problem.js";
import { Reviewer } from "./reviewer.js";

export class RecordPanel {
  /** `page` is the page of the board: `goTo(node)`, `changeGame(change)`, `app`, `rules`. */
  constructor(page) {
    this.page = page;
    this.reviewer = new Reviewer(page.rules, () => this.#refresh());
    this.strip = new Strip({
      go: (ply) => page.goTo(this.line[ply], { replace: true }),
      describe: (ply) => this.#describe(ply),
      label: t("strip.label"),
    });
    this.heading = h("p", { class: "players" });
    this.body = h("div", { class: "record-body" });
    this.findings = h("div", { class: "findings" });
    this.promoteButton = iconButton("promote", t("record.promote"), () => page.changeGame(promote), { id: "promote" });
    this.cutButton = iconButton("trash", t("record.cut"), () => page.changeGame(cut), { id: "cut" });
    const open = iconButton("open", t("record.open"), () => openGame(page.app), { id: "open-game", text: true });
    this.exports = h(
      "div",
      { class: "buttons wrap copies", role: "group", "aria-label": t("record.copy") },
      copyButton(t("record.plain"), () => this.#record()),
      copyButton(t("record.annotated"), () => this.#annotated()),
    );
    this.element = h(
      "section",
      { class: "panel record-panel", "aria-labelledby": "record-title" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "record-title" }, t("played.title")),
        h("div", { class: "buttons" }, this.promoteButton, this.cutButton, open),
      ),
      this.heading,
      this.body,
      this.findings,
      this.exports,
    );
  }

  /** Shows a game. */
  show(game, tags) {
    this.game = game;
    this.tags = tags;
    this.line = currentLine(game);
    this.side = parsePosition(game.start, this.page.rules.ranks)?.side ?? "w";
    this.element.hidden = this.page.editing;
    this.strip.element.hidden = this.page.editing;
    this.exports.hidden = isEmpty(game);
    this.promoteButton.hidden = !isVariation(game);
    this.cutButton.hidden = isEmpty(game);
    this.cutButton.setAttribute("aria-disabled", String(game.at === 0));
    const { white, black, result } = tags;
    const players = white || black ? `${white ?? "?"} – ${black ?? "?"}` : null;
    this.heading.textContent = [players, result].filter(Boolean).join(t("list.comma"));
    this.heading.hidden = this.heading.textContent === "";
    this.reviewer.see(game, this.line, tags);
    this.#refresh();
  }

  /** Draws what is known of the game. */
  #refresh() {
    const { review } = this.reviewer;
    this.values = review ? valuesOf(review, this.side) : [];
    this.mistakes = review ? mistakesOf(review) : [];
    const values = this.line.map((_, ply) => this.values[ply] ?? null);
    this.strip.show({ values, mistakes: this.mistakes, ply: this.line.indexOf(this.game.at) });
    this.#showMoves();
    this.#showFindings();
  }

  #describe(ply) {
    const move = ply > 0 ? `${this.game.nodes[this.line[ply]].move}` : t("strip.start");
    const value = this.values?.[ply];
    return value ? `${ply}. ${move}: ${positionWords(value)}` : `${ply}. ${move}`;
  }

  #showMoves() {
    const { game } = this;
    if (isEmpty(game)) return this.body.replaceChildren(h("p", { class: "hint" }, t("record.none")));
    const marks = new Map(this.mistakes.map((mistake) => [this.line[mistake.ply], mistake]));
    const list = moveTree(game, this.side, {
      onGo: (node) => this.page.goTo(node),
      label: t("played.title"),
      mark: (node) => {
        const mistake = marks.get(node);
        return mistake && { sign: mistake.sign, kind: mistake.isGrave ? "grave" : "slight", name: this.#name(mistake) };
      },
    });
    const hadFocus = this.body.contains(document.activeElement);
    this.body.replaceChildren(list);
    const current = list.querySelector("[aria-current]");
    // Scrolls the list, not the page.
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (hadFocus) (current ?? list.querySelector("button"))?.focus({ preventScroll: true });
  }

  #name({ kind, lost }) {
    return t(`mistake.${kind}`, { n: lost ?? 0 });
  }

  #showFindings() {
    const { review, progress, failed } = this.reviewer;
    const grave = this.mistakes.filter((mistake) => mistake.isGrave || mistake.isDecisive);
    const unknown = review?.known.unknown ?? 0;
    const hadFocus = this.findings.contains(document.activeElement);
    this.findings.replaceChildren(
      ...[
        grave.length > 0 &&
          h(
            "ul",
            { class: "mistakes" },
            grave.map((mistake) => this.#mistake(mistake)),
          ),
        review && !isEmpty(this.game) && grave.length === 0 && unknown === 0 && h("p", {}, t("record.clean")),
        ...(review?.findings ?? []).map(({ what }) => h("p", { class: "detail", lang: "en" }, what)),
        progress && this.#progress(progress),
        review && unknown > 0 && !progress && this.#further(unknown, review.known),
        ...(failed ? problem(failed, () => this.reviewer.prove()) : []),
      ].filter(Boolean),
    );
    if (hadFocus) this.findings.querySelector("button")?.focus({ preventScroll: true });
  }

  #mistake(mistake) {
    const { ply, move, sign, best, isDecisive } = mistake;
    const go = () => this.page.goTo(this.line[ply - 1]);
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: go, "aria-label": `${ply}. ${move}: ${this.#name(mistake)}` },
        h("strong", {}, `${ply}. ${move}${sign}`),
        h("span", {}, this.#name(mistake)),
      ),
      isDecisive && h("span", { class: "decisive" }, t("record.decisive")),
      best.length > 0 && h("span", { class: "better" }, t("record.better", { moves: best.join(t("list.comma")) })),
    );
  }

  #progress({ done, of }) {
    return h(
      "div",
      { class: "working" },
      h("progress", { max: of, value: done, "aria-label": t("record.proving") }),
      h("button", { type: "button", class: "button", onclick: () => this.#cancel() }, t("cancel")),
    );
  }

  #cancel() {
    this.reviewer.stop();
    this.#refresh();
    announce(t("cancelled"));
  }

  #further(unknown, { tables, proofs }) {
    const prove = () => this.reviewer.prove();
    return h(
      "div",
      { class: "further" },
      h("p", { class: "hint" }, t("record.unknown", { n: unknown, of: unknown + tables + proofs })),
      !this.reviewer.proven.has(this.reviewer.key) &&
        h("button", { type: "button", class: "button", id: "prove-game", onclick: prove }, t("record.prove")),
    );
  }

  #record() {
    return writeRecord(this.game, this.side, this.page.rules, this.tags);
  }

  /** The record with the values and better moves of the line shown. */
  async #annotated() {
    const question = { ...Reviewer.question(goTo(this.game, 0), this.line, this.tags), annotate: true };
    try {
      return (await fetchReview(this.page.rules.name, question)).annotated;
    } catch {
      return this.#record();
    }
  }

  leave() {
    this.reviewer.leave();
  }
}
