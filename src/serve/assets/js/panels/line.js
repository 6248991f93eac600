// The best line, with buttons to step through it or let it play.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";

/** Numbers two plies as one move, as `1.` and `1…`, the first for White. */
function numbered(moves, side) {
  const offset = side === "w" ? 0 : 1;
  return moves.map((move, ply) => {
    const number = Math.floor((ply + offset) / 2) + 1;
    const isWhite = (ply + offset) % 2 === 0;
    return { move, prefix: isWhite ? `${number}.` : ply === 0 ? `${number}…` : "" };
  });
}

/** A list of moves as buttons; `current` is the number of the one that the board shows. */
export function moveList(moves, side, { onGo, onPoint, current = -1, label }) {
  return h(
    "ol",
    { class: "line", "aria-label": label },
    numbered(moves, side).map(({ move, prefix }, ply) =>
      h(
        "li",
        {},
        prefix && h("span", { class: "number", "aria-hidden": "true" }, prefix),
        h(
          "button",
          {
            type: "button",
            "data-ply": ply,
            "aria-current": ply === current ? "step" : null,
            onclick: () => onGo(ply),
            onpointerenter: () => onPoint?.(ply === 0 ? move : null),
            onpointerleave: () => onPoint?.(null),
          },
          move,
        ),
      ),
    ),
  );
}

export class LinePanel {
  /** `step`, `toEnd` play moves of the line, `goTo(ply)` plays up to a move, `autoplay` runs it. */
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
      { class: "panel", "aria-labelledby": "line-title" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "line-title" }, t("line.title")),
        h("div", { class: "buttons" }, this.stepButton, this.endButton, this.playButton),
      ),
      this.body,
    );
  }

  /** Shows the line of a report; the buttons stay, so that the focus does. */
  show(line, side) {
    this.element.hidden = line.length === 0 && !this.autoplay.running;
    this.body.replaceChildren(moveList(line, side, { onGo: this.goTo, onPoint: this.point, label: t("line.title") }));
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
