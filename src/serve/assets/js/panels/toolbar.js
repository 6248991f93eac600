// The buttons below the board.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { following, previous } from "../game/game.js";

/** The toolbar of a page; `refresh` after each change of the page. */
export function toolbar(page) {
  const first = iconButton("first", t("tool.first"), () => page.goTo(0));
  const undo = iconButton("undo", t("tool.undo"), () => page.goTo(previous(page.game)), { id: "undo" });
  const redo = iconButton("redo", t("tool.redo"), () => page.goTo(following(page.game)), { id: "redo" });
  const edit = iconButton("edit", t("tool.edit"), () => page.setEdit(!page.editing), {
    id: "edit",
    text: true,
    title: t("tool.edit"),
  });
  const element = h(
    "div",
    { class: "toolbar", role: "group", "aria-label": t("tool.label") },
    h("div", { class: "buttons" }, first, undo, redo),
    h(
      "div",
      { class: "buttons" },
      iconButton("flip", t("tool.flip"), () => page.flip(), { id: "flip" }),
      iconButton("mirror", t("tool.mirror"), () => page.mirror(), { id: "mirror" }),
      iconButton("swap", t("tool.swap"), () => page.swap(), { id: "swap" }),
    ),
    h("div", { class: "buttons" }, edit),
  );
  const refresh = () => {
    const { game } = page;
    // A button that is disabled loses the focus: it only says that it does nothing.
    for (const [button, idle] of [
      [first, previous(game) === null],
      [undo, previous(game) === null],
      [redo, following(game) === null],
    ]) {
      button.setAttribute("aria-disabled", String(idle));
    }
    edit.setAttribute("aria-pressed", String(page.editing));
  };
  return { element, refresh };
}
