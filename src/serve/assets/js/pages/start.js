// The first page: what is loaded, search by material, positions to begin with.

import { h } from "../base/dom.js";
import { formatBytes, formatNumber, t } from "../base/i18n.js";
import { icon, iconButton } from "../base/icons.js";
import { drawThumbnail } from "../board/draw.js";
import { examples } from "../game/examples.js";
import { sharedIcon, sharedPieces } from "../board/pieces.js";
import { openGame } from "../panels/opengame.js";
import { rulePictures } from "../panels/rulepictures.js";
import { problem } from "../panels/problem.js";
import { fetchMaterials } from "../service/api.js";
import { fullMaterial, matches, pieceLetters, readMaterial } from "../text/material.js";
import { emptyPosition, formatPosition, parsePosition } from "../text/position.js";
import { routeUrl } from "../text/route.js";
import { rulesText } from "../text/ruletext.js";

const EMPTY = (rules) => formatPosition(emptyPosition(rules.ranks));

export class StartPage {
  constructor(app, route) {
    this.app = app;
    this.rules = app.rules;
    this.results = h("div", { class: "classes" });
    this.count = h("p", { class: "hint", role: "status" });
    this.summary = h("dl", { class: "summary" });
    this.input = h("input", {
      id: "search",
      type: "search",
      placeholder: t("search.placeholder"),
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-describedby": "search-hint",
      value: route.search,
      oninput: () => {
        this.app.rename({ ...this.app.route, search: this.input.value.trim() });
        this.#filter();
      },
    });
    const href = (position, edit) => routeUrl({ page: "board", rules: this.rules.name, position, edit });
    this.element = h(
      "div",
      { class: "start" },
      sharedPieces(),
      h(
        "section",
        { class: "intro" },
        h("h1", {}, t("start.title")),
        h("p", {}, t("start.lead")),
        h(
          "div",
          { class: "buttons wrap" },
          h(
            "a",
            { "class": "button primary", "href": href(EMPTY(this.rules), true), "data-route": true },
            icon("edit"),
            h("span", {}, t("example.empty")),
          ),
          iconButton("open", t("record.open"), () => openGame(this.app), { text: true }),
        ),
      ),
      h(
        "section",
        { class: "examples", "aria-label": t("start.examples") },
        examples(this.rules).map(({ key, position }) => {
          const drawn = parsePosition(position, this.rules.ranks) ?? emptyPosition(this.rules.ranks);
          return h(
            "a",
            { "class": "example", "href": href(position, false), "data-route": true },
            drawThumbnail(this.rules, drawn),
            h("span", {}, t(`example.${key}`)),
          );
        }),
      ),
      h(
        "section",
        { "class": "rules-told", "aria-labelledby": "rules-title" },
        h("h2", { id: "rules-title" }, t("start.rules", { name: this.rules.name })),
        h("p", { class: "hint" }, this.rules.name === "standard" ? "" : rulesText(this.rules)),
        rulePictures(this.rules),
      ),
      h(
        "section",
        { class: "tables", "aria-labelledby": "tables-title" },
        h("h2", { id: "tables-title" }, t("start.tables")),
        this.#ruleSets(),
        this.summary,
        h(
          "form",
          { role: "search", class: "search", onsubmit: (event) => this.#submit(event) },
          h("label", { for: "search", class: "hidden" }, t("search.label")),
          h("div", { class: "search-field" }, icon("search"), this.input),
          h("button", { type: "submit", class: "button primary" }, t("search.go")),
        ),
        h("p", { id: "search-hint", class: "hint" }, t("search.hint")),
        this.count,
        this.results,
      ),
    );
    this.show(route);
  }

  show(route) {
    this.input.value = route.search;
    this.ready = this.#load();
  }

  /** All that are loaded; the one shown is marked. */
  #ruleSets() {
    const link = (set) => {
      const href = routeUrl({ page: "start", rules: set.name });
      const current = set === this.rules ? "true" : null;
      return h(
        "li",
        {},
        h(
          "a",
          { href, "data-route": true, "aria-current": current },
          h("strong", {}, set.name),
          h("span", {}, rulesText(set)),
        ),
      );
    };
    return h("ul", { class: "rule-sets", "aria-label": t("rules.label") }, this.app.sets.map(link));
  }

