// A web host that answers range requests.

import { UnavailableError } from "./errors.js";
import { contentRange, covers, join, multipart, rangeHeader } from "./ranges.js";

/** Bytes between two ranges that are brought too, rather than by a request of their own. */
const GAP = 8192;
/** The same where one request may ask for many ranges: about the length of the headers of a part. */
const GAP_IN_ONE = 160;
/** Ranges in one request; some hosts ignore a longer list. */
const MOST_RANGES = 64;
/** A whole file up to this length is read when a host sends it in place of the ranges. */
const SMALL_FILE = 1 << 18;
const TRIES = 3;

/** The files of a web host. One is shared by all sources on the host that share its options. */
export class Host {
  /** Whether one request may ask for many ranges; found out at the first one if undefined. */
  #many;

  constructor(url, options) {
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.init = options.request ?? {};
    // A page may ask another host for one range only without asking for permission first.
    const isElsewhere = globalThis.location?.origin !== undefined && new URL(url).origin !== globalThis.location.origin;
    this.#many = options.multiRange ?? (isElsewhere ? false : undefined);
    this.requests = 0;
    this.bytes = 0;
  }

  /** A whole file as a response; null if there is none. */
  async whole(url) {
    const response = await this.#request(url, {});
    if (!response) return null;
    const bytes = await this.#body(response, url);
    return bytes;
  }

  /** The header of a file, and about `tail` bytes of its end if one request can bring both; null if there is none. */
  async header(url, len, tail) {
    if (tail > 0 && this.#many !== false) return this.#inOne(url, [[0, len]], tail);
    return this.#one(url, [0, len]);
  }

  /** Ranges of a file, and perhaps more; null if there is no such file. */
  async ranges(url, ranges) {
    const apart = join(ranges, GAP);
    if (apart.length > 1 && this.#many !== false) return this.#inOne(url, join(ranges, GAP_IN_ONE, MOST_RANGES), 0);
    const parts = await Promise.all(apart.map((range) => this.#one(url, range)));
    return parts.includes(null) ? null : parts.flat();
  }

  async #inOne(url, ranges, tail) {
    const response = await this.#request(url, { Range: rangeHeader(ranges, tail) });
    if (!response) return null;
    const type = response.headers.get("content-type") ?? "";
    if (response.status === 206 && type.toLowerCase().startsWith("multipart/byteranges")) {
      const parts = multipart(await this.#body(response, url), type);
      if (!parts) throw new UnavailableError(`${url}: a malformed answer to a request for several ranges`, { url });
      this.#many = true;
      return complete(url, parts, ranges);
    }
    // One part with everything is fine; a whole file that is long is not read to its end.
    const range = contentRange(response.headers.get("content-range"));
    const len = range ? range.end - range.start : Number(response.headers.get("content-length") ?? Infinity);
    const asked = ranges.reduce((sum, [start, end]) => sum + end - start, tail);
    if (len <= Math.max(SMALL_FILE, 2 * asked)) {
      const bytes = await this.#body(response, url);
      const part = { start: range?.start ?? 0, bytes, size: range ? range.size : bytes.length };
      if (ranges.every((range) => covers([part], range))) return [part];
    } else {
      await response.body?.cancel();
    }
    this.#many = false;
    return tail > 0 ? this.header(url, ranges[0][1], 0) : this.ranges(url, ranges);
  }

  async #one(url, range) {
    const response = await this.#request(url, { Range: rangeHeader([range]) });
    if (!response) return null;
    const bytes = await this.#body(response, url);
    if (response.status === 200) return [{ start: 0, bytes, size: bytes.length }];
    // Another host need not let a page read this header.
    const found = contentRange(response.headers.get("content-range"));
    const part = { start: found?.start ?? range[0], bytes, size: found?.size ?? null };
    // A file may be shorter than its first bytes that are asked for.
    if (part.size === null && range[0] === 0) return [part];
    return complete(url, [part], [range]);
  }

  /** A response; null if there is no such file. */
  async #request(url, headers) {
    for (let tried = 1; ; tried++) {
      let response;
      let failure;
      try {
        this.requests++;
        response = await this.fetch(url, { ...this.init, headers: { ...this.init.headers, ...headers } });
      } catch (cause) {
        failure = new UnavailableError(`${url}: cannot be fetched: ${cause.message}`, { url, cause });
      }
      if (response?.ok) return response;
      if (response) {
        await response.body?.cancel();
        const { status } = response;
        if (status === 404 || status === 410) return null;
        failure = new UnavailableError(`${url}: the host answers ${status} ${response.statusText}`.trimEnd(), { url, status });
        if (status !== 429 && status < 500) throw failure;
      }
      if (tried === TRIES) throw failure;
      const seconds = Number(response?.headers.get("retry-after"));
      await new Promise((done) => setTimeout(done, seconds > 0 ? Math.min(seconds, 10) * 1000 : 200 * 2 ** tried));
    }
  }

  async #body(response, url) {
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.bytes += bytes.length;
      return bytes;
    } catch (cause) {
      throw new UnavailableError(`${url}: the answer breaks off: ${cause.message}`, { url, cause });
    }
  }
}

/** The parts, if they have the ranges as far as the file goes. */
function complete(url, parts, ranges) {
  const size = parts[0]?.size ?? Infinity;
  const missing = ranges.find(([start, end]) => start < size && !covers(parts, [start, Math.min(end, size)]));
  if (missing) throw new UnavailableError(`${url}: bytes ${missing[0]} to ${missing[1]} were asked for, but not sent`, { url });
  return parts;
}
