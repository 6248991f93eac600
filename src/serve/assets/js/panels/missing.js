// A table that is not there, and the command that makes it.

import { copyButton } from "../base/clipboard.js";
import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";

/** The command that the service names between back quotes, with the rules if they are not the usual ones. */
function command(error, rules) {
  const named = /`([^`]+)`/.exec(error)?.[1];
  if (!named || rules.name === "standard" || named.includes("--rules")) return named;
  return `${named} --rules ${rules.name}`;
}

/** Says in `sentence` what is missing, and how to make it; null if the service's error names no command. */
export function missingTable(sentence, error, rules) {
  const text = command(error, rules);
  if (!text) return null;
  return h(
    "div",
    { class: "missing" },
    h("p", {}, sentence),
    h("p", {}, t("missing.command")),
    h(
      "div",
      { class: "command" },
      h("code", {}, text),
      copyButton(t("copy"), () => text),
    ),
  );
}
