// The page of a material: results, distances, longest wins, map of the board, the class that it belongs to.

import { announce, h } from "../base/dom.js";
import { formatBytes, t } from "../base/i18n.js";
import { drawThumbnail } from "../board/draw.js";
import { smallIcon } from "../board/pieces.js";
import { shareBar } from "../figures/bars.js";
import { heatFigure } from "../figures/heat.js";
import { histogramFigure } from "../figures/histogram.js";
import { missingTable } from "../panels/missing.js";
import { problem } from "../panels/problem.js";
import { fetchHeat, fetchMaterials, fetchStats, probe } from "../service/api.js";
import { fullMaterial, pieceLetters, sidesOf } from "../text/material.js";
import { parsePosition } from "../text/position.js";
import { routeUrl } from "../text/route.js";
import { turn, winWords } from "../text/words.js";

const panel = (id, title, ...contents) =>
  h(
    "section",
    { class: `panel ${id}-panel`, "aria-labelledby": `${id}-title` },
    h("div", { class: "panel-head" }, h("h2", { id: `${id}-title` }, title)),
    contents,
  );

export class MaterialPage {
  constructor(app, route) {
    this.app = app;
    this.rules = app.rules;
    this.element = h("div", { class: "material-page" });
    this.show(route);
  }

  show(route) {
    this.route = route;
    this.material = fullMaterial(route.material) ?? route.material;
    this.loading?.abort();
    this.loading = new AbortController();
    this.element.replaceChildren(this.#heading(), h("p", { class: "hint" }, t("loading")));
    this.#load(this.loading.signal);
  }

  #heading() {
    const { from } = this.route;
    const known = /^[ELTPWDCR]+v[ELTPWDCR]+$/.test(this.material);
    return h(
      "header",
      { class: "material-head" },
      h("h1", {}, this.material),
      known &&
        h(
          "div",
          { class: "material-pieces", "aria-hidden": "true" },
          pieceLetters(this.material).map((letter) => smallIcon(letter)),
        ),
      from &&
        h(
          "a",
          {
            href: routeUrl({ page: "board", rules: this.rules.name, position: from }),
            "data-route": true,
            class: "button",
          },
          t("material.back"),
        ),
    );
  }

  async #load(signal) {
    const rules = this.rules.name;
    try {
      const [stats, { tables }, from] = await Promise.all([
        fetchStats(rules, this.material),
        fetchMaterials(rules),
        this.route.from ? probe(rules, this.route.from).catch(() => null) : null,
      ]);
      if (signal.aborted) return;
      const table = tables.find((entry) => entry.class === stats.class);
      const mark = from?.material === stats.material && from.dtw > 0 ? from.dtw : null;
      const map = panel("heat", t("heat.title"), h("p", { class: "hint" }, t("loading")));
      this.element.replaceChildren(
        this.#heading(),
        h(
          "div",
          { class: "material-columns" },
          h("div", { class: "stack" }, this.#shares(stats), this.#histogram(stats, mark), this.#longest(stats)),
          h("div", { class: "stack" }, map, this.#table(stats, table)),
        ),
      );
      announce(stats.material);
      this.#loadHeat(map, signal);
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
    }
  }

  #refused(error) {
    const sentence = t("material.missing", { material: this.material });
    const missing = error.code === "missing-table" ? missingTable(sentence, error.message, this.rules) : null;
    const what = missing ?? problem(error, () => this.show(this.route));
    const panel = h("section", { class: "panel" }, what);
    this.element.replaceChildren(this.#heading(), panel);
    announce(panel.querySelector("p").textContent);
  }

  #shares(stats) {
    return panel(
      "shares",
      t("material.shares"),
      shareBar(stats.white, "w", turn("w")),
      shareBar(stats.black, "b", turn("b")),
      h("p", { class: "hint" }, t("material.sharesHint")),
    );
  }

  #histogram(stats, mark) {
    if (!stats.histogram.length) return panel("histogram", t("histogram.title"), h("p", {}, t("histogram.none")));
    return panel(
      "histogram",
      t("histogram.title"),
      h("p", { class: "hint" }, t("histogram.hint")),
      histogramFigure(stats.histogram, mark),
    );
  }

  #longest(stats) {
    const practice = (position) => routeUrl({ page: "board", rules: this.rules.name, position, practice: "win" });
    const seen = new Set();
    const wins = [stats.longest, stats.longest_white, stats.longest_black].filter(
      (win) => win && !seen.has(win.position) && seen.add(win.position),
    );
    if (!wins.length) return null;
    return panel(
      "longest",
      t("longest.title"),
      h(
        "ul",
        { class: "longest" },
        wins.map(({ plies, position }) => {
          const drawn = parsePosition(position, this.rules.ranks);
          const href = routeUrl({ page: "board", rules: this.rules.name, position });
          return h(
            "li",
            {},
            h(
              "a",
              { href, "data-route": true },
              drawn && drawThumbnail(this.rules, drawn),
              h(
                "span",
                { class: "longest-text" },
                h("strong", {}, drawn ? winWords(drawn.side, plies) : t("plies", { n: plies })),
                h("span", {}, drawn && turn(drawn.side)),
                h("code", {}, position),
              ),
            ),
            h("a", { "href": practice(position), "data-route": true, "class": "quiet-link" }, t("practice.begin.win")),
          );
        }),
      ),
    );
  }

  async #loadHeat(map, signal) {
    const title = map.firstElementChild;
    try {
      const heat = await fetchHeat(this.rules.name, this.material, signal);
      if (!signal.aborted)
        map.replaceChildren(title, h("p", { class: "hint" }, t("heat.hint")), heatFigure(this.rules, heat.pieces));
    } catch (error) {
      if (error.name === "AbortError" || signal.aborted) return;
      map.replaceChildren(title, ...problem(error, () => this.#loadHeat(map, signal)).filter(Boolean));
    }
  }

  #table(stats, table) {
    const others = (table?.materials ?? []).filter((material) => material !== stats.material);
    // The material with the colors exchanged is the same game as well, though its name is not listed.
    const twin = sidesOf(stats.material).reverse().join("v");
    const link = (material) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: routeUrl({ page: "material", rules: this.rules.name, material }), "data-route": true },
          material,
        ),
      );
    const fact = (key, value) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value));
    return panel(
      "class",
      t("material.table"),
      h(
        "dl",
        { class: "facts-list" },
        fact("material.class", stats.class),
        table && fact("material.size", formatBytes(table.bytes)),
        table && fact("material.metrics", table.metrics.map((metric) => t(`metric.${metric}`)).join(", ")),
      ),
      others.length > 0 && [
        h("p", { class: "hint" }, t("material.others", { n: others.length })),
        h("ul", { class: "chips" }, others.map(link)),
      ],
      others.length === 0 &&
        twin !== stats.material && [
          h("p", { class: "hint" }, t("material.twin")),
          h("ul", { class: "chips" }, link(twin)),
        ],
    );
  }

  key() {
    return false;
  }

  leave() {
    this.loading?.abort();
  }
}
