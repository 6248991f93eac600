// What the service refused, in the user's language: by the error's code, with the service's own sentence where the code
// alone would not help.

import { hasText, t } from "../base/i18n.js";

/** Codes whose sentence tells what to change. */
const DETAILED = ["bad-position", "bad-material", "bad-query", "bad-body", "bad-path", "unknown-rules", "bad-game"];

/** An error in words: `sentence`, and the service's own in English as `detail`, null where it adds nothing. */
export function errorText(error) {
  const key = `error.${error.code}`;
  const known = hasText(key);
  return {
    sentence: known ? t(key) : t("refused"),
    detail: !known || DETAILED.includes(error.code) ? error.message : null,
  };
}
