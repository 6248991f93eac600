// A dialog to open a game: from pasted text or a file, in any format that the program reads.

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { iconButton } from "../base/icons.js";
import { readGames } from "../service/api.js";
import { GAME_TAGS } from "../text/route.js";
import { problem } from "./problem.js";

/** Encodings of files that bear no mark, beside UTF-8. */
const ENCODINGS = ["gbk", "big5", "shift_jis", "euc-kr", "windows-1251"];

/** The page of a game that was read. */
function routeOf(game, rules) {
  const tags = Object.fromEntries(GAME_TAGS.map((tag) => [tag, game[tag]]).filter(([, value]) => value));
  const told = { start: game.start, moves: game.tree, at: 0, tags };
  return { page: "board", rules, position: game.start, edit: false, game: game.tree ? told : undefined };
}

/** Opens the dialog; the game that is chosen is shown by the app. */
export function openGame(app) {
  const rules = app.rules.name;
  const found = h("div", { class: "found", role: "status" });
  const text = h("textarea", {
    id: "game-text",
    rows: 7,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "1. a1a2 g9g8 2. …",
    "aria-describedby": "game-hint",
  });
  const file = h("input", { type: "file", id: "game-file", onchange: () => file.files[0] && read(file.files[0]) });
  const encoding = h(
    "select",
    { id: "game-encoding", onchange: () => file.files[0] && read(file.files[0]) },
    h("option", { value: "" }, "UTF-8"),
    ENCODINGS.map((name) => h("option", { value: name }, name)),
  );
  const close = () => dialog.close();
  const show = (game) => {
    close();
    app.go(routeOf(game, rules));
  };
  async function read(input) {
    found.replaceChildren(h("p", { class: "hint" }, t("loading")));
    try {
      const { games, errors, cut } = await readGames(rules, input, input === text.value ? "" : encoding.value);
      const good = games.filter((game) => game.start !== null);
      if (good.length === 1 && errors.length === 0 && good[0].findings.length === 0) return show(good[0]);
      found.replaceChildren(...results(good, games, errors, cut));
      found.querySelector("button")?.focus();
    } catch (error) {
      found.replaceChildren(...problem(error, () => read(input)).filter(Boolean));
    }
  }
  const entry = (game) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "button", onclick: () => show(game) },
        [`${game.white ?? "?"} – ${game.black ?? "?"}`, game.result, t("plies", { n: game.moves.length })]
          .filter(Boolean)
          .join(t("list.comma")),
      ),
      game.findings.map(({ what }) => h("p", { class: "detail", lang: "en" }, what)),
    );
  const results = (good, games, errors, cut) => [
    good.length > 0 ? h("p", {}, t("open.found", { n: good.length })) : h("p", { class: "error" }, t("open.none")),
    h("ul", {}, good.map(entry)),
    ...games
      .filter((game) => game.start === null)
      .flatMap((game) =>
        game.findings.map(({ what }) => h("p", { class: "detail", lang: "en" }, `line ${game.line}: ${what}`)),
      ),
    ...errors.map(({ error }) => h("p", { class: "detail", lang: "en" }, error)),
    cut ? h("p", { class: "hint" }, t("open.cut")) : "",
  ];
  const submit = (event) => {
    event.preventDefault();
    if (text.value.trim()) read(text.value);
  };
  const dialog = h(
    "dialog",
    { class: "help open-game", "aria-labelledby": "open-title" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", { id: "open-title" }, t("open.title")),
      iconButton("close", t("help.close"), close),
    ),
    h(
      "form",
      { onsubmit: submit },
      h("label", { for: "game-text" }, t("open.text")),
      text,
      h("p", { id: "game-hint", class: "hint" }, t("open.hint")),
      h("div", { class: "field-row" }, h("button", { type: "submit", class: "button primary" }, t("open.go"))),
      h(
        "div",
        { class: "file-row" },
        h("label", { for: "game-file" }, t("open.file")),
        file,
        h("label", { for: "game-encoding" }, t("open.encoding")),
        encoding,
      ),
    ),
    found,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
  text.focus();
}
