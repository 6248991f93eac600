// The service's answers. Answers of tables never change while the service runs, so the newest are kept. A request that
// is refused for a while, or lost on the way, is made again before it fails.

const KEPT = 400;
const answers = new Map();

/** How often a request is made, and how many seconds it is waited for in all. */
const ATTEMPTS = 5;
const PATIENCE = 30;

/** What the service refused: its own sentence, its code and status. */
export class ApiError extends Error {
  constructor(message, code, status, body, wait = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.body = body;
    /** Seconds after which the service wants to be asked again; null if asking again is of no use. */
    this.wait = wait;
  }
}

/** Waits some seconds, unless the signal aborts. */
const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) aborted();
    signal?.addEventListener("abort", aborted, { once: true });
  });

/** Where the page tells that it waits to ask again; `null` once it need not. */
const waiting = { listener: () => {} };

/** Sets who hears that a request waits to be made again. */
export const onWaiting = (listener) => {
  waiting.listener = listener;
};

async function once(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(error.message, "offline", 0, null, 1);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const after = Number(response.headers.get("retry-after")) || 1;
  const wait = [429, 502, 503, 504].includes(response.status) ? after : null;
  throw new ApiError(body?.error ?? response.statusText, body?.code ?? "internal", response.status, body, wait);
}

/** Makes a request, again where that may help. */
async function request(path, options = {}) {
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await once(path, options);
      if (attempt > 1) waiting.listener(null);
      return response;
    } catch (error) {
      const wait = error.wait ?? null;
      const tired = attempt >= (error.code === "offline" ? 2 : ATTEMPTS);
      if (wait === null || tired || (performance.now() - began) / 1000 + wait > PATIENCE) {
        if (attempt > 1) waiting.listener(null);
        throw error;
      }
      if (error.code !== "offline") waiting.listener(wait);
      await pause(wait, options.signal);
    }
  }
}

const JSON_HEADERS = { "accept": "application/json", "content-type": "application/json" };

function keep(key, body) {
  answers.set(key, body);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  return body;
}

async function get(path, signal) {
  const known = answers.get(path);
  if (known) return known;
  const response = await request(path, { signal, headers: { accept: "application/json" } });
  return keep(path, await response.json());
}

async function post(path, value, signal) {
  const body = JSON.stringify(value);
  const key = `${path} ${body}`;
  const known = answers.get(key);
  if (known) return known;
  const response = await request(path, { method: "POST", body, signal, headers: JSON_HEADERS });
  return keep(key, await response.json());
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

/** All about several positions, in their order; a position that is refused has an `error`. */
export const probeAll = (rules, positions, signal) => post(`/api/${part(rules)}/probe`, positions, signal);

/** Counts, histogram and longest wins of a material. */
export const fetchStats = (rules, material) => get(`/api/${part(rules)}/stats/${part(material)}`);

/** The classes of a rule set and the state of their tables. */
export const fetchMaterials = (rules) => get(`/api/${part(rules)}/materials`);

/** Results by piece and square. */
export const fetchHeat = (rules, material, signal) => get(`/api/${part(rules)}/heat/${part(material)}`, signal);

/** Games of a file or of a text, in any format that `check games` reads. */
export async function readGames(rules, file, encoding, signal) {
  const query = encoding ? `?encoding=${part(encoding)}` : "";
  const headers = { "accept": "application/json", "content-type": "text/plain" };
  const response = await request(`/api/${part(rules)}/games${query}`, { method: "POST", body: file, headers, signal });
  return response.json();
}

/** Where games are reviewed. */
export const reviewPath = (rules) => `/api/${part(rules)}/review`;

/** A game's moves graded by the tables. */
export const fetchReview = (rules, game, signal) => post(reviewPath(rules), game, signal);

/** Where positions are proven. */
export const provePath = (rules) => `/api/${part(rules)}/prove`;

/** The move that the engine plays: a guess. */
export const fetchGuess = (rules, position, time, signal) =>
  post(`/api/${part(rules)}/guess`, { position, time }, signal);
