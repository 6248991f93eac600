// The best line, with buttons to step through it or let it play. While it is played, the line stays as it is and the
// move on the board is marked in it: nothing jumps.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { moveList } from "./movelist.js";

export class LinePanel {
  /** `step`, `toEnd` play moves of the line, `goTo(ply)` goes to a move, `autoplay` runs it. */
  constructor({ step, toEnd, goTo, point, autoplay }) {
    this.goTo = goTo;
    this.point = point;
    this.autoplay = autoplay;
    this.stepButton = iconButton("step", t("line.step"), step);
    this.playButton = iconButton("play", t("line.play"), () => autoplay.toggle(), {
      class: "button primary",
      text: true,
      id: "autoplay",
    });
    this.endButton = iconButton("end", t("line.end"), toEnd);
    this.body = h("div", { class: "line-body" });
    this.element = h(
      "section",
      { class: "panel line-panel", "aria-labelledby": "line-title" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "line-title" }, t("line.title")),
        h("div", { class: "buttons" }, this.stepButton, this.endButton, this.playButton),
      ),
      this.body,
    );
  }

  /** Shows a line, of which `played` moves are on the board; the buttons stay, so that the focus does. Where nothing is
   * left to play, and `known` to be so, there is nothing to show. */
  show({ moves, side, played, known }) {
    this.element.hidden = known && moves.length === played && !this.autoplay.running;
    const focused = this.body.contains(document.activeElement);
    const list = moveList(moves, side, {
      onGo: this.goTo,
      onPoint: this.point,
      current: played - 1,
      label: t("line.title"),
    });
    this.body.replaceChildren(list);
    const current = list.querySelector("[aria-current]");
    // Scrolls the list, not the page.
    if (current) {
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
      list.scrollLeft = current.offsetLeft - list.offsetLeft - list.clientWidth / 2;
    }
    if (focused) (current ?? list.querySelector("button"))?.focus({ preventScroll: true });
    this.refresh();
  }

  /** Shows whether it plays by itself. */
  refresh() {
    const { running } = this.autoplay;
    const fresh = iconButton(running ? "stop" : "play", t(running ? "line.stop" : "line.play"), () => {}, {
      text: true,
    });
    this.playButton.replaceChildren(...fresh.childNodes);
  }
}
