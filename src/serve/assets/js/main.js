// Starts the page: loads language and rules, shows what the address says, follows links and the browser's history.

import { announce, h, isTyping } from "./base/dom.js";
import { preferredLanguage, t, useLanguage } from "./base/i18n.js";
import { RuleSet } from "./game/rules.js";
import { BoardPage } from "./pages/board.js";
import { MaterialPage } from "./pages/material.js";
import { StartPage } from "./pages/start.js";
import { header } from "./panels/header.js";
import { openHelp, singleKeys } from "./panels/help.js";
import { problem } from "./panels/problem.js";
import { fetchRules, onWaiting } from "./service/api.js";
import { formatPosition, parsePosition } from "./text/position.js";
import { parseRoute, routeUrl } from "./text/route.js";

const PAGES = { start: StartPage, board: BoardPage, material: MaterialPage };

const app = {
  sets: [],
  rules: undefined,
  route: null,
  page: null,

  /** The rule set of a name, in any case. */
  ruleSet(name) {
    const isNamed = (set) => set.name.toLowerCase() === name.toLowerCase();
    return this.sets.find((set) => set.name === name) ?? this.sets.find(isNamed) ?? null;
  },

  /** A route with its rules and position as they are usually written, as far as they can be read. */
  canonical(route) {
    const set = route.rules ? this.ruleSet(route.rules) : this.sets[0];
    if (!set) return route;
    const position = route.page === "board" ? parsePosition(route.position, set.ranks) : null;
    return { ...route, rules: route.rules && set.name, ...(position && { position: formatPosition(position) }) };
  },

  /** Goes to a route; `replace` leaves no trace of the one before. */
  go(wanted, { replace = false } = {}) {
    const route = this.canonical(wanted);
    if (!replace) this.keep({ scroll: scrollY });
    history[replace ? "replaceState" : "pushState"](null, "", routeUrl(route));
    const isNew = this.show(route);
    if (isNew || route.page !== "board") {
      scrollTo(0, 0);
      document.getElementById("page").focus({ preventScroll: true });
    }
  },

  /** Changes the address of what is shown, without showing it anew. */
  rename(route) {
    this.route = route;
    history.replaceState(history.state, "", routeUrl(route));
  },

  /** Keeps what is not worth an address with it, for when the browser comes back to it. */
  keep(state) {
    history.replaceState({ ...history.state, ...state }, "");
  },

  /** Shows what the browser's history came back to, where it was left. */
  async comeBack() {
    const { scroll } = history.state ?? {};
    const isNew = this.show(this.canonical(parseRoute(location.search)));
    if (!isNew && this.route.page === "board") return;
    const { page } = this;
    await page?.ready;
    if (this.page === page) scrollTo(0, scroll ?? 0);
  },

  /** Shows a route; says whether it is another page than before. */
  show(route) {
    const rules = route.rules ? this.ruleSet(route.rules) : this.sets[0];
    const isNew = this.route?.page !== route.page || this.rules !== rules || !this.page;
    const rulesChanged = this.rules !== rules;
    this.route = { ...route, rules: rules?.name ?? route.rules };
    this.rules = rules;
    if (rulesChanged) this.showHeader();
    document.title = this.titleOf();
    if (!rules) this.showUnknown(route.rules);
    else if (isNew) this.openPage();
    else this.page.show(this.route);
    return isNew;
  },

  openPage() {
    this.page?.leave();
    this.page = new PAGES[this.route.page](this, this.route);
    document.getElementById("page").replaceChildren(this.page.element);
  },

  titleOf() {
    const what = { start: null, board: this.route.position, material: this.route.material }[this.route.page];
    return what ? `${what} · jungletb` : t("start.title");
  },

  showHeader() {
    document.getElementById("header").replaceChildren(...header(this));
    document.getElementById("skip").textContent = t("skip");
  },

  showUnknown(name) {
    this.page?.leave();
    this.page = null;
    document.getElementById("page").replaceChildren(h("p", { class: "note error" }, t("rules.unknown", { name })));
  },

  /** Changes the rules and stays where it makes sense. */
  useRules(name) {
    const next = this.sets.find((set) => set.name === name);
    let route = { ...this.route, rules: name };
    if (route.page === "board" && !parsePosition(route.position, next.ranks)) route = { page: "start", rules: name };
    this.go(route);
    document.getElementById("rules").focus();
  },

  /** Changes the language; the page is made anew in it. */
  async useLanguage(code) {
    await useLanguage(code, true);
    this.showHeader();
    document.title = this.titleOf();
    if (this.rules) this.openPage();
    document.getElementById("language").focus();
    announce(document.title);
  },
};

/** Links within the page change the page, not the document. */
function followLink(event) {
  const link = event.target.closest?.("a[data-route]");
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  event.preventDefault();
  app.go(parseRoute(new URL(link.href).search));
}

function shortcut(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const isLetter = event.key.length === 1;
  if ((isLetter && !singleKeys()) || document.querySelector("dialog[open]")) return;
  // Arrows choose among radio buttons and scroll what can be scrolled.
  if (!isLetter && event.target.closest("input, .scroll")) return;
  const isHelp = event.key === "?";
  if (isHelp) openHelp(app);
  if (isHelp || app.page?.key(isLetter ? event.key.toLowerCase() : event.key)) event.preventDefault();
}

/** Tells that the service is asked again in some seconds; null that it need not be. */
function showWaiting(seconds) {
  const note = document.getElementById("waiting");
  note.textContent = seconds === null ? "" : t("busy", { n: Math.ceil(seconds) });
  note.hidden = seconds === null;
}

async function start() {
  await useLanguage(preferredLanguage());
  onWaiting(showWaiting);
  history.scrollRestoration = "manual";
  try {
    const { rules } = await fetchRules();
    app.sets = rules.map((data) => new RuleSet(data));
  } catch (error) {
    const again = () => location.reload();
    document.getElementById("page").replaceChildren(h("div", { class: "note", role: "alert" }, problem(error, again)));
    return;
  }
  document.addEventListener("click", followLink);
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    if (app.page?.board) app.page.board.focus();
    else document.getElementById("page").focus();
  });
  document.addEventListener("keydown", shortcut);
  addEventListener("popstate", () => app.comeBack());
  let timer = 0;
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(() => app.keep({ scroll: scrollY }), 250);
  });
  const route = app.canonical(parseRoute(location.search));
  // What others have added to the address, or written in another way, does not stay in it.
  if (route.page === "board") history.replaceState(history.state, "", routeUrl(route));
  app.comeBack();
}

start();
