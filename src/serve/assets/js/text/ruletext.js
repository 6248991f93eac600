// Rule sets in a few words.

import { hasText, t } from "../base/i18n.js";

/** What a preset is; nothing for rules that somebody wrote. */
export const rulesText = (rules) => (hasText(`rules.${rules.name}`) ? t(`rules.${rules.name}`) : "");
