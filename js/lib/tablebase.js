// Probing: questions to the core, and the bytes that they need.

import { Core } from "./core.js";
import { DamagedTableError, InputError, errorOf } from "./errors.js";
import { sourcesOf } from "./sources.js";
import { load } from "./wasm.js";

const CATEGORIES = ["loss", "draw", "win"];
/** Compressed bytes kept for blocks that were not unpacked yet. */
const MOST_BYTES = 32 << 20;
/** Positions of a batch that are asked for at a time. */
const AT_ONCE = 256;

/** Opens tables. See index.d.ts. */
export async function open(options) {
  if (!options?.source) throw new InputError("open needs a source: where the tables are", "bad-source");
  await load(options.wasm);
  return new Tablebase(options);
}

/** The rules and the name they go by. */
export function namedRules(rules = "standard") {
  return typeof rules === "string" ? [rules, undefined] : [rules.name, rules.toml];
}

/** Calls the core, whose errors are texts. */
export function check(call) {
  try {
    return call();
  } catch (error) {
    throw typeof error === "string" ? new InputError(error, "bad-rules") : error;
  }
}

export class Tablebase {
  #core;
  #sources;
  #listed;
  #kept = 0;
  /** Reads on their way, by source and file. */
  #reads = new Map();

  constructor(options) {
    this.#sources = sourcesOf(options.source, options);
    const names = this.#sources.map((source) => source.name);
    const [name, toml] = namedRules(options.rules);
    this.#core = check(() => new Core(name, toml, names, options.cacheBytes ?? 64 << 20));
  }

  get rules() {
    return this.#core.rules;
  }

  async probe(position, { line = true } = {}) {
    return this.#ask(() => this.#core.probe(position, line), position);
  }

  async value(position) {
    return this.#ask(() => this.#core.value(position));
  }

  async wdl(position) {
    return this.wdlNow(position) ?? this.#ask(() => this.#core.category(position));
  }

  wdlNow(position) {
    return CATEGORIES[this.#core.wdl(position)];
  }

  async moves(position) {
    return this.#ask(() => this.#core.moves(position), position);
  }

  async line(position) {
    return this.#ask(() => this.#core.line(position));
  }

  async batch(positions, options) {
    const all = [...positions];
    const answers = [];
    const one = (position) => this.probe(position, options).catch((error) => {
      if (error.code === undefined) throw error;
      return { position, error: error.message, code: error.code };
    });
    for (let at = 0; at < all.length; at += AT_ONCE) {
      answers.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(one))));
    }
    return answers;
  }

  successors(position) {
    return this.#answer(this.#core.successors(position));
  }

  async has(material) {
    return this.#ask(() => this.#core.has(material));
  }

  async available() {
    this.#listed ??= Promise.all(this.#sources.map(async (source, at) => {
      this.#core.list(at, (await source.list?.(this.rules)) ?? []);
    })).catch((error) => {
      this.#listed = undefined;
      throw error;
    });
    await this.#listed;
    return JSON.parse(this.#core.available());
  }

  statistics() {
    const sum = (field) => this.#sources.reduce((sum, { host }) => sum + (host?.[field] ?? 0), 0);
    return { ...JSON.parse(this.#core.statistics()), requests: sum("requests"), bytes_fetched: sum("bytes") };
  }

  close() {
    this.#core.free();
  }

  /** Asks until all bytes are there. `ahead`: a position around which more is brought at once. */
  async #ask(question, ahead) {
    for (;;) {
      const answer = question();
      if (answer !== "") return this.#answer(answer);
      if (ahead !== undefined) this.#core.readAhead(ahead);
      await this.#bring(JSON.parse(this.#core.needs()));
    }
  }

  #answer(text) {
    const answer = JSON.parse(text);
    // A report of a position without a table has an error too, and moves.
    if (answer?.error !== undefined && answer.moves === undefined) {
      throw errorOf(answer, (file) => this.#sources.map((source) => source.url?.(file) ?? `${source.name}/${file}`));
    }
    return answer;
  }

  /** Brings what is not on its way yet, and waits for all of it. */
  async #bring(needs) {
    const waiting = [];
    for (const [at, source] of this.#sources.entries()) {
      const wanted = [];
      for (const need of needs) {
        if (need.source !== at) continue;
        const { missing, reads } = this.#onTheWay(need);
        waiting.push(...reads);
        if (missing) wanted.push(missing);
      }
      if (wanted.length > 0) waiting.push(this.#read(at, source, wanted));
    }
    await Promise.all(waiting);
  }

  /** What of a need is not on its way, and the reads that bring the rest. */
  #onTheWay(need) {
    const reads = this.#reads.get(`${need.source}/${need.file}`) ?? [];
    if (!need.ranges) {
      const read = reads.find((read) => !read.need.ranges);
      return read ? { missing: null, reads: [read.done] } : { missing: need, reads: [] };
    }
    const found = [];
    const ranges = need.ranges.filter(([start, end]) => {
      const read = reads.find(({ need }) => need.ranges?.some(([from, to]) => from <= start && end <= to));
      if (read) found.push(read.done);
      return !read;
    });
    return { missing: ranges.length > 0 ? { ...need, ranges } : null, reads: found };
  }

  async #read(at, source, needs) {
    const done = source.read(needs).then((files) => this.#supply(at, source, needs, files));
    const entries = needs.map((need) => [`${at}/${need.file}`, { need, done }]);
    for (const [key, read] of entries) this.#reads.set(key, [...(this.#reads.get(key) ?? []), read]);
    try {
      await done;
    } finally {
      for (const [key, read] of entries) {
        const rest = this.#reads.get(key).filter((other) => other !== read);
        if (rest.length > 0) this.#reads.set(key, rest);
        else this.#reads.delete(key);
      }
    }
  }

  #supply(at, source, needs, files) {
    for (const [index, parts] of files.entries()) {
      const { file, ranges } = needs[index];
      if (parts === null) {
        if (!ranges) this.#core.absent(at, file);
        else throw new DamagedTableError(`${source.name}/${file}: the file is gone`, "damaged-table", { path: `${source.name}/${file}` });
        continue;
      }
      for (const range of ranges ?? []) {
        if (!parts.some(({ start, bytes }) => start <= range[0] && range[1] <= start + bytes.length)) {
          const path = `${source.name}/${file}`;
          const what = `bytes ${range[0]} to ${range[1]} are missing`;
          throw new DamagedTableError(`${path}: damaged table: ${what}`, "damaged-table", { path, what });
        }
      }
      // Bytes that are not kept are asked for again.
      const len = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (this.#kept + len > MOST_BYTES) {
        this.#core.dropBytes();
        this.#kept = 0;
      }
      this.#kept += len;
      for (const { start, bytes, size } of parts) this.#core.supply(at, file, start, bytes, size ?? -1);
    }
  }
}
