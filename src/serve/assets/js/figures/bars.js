// Shares of White's wins, draws and Black's wins as a bar with the numbers below it: the same sides and colors whoever
// is to move.

import { h, svg } from "../base/dom.js";
import { formatNumber, formatPercent, t } from "../base/i18n.js";

const KINDS = ["white", "draw", "black"];

/** The bar of a side to move, `w` or `b`; `told` has `win`, `draw`, `loss` of that side. */
export function shareBar(told, side, heading) {
  const [white, black] = side === "w" ? [told.win, told.loss] : [told.loss, told.win];
  const counts = { white, draw: told.draw, black };
  const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const share = (kind) => (total ? counts[kind] / total : 0);
  let x = 0;
  const rects = KINDS.map((kind) => {
    const width = share(kind) * 1000;
    const rect = svg("rect", { class: `share ${kind}`, x, width, height: 24 });
    x += width;
    return rect;
  });
  return h(
    "div",
    { class: "share-bar" },
    h("h3", {}, heading),
    svg("svg", { viewBox: "0 0 1000 24", preserveAspectRatio: "none", "aria-hidden": "true" }, rects),
    h(
      "dl",
      {},
      KINDS.map((kind) =>
        h(
          "div",
          { class: kind },
          h("dt", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), t(`share.${kind}`)),
          h("dd", {}, h("strong", {}, formatPercent(share(kind))), h("span", {}, formatNumber(counts[kind]))),
        ),
      ),
    ),
  );
}
