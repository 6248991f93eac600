// Where table files come from. A source has a name for messages and a method `read`, which takes needs of the core,
// {file, ranges} or {file, tail} (the header, and about that many bytes of the end), and gives an array with, for each
// of them, the parts [{start, bytes, size}], or null if there is no such file. `list` gives the files, if they are known.

import { InputError, UnavailableError } from "./errors.js";
import { Host } from "./host.js";

const HEADER = 1024;
/** Files that are expected to be about this long are read whole. */
const WHOLE = 16384;
const SMALL_TAIL = 2560;

/** Makes sources of what `open` is given. */
export function sourcesOf(source, options) {
  const all = Array.isArray(source) && !source.every(isFile) ? source : [source];
  return all.map((one) => sourceOf(one, options));
}

function sourceOf(source, options) {
  if (typeof source?.read === "function" && typeof source.name === "string") return source;
  if (source instanceof URL || typeof source === "string") {
    const text = String(source);
    if (/^https?:/i.test(text)) {
      const url = text.replace(/[/]+$/, "");
      return /\.json([?#]|$)/i.test(url) ? new PackSource(url, options) : new HostSource(url, options);
    }
    if (isNode()) return new FolderSource(source);
    if (globalThis.location) return sourceOf(new URL(text, globalThis.location.href), options);
  }
  if (isFile(source)) return new BlobSource({ [source.name]: source });
  if (typeof source?.[Symbol.iterator] === "function" && typeof source !== "string") {
    const items = [...source];
    if (items.every(isFile)) return new BlobSource(items.map((file) => [file.webkitRelativePath || file.name, file]));
    if (source instanceof Map) return new BlobSource(items);
  }
  if (source && Object.getPrototypeOf(source) === Object.prototype) return new BlobSource(Object.entries(source));
  throw new InputError("a source is a URL, a folder, files, or an object of file names and bytes", "bad-source");
}

const isNode = () => globalThis.process?.versions?.node !== undefined;
const isFile = (value) => typeof Blob !== "undefined" && value instanceof Blob && typeof value.name === "string";

/** A folder of tables on a web host, with a subfolder for each rule set. */
class HostSource {
  constructor(url, options) {
    this.name = url;
    this.host = new Host(url, options);
  }

  url(file) {
    return `${this.name}/${encodeURI(file)}`;
  }

  read(needs) {
    return Promise.all(needs.map(({ file, ranges, tail }) => {
      if (ranges) return this.host.ranges(this.url(file), ranges);
      return tail > SMALL_TAIL ? this.host.header(this.url(file), HEADER, tail) : this.host.header(this.url(file), WHOLE, 0);
    }));
  }

  /** The files that the list CHECKSUMS names. */
  async list() {
    const bytes = await this.host.whole(`${this.name}/CHECKSUMS`);
    const lines = bytes ? new TextDecoder().decode(bytes).split("\n") : [];
    return lines.map((line) => /^[0-9a-f]{16} (\S+)\s*$/.exec(line)?.[1]).filter(Boolean);
  }
}

/** Tables packed into one file by `jungletb-pack`, on a web host: one request brings parts of many tables. */
class PackSource {
  #index;

  constructor(url, options) {
    this.name = url;
    this.host = new Host(url, options);
  }

  url() {
    return this.name;
  }

  async #files() {
    const index = await this.host.whole(this.name);
    if (!index) throw new UnavailableError(`${this.name}: there is no such pack`, { url: this.name, status: 404 });
    let parsed;
    try {
      parsed = JSON.parse(new TextDecoder().decode(index));
    } catch {
      parsed = null;
    }
    if (parsed?.format !== "jungletb-pack-1") {
      throw new UnavailableError(`${this.name}: it is not the index of a pack of tables`, { url: this.name });
    }
    let at = 0;
    const files = new Map();
    for (const [file, size] of parsed.files) {
      files.set(file, { start: at, size });
      at += size;
    }
    return { data: String(new URL(parsed.data, this.name)), files };
  }

  async read(needs) {
    // A failure is not kept: the next probe tries again.
    this.#index ??= this.#files().catch((error) => {
      this.#index = undefined;
      throw error;
    });
    const { data, files } = await this.#index;
    const wanted = needs.map((need) => rangesIn(files.get(need.file), need));
    const ranges = wanted.flatMap((wanted) => wanted ?? []);
    const parts = ranges.length > 0 ? await this.host.ranges(data, ranges) : [];
    if (!parts) throw new UnavailableError(`${data}: the file of the pack is missing`, { url: data, status: 404 });
    return needs.map(({ file }, at) => wanted[at] && within(files.get(file), parts));
  }

  async list() {
    await this.read([]);
    return [...(await this.#index).files.keys()];
  }
}

/** The ranges of a pack that hold what a file is needed for. */
function rangesIn(file, { ranges, tail }) {
  if (!file) return null;
  const { start, size } = file;
  if (ranges) return ranges.map(([from, to]) => [start + from, start + to]);
  if (size <= WHOLE) return [[start, start + size]];
  const ends = [[start, start + HEADER]];
  if (tail > 0) ends.push([start + Math.max(HEADER, size - tail), start + size]);
  return ends;
}

/** The parts of a pack that belong to a file. */
function within({ start, size }, parts) {
  return parts.flatMap((part) => {
    const from = Math.max(start, part.start);
    const to = Math.min(start + size, part.start + part.bytes.length);
    if (from >= to) return [];
    return [{ start: from - start, bytes: part.bytes.subarray(from - part.start, to - part.start), size }];
  });
}

/** A folder of tables on this machine, in Node. */
class FolderSource {
  constructor(folder) {
    this.name = String(folder).replace(/(?<=.)[/]+$/, "");
    this.folder = folder;
  }

  async #path(file) {
    const [path, url] = await Promise.all([import("node:path"), import("node:url")]);
    const isUrl = this.folder instanceof URL || /^file:/i.test(this.folder);
    return path.join(isUrl ? url.fileURLToPath(this.folder) : this.folder, ...file.split("/"));
  }

  url(file) {
    return `${this.name}/${file}`;
  }

  async read(needs) {
    const { open } = await import("node:fs/promises");
    return Promise.all(needs.map(async ({ file, ranges }) => {
      let handle;
      try {
        handle = await open(await this.#path(file));
        const { size } = await handle.stat();
        return await Promise.all((ranges ?? [[0, Math.min(size, WHOLE)]]).map(async ([start, end]) => {
          const { bytesRead, buffer } = await handle.read(new Uint8Array(end - start), 0, end - start, start);
          return { start, bytes: buffer.subarray(0, bytesRead), size };
        }));
      } catch (cause) {
        if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
        throw new UnavailableError(`${this.url(file)}: cannot be read: ${cause.message}`, { url: this.url(file), cause });
      } finally {
        await handle?.close();
      }
    }));
  }

  async list(rules) {
    const { readdir } = await import("node:fs/promises");
    const names = await readdir(await this.#path(rules)).catch(() => []);
    return names.map((name) => `${rules}/${name}`);
  }
}

/** Files chosen by a person, or bytes. */
class BlobSource {
  #files;

  constructor(entries) {
    const files = entries[Symbol.iterator] ? [...entries] : Object.entries(entries);
    this.#files = new Map(files.map(([name, data]) => [name.split("/").slice(-2).join("/"), data]));
    this.name = "files";
  }

  url(file) {
    return file;
  }

  /** By rule set and name, or by name alone. */
  #find(file) {
    return this.#files.get(file) ?? this.#files.get(file.split("/").at(-1)) ?? null;
  }

  read(needs) {
    return Promise.all(needs.map(async ({ file, ranges }) => {
      const data = this.#find(file);
      if (data === null) return null;
      const isBlob = typeof Blob !== "undefined" && data instanceof Blob;
      const whole = isBlob ? null : new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
      const size = isBlob ? data.size : whole.length;
      return Promise.all((ranges ?? [[0, Math.min(size, WHOLE)]]).map(async ([start, end]) => {
        const bytes = whole ? whole.subarray(start, end) : new Uint8Array(await data.slice(start, end).arrayBuffer());
        return { start, bytes, size };
      }));
    }));
  }

  async list(rules) {
    return [...this.#files.keys()].map((name) => (name.includes("/") ? name : `${rules}/${name}`));
  }
}
