// What stands above every page: the name, the rules, language, light or dark, help.

import { h, svg } from "../base/dom.js";
import { LANGUAGES, language, t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { recall, remember } from "../base/store.js";
import { routeUrl } from "../text/route.js";
import { openHelp } from "./help.js";

const THEMES = ["auto", "light", "dark"];

const theme = () => (THEMES.includes(recall("theme")) ? recall("theme") : "auto");

function setTheme(next) {
  remember("theme", next === "auto" ? null : next);
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}

function themeButton() {
  const button = iconButton(
    theme(),
    t(`theme.${theme()}`),
    () => {
      setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
      const fresh = themeButton();
      button.replaceWith(fresh);
      fresh.focus();
    },
    { id: "theme" },
  );
  return button;
}

const option = (value, text, current) => h("option", { value, selected: value === current }, text);

/** The header's contents for the rule set in use. */
export function header(app) {
  return [
    h(
      "a",
      {
        class: "brand",
        href: routeUrl({ page: "start", rules: app.rules?.name }),
        "data-route": true,
        "aria-label": t("brand.label"),
      },
      svg(
        "svg",
        { class: "brand-mark", viewBox: "0 0 24 24", "aria-hidden": "true" },
        svg("rect", { x: 2, y: 2, width: 20, height: 20, rx: 5 }),
        svg("path", { d: "M7 17V12a5 5 0 0 1 10 0V17Z" }),
      ),
      h("span", {}, "jungletb"),
    ),
    h(
      "nav",
      { class: "settings", "aria-label": t("settings.label") },
      h(
        "label",
        { class: "select" },
        h("span", { class: "hidden" }, t("rules.label")),
        h(
          "select",
          { id: "rules", onchange: (event) => app.useRules(event.target.value) },
          app.sets.map((rules) => option(rules.name, rules.name, app.rules?.name)),
        ),
      ),
      h(
        "label",
        { class: "select" },
        h("span", { class: "hidden" }, t("language.label")),
        h(
          "select",
          { id: "language", onchange: (event) => app.useLanguage(event.target.value) },
          Object.entries(LANGUAGES).map(([code, name]) =>
            h("option", { value: code, lang: code, selected: code === language() }, name),
          ),
        ),
      ),
      themeButton(),
      iconButton("help", t("help.open"), () => openHelp(app), { id: "help" }),
    ),
  ];
}
