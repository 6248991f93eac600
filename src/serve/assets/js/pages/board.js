// The page of a position: board, value, moves, best line; or, in edit mode, the palette.

import { announce, h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { recall, remember } from "../base/store.js";
import { EditControl, PlayControl } from "../board/controls.js";
import { BoardView } from "../board/view.js";
import { currentText, goTo, lastMove, newGame, play } from "../game/game.js";
import { Autoplay } from "../panels/autoplay.js";
import { Editor } from "../panels/editor.js";
import { LinePanel, moveList } from "../panels/line.js";
import { moveGroups } from "../panels/moves.js";
import { SharePanel } from "../panels/share.js";
import { toolbar } from "../panels/toolbar.js";
import { emptyCard, errorCard, verdictCard } from "../panels/verdict.js";
import { probe } from "../service/api.js";
import { emptyPosition, formatPosition, mirror, parsePosition, swapColors } from "../text/position.js";
import { routeUrl } from "../text/route.js";
import { sideToMove, verdict } from "../text/words.js";

export class BoardPage {
  /** `app.rules` is the rule set; `app.go(route, options)` goes elsewhere. */
  constructor(app, route, state) {
    this.app = app;
    this.rules = app.rules;
    this.flipped = recall("flipped") === "1";
    this.autoplay = new Autoplay(
      () => this.#step(),
      () => this.line.refresh(),
    );
    this.play = new PlayControl(this);
    this.edit = new EditControl(this);
    this.board = new BoardView(this.play);
    this.tools = toolbar(this);
    this.verdict = h("section", { class: "panel verdict", "aria-label": t("verdict.label") });
    this.moves = h("section", { class: "panel moves-panel", "aria-label": t("moves.title") });
    this.line = new LinePanel({
      step: () => this.#step(),
      toEnd: () => this.#playLine(this.report?.line.length ?? 0),
      goTo: (ply) => this.#playLine(ply + 1),
      point: (move) => this.board.point(move, "win"),
      autoplay: this.autoplay,
    });
    this.played = h("section", { class: "panel", "aria-labelledby": "played-title" });
    this.share = new SharePanel({
      rules: this.rules,
      set: (text) => this.open(text),
      follow: (target) => app.go(target),
      current: () => this.text,
    });
    this.editor = new Editor(this.rules, this.board, {
      remove: (held) => this.edit.remove(held),
      setSide: (side) => this.edit.change({ ...this.position, side }),
      clear: () => this.edit.change(emptyPosition(this.rules.ranks)),
      start: () => this.open(this.rules.start, { edit: true }),
      done: () => this.setEdit(false),
    });
    this.element = h(
      "div",
      { class: "explorer" },
      h("h1", { class: "hidden" }, t("board.title")),
      h("div", { class: "board-column" }, this.board.element, this.tools.element),
      h(
        "div",
        { class: "info-column" },
        this.editor.element,
        this.verdict,
        h(
          "div",
          { class: "columns" },
          this.moves,
          h("div", { class: "stack" }, this.line.element, this.played, this.share.element),
        ),
      ),
    );
    this.show(route, state);
  }

  /** Shows what the address and the browser's history say. */
  show(route, state) {
    const game = state?.game;
    this.game = game && currentText(game, this.rules.ranks) === route.position ? game : newGame(route.position);
    this.editing = route.edit;
    this.text = route.position;
    this.position = parsePosition(this.text, this.rules.ranks);
    this.report = null;
    this.board.control = this.editing ? this.edit : this.play;
    this.board.lay(this.rules, this.flipped);
    this.board.show(this.position ?? emptyPosition(this.rules.ranks), lastMove(this.game), this.glide);
    this.glide = false;
    this.share.show(this.text);
    this.editor.element.hidden = !this.editing;
    this.element.classList.toggle("editing", this.editing);
    this.refreshEditor();
    this.tools.refresh();
    this.#showPlayed();
    this.#ask();
  }

  async #ask() {
    this.question?.abort();
    if (this.position?.pieces.size === 0) return this.#empty();
    const question = new AbortController();
    this.question = question;
    this.verdict.setAttribute("aria-busy", "true");
    try {
      const report = await probe(this.rules.name, this.text, question.signal);
      if (this.question === question) this.#answered(report);
    } catch (error) {
      if (error.name === "AbortError" || this.question !== question) return;
      this.#refused(error);
    }
    this.verdict.removeAttribute("aria-busy");
  }

  #answered(report) {
    this.report = report;
    const { material } = report;
    const link = report.class
      ? h(
          "a",
          {
            href: routeUrl({ page: "material", rules: this.rules.name, material, from: this.text }),
            "data-route": true,
            class: "material",
          },
          material,
        )
      : null;
    this.#replace(this.verdict, verdictCard(report, this.rules, link));
    const handlers = { onPlay: (move) => this.playMove(move), onPoint: (move, kind) => this.board.point(move, kind) };
    this.moves.hidden = this.editing || report.moves.length === 0;
    this.#replace(
      this.moves,
      this.moves.hidden ? [] : [h("h2", {}, t("moves.title")), ...moveGroups(report, this.position, handlers)],
    );
    if (report.line.length === 0) this.autoplay.stop();
    this.#showLine(this.editing ? [] : report.line, sideToMove(report));
    this.board.refresh();
    document.title = `${verdict(report)} · ${material} · jungletb`;
    if (!this.autoplay.running) announce(verdict(report));
  }

  #refused(error) {
    this.#noAnswer(errorCard(error));
    announce(error.message);
  }

  /** There is nothing to ask about a board without pieces. */
  #empty() {
    this.question = null;
    this.#noAnswer(emptyCard());
    this.verdict.removeAttribute("aria-busy");
  }

  #noAnswer(card) {
    this.report = null;
    this.autoplay.stop();
    this.moves.hidden = true;
    this.#showLine([], "w");
    this.#replace(this.verdict, card);
    this.board.refresh();
  }

  /** Replaces a panel's contents; a focus in it goes to its first control, or to the value. */
  #replace(panel, contents) {
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren(...contents);
    if (!hadFocus) return;
    const next = panel.hidden ? null : panel.querySelector("button, a");
    (next ?? this.verdict.querySelector("[tabindex]"))?.focus();
  }

  /** Shows a best line; where there is none, a focus on its buttons goes to the value. */
  #showLine(line, side) {
    const hadFocus = this.line.element.contains(document.activeElement);
    this.line.show(line, side);
    if (hadFocus && this.line.element.hidden) this.verdict.querySelector("[tabindex]")?.focus();
  }

  #showPlayed() {
    const { moves, cursor, start } = this.game;
    this.played.hidden = this.editing || moves.length === 0;
    const side = parsePosition(start, this.rules.ranks)?.side ?? "w";
    const list = moveList(moves, side, {
      onGo: (ply) => this.goTo(ply + 1),
      current: cursor - 1,
      label: t("played.title"),
    });
    const head = h("div", { class: "panel-head" }, h("h2", { id: "played-title" }, t("played.title")));
    const hadFocus = this.played.contains(document.activeElement);
    this.played.replaceChildren(head, list);
    const current = list.querySelector("[aria-current]");
    // Scrolls the list, not the page.
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (hadFocus) (current ?? list.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** Shows which piece is held, in edit mode. */
  refreshEditor() {
    if (this.editing) this.editor.show(this.position ?? emptyPosition(this.rules.ranks));
  }

  #go(game, options = {}) {
    const position = currentText(game, this.rules.ranks);
    const route = { page: "board", rules: this.rules.name, position, edit: options.edit ?? this.editing };
    this.app.go(route, { state: { game }, replace: options.replace });
  }

  /** Plays a legal move. */
  playMove(move, options) {
    this.glide = true;
    this.#go(play(this.game, move), options);
  }

  /** Goes to another move of those played. */
  goTo(cursor) {
    this.autoplay.stop();
    if (cursor < 0 || cursor > this.game.moves.length || cursor === this.game.cursor) return;
    this.glide = cursor === this.game.cursor + 1;
    this.#go(goTo(this.game, cursor));
  }

  /** Opens another position. */
  open(text, options) {
    this.autoplay.stop();
    this.#go(newGame(text), options);
  }

  /** Goes to edit mode or leaves it. */
  setEdit(edit) {
    this.autoplay.stop();
    this.#go(edit ? newGame(this.text) : this.game, { edit });
    if (edit) announce(t("edit.hint"));
  }

  /** Plays the best move. While it plays by itself, steps after the first leave no traces in the browser's history. */
  #step() {
    const move = this.report?.line[0];
    if (!move) return this.autoplay.running && this.report === null;
    this.playMove(move, { replace: this.autoplay.running });
    return true;
  }

  #playLine(count) {
    this.autoplay.stop();
    const moves = this.report?.line.slice(0, count) ?? [];
    this.glide = moves.length === 1;
    if (moves.length) this.#go(moves.reduce(play, this.game));
  }

  flip() {
    this.flipped = !this.flipped;
    remember("flipped", this.flipped ? "1" : null);
    this.board.lay(this.rules, this.flipped);
    this.board.show(this.board.position, this.board.last);
    this.refreshEditor();
  }

  #changed(change) {
    if (this.position) this.open(formatPosition(change(this.position)));
  }

  mirror() {
    this.#changed(mirror);
  }

  swap() {
    this.#changed(swapColors);
  }

  /** What the keys do when no field is typed into; says whether the key meant anything. */
  key(key) {
    const actions = {
      ",": () => this.goTo(this.game.cursor - 1),
      ".": () => this.goTo(this.game.cursor + 1),
      ArrowLeft: () => this.goTo(this.game.cursor - 1),
      ArrowRight: () => this.goTo(this.game.cursor + 1),
      0: () => this.goTo(0),
      n: () => this.editing || this.#step(),
      p: () => this.editing || this.autoplay.toggle(),
      f: () => this.flip(),
      m: () => this.mirror(),
      x: () => this.swap(),
      e: () => this.setEdit(!this.editing),
      b: () => this.board.focus(),
    };
    if (!(key in actions)) return false;
    actions[key]();
    return true;
  }

  leave() {
    this.question?.abort();
    this.autoplay.stop();
  }
}
