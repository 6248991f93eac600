// What people and other programs write around a position, and links to the page pasted in its place. The service reads
// the same spellings; here they are read so that the board can be drawn before it answers.

/** Pairs of quotes that may stand around a value. */
const QUOTES = ['""', "''", "``", "“”", "„“", "‘’", "«»", "「」", "『』"];

/** A value without spaces, invisible marks, quotes and a last `;` or `,`. */
export function tidy(text) {
  for (;;) {
    const trimmed = text.replace(/^[\s\ufeff\u200b-\u200f\u2060\xad]+|[\s\ufeff\u200b-\u200f\u2060\xad;,]+$/gu, "");
    const [first, last] = [trimmed.at(0), trimmed.at(-1)];
    const isQuoted = trimmed.length > 1 && QUOTES.includes(first + last);
    const next = isQuoted ? trimmed.slice(1, -1) : trimmed;
    if (next === text) return text;
    text = next;
  }
}

/** The query of a link to the page, from its question mark on; null if the text is no link. */
export function linkQuery(text) {
  const [, query] = /^[^?]*(\?[^#]*=[^#]*)/.exec(tidy(text)) ?? [];
  return query ?? null;
}

/** The side, `w` or `b`, that a word names; null if it names none. */
export function sideNamed(word) {
  if (/^(w|white|r|red)$/i.test(word)) return "w";
  return /^(b|black)$/i.test(word) ? "b" : null;
}

/** The fields of a position: ranks, side to move, and whatever follows. */
export const fields = (text) => tidy(text).split(/[\s_+;,]+/);
