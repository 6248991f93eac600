// A plain static file server with ranges, and the ways in which web hosts differ.

import { createServer } from "node:http";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const BOUNDARY = "a3f1c09d7be2";

/**
 * Serves `folders`, by the start of their paths. `ranges`: "many" in one request, "one", or "none"; `answer` may answer
 * a request itself. The address is `url`; `requests` has the path and the ranges of each request.
 */
export async function host(folders, { ranges = "many", headers = {}, answer } = {}) {
  const requests = [];
  let bytes = 0;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    requests.push({ path: pathname, range: request.headers.range ?? null, method: request.method });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const send = (status, type, chunks, more = {}) => {
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      bytes += length;
      response.writeHead(status, { "content-type": type, "content-length": length, ...more });
      chunks.forEach((chunk) => response.write(chunk));
      response.end();
    };
    if (await answer?.(request, response, { send, pathname, count: requests.length })) return;
    try {
      const [prefix, folder] = Object.entries(folders).find(([prefix]) => pathname.startsWith(prefix));
      const file = path.join(folder, path.normalize(decodeURIComponent(pathname.slice(prefix.length))));
      const { size } = await stat(file);
      const type = TYPES[path.extname(file)] ?? "application/octet-stream";
      const wanted = ranges === "none" ? null : parse(request.headers.range, size);
      if (wanted === undefined) return send(416, "text/plain", [], { "content-range": `bytes */${size}` });
      if (wanted === null || (wanted.length > 1 && ranges === "one")) return send(200, type, [await readFile(file)]);
      const parts = await Promise.all(wanted.map(([from, to]) => read(file, from, to)));
      const spans = wanted.map(([from, to]) => `bytes ${from}-${to}/${size}`);
      if (parts.length === 1) return send(206, type, parts, { "content-range": spans[0], "accept-ranges": "bytes" });
      const body = parts.flatMap((part, at) => [
        Buffer.from(`\r\n--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Range: ${spans[at]}\r\n\r\n`),
        part,
      ]);
      return send(206, `multipart/byteranges; boundary=${BOUNDARY}`, [...body, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
    } catch {
      return send(404, "text/plain", [Buffer.from("not found")]);
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const reset = () => {
    requests.length = 0;
    bytes = 0;
  };
  const stop = () => new Promise((done) => (server.closeAllConnections(), server.close(done)));
  return { url: `http://127.0.0.1:${server.address().port}`, requests, reset, stop, bytes: () => bytes };
}

/** The ranges of a header, first and last byte; null without one, undefined if none is within the file. */
function parse(header, size) {
  const match = /^bytes=(.+)$/.exec(header ?? "");
  if (!match) return null;
  const all = match[1].split(",").map((text) => {
    const [from, to] = text.trim().split("-");
    if (from === "") return [Math.max(0, size - Number(to)), size - 1];
    return [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
  });
  const within = all.filter(([from, to]) => from <= to && from < size);
  return within.length > 0 ? within : undefined;
}

async function read(file, start, end) {
  const chunks = [];
  for await (const chunk of createReadStream(file, { start, end })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
