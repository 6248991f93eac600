// The game: its moves with variations, to go to any of them and to change the tree.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { cut, isEmpty, isVariation, promote } from "../game/game.js";
import { parsePosition } from "../text/position.js";
import { moveTree } from "./movelist.js";

export class RecordPanel {
  /** `page` is the page of the board: `goTo(node)`, `changeGame(change)`. */
  constructor(page) {
    this.page = page;
    this.body = h("div", { class: "record-body" });
    this.promoteButton = iconButton("promote", t("record.promote"), () => page.changeGame(promote), { id: "promote" });
    this.cutButton = iconButton("trash", t("record.cut"), () => page.changeGame(cut), { id: "cut" });
    this.element = h(
      "section",
      { class: "panel record-panel", "aria-labelledby": "record-title" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "record-title" }, t("played.title")),
        h("div", { class: "buttons" }, this.promoteButton, this.cutButton),
      ),
      this.body,
    );
  }

  /** Shows a game. */
  show(game) {
    this.element.hidden = this.page.editing || isEmpty(game);
    this.promoteButton.hidden = !isVariation(game);
    this.cutButton.setAttribute("aria-disabled", String(game.at === 0));
    const side = parsePosition(game.start, this.page.rules.ranks)?.side ?? "w";
    const list = moveTree(game, side, { onGo: (node) => this.page.goTo(node), label: t("played.title") });
    const hadFocus = this.body.contains(document.activeElement);
    this.body.replaceChildren(list);
    const current = list.querySelector("[aria-current]");
    // Scrolls the list, not the page.
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    if (hadFocus) (current ?? list.querySelector("button"))?.focus({ preventScroll: true });
  }

  leave() {}
}
