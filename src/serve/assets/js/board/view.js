// The board: an SVG drawing below a grid of cells that takes focus, keys and pointers. What may be done with pieces
// is asked of its `control`: `canPick(square)`, `canDrop(held, square)`, `drop(held, square)`, `targets(held)`,
// `key(event, square)`. What is held is a square of the board or a piece letter of the palette.

import { announce, h, reducedMotion, svg } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { startDrag } from "./drag.js";
import { drawMark, drawValue } from "./marks.js";
import { valueWords } from "../text/words.js";
import { cellOf, drawArrow, drawGround, framedBox, placePiece, squareAt } from "./draw.js";
import { pieceName } from "./pieces.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class BoardView {
  constructor(control) {
    this.control = control;
    this.flipped = false;
    this.held = null;
    this.focused = null;
    this.last = null;
    this.cells = new Map();
    this.ground = svg("g");
    this.marks = svg("g", { class: "marks" });
    this.pieces = svg("g", { class: "pieces" });
    this.values = svg("g", { class: "values" });
    this.arrows = svg("g", { class: "arrows" });
    this.picture = svg(
      "svg",
      { class: "picture", "aria-hidden": "true" },
      this.ground,
      this.marks,
      this.pieces,
      this.values,
      this.arrows,
    );
    this.grid = h("div", {
      class: "cells",
      role: "grid",
      "aria-label": t("board.label"),
      "aria-describedby": "board-help",
    });
    this.element = h(
      "div",
      { class: "board" },
      this.picture,
      this.grid,
      h("p", { id: "board-help", class: "hidden" }, t("board.help")),
    );
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Lays the ground; needed before the first position and whenever rules or side of view change. */
  lay(rules, flipped) {
    if (this.rules === rules && this.flipped === flipped && this.cells.size) return;
    const hadFocus = this.grid.contains(document.activeElement);
    this.rules = rules;
    this.flipped = flipped;
    this.element.dataset.ranks = rules.ranks;
    this.picture.setAttribute("viewBox", framedBox(rules.ranks));
    const ground = drawGround(rules, flipped, true);
    this.ground.replaceWith(ground);
    this.ground = ground;
    this.cells.clear();
    const rows = Array.from({ length: rules.ranks }, (_, row) =>
      h(
        "div",
        { role: "row" },
        Array.from({ length: 7 }, (__, column) => this.#cell(squareAt(column, row, rules.ranks, flipped))),
      ),
    );
    this.grid.replaceChildren(...rows);
    if (!this.cells.has(this.focused)) this.focused = squareAt(3, rules.ranks - 1, rules.ranks, flipped);
    this.cells.get(this.focused).tabIndex = 0;
    if (hadFocus) this.focus();
  }

  #cell(square) {
    const cell = h("div", { role: "gridcell", tabindex: -1, "data-square": square });
    cell.addEventListener("click", () => {
      if (this.dragged) return;
      this.#moveFocus(square);
      this.activate(square);
    });
    cell.addEventListener("pointerdown", (event) => this.#pointerDown(event, square));
    cell.addEventListener("focus", () => this.#moveFocus(square, false));
    this.cells.set(square, cell);
    return cell;
  }

  /** Shows a position. `move` is the one that led to it; it glides if the position before was shown. */
  show(position, move, glide = false) {
    this.position = position;
    this.last = move;
    this.held = null;
    this.arrow = null;
    this.pieces.replaceChildren();
    for (const [square, letter] of position.pieces) {
      const piece = placePiece(this.rules, letter, square, this.flipped);
      this.pieces.append(piece);
      if (glide && move?.slice(2) === square) this.#glide(piece, move);
    }
    this.refresh();
  }

  #glide(piece, move) {
    if (reducedMotion()) return;
    const [from, to] = [move.slice(0, 2), move.slice(2)].map((square) =>
      cellOf(square, this.rules.ranks, this.flipped),
    );
    const at = ([column, row]) => ({ transform: `translate(${column * 100}px, ${row * 100}px)` });
    piece.animate([at(from), at(to)], { duration: 180, easing: "ease-out" });
  }

  /** Draws marks and labels anew, after what may be done has changed. */
  refresh() {
    const targets = this.held ? this.control.targets(this.held) : new Map();
    const place = (square, mark) => {
      const [column, row] = cellOf(square, this.rules.ranks, this.flipped);
      mark.setAttribute("transform", `translate(${column * 100} ${row * 100})`);
      return mark;
    };
    const marks = [];
    if (this.last)
      for (const square of [this.last.slice(0, 2), this.last.slice(2)]) marks.push(place(square, drawMark("last")));
    if (this.held && this.cells.has(this.held)) marks.push(place(this.held, drawMark("held")));
    for (const [square, { kind, value }] of targets)
      if (kind !== "move" || !value) marks.push(place(square, drawMark(kind)));
    this.marks.replaceChildren(...marks);
    const values = [...targets].filter(([, target]) => target.value);
    this.values.replaceChildren(...values.map(([square, target]) => place(square, drawValue(target))));
    this.arrows.replaceChildren(
      ...(this.arrow ? [drawArrow(this.arrow.move, this.rules.ranks, this.flipped, this.arrow.kind)] : []),
    );
    for (const [square, cell] of this.cells) {
      cell.setAttribute("aria-label", this.#label(square, targets));
      const canPick = this.control.canPick(square);
      cell.classList.toggle("movable", canPick);
      // Only what can be picked up is told to be selected or not.
      if (canPick) cell.setAttribute("aria-selected", String(this.held === square));
      else cell.removeAttribute("aria-selected");
    }
  }

  #label(square, targets) {
    const ground = this.rules.groundAt(square);
    const letter = this.position?.pieces.get(square);
    const target = targets.get(square);
    return [
      square,
      ground && t(`ground.${ground.kind}${ground.side ? `.${ground.side}` : ""}`),
      letter && pieceName(letter),
      target && target.kind !== "barred" && t(`target.${target.kind}`),
      target?.value && valueWords(target.value, target.plies),
    ]
      .filter(Boolean)
      .join(t("list.comma"));
  }

  /** Shows an arrow, or none. */
  point(move, kind) {
    this.arrow = move ? { move, kind } : null;
    this.refresh();
  }

  /** Takes a piece in hand; null puts it back. */
  hold(held) {
    this.held = held;
    this.refresh();
    this.control.held?.(held);
  }

  /** What a tap, Enter or a click does with a square. */
  activate(square) {
    if (this.held === square) return this.hold(null);
    if (this.held && this.control.canDrop(this.held, square)) {
      const { held } = this;
      this.held = null;
      return this.control.drop(held, square);
    }
    if (this.control.canPick(square)) {
      this.hold(square);
      return announce(t("board.picked", { piece: pieceName(this.position.pieces.get(square)), square }));
    }
    if (this.held) announce(t("board.cannot"));
    return this.hold(null);
  }

  #pointerDown(event, square) {
    this.dragged = false;
    if (!this.control.canPick(square)) return;
    this.drag(event, square, this.position.pieces.get(square));
  }

  /** Lets a piece follow the pointer, once it moves. */
  drag(event, held, letter) {
    startDrag(
      event,
      { letter, strength: this.rules.strength(letter), size: this.grid.clientWidth / 7 },
      {
        start: () => {
          this.dragged = true;
          this.hold(held);
          this.element.classList.add("dragging");
        },
        move: (x, y) => this.#hover(this.squareAtPoint(x, y)),
        end: (x, y) => {
          this.element.classList.remove("dragging");
          this.#hover(null);
          // The click that follows is the drag's own; a later one, as screen readers send it, is not.
          setTimeout(() => {
            this.dragged = false;
          });
          const square = x === null ? undefined : this.squareAtPoint(x, y);
          this.held = null;
          if (square !== undefined && square !== held && this.control.canDrop(held, square))
            this.control.drop(held, square);
          else this.hold(null);
        },
      },
    );
  }

  #hover(square) {
    this.over?.classList.remove("over");
    this.over = square ? this.cells.get(square) : null;
    this.over?.classList.add("over");
  }

  /** The square at a point of the window, null outside of the board. */
  squareAtPoint(x, y) {
    const box = this.grid.getBoundingClientRect();
    const size = box.width / 7;
    return squareAt(
      Math.floor((x - box.left) / size),
      Math.floor((y - box.top) / size),
      this.rules.ranks,
      this.flipped,
    );
  }

  #moveFocus(square, focus = true) {
    const before = this.cells.get(this.focused);
    if (before) before.tabIndex = -1;
    this.focused = square;
    const cell = this.cells.get(square);
    cell.tabIndex = 0;
    if (focus) cell.focus({ preventScroll: true });
  }

  /** Gives the board the focus. */
  focus() {
    this.cells.get(this.focused)?.focus();
  }

  #key(event) {
    const square = event.target.dataset.square;
    if (!square) return;
    const { ranks } = this.rules;
    const [column, row] = cellOf(square, ranks, this.flipped);
    const far = event.ctrlKey || event.metaKey;
    let to = null;
    if (ARROWS[event.key] && !event.altKey) to = [column + ARROWS[event.key][0], row + ARROWS[event.key][1]];
    else if (event.key === "Home") to = [0, far ? 0 : row];
    else if (event.key === "End") to = [6, far ? ranks - 1 : row];
    else if (event.key === "PageUp") to = [column, 0];
    else if (event.key === "PageDown") to = [column, ranks - 1];
    else if (event.key === "Enter" || event.key === " ") this.activate(square);
    else if (event.key === "Escape" && this.held) this.hold(null);
    else if (!this.control.key?.(event, square)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = to && squareAt(to[0], to[1], ranks, this.flipped);
    if (next) this.#moveFocus(next);
  }
}
