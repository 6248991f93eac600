// A rule set in a sentence.

import { hasText, t } from "./i18n.js";

/** What a preset is; for others, only their name. */
export const rulesText = (rules) => (hasText(`rules.${rules.name}`) ? `${rules.name}: ${t(`rules.${rules.name}`)}` : rules.name);
