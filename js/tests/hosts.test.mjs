// Web hosts: how many requests and bytes a first probe takes, and what hosts do that is not as it should be.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import * as jungletb from "../lib/index.js";
import { join, multipart } from "../lib/ranges.js";
import { host } from "./host.mjs";
import { ROOT, answers, position, random, run } from "./program.mjs";

let scratch;
let web;
before(async () => {
  // A class of four pieces with all it depends on: large enough to be read in parts.
  scratch = await mkdtemp(path.join(tmpdir(), "jungletb-js-"));
  run("generate", "CRvER", "--tables", scratch, "-q");
  execFileSync(process.execPath, [`${ROOT}/js/bin/jungletb-pack.js`, scratch, `${scratch}/all`], { stdio: "ignore" });
  web = await host({ "/": scratch });
});
after(async () => {
  await web.stop();
  await rm(scratch, { recursive: true });
});

/** Positions of the class. */
function sample(count) {
  const next = random(7);
  const found = [];
  while (found.length < count) {
    const text = position(next, 4);
    if ([...text.slice(0, -2)].filter((letter) => /[a-z]/i.test(letter)).sort().join("") === "CREr".split("").sort().join("")) found.push(text);
    else found.push(...replaced(text));
  }
  return found.slice(0, count);
}

/** The position with the pieces of the class, if they can stand there. */
function replaced(text) {
  const letters = ["C", "R", "e", "r"];
  let at = 0;
  const board = text.slice(0, -2).replace(/[a-z]/gi, () => letters[at++]);
  const water = board.split("/").slice(3, 6).some((rank) => {
    let file = 0;
    return [...rank].some((symbol) => {
      if (/\d/.test(symbol)) {
        file += Number(symbol);
        return false;
      }
      file += 1;
      return file !== 1 && file !== 4 && file !== 7 && !/r/i.test(symbol);
    });
  });
  return water ? [] : [`${board}${text.slice(-2)}`];
}

const plain = ({ error, ...report }) => report;

test("a first probe takes few requests and bytes", async () => {
  const asked = sample(60);
  const expected = answers(asked, scratch);
  for (const [kind, source, mostRequests] of [["pack", `${web.url}/all.json`, 6], ["folder", web.url, 16]]) {
    for (const [at, text] of asked.entries()) {
      web.reset();
      const tables = await jungletb.open({ source });
      const report = await tables.probe(text, { line: false });
      assert.deepEqual(plain(report), { ...plain(expected[at]), line: [] }, text);
      const { requests, bytes_fetched } = tables.statistics();
      assert.ok(requests <= mostRequests && web.requests.length === requests, `${kind}: ${requests} requests for ${text}`);
      assert.ok(bytes_fetched <= 200_000, `${kind}: ${bytes_fetched} bytes for ${text}`);
      // The same again is in memory.
      web.reset();
      await tables.probe(text, { line: false });
      assert.equal(web.requests.length, 0);
      tables.close();
    }
  }
});

test("hosts that know one range, or none, give the same", async () => {
  const asked = sample(12);
  const expected = answers(asked, scratch).map(plain);
  for (const ranges of ["one", "none"]) {
    const other = await host({ "/": scratch }, { ranges });
    for (const source of [other.url, `${other.url}/all.json`]) {
      const tables = await jungletb.open({ source });
      assert.deepEqual((await tables.batch(asked)).map(plain), expected, `${ranges} ${source}`);
      tables.close();
    }
    await other.stop();
  }
});

test("a page may not see the length of a file of another host", async () => {
  const asked = sample(5);
  const hidden = async (url, init) => {
    const response = await fetch(url, init);
    const headers = new Headers(response.headers);
    headers.delete("content-range");
    headers.delete("content-length");
    return new Response(response.body, { status: response.status, headers });
  };
  const tables = await jungletb.open({ source: web.url, multiRange: false, fetch: hidden });
  assert.deepEqual((await tables.batch(asked)).map(plain), answers(asked, scratch).map(plain));
});

test("probes at the same time share their requests", async () => {
  const [text] = sample(1);
  web.reset();
  const tables = await jungletb.open({ source: web.url });
  const once = await tables.probe(text);
  const count = web.requests.length;
  web.reset();
  const again = await jungletb.open({ source: web.url });
  const all = await Promise.all(Array.from({ length: 20 }, () => again.probe(text)));
  all.forEach((report) => assert.deepEqual(report, once));
  assert.equal(web.requests.length, count);
});

