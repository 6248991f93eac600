// How many positions are won or lost in how many plies, on a logarithmic scale, as SVG of the width at hand.

import { h, svg } from "../base/dom.js";
import { formatCompact, formatNumber, t } from "../base/i18n.js";

const HEIGHT = 260;
const RIGHT = 12;
const TOP = 22;
const BOTTOM = 34;

/** Ticks at round distances, some 60 pixels apart. */
function tickStep(most, width) {
  const wanted = (most * 60) / width;
  return [1, 2, 5, 10, 20, 25, 50, 100, 200].find((step) => step >= wanted) ?? 500;
}

/** The width of a text of a kind, as the frame's font draws it. */
function measure(frame, kind, text) {
  const drawn = svg("text", { class: kind }, text);
  const picture = svg("svg", { class: "histogram", width: 0, height: 0 }, drawn);
  frame.append(picture);
  const width = drawn.getComputedTextLength();
  picture.remove();
  return width;
}

function draw(frame, histogram, mark, width) {
  const most = Math.max(...histogram.map((bin) => bin.plies), mark ?? 0);
  const highest = Math.max(...histogram.map((bin) => bin.wins + bin.losses));
  const decades = Math.max(1, Math.ceil(Math.log10(highest + 1)));
  const powers = Array.from({ length: decades + 1 }, (_, power) => 10 ** power);
  const left = Math.ceil(Math.max(...powers.map((power) => measure(frame, "tick", formatCompact(power))))) + 10;
  const plot = { width: width - left - RIGHT, height: HEIGHT - TOP - BOTTOM };
  // A side without a move has lost in no ply at all.
  const first = histogram.some((bin) => bin.plies === 0) ? 0 : 1;
  const slot = plot.width / (most - first + 1);
  const bar = Math.max(1, slot * 0.72);
  const x = (plies) => left + (plies - first + 0.5) * slot;
  // One position must show, so the scale begins at a half.
  const y = (count) => TOP + plot.height * (1 - (Math.log10(count) + 0.3) / (decades + 0.3));
  const base = TOP + plot.height;
  const picture = svg("svg", {
    class: "histogram",
    width,
    height: HEIGHT,
    viewBox: `0 0 ${width} ${HEIGHT}`,
    "aria-hidden": "true",
  });
  for (const power of powers) {
    picture.append(
      svg("path", { class: "rule", d: `M${left} ${y(power)}H${width - RIGHT}` }),
      svg("text", { class: "tick", x: left - 8, y: y(power) + 4, "text-anchor": "end" }, formatCompact(power)),
    );
  }
  for (const { plies, wins, losses } of histogram) {
    const count = wins + losses;
    if (count === 0) continue;
    const kind = plies % 2 === 1 ? "win" : "loss";
    const label = t(`histogram.${kind}`, { n: plies, count });
    picture.append(
      svg(
        "rect",
        {
          class: `bar ${kind} ${plies === mark ? "current" : ""}`,
          x: x(plies) - bar / 2,
          y: y(count),
          width: bar,
          height: base - y(count),
          rx: Math.min(2, bar / 4),
        },
        svg("title", {}, label),
      ),
    );
  }
  picture.append(svg("path", { class: "axis", d: `M${left} ${base}H${width - RIGHT}` }));
  const step = tickStep(most, plot.width);
  for (let plies = 0; plies <= most; plies += step) {
    if (plies >= first)
      picture.append(
        svg("text", { class: "tick", x: x(plies), y: base + 16, "text-anchor": "middle" }, formatNumber(plies)),
      );
  }
  if (mark) {
    const text = t("histogram.here", { n: mark });
    const half = measure(frame, "here", text) / 2 + 1;
    const middle = Math.min(Math.max(x(mark), half), Math.max(half, width - half));
    picture.append(
      svg("path", { class: "here-line", d: `M${x(mark)} ${TOP - 4}V${base}` }),
      svg("text", { class: "here", x: middle, y: TOP - 9, "text-anchor": "middle" }, text),
    );
  }
  return picture;
}

function table(histogram) {
  return h(
    "details",
    { class: "as-table" },
    h("summary", {}, t("histogram.table")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("histogram.table") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["plies", "wins", "losses"].map((key) => h("th", { scope: "col" }, t(`histogram.head.${key}`))),
          ),
        ),
        h(
          "tbody",
          {},
          histogram.map((bin) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, formatNumber(bin.plies)),
              h("td", {}, formatNumber(bin.wins)),
              h("td", {}, formatNumber(bin.losses)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The histogram with its table; `mark` is a distance to point at, or null. Redrawn when its width changes. */
export function histogramFigure(histogram, mark) {
  const frame = h("div", { class: "histogram-frame" });
  let drawn = 0;
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === drawn || width < 50) return;
    drawn = width;
    frame.replaceChildren(draw(frame, histogram, mark, width));
  });
  observer.observe(frame);
  const key = (kind) => h("span", {}, h("span", { class: `swatch ${kind}` }), t(`histogram.key.${kind}`));
  return h(
    "div",
    {},
    h("p", { class: "key", "aria-hidden": "true" }, key("win"), key("loss")),
    frame,
    table(histogram),
  );
}
