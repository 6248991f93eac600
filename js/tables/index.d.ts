import type { Source } from "../lib/index.js";

/** The tables of up to three pieces under the rules `standard`: `open({ source: tables })`. About half a megabyte. */
export const tables: Source;
