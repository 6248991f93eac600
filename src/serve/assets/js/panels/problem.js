// What went wrong, in words, with a button to try again where that may help.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { errorText } from "../text/errors.js";

/** The parts of a message about an error: sentence, detail, and a button that calls `again`. */
export function problem(error, again = null) {
  const { sentence, detail } = errorText(error);
  const helps = again && (error.wait !== null || error.code === "offline");
  return [
    h("p", { class: "error" }, sentence),
    detail && h("p", { class: "detail", lang: "en" }, detail),
    helps && h("p", {}, h("button", { type: "button", class: "button", onclick: again }, t("retry"))),
  ];
}
