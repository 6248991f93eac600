// The position as text, to type, paste and copy; the address and the answer to copy.

import { copyButton } from "../base/clipboard.js";
import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { positionFault } from "../game/faults.js";
import { ApiError, probe, probePath } from "../service/api.js";
import { errorText } from "../text/errors.js";
import { linkQuery } from "../text/notation.js";
import { parseRoute } from "../text/route.js";

export class SharePanel {
  /** `set(text)` shows a position that the service has accepted; `follow(route)` goes to what a link names;
   * `current()` is the text of the position shown. */
  constructor({ rules, set, follow, current }) {
    this.rules = rules;
    this.set = set;
    this.follow = follow;
    this.current = current;
    this.error = h("p", { id: "notation-error", class: "error", role: "alert" });
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
    const query = linkQuery(text);
    const route = query === null ? null : parseRoute(query);
    // A position of these rules is asked for first: what is wrong with it is said here.
    const isHere = !route?.rules || route.rules.toLowerCase() === this.rules.name.toLowerCase();
    if (route && route.page !== "start" && !(route.page === "board" && isHere)) return this.follow(route);
    const before = this.current();
    // Another position may have been shown meanwhile: then this is of no interest any more.
    const isNow = () => this.element.isConnected && this.current() === before;
    try {
      const report = await probe(this.rules.name, text);
      if (!isNow()) return;
      this.#complain("");
      if (route?.game) this.follow(route);
      else this.set(report.position);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isNow()) return;
      const { sentence, detail } = errorText(error);
      const fault = error.code === "bad-position" ? positionFault(route?.position ?? text, this.rules) : null;
      this.#complain(fault ?? [sentence, detail].filter(Boolean).join(" "));
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
