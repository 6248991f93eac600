// Practice: the user plays one side, the tables the other with their best resistance. Every move is told what it cost.

import { announce, h } from "../base/dom.js";
import { formatNumber, t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { movesOf, pathTo, positionsOf } from "../game/game.js";
import { costOf, HOLD_MOVES, playerOf, rememberTry, triesOf, trickiest } from "../game/practice.js";
import { probe, probeAll } from "../service/api.js";
import { afterMove, formatPosition } from "../text/position.js";
import { colorKey, sideToMove, winner } from "../text/words.js";

/** Milliseconds before the tables answer, so that the own move is seen first. */
const PAUSE = 450;

export class PracticePanel {
  /** `page` is the page of the board: `playMove(move)`, `goTo(node)`, `board`, `practise(aim)`. */
  constructor(page) {
    this.page = page;
    this.title = h("h2", { id: "practice-title" });
    this.status = h("p", { class: "sentence", tabindex: -1 });
    this.cost = h("p", { class: "cost" });
    this.tries = h("div", { class: "tries" });
    this.hintButton = iconButton("hint", t("practice.hint"), () => this.#hint(), { text: true, id: "hint" });
    this.backButton = iconButton("undo", t("practice.back"), () => this.#takeBack(), { text: true, id: "take-back" });
    const again = iconButton("first", t("practice.again"), () => page.goTo(0), { text: true, id: "practice-again" });
    const stop = iconButton("close", t("practice.stop"), () => page.practise(null), {
      text: true,
      id: "practice-stop",
    });
    this.element = h(
      "section",
      { class: "panel practice-panel", "aria-labelledby": "practice-title" },
      h("div", { class: "panel-head" }, this.title, stop),
      this.status,
      this.cost,
      h("div", { class: "buttons wrap" }, this.hintButton, this.backButton, again),
      this.tries,
    );
  }

  /** Begins or ends; `aim` is `win`, `hold` or null. */
  begin(game, aim) {
    const task = aim && `${this.page.rules.name} ${aim} ${game.start}`;
    clearTimeout(this.timer);
    this.element.hidden = aim === null;
    if (task === this.task) return;
    this.task = task;
    this.aim = aim;
    this.#reset();
    if (aim) this.#showTries();
  }

  #reset() {
    this.hints = 0;
    this.takebacks = 0;
    /** Whether a try is under way here: one that had ended before the page was loaded is not another. */
    this.isOpen = false;
  }

  /** Shows an answered position of the game, and lets the tables move if it is their turn. */
  async show(game, report) {
    const line = pathTo(game, game.at);
    const positions = positionsOf(game, line, this.page.rules.ranks).map(formatPosition);
    if (game.at === 0) this.#reset();
    const { name } = this.page.rules;
    const isNow = () => this.page.report === report && this.task !== null;
    const start = await probe(name, positions[0]).catch(() => null);
    if (!isNow() || !start) return;
    const player = playerOf(start, this.aim);
    this.player = player;
    if (player === null) {
      this.#say(t("practice.unfit"));
      return;
    }
    this.title.textContent = t(`practice.${this.aim}.${colorKey(player)}`);
    const moves = movesOf(game, line);
    const isOwn = sideToMove(report) === player;
    // The player's last move is the last or the one before.
    const own = moves.length - (isOwn ? 2 : 1);
    await this.#showCost(own, positions, isNow);
    if (!isNow()) return;
    this.hint = 0;
    this.backButton.disabled = own < 0;
    const count = Math.ceil((own + 1) / 2);
    const end = this.#end(report, player, count);
    this.hintButton.disabled = !isOwn || end !== null;
    if (end) return this.#finish(end, moves.length, start.dtw);
    this.isOpen = true;
    this.#say(t(isOwn ? "practice.yours" : "practice.theirs"));
    if (!isOwn) this.timer = setTimeout(() => isNow() && this.#answer(report), PAUSE);
  }

  async #showCost(own, positions, isNow) {
    this.cost.textContent = "";
    if (own < 0) return;
    const ask = (text) => probe(this.page.rules.name, text);
    const [before, after] = await Promise.all([ask(positions[own]), ask(positions[own + 1])]).catch(() => []);
    if (!before || !isNow()) return;
    const { key, n, left } = costOf(before, after);
    this.cost.dataset.cost = key;
    this.cost.textContent = t(`cost.${key}`, { n: n ?? left ?? 0, left: formatNumber(left ?? 0) });
    announce(this.cost.textContent);
  }

  /** How a try ended: `won`, `drawn`, `lost`, `held`, or null if it has not. */
  #end(report, player, count) {
    if (report.over) return { [player]: "won" }[winner(report)] ?? (winner(report) ? "lost" : "drawn");
    return this.aim === "hold" && count >= HOLD_MOVES && report.category === "draw" ? "held" : null;
  }

  #finish(result, plies, least) {
    this.#say(t(`practice.${result}`, { n: plies, least: formatNumber(least ?? 0) }));
    if (!this.isOpen) return;
    this.isOpen = false;
    const { task, hints, takebacks } = this;
    rememberTry({ task, result, plies, least, hints, takebacks, on: new Date().toISOString().slice(0, 10) });
    this.#showTries();
  }

  #say(text) {
    if (this.status.textContent === text) return;
    this.status.textContent = text;
    announce(text);
  }

  /** The tables move: the slowest loss, the quickest win, in a draw what is hardest to hold. */
  async #answer(report) {
    const drawing = report.moves.filter((move) => move.category === "draw");
    let move = report.line[0] ?? report.moves[0].move;
    if (report.category === "draw" && drawing.length > 1) {
      const texts = drawing.map((one) => formatPosition(afterMove(this.page.position, one.move)));
      const replies = await probeAll(this.page.rules.name, texts).catch(() => null);
      if (this.page.report !== report) return;
      if (replies) move = trickiest(drawing, replies).move;
    } else if (report.category === "draw") {
      ({ move } = drawing[0]);
    }
    this.page.playMove(move);
  }

  /** First the piece, then its square to go to. */
  #hint() {
    const { report } = this.page;
    const best = report.line[0] ?? report.moves[0]?.move;
    if (!best) return;
    this.hint += 1;
    this.hints += 1;
    const [from, to] = [best.slice(0, 2), best.slice(2, 4)];
    const piece = t(`piece.${this.page.position.pieces.get(from)}`);
    if (this.hint === 1) {
      this.page.board.hold(from);
      this.#say(t("practice.piece", { piece, square: from }));
    } else {
      this.page.board.point(best);
      this.#say(t("said.move", { piece, from, to }));
    }
  }

  /** Back to before the own last move. */
  #takeBack() {
    clearTimeout(this.timer);
    const { page } = this;
    const { game, report } = page;
    const path = pathTo(game, game.at);
    const isOwn = sideToMove(report ?? { position: page.text }) === this.player;
    this.takebacks += 1;
    page.goTo(path.at(isOwn && path.length > 2 ? -3 : -2) ?? 0);
  }

  #showTries() {
    const tries = triesOf(this.task);
    const one = ({ result, plies, least, hints, takebacks, on }) =>
      h(
        "li",
        {},
        `${on}: ${t(`practice.${result}`, { n: plies, least: formatNumber(least ?? 0) })}`,
        (hints > 0 || takebacks > 0) && h("span", { class: "hint" }, ` ${t("practice.help", { hints, takebacks })}`),
      );
    this.tries.replaceChildren(
      ...(tries.length > 0 ? [h("h3", {}, t("practice.tries")), h("ul", {}, tries.slice(0, 5).map(one))] : []),
    );
  }

  leave() {
    clearTimeout(this.timer);
    this.task = null;
  }
}
