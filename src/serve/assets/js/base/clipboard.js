// Copying text, also where the page is not served over a secure connection and has no clipboard.

import { announce, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

function copyBySelection(text) {
  const area = h("textarea", { class: "hidden", readonly: true, "aria-hidden": "true" });
  area.value = text;
  const focused = document.activeElement;
  // An open dialog would not let anything outside of it be selected.
  (focused?.closest?.("dialog") ?? document.body).append(area);
  area.select();
  let done;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  focused?.focus?.();
  return done;
}

/** Copies a text; says whether it could. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A button, named in a group for copying, that copies what `text()` gives, which may be a promise. */
export function copyButton(label, text) {
  const name = h("span", {}, label);
  let timer = 0;
  const button = h("button", { type: "button", class: "button", onclick }, icon("copy"), name);
  async function onclick() {
    const value = await text();
    const done = await copy(value);
    const said = done ? t("copied") : t("copyFailed");
    name.textContent = said;
    button.classList.toggle("done", done);
    announce(said);
    if (!done) globalThis.prompt?.(label, value);
    clearTimeout(timer);
    timer = setTimeout(() => {
      name.textContent = label;
      button.classList.remove("done");
    }, 1800);
  }
  return button;
}
