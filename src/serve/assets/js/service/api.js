// The service's answers. Answers of tables never change while the service runs, so the newest are kept.

const KEPT = 400;
const answers = new Map();

/** What the service refused: its own sentence, its code and status. */
export class ApiError extends Error {
  constructor(message, code, status, body) {
    super(message);
    this.code = code;
    this.status = status;
    this.body = body;
  }
}

async function get(path, signal) {
  const known = answers.get(path);
  if (known) return known;
  let response;
  try {
    response = await fetch(path, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(error.message, "offline", 0);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(body?.error ?? response.statusText, body?.code, response.status, body);
  answers.set(path, body);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  return body;
}

const part = encodeURIComponent;

/** Where the answer for a position is found. */
export const probePath = (rules, position) => `/api/${part(rules)}/probe?position=${part(position)}`;

/** The rule sets that are loaded. */
export const fetchRules = () => get("/api/rules");

/** All about a position. One whose table is missing is an answer too: it has moves, and an error. */
export async function probe(rules, position, signal) {
  try {
    return await get(probePath(rules, position), signal);
  } catch (error) {
    if (Array.isArray(error.body?.moves)) return error.body;
    throw error;
  }
}

/** Counts, histogram and longest wins of a material. */
export const fetchStats = (rules, material) => get(`/api/${part(rules)}/stats/${part(material)}`);

/** The classes of a rule set and the state of their tables. */
export const fetchMaterials = (rules) => get(`/api/${part(rules)}/materials`);

/** Results by piece and square. */
export const fetchHeat = (rules, material, signal) => get(`/api/${part(rules)}/heat/${part(material)}`, signal);
