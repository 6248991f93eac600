// What the address says, and back. The whole state that is worth sharing is in it.

/** Reads an address's query. */
export function parseRoute(search) {
  const query = new URLSearchParams(search);
  const rules = query.get("rules");
  const spaced = (key) => query.get(key)?.replace(/_/g, " ").trim() ?? null;
  const position = spaced("position") ?? spaced("fen");
  if (query.has("material"))
    return { page: "material", rules, material: query.get("material").trim(), from: spaced("from") };
  if (position !== null) return { page: "board", rules, position, edit: query.has("edit") };
  return { page: "start", rules };
}

/** Position and material need no escapes but for what would end the value: an address stays readable. */
const value = (text) => encodeURIComponent(text.replace(/\s+/g, "_")).replace(/%2F/gi, "/");

/** The address of a route, without host. */
export function routeUrl(route) {
  const query = [];
  if (route.rules) query.push(`rules=${value(route.rules)}`);
  if (route.page === "material") {
    query.push(`material=${value(route.material)}`);
    if (route.from) query.push(`from=${value(route.from)}`);
  } else if (route.page === "board") {
    query.push(`position=${value(route.position)}`);
    if (route.edit) query.push("edit");
  }
  return query.length ? `/?${query.join("&")}` : "/";
}