  async #load() {
    try {
      const { tables } = await fetchMaterials(this.rules.name);
      this.tables = tables;
    } catch (error) {
      const again = () => {
        this.ready = this.#load();
      };
      this.results.replaceChildren(...problem(error, again).filter(Boolean));
      return;
    }
    const there = this.tables.filter((table) => table.state === "ok");
    const most = Math.max(0, ...there.map((table) => table.pieces));
    const fact = (key, value) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value));
    this.summary.replaceChildren(
      fact("start.classes", formatNumber(there.length)),
      fact("start.materials", formatNumber(there.reduce((sum, table) => sum + table.materials.length, 0))),
      fact("start.most", formatNumber(most)),
      fact("start.bytes", formatBytes(there.reduce((sum, table) => sum + table.bytes, 0))),
    );
    this.#filter();
  }

  #filter() {
    const text = this.input.value.trim();
    const wanted = readMaterial(text);
    const fits = (material) => !text || (wanted && matches(material, wanted));
    const found = this.tables.flatMap((table) => {
      const materials = table.materials.filter(fits);
      return materials.length
        ? [{ table, material: text ? materials[0] : table.class, more: table.materials.length - 1 }]
        : [];
    });
    this.count.textContent = text ? this.#told(found.length, wanted) : "";
    const groups = new Map();
    for (const item of found) groups.set(item.table.pieces, [...(groups.get(item.table.pieces) ?? []), item]);
    const kept = history.state?.open;
    const isOpen = (pieces, number) => text !== "" || (kept ? kept.includes(pieces) : groups.size <= 2 || number < 2);
    this.results.replaceChildren(
      ...[...groups]
        .sort(([a], [b]) => a - b)
        .map(([pieces, items], number) =>
          h(
            "details",
            {
              "open": isOpen(pieces, number),
              "data-pieces": pieces,
              "ontoggle": (event) => this.#toggled(event.target),
            },
            h(
              "summary",
              {},
              h("h3", {}, t("start.pieces", { n: pieces })),
              h("span", { class: "count" }, t("start.classCount", { n: items.length })),
            ),
            // Hundreds of them: made when they are to be seen.
            h("ul"),
          ),
        ),
    );
    this.groups = groups;
    for (const group of this.results.children) if (group.open) this.#fill(group);
  }

  #fill(group) {
    const list = group.querySelector("ul");
    if (list.children.length === 0)
      list.append(...this.groups.get(Number(group.dataset.pieces)).map((item) => this.#item(item)));
  }

  /** What a search found; where it is nothing, what would help. */
  #told(count, wanted) {
    if (count > 0) return t("search.found", { n: count });
    if (!wanted) return t("search.unreadable");
    const pieces = wanted.white.length + (wanted.black ?? "").length;
    const most = Math.max(0, ...this.tables.map((table) => table.pieces));
    return pieces > most ? t("search.tooMany", { n: pieces, most: formatNumber(most) }) : t("search.nothing");
  }

  /** Fills a group that opens. Remembers which are open, unless a search opened them. */
  #toggled(group) {
    if (group.open) this.#fill(group);
    if (this.input.value.trim()) return;
    const open = [...this.results.querySelectorAll("details[open]")].map((group) => Number(group.dataset.pieces));
    this.app.keep({ open });
  }

  #item({ table, material, more }) {
    const state = table.state !== "ok" && h("span", { class: `state ${table.state}` }, t(`state.${table.state}`));
    const href = routeUrl({ page: "material", rules: this.rules.name, material });
    return h(
      "li",
      {},
      h(
        "a",
        { href, "data-route": true, class: table.state === "ok" ? null : "absent" },
        h("span", { class: "name" }, material),
        h("span", { class: "more" }, more > 0 && t("start.more", { n: more })),
        h("span", { "class": "who", "aria-hidden": "true" }, pieceLetters(material).map(sharedIcon)),
        state,
      ),
    );
  }

  #submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    const material = fullMaterial(text);
    if (material) this.app.go({ page: "material", rules: this.rules.name, material });
    else {
      this.input.setAttribute("aria-invalid", String(text !== ""));
      this.count.textContent = t("search.both");
    }
  }

  key(key) {
    if (key !== "/") return false;
    this.input.focus();
    return true;
  }

  leave() {}
}
