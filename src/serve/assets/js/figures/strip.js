// The values of a game over its plies, as a strip with a slider on it: up where White wins, down where Black does, the
// farther the sooner. Mistakes are marked.

import { h, svg } from "../base/dom.js";

const HEIGHT = 40;
const MIDDLE = 22;
const REACH = 16;
/** Half the slider's handle, which css/record.css makes as wide. */
const EDGE = 9;
/** Distances from this one on are drawn alike. */
const FAR = 60;

/** How far a bar goes from the middle. */
const reach = ({ plies }) => REACH * (1 - (0.75 * Math.min(plies ?? FAR, FAR)) / FAR);

function bar(value, x, width) {
  const at = { x: x - width / 2, width, rx: Math.min(1.5, width / 4) };
  if (!value) return svg("circle", { class: "unknown", cx: x, cy: MIDDLE, r: 1.5 });
  if (value.winner === "draw") return svg("rect", { class: "draw", ...at, y: MIDDLE - 2, height: 4 });
  const height = reach(value);
  const y = value.winner === "w" ? MIDDLE - height : MIDDLE;
  return svg("rect", { class: value.winner === "w" ? "white" : "black", ...at, y, height });
}

function draw(width, values, mistakes) {
  const last = values.length - 1;
  const x = (ply) => EDGE + (last === 0 ? 0 : (ply * (width - 2 * EDGE)) / last);
  const wide = Math.max(1, Math.min(12, (last === 0 ? 12 : (width - 2 * EDGE) / last) * 0.8));
  const picture = svg("svg", { class: "strip", width, height: HEIGHT, "aria-hidden": "true" });
  picture.append(svg("path", { class: "middle", d: `M0 ${MIDDLE}H${width}` }));
  for (const [ply, value] of values.entries()) picture.append(bar(value, x(ply), wide));
  for (const { ply, sign, isDecisive, isGrave } of mistakes) {
    if (!isGrave) continue;
    picture.append(svg("text", { class: isDecisive ? "mistake decisive" : "mistake", x: x(ply), y: 9 }, sign));
  }
  return picture;
}

export class Strip {
  /** `go(ply)` goes to a position of the game; `describe(ply)` says it in words. */
  constructor({ go, describe, label }) {
    this.describe = describe;
    this.shown = { values: [null], mistakes: [], ply: 0 };
    this.slider = h("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": label,
      oninput: () => go(Number(this.slider.value)),
    });
    this.frame = h("div", { class: "strip-frame" });
    this.element = h("div", { class: "strip-box" }, this.frame, this.slider);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /** Shows the values of a game's positions, null where unknown, with the position that is on the board. */
  show({ values, mistakes, ply }) {
    this.shown = { values, mistakes, ply };
    this.slider.max = Math.max(1, values.length - 1);
    this.slider.disabled = values.length === 1;
    this.slider.value = ply;
    this.slider.setAttribute("aria-valuetext", this.describe(ply));
    this.element.classList.toggle("idle", values.length === 1);
    this.#draw();
  }

  #draw() {
    const width = this.element.clientWidth;
    if (width > 0) this.frame.replaceChildren(draw(width, this.shown.values, this.shown.mistakes));
  }
}
