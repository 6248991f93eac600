// Texts in the user's language. `t` looks a key up, picks the plural form for `n`, and fills names in braces in;
// numbers are written the way the language writes them.

import { recall, remember } from "./store.js";

/** The languages, by code, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", ru: "Русский", ja: "日本語", zh: "中文" };

/** What is painted on the pieces where the game came from. */
const CHARACTERS = {
  ja: { R: "鼠", C: "猫", D: "狗", W: "狼", P: "豹", T: "虎", L: "獅", E: "象" },
  zh: { R: "鼠", C: "猫", D: "狗", W: "狼", P: "豹", T: "虎", L: "狮", E: "象" },
};

/** The files of a language. */
const PARTS = ["general", "game", "errors"];

let code = "en";
let texts = {};
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
const formats = new Map();

/** The code of the language in use. */
export const language = () => code;

/** The first of the browser's languages that there is, unless another was chosen before. */
export function preferredLanguage() {
  const wanted = [recall("language"), ...(navigator.languages ?? [])].filter(Boolean);
  return wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag in LANGUAGES) ?? "en";
}

/** Loads a language and uses it from now on; `chosen` remembers it. */
export async function useLanguage(next, chosen = false) {
  const parts = await Promise.all(PARTS.map((part) => import(`../../lang/${next}/${part}.js`)));
  texts = Object.assign({}, ...parts.map((part) => part.default));
  code = next;
  plurals = new Intl.PluralRules(next);
  numbers = new Intl.NumberFormat(next);
  formats.clear();
  document.documentElement.lang = next;
  if (chosen) remember("language", next);
}

/** A text by its key. */
export function t(key, values = {}) {
  let text = texts[key];
  if (text === undefined) return key;
  if (typeof text === "object") text = text[plurals.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : (value ?? "");
  });
}

/** The letters of a text in the language: whether there is one of that key. */
export const hasText = (key) => key in texts;

/** The character on an animal's piece, null where letters and drawings are used. */
export const pieceCharacter = (letter) => CHARACTERS[code]?.[letter] ?? null;

/** All names of an animal that may be typed in a search: those of the language and the characters. */
export const animalNames = (letter) =>
  [texts[`animal.${letter}`], ...Object.values(CHARACTERS).map((set) => set[letter])].filter(Boolean);

/** A number. */
export const formatNumber = (value) => numbers.format(value);

function format(name, options) {
  if (!formats.has(name)) formats.set(name, new Intl.NumberFormat(code, options));
  return formats.get(name);
}

/** A share of 1 as a percentage with a digit after the point. */
export const formatPercent = (share) =>
  format("percent", { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);

/** A short number for an axis: 10K. */
export const formatCompact = (value) => format("compact", { notation: "compact" }).format(value);

/** A file size, in units of 1,024 as everywhere in the program. */
export function formatBytes(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const digits = step === 0 ? 0 : 1;
  const size = format(`bytes${digits}`, { maximumFractionDigits: digits }).format(bytes / 1024 ** step);
  return `${size}\u00a0${units[step]}`;
}
