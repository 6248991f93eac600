// The package: see index.d.ts for all of it.

import { presets as names, rulesText, startPosition } from "./core.js";
import { check, namedRules } from "./tablebase.js";
import { load } from "./wasm.js";

export { DamagedTableError, InputError, JungletbError, MissingTableError, UnavailableError } from "./errors.js";
export { Tablebase, open } from "./tablebase.js";
export { load };

/** The names of the rule sets that need no file. */
export async function presets() {
  await load();
  return names();
}

/** Every key of a rule set, as the text of a rule file. */
export async function rules(rules) {
  await load();
  return check(() => rulesText(...namedRules(rules)));
}

/** The starting position; null if the rules have none. */
export async function start(rules) {
  await load();
  return check(() => startPosition(...namedRules(rules))) ?? null;
}
