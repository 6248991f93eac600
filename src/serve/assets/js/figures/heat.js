// How often White wins with a piece on each square, as a map of the board.

import { h, svg } from "../base/dom.js";
import { formatNumber, formatPercent, t } from "../base/i18n.js";
import { cellOf, drawCoordinates, framedBox } from "../board/draw.js";
import { pieceIcon, pieceName } from "../board/pieces.js";
import { FILES } from "../text/position.js";

/** White's wins, draws and losses by square, of what the service counted by the side to move. */
function whiteCounts(rules, { white, black }) {
  const counts = {};
  for (const square of rules.squares) {
    const n = (Number(square.slice(1)) - 1) * FILES.length + FILES.indexOf(square[0]);
    counts[square] = [white.win[n] + black.loss[n], white.draw[n] + black.draw[n], white.loss[n] + black.win[n]];
  }
  return counts;
}

/** Above this share of the deepest shade, numbers change sides between black and white. */
const DEEP = 0.81;

const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/** The map of one piece: `squares` has `[wins, draws, losses]` for White by square. */
function draw(rules, squares) {
  const picture = svg("svg", { class: "heat", viewBox: framedBox(rules.ranks), "aria-hidden": "true" });
  for (const square of rules.squares) {
    const [column, row] = cellOf(square, rules.ranks, false);
    const [x, y] = [column * 100, row * 100];
    const ground = rules.groundAt(square)?.kind ?? "land";
    picture.append(svg("rect", { class: `ground-${ground}`, x: x + 2, y: y + 2, width: 96, height: 96, rx: 10 }));
    const counts = squares[square];
    const total = counts ? sum(counts) : 0;
    if (total > 0) {
      const share = counts[0] / total;
      picture.append(
        svg(
          "rect",
          { class: "heat-cell", x: x + 2, y: y + 2, width: 96, height: 96, rx: 10, "fill-opacity": share.toFixed(3) },
          svg("title", {}, describe(square, counts)),
        ),
        svg(
          "text",
          { class: share > DEEP ? "heat-number strong" : "heat-number", x: x + 50, y: y + 60 },
          formatNumber(Math.round(share * 100)),
        ),
      );
    } else if (ground === "den") {
      picture.append(svg("text", { class: "heat-none", x: x + 50, y: y + 62 }, "–"));
    }
  }
  picture.append(...drawCoordinates(rules.ranks, false));
  return picture;
}

const describe = (square, counts) => t("heat.square", { square, share: formatPercent(counts[0] / sum(counts)) });

function table(rules, squares) {
  const cell = (square) => {
    const counts = squares[square];
    return h("td", {}, counts && sum(counts) ? formatPercent(counts[0] / sum(counts)) : "–");
  };
  const files = [...FILES];
  const ranks = Array.from({ length: rules.ranks }, (_, n) => rules.ranks - n);
  const head = h(
    "tr",
    {},
    h("td"),
    files.map((file) => h("th", { scope: "col" }, file)),
  );
  const row = (rank) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, String(rank)),
      files.map((file) => cell(file + rank)),
    );
  const contents = h(
    "table",
    {},
    h("caption", {}, t("heat.title")),
    h("thead", {}, head),
    h("tbody", {}, ranks.map(row)),
  );
  return h("div", { class: "hidden" }, contents);
}

/** The scale of the map's shades. */
function legend() {
  const shade = (n) =>
    svg("rect", { class: "heat-cell", x: n * 5, width: 5.1, height: 10, "fill-opacity": (n / 19).toFixed(2) });
  const bar = svg(
    "svg",
    { viewBox: "0 0 100 10", preserveAspectRatio: "none" },
    Array.from({ length: 20 }, (_, n) => shade(n)),
  );
  return h(
    "div",
    { class: "legend", "aria-hidden": "true" },
    h("span", {}, formatNumber(0)),
    bar,
    h("span", {}, formatNumber(100)),
  );
}

/** The map with a choice of the material's pieces; `pieces` is the service's list. */
export function heatFigure(rules, pieces) {
  const frame = h("div", { class: "heat-frame" });
  const show = (piece) => {
    const counts = whiteCounts(rules, piece);
    frame.replaceChildren(draw(rules, counts), table(rules, counts));
  };
  const option = (piece, number) => {
    const { piece: letter } = piece;
    const name = pieceName(letter);
    const props = {
      type: "radio",
      name: "heat-piece",
      value: letter,
      checked: number === 0,
      "aria-label": name,
      onchange: () => show(piece),
    };
    return h("label", { title: name }, h("input", props), pieceIcon(letter, rules.strength(letter)));
  };
  const choice = h("fieldset", { class: "piece-choice" }, h("legend", {}, t("heat.choose")), pieces.map(option));
  show(pieces[0]);
  return h("div", { class: "heat-figure" }, choice, frame, legend());
}
