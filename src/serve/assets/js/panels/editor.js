// The palette: pieces to put on the board, side to move, and whole positions to begin with.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { pieceIcon, pieceName, smallIcon } from "../board/pieces.js";
import { colorKey, turn } from "../text/words.js";

export class Editor {
  /** `board` is the view that pieces go to; `actions` are `remove(letter)`, `setSide(side)`, `clear()`, `start()` and
   * `done()`. */
  constructor(rules, board, actions) {
    this.rules = rules;
    this.board = board;
    this.actions = actions;
    this.buttons = new Map();
    const row = (side) =>
      h(
        "div",
        { class: `palette ${colorKey(side)}`, role: "group", "aria-label": t(`palette.${colorKey(side)}`) },
        [...rules.animals.keys()].map((letter) => this.#button(side === "w" ? letter : letter.toLowerCase())),
      );
    this.rows = h("div", { class: "palettes" }, row("b"), row("w"));
    this.removeButton = iconButton("trash", t("edit.remove"), () => actions.remove(board.held), { text: true });
    this.sides = h(
      "fieldset",
      { class: "segments" },
      h("legend", {}, t("edit.side")),
      ["w", "b"].map((side) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: "side", value: side, onchange: () => actions.setSide(side) }),
          h("span", {}, h("span", { class: `stone ${colorKey(side)}`, "aria-hidden": "true" }), turn(side)),
        ),
      ),
    );
    this.element = h(
      "section",
      { class: "panel editor", "aria-labelledby": "edit-title" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "edit-title" }, t("edit.title")),
        iconButton("check", t("edit.done"), actions.done, { text: true, class: "button primary" }),
      ),
      h("p", { class: "hint" }, t("edit.hint")),
      this.rows,
      h(
        "div",
        { class: "buttons wrap" },
        this.removeButton,
        h("button", { type: "button", class: "button", id: "clear", onclick: actions.clear }, t("edit.clear")),
        rules.start && h("button", { type: "button", class: "button", onclick: actions.start }, t("edit.start")),
      ),
      this.sides,
    );
  }

  #button(letter) {
    const button = h(
      "button",
      {
        type: "button",
        class: "palette-piece",
        "data-piece": letter,
        title: pieceName(letter),
        onclick: () => {
          if (this.board.dragged) return;
          this.board.hold(this.board.held === letter ? null : letter);
          // By keyboard, the next thing to do is on the board.
          if (this.board.held && button.matches(":focus-visible")) this.board.focus();
        },
        onpointerdown: (event) => {
          this.board.dragged = false;
          this.board.drag(event, letter, letter);
        },
      },
      // Where there is little room, the letter stands below the picture.
      h("span", { class: "roomy" }, pieceIcon(letter, this.rules.strength(letter))),
      h("span", { class: "tight" }, smallIcon(letter), `${letter.toUpperCase()} ${this.rules.strength(letter)}`),
      h("span", { class: "hidden" }),
    );
    this.buttons.set(letter, button);
    return button;
  }

  /** Shows which pieces are on the board, which is held, who is to move. */
  show(position) {
    const squares = new Map([...position.pieces].map(([square, letter]) => [letter, square]));
    for (const [letter, button] of this.buttons) {
      const square = squares.get(letter);
      button.classList.toggle("placed", square !== undefined);
      button.setAttribute("aria-pressed", String(this.board.held === letter));
      button.lastChild.textContent = square ? t("palette.on", { piece: pieceName(letter), square }) : pieceName(letter);
    }
    this.removeButton.disabled = !(
      this.board.held &&
      (position.pieces.has(this.board.held) || squares.has(this.board.held))
    );
    for (const input of this.sides.querySelectorAll("input")) input.checked = input.value === position.side;
  }
}