test("hosts that fail are named, and asked again", async () => {
  const [text] = sample(1);
  const expected = answers([text], scratch)[0];
  const faults = {
    "503 once": async (request, response, { count }) => count === 1 && (response.writeHead(503, { "retry-after": "0" }).end(), true),
    "breaks off once": async (request, response, { count }) => count === 1 && (response.destroy(), true),
  };
  for (const [fault, answer] of Object.entries(faults)) {
    const other = await host({ "/": scratch }, { answer });
    const tables = await jungletb.open({ source: other.url });
    assert.deepEqual(plain(await tables.probe(text)), plain(expected), fault);
    await other.stop();
  }
  for (const [status, code] of [[403, "unavailable"], [500, "unavailable"], [404, "missing-table"], [416, "unavailable"]]) {
    const other = await host({ "/": scratch }, { answer: (request, response) => (response.writeHead(status).end(), true) });
    const tables = await jungletb.open({ source: other.url });
    const failure = await tables.value(text).catch((error) => error);
    assert.equal(failure.code, code, `${status}`);
    if (code === "unavailable") assert.match(failure.message, new RegExp(`${other.url}/standard/\\w+\\.\\w+: the host answers ${status}`));
    // Nothing wrong is kept: once the host is well, so are the answers.
    await other.stop();
  }
  let isWell = false;
  const other = await host({ "/": scratch }, { answer: (request, response) => !isWell && (response.writeHead(403).end(), true) });
  const tables = await jungletb.open({ source: other.url });
  await assert.rejects(tables.value(text), jungletb.UnavailableError);
  isWell = true;
  assert.equal((await tables.value(text)).category, expected.category);
  await other.stop();
});

test("hosts that lie are found out", async () => {
  const [text] = sample(1);
  const expected = answers([text], scratch)[0];
  const lies = {
    "other bytes": (bytes) => bytes.map((byte) => byte ^ 1),
    "too few bytes": (bytes) => bytes.subarray(0, bytes.length >> 1),
    "a page": () => new TextEncoder().encode("<!doctype html><title>Sign in</title>"),
    nothing: () => new Uint8Array(),
  };
  for (const [lie, change] of Object.entries(lies)) {
    for (let at = 1; at <= 6; at++) {
      let count = 0;
      const lying = async (url, init) => {
        const response = await fetch(url, init);
        if (++count !== at) return response;
        const headers = new Headers(response.headers);
        return new Response(change(new Uint8Array(await response.arrayBuffer())), { status: response.status, headers });
      };
      const tables = await jungletb.open({ source: web.url, fetch: lying, multiRange: at % 2 === 0 });
      try {
        assert.deepEqual(plain(await tables.probe(text, { line: false })), { ...plain(expected), line: [] }, `${lie} ${at}`);
      } catch (error) {
        assert.ok(["damaged-table", "unavailable"].includes(error.code), `${lie} ${at}: ${error.stack}`);
      }
    }
  }
});

test("ranges are joined, and answers with many parts taken apart", async () => {
  assert.deepEqual(join([[10, 20], [0, 5], [22, 30]], 2), [[0, 5], [10, 30]]);
  assert.equal(join(Array.from({ length: 500 }, (_, at) => [at * 1000, at * 1000 + 10]), 0, 64).length <= 64, true);
  const body = new TextEncoder().encode('\r\n--x\r\nContent-Range: bytes 3-5/9\r\n\r\n--x\r\n--x--\r\n');
  assert.deepEqual(multipart(body, "multipart/byteranges; boundary=x").map(({ start, size }) => [start, size]), [[3, 9]]);
  assert.equal(multipart(body.subarray(0, -4), 'multipart/byteranges; boundary="x"'), null);
  assert.equal(multipart(body, "text/html"), null);
});

test("files that are chosen are read in parts", async () => {
  const [text] = sample(1);
  const names = (await readFile(`${scratch}/all.json`, "utf8")).match(/standard\/\w+\.\w+/g);
  const files = await Promise.all(names.map(async (name) => new File([await readFile(`${scratch}/${name}`)], path.basename(name))));
  const tables = await jungletb.open({ source: files });
  assert.deepEqual(plain(await tables.probe(text)), plain(answers([text], scratch)[0]));
});
