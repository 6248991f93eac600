// What the address says, and back. The whole state that is worth sharing is in it: the position shown, and for a game
// its start, its moves and which of them is shown, who played it and how it ended.

import { linkQuery } from "./notation.js";

/** What an address tells about a game, beside its moves. */
export const GAME_TAGS = ["white", "black", "result", "reason"];

/** Reads an address's query. */
export function parseRoute(search) {
  const query = new URLSearchParams(search);
  const rules = query.get("rules");
  const spaced = (key) => query.get(key)?.replace(/_/g, " ").trim() ?? null;
  let position = spaced("position") ?? spaced("fen");
  if (query.has("material"))
    return { page: "material", rules, material: query.get("material").trim(), from: spaced("from") };
  if (position === null) return { page: "start", rules, search: query.get("search") ?? "" };
  // A link that was pasted in a position's place.
  const link = linkQuery(position);
  if (link !== null) return { rules, ...parseRoute(link) };
  const route = { page: "board", rules, position, edit: query.has("edit") };
  const moves = query.get("moves");
  if (moves) {
    const at = query.get("at");
    const tags = GAME_TAGS.map((tag) => [tag, query.get(tag)]).filter(([, value]) => value);
    route.game = {
      start: spaced("start"),
      moves,
      at: /^\d{1,5}$/.test(at ?? "") ? Number(at) : null,
      tags: Object.fromEntries(tags),
    };
  }
  const aim = query.get("practice");
  if (["win", "hold"].includes(aim)) route.practice = aim;
  return route;
}

/** Position and material need no escapes but for what would end the value: an address stays readable. */
const value = (text) => encodeURIComponent(text.replace(/\s+/g, "_")).replace(/%2F/gi, "/");

/** The address of a route, without host. */
export function routeUrl(route) {
  const query = [];
  const add = (key, text) => query.push(`${key}=${value(text)}`);
  if (route.rules) add("rules", route.rules);
  if (route.page === "material") {
    add("material", route.material);
    if (route.from) add("from", route.from);
  } else if (route.page === "board") {
    add("position", route.position);
    if (route.edit) query.push("edit");
    if (route.practice) add("practice", route.practice);
    if (route.game) gameQuery(route.game, add, query);
  } else if (route.search) {
    query.push(`search=${encodeURIComponent(route.search)}`);
  }
  return query.length ? `/?${query.join("&")}` : "/";
}

function gameQuery(game, add, query) {
  if (game.start) add("start", game.start);
  add("moves", game.moves);
  if (game.at !== null) query.push(`at=${game.at}`);
  for (const [tag, text] of Object.entries(game.tags)) query.push(`${tag}=${encodeURIComponent(text)}`);
}
