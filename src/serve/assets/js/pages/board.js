// The page of a position and the game that led to it: board, value, moves, best line; or, in edit mode, the palette.

import { announce, h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { recall, remember } from "../base/store.js";
import { EditControl, PlayControl } from "../board/controls.js";
import { BoardView } from "../board/view.js";
import * as games from "../game/game.js";
import { gameOf, gameRoute } from "../game/link.js";
import { Autoplay } from "../panels/autoplay.js";
import { Editor } from "../panels/editor.js";
import { LinePanel } from "../panels/line.js";
import { FurtherSearch } from "../panels/further.js";
import { moveGroups, tellReplies } from "../panels/moves.js";
import { PracticePanel } from "../panels/practice.js";
import { RecordPanel } from "../panels/record.js";
import { SharePanel } from "../panels/share.js";
import { toolbar } from "../panels/toolbar.js";
import { emptyCard, errorCard, verdictCard } from "../panels/verdict.js";
import { probe, probeAll } from "../service/api.js";
import { afterMove, emptyPosition, formatPosition, MIRROR, parsePosition, SWAP } from "../text/position.js";
import { routeUrl } from "../text/route.js";
import { moveWords, verdict } from "../text/words.js";

export class BoardPage {
  /** `app.rules` is the rule set; `app.go(route, options)` goes elsewhere. */
  constructor(app, route) {
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
      toEnd: () => this.#toPly(this.best.moves.length),
      goTo: (ply) => this.#toPly(ply + 1),
      point: (move) => this.board.point(move),
      autoplay: this.autoplay,
    });
    this.record = new RecordPanel(this);
    this.practice = new PracticePanel(this);
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
      start: () => this.open(this.rules.start),
      done: () => this.setEdit(false),
    });
    this.element = h(
      "div",
      { class: "explorer" },
      h("h1", { class: "hidden" }, t("board.title")),
      h("div", { class: "board-column" }, this.board.element, this.tools.element, this.record.strip.element),
      h(
        "div",
        { class: "info-column" },
        this.editor.element,
        this.verdict,
        this.practice.element,
        h("div", { class: "columns" }, this.line.element, this.moves, this.record.element, this.share.element),
      ),
    );
    this.show(route);
  }

  /** Shows what the address says. */
  show(route) {
    const { ranks } = this.rules;
    this.game = gameOf(route, this.rules);
    this.tags = route.game?.tags ?? {};
    this.editing = route.edit;
    /** What is practised: `win`, `hold`, or null. */
    this.aim = (!route.edit && route.practice) || null;
    this.text = route.position;
    this.position = parsePosition(this.text, ranks);
    // What was known belongs to another position: nothing of it can be played any more.
    this.report = null;
    this.further?.leave();
    this.board.control = this.editing ? this.edit : this.play;
    this.board.lay(this.rules, this.flipped);
    this.board.show(this.position ?? emptyPosition(ranks), games.lastMove(this.game), this.glide);
    this.said = this.glide ? this.#lastMoveWords() : null;
    this.glide = false;
    this.share.show(this.text);
    this.editor.element.hidden = !this.editing;
    this.element.classList.toggle("editing", this.editing);
    this.element.classList.toggle("practising", this.aim !== null);
    this.practice.begin(this.game, this.aim);
    this.refreshEditor();
    this.tools.refresh();
    this.record.show(this.game, this.tags);
    this.#showBest();
    this.#ask();
  }

  #lastMoveWords() {
    const positions = games.positionsOf(this.game, games.pathTo(this.game, this.game.at), this.rules.ranks);
    return positions.length > 1 ? moveWords(games.lastMove(this.game), positions.at(-2)) : null;
  }

  async #ask() {
    this.question?.abort();
    if (this.position?.pieces.size === 0) return this.#empty();
    const question = new AbortController();
    this.question = question;
    for (const panel of [this.verdict, this.moves]) panel.setAttribute("aria-busy", "true");
    try {
      const report = await probe(this.rules.name, this.text, question.signal);
      if (this.question === question) this.#answered(report);
    } catch (error) {
      if (error.name === "AbortError" || this.question !== question) return;
      this.#refused(error);
    }
    for (const panel of [this.verdict, this.moves]) panel.removeAttribute("aria-busy");
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
    this.#replace(
      this.verdict,
      verdictCard(report, this.rules, link, (aim) => this.practise(aim)),
    );
    const isNow = () => this.report === report;
    const handlers = {
      onPlay: (move) => isNow() && this.playMove(move),
      onPoint: (move, kind) => isNow() && this.board.point(move, kind),
    };
    this.verdict.hidden = this.aim !== null;
    this.moves.hidden = this.editing || this.aim !== null || report.moves.length === 0;
    this.#replace(
      this.moves,
      this.moves.hidden ? [] : [h("h2", {}, t("moves.title")), ...moveGroups(report, this.position, handlers)],
    );
    if (report.line.length === 0) this.autoplay.stop();
    this.#newBest(report);
    this.board.refresh();
    this.#tellMore(report);
    const value = verdict(report);
    document.title = this.aim ? `${material} · jungletb` : `${value} · ${material} · jungletb`;
    if (this.aim) this.practice.show(this.game, report);
    else if (!this.autoplay.running) announce(this.said ? t("said.value", { move: this.said, value }) : value);
  }

  /** What takes another question: how many replies to a drawing move lose; where no table reaches, a search. */
  async #tellMore(report) {
    if (this.moves.hidden) return;
    if (report.category === "unknown") {
      this.further = new FurtherSearch(this.rules, this.text, (move) => this.board.point(move));
      this.verdict.querySelector(".said").append(this.further.element);
    }
    const drawing = report.moves.filter((move) => move.category === "draw").map(({ move }) => move);
    if (drawing.length === 0) return;
    const texts = drawing.map((move) => formatPosition(afterMove(this.position, move)));
    const replies = await probeAll(this.rules.name, texts, this.question.signal).catch(() => null);
    if (replies && this.report === report)
      tellReplies(
        this.moves,
        drawing.map((move, n) => [move, replies[n]]),
      );
  }

  #refused(error) {
    const card = errorCard(error, { text: this.text, rules: this.rules, again: () => this.#ask() });
    this.#noAnswer(card);
    announce(this.verdict.querySelector(".error").textContent);
  }

  /** There is nothing to ask about a board without pieces. */
  #empty() {
    this.question = null;
    this.#noAnswer(emptyCard());
    for (const panel of [this.verdict, this.moves]) panel.removeAttribute("aria-busy");
  }

  #noAnswer(card) {
    this.report = null;
    this.autoplay.stop();
    this.verdict.hidden = false;
    this.moves.hidden = true;
    this.best = null;
    this.#showBest();
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

  /** Takes the best line of an answer, unless it is the rest of the one that is being played. */
  #newBest(report) {
    const line = this.editing || this.aim || !this.position ? [] : report.line;
    const rest = this.best?.moves.slice(this.best.texts.indexOf(this.text));
    const goesOn =
      this.best?.texts.includes(this.text) && rest.length === line.length && rest.every((move, n) => move === line[n]);
    if (!goesOn) {
      let at = this.position;
      const texts = [this.text, ...line.map((move) => formatPosition((at = afterMove(at, move))))];
      this.best = { moves: line, texts, side: this.position?.side ?? "w" };
    }
    this.#showBest();
  }

  /** Shows the best line; where there is none, a focus on its buttons goes to the value. */
  #showBest() {
    const hadFocus = this.line.element.contains(document.activeElement);
    const played = this.best?.texts.indexOf(this.text) ?? -1;
    if (played >= 0 && !this.editing) this.line.show({ ...this.best, played, known: this.report !== null });
    else if (!this.best || this.editing) this.line.show({ moves: [], side: "w", played: 0, known: true });
    if (hadFocus && this.line.element.hidden) this.verdict.querySelector("[tabindex]")?.focus();
  }

  /** Shows which piece is held, in edit mode. */
  refreshEditor() {
    if (this.editing) this.editor.show(this.position ?? emptyPosition(this.rules.ranks));
  }

  #go(game, { edit = this.editing, practice = this.aim, replace = false, tags = this.tags } = {}) {
    const position = games.currentText(game, this.rules.ranks);
    const told = gameRoute(game, this.rules, tags);
    this.app.go({ page: "board", rules: this.rules.name, position, edit, practice, game: told }, { replace });
  }

  /** Begins to practise from the position on the board, or stops; `aim` is `win`, `hold` or null. */
  practise(aim) {
    this.autoplay.stop();
    this.#go(aim ? games.newGame(this.text) : this.game, { practice: aim, tags: {} });
    (aim ? this.practice.element : this.verdict).querySelector("[tabindex]")?.focus();
  }

  /** Plays a move, if it is one of the position on the board. */
  playMove(move, options) {
    if (!this.report?.moves.some((legal) => legal.move === move)) return;
    this.glide = true;
    this.#go(games.play(this.game, move), options);
  }

  /** Goes to another move of the game; null is none. */
  goTo(node, options) {
    this.autoplay.stop();
    if (node === null || node === this.game.at || !this.game.nodes[node]) return;
    this.glide = games.previous({ ...this.game, at: node }) === this.game.at;
    this.#go(games.goTo(this.game, node), options);
  }

  /** Changes the game in another way: `change(game)` gives the new one. */
  changeGame(change, tags = this.tags) {
    this.autoplay.stop();
    this.#go(change(this.game), { tags });
  }

  /** Opens another position. */
  open(text) {
    this.autoplay.stop();
    this.#go(games.newGame(text), { tags: {}, practice: null });
  }

  /** Goes to edit mode or leaves it; the game stays until the position is changed. */
  setEdit(edit) {
    this.autoplay.stop();
    const hadFocus = this.editor.element.contains(document.activeElement);
    this.#go(this.game, { edit, practice: null });
    if (edit) announce(t("edit.hint"));
    // The button that had the focus is gone.
    else if (hadFocus) this.tools.element.querySelector("#edit").focus();
  }

  /** Plays the best move. While it plays by itself, steps after the first leave no traces in the browser's history. */
  #step() {
    const move = this.report?.line[0];
    if (!move) return this.autoplay.running && this.report === null;
    this.playMove(move, { replace: this.autoplay.running });
    return true;
  }

  /** Goes to the position after some moves of the best line, forward or back. */
  #toPly(count) {
    this.autoplay.stop();
    const { moves, texts } = this.best;
    const played = texts.indexOf(this.text);
    if (count === played || played < 0) return;
    if (count > played) {
      this.glide = count === played + 1;
      return this.#go(moves.slice(played, count).reduce(games.play, this.game));
    }
    const path = games.pathTo(this.game, this.game.at);
    const node = path.at(-1 - (played - count));
    if (node === undefined) this.open(texts[count]);
    else this.goTo(node);
  }

  flip() {
    this.flipped = !this.flipped;
    remember("flipped", this.flipped ? "1" : null);
    this.board.lay(this.rules, this.flipped);
    this.board.show(this.board.position, this.board.last);
    this.refreshEditor();
  }

  /** Changes the whole game alike, as by mirroring. */
  #transform(change) {
    if (this.position) this.changeGame((game) => games.transform(game, this.rules.ranks, change(this.rules.ranks)));
  }

  mirror() {
    this.#transform(MIRROR);
  }

  swap() {
    this.#transform(SWAP);
  }

  /** What the keys do when no field is typed into; says whether the key meant anything. */
  key(key) {
    const back = () => this.goTo(games.previous(this.game));
    const forward = () => this.goTo(games.following(this.game));
    const actions = {
      ",": back,
      ".": forward,
      ArrowLeft: back,
      ArrowRight: forward,
      0: () => this.goTo(0),
      n: () => this.editing || this.aim || this.#step(),
      p: () => this.editing || this.aim || this.autoplay.toggle(),
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
    this.further?.leave();
    this.autoplay.stop();
    this.record.leave();
    this.practice.leave();
  }
}
