// The help dialog: animals, signs, keys.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { recall, remember } from "../base/store.js";
import { pieceIcon } from "../board/pieces.js";
import { LETTERS } from "../text/position.js";

const KEYS = [
  [["↑", "↓", "←", "→"], "arrows"],
  [["Home", "End", "Page ↑", "Page ↓"], "edges"],
  [["Enter", "Space"], "pick"],
  [["Esc"], "escape"],
  [["b"], "board"],
  [[",", "←"], "undo"],
  [[".", "→"], "redo"],
  [["0"], "first"],
  [["n"], "next"],
  [["p"], "autoplay"],
  [["f"], "flip"],
  [["m"], "mirror"],
  [["x"], "swap"],
  [["e"], "edit"],
  [["R", "r", "…"], "letters"],
  [["Del"], "delete"],
  [["/"], "search"],
  [["?"], "help"],
];

/** Whether single keys do something outside of fields: some speak to their computer, and every word would. */
export const singleKeys = () => recall("keys") !== "off";

/** Opens the help. */
export function openHelp(app) {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", { id: "help-title" }, t("help.title")),
      iconButton("close", t("help.close"), close),
    ),
    h("p", {}, t("help.words")),
    h("h3", {}, t("help.animals")),
    h(
      "ul",
      { class: "animals" },
      [...LETTERS]
        .filter((letter) => app.rules?.animals.has(letter))
        .map((letter) =>
          h("li", {}, pieceIcon(letter, app.rules.strength(letter)), h("span", {}, t(`animal.${letter}`))),
        ),
    ),
    h("h3", {}, t("help.keys")),
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        id: "single-keys",
        checked: singleKeys(),
        onchange: (event) => remember("keys", event.target.checked ? null : "off"),
      }),
      h("span", {}, t("help.single")),
    ),
    h(
      "dl",
      { class: "keys" },
      KEYS.map(([keys, what]) =>
        h(
          "div",
          {},
          h(
            "dt",
            {},
            keys.map((key) => h("kbd", {}, key)),
          ),
          h("dd", {}, t(`key.${what}`)),
        ),
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
}
