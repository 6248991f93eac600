// The position as text, to type, paste and copy; the address and the answer to copy.

import { ApiError, probe, probePath } from "./api.js";
import { copyButton } from "./clipboard.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export class SharePanel {
  /** `set(text)` shows a position that the service has accepted; `current()` is the text of the one shown. */
  constructor({ rules, set, current }) {
    this.rules = rules;
    this.set = set;
    this.error = h("p", { id: "notation-error", class: "error", lang: "en", role: "alert" });
    this.input = h("input", {
      id: "notation",
      type: "text",
      class: "notation",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-describedby": "notation-error notation-hint",
      oninput: () => this.#complain(""),
    });
    this.json = h("a", { class: "quiet-link", target: "_blank", rel: "noopener" }, t("share.api"));
    this.element = h(
      "section",
      { class: "panel", "aria-labelledby": "share-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "share-title" }, t("share.title")), this.json),
      h(
        "form",
        { class: "notation-form", onsubmit: (event) => this.#submit(event) },
        h("label", { for: "notation" }, t("share.notation")),
        h("div", { class: "field-row" }, this.input, h("button", { type: "submit", class: "button" }, t("share.set"))),
        this.error,
        h("p", { id: "notation-hint", class: "hint" }, t("share.hint")),
      ),
      h(
        "div",
        { class: "buttons wrap copies", role: "group", "aria-label": t("copy") },
        copyButton(t("share.link"), () => location.href),
        copyButton(t("share.notation"), current),
        copyButton("JSON", async () => JSON.stringify(await this.#answer(current()), null, 2)),
      ),
    );
  }

  async #answer(text) {
    try {
      return await probe(this.rules.name, text);
    } catch (error) {
      return error.body ?? { error: error.message };
    }
  }

  #complain(text) {
    this.error.textContent = text;
    if (text) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    try {
      const report = await probe(this.rules.name, text);
      this.#complain("");
      this.set(report.position);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#complain(error.code === "offline" ? t("offline") : error.message);
      this.input.focus();
    }
  }

  /** Shows the text of another position. */
  show(text) {
    this.input.value = text;
    this.json.setAttribute("href", probePath(this.rules.name, text));
    this.#complain("");
  }
}
