// Elements made from a description. Never sets a style attribute: the content security policy forbids it.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
  return element;
}

/** An HTML element: `on…` are listeners, null and false are left out, true is an attribute without value. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element, as `h`. */
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** Says a text to screen readers. */
export function announce(text) {
  const live = document.getElementById("live");
  // The same text twice in a row would not be read again.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Whether the user asked for less motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const TYPED = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]";

/** Whether a key press belongs to a field that is being typed into. */
export const isTyping = (target) => target instanceof Element && target.matches(TYPED);
