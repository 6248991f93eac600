// What is remembered between visits. Storage may be forbidden or full: then nothing is remembered.

const PREFIX = "jungletb.";

/** A remembered value, null if there is none. */
export function recall(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Remembers a value; null forgets it. */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // Not remembered.
  }
}
