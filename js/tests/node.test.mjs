// The package in Node: the answers of the program, all kinds of sources, errors.

import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as jungletb from "../lib/index.js";
import { tables as shipped } from "../tables/index.js";
import { host } from "./host.mjs";
import { ROOT, TABLES, answers, positions, run } from "./program.mjs";

const POSITION = "7/7/2r4/3L3/7/3c3/7/7/7 w";
const scratch = await mkdtemp(path.join(tmpdir(), "jungletb-js-"));
after(() => rm(scratch, { recursive: true }));

async function files(...names) {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(`${TABLES}/standard/${name}`)])));
}

test("answers are those of the program, to the letter", async () => {
  const tables = await jungletb.open({ source: TABLES });
  const asked = [...positions(1500, [2, 3]), ...positions(40, [4, 5, 9], 2), "7/7/7/7/7/7/7/7/7 w", "nonsense"];
  const expected = answers(asked);
  const got = await tables.batch(asked);
  // Messages name the places where tables were looked for.
  const plain = ({ error, ...report }) => report;
  got.forEach((report, at) => assert.deepEqual(plain(report), plain(expected[at]), asked[at]));
  for (const [at, report] of expected.entries()) {
    if (report.category === undefined || report.category === "unknown") continue;
    const { category, dtw, over } = report;
    assert.deepEqual(await tables.value(asked[at]), { category, dtw, over });
    assert.equal(await tables.wdl(asked[at]), category);
    assert.equal(tables.wdlNow(asked[at]), category);
    assert.deepEqual(await tables.moves(asked[at]), report.moves);
    assert.deepEqual(await tables.line(asked[at]), report.line);
  }
  tables.close();
});

test("every kind of source gives the same", async () => {
  const expected = answers([POSITION])[0];
  const web = await host({ "/t/": TABLES, "/p/": `${ROOT}/js/tables` });
  after(web.stop);
  const three = (await readdir(`${TABLES}/standard`));
  const bytes = await files(...three);
  const sources = {
    folder: TABLES,
    "file URL": pathToFileURL(TABLES),
    "text of a file URL": String(pathToFileURL(`${TABLES}/`)),
    host: `${web.url}/t/`,
    pack: `${web.url}/p/standard.json`,
    shipped,
    bytes,
    "bytes with folders": Object.fromEntries(Object.entries(bytes).map(([name, data]) => [`standard/${name}`, data])),
    map: new Map(Object.entries(bytes).map(([name, data]) => [name, new Uint8Array(data).buffer])),
    blobs: Object.fromEntries(Object.entries(bytes).map(([name, data]) => [name, new Blob([data])])),
    "an empty one and a folder": [{}, TABLES],
  };
  for (const [kind, source] of Object.entries(sources)) {
    const tables = await jungletb.open({ source });
    assert.deepEqual(await tables.probe(POSITION), expected, kind);
    assert.equal((await tables.available()).length, kind === "host" ? (await tables.available()).length : 52, kind);
    assert.equal(await tables.has("LvCR"), true, kind);
    assert.equal(await tables.has("LTvCRE"), false, kind);
    tables.close();
  }
});

test("rules, starting position, moves", async () => {
  assert.deepEqual(await jungletb.presets(), run("rules", "--json").match(/"name":"[^"]+"/g).map((name) => name.slice(8, -1)));
  assert.match(await jungletb.rules("german"), /traps = "all"/);
  assert.match(await jungletb.rules({ name: "mine", toml: 'base = "standard"\ntraps = "all"' }), /traps = "all"/);
  assert.equal(await jungletb.start(), "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w");
  assert.equal(await jungletb.start("animal-checkers"), run("perft", "startpos", "1", "--rules", "animal-checkers", "--json").match(/"position":"([^"]+)"/)[1]);
  const tables = await jungletb.open({ source: {} });
  const counts = JSON.parse(run("perft", "startpos", "2", "--json")).counts;
  const first = tables.successors(await jungletb.start());
  assert.equal(first.length, counts[0]);
  assert.equal(first.flatMap(({ position }) => tables.successors(position)).length, counts[1]);
  assert.deepEqual(first[0], { move: "a1a2", position: first[0].position, capture: null, den: false });
  assert.equal((await tables.probe("7/3L3/7/7/7/7/7/7/c6 w")).dtw, 1);
  const own = await jungletb.open({ source: TABLES, rules: { name: "mine", toml: 'traps = "all"' } });
  assert.equal(own.rules, "mine");
  await assert.rejects(own.value(POSITION), jungletb.MissingTableError);
});

test("errors are typed and say what, where, and what to do", async () => {
  await assert.rejects(jungletb.open({ source: TABLES, rules: "none" }), (error) => error instanceof jungletb.InputError && error.code === "bad-rules");
  await assert.rejects(jungletb.open({ source: TABLES, rules: { name: "x", toml: "traps = 3" } }), jungletb.InputError);
  await assert.rejects(jungletb.open({ source: 3 }), { code: "bad-source" });
  await assert.rejects(jungletb.open(), { code: "bad-source" });
  const web = await host({ "/t/": TABLES });
  after(web.stop);
  const tables = await jungletb.open({ source: [`${web.url}/t`, {}] });
  await assert.rejects(tables.value("x"), (error) => error instanceof jungletb.InputError && error.code === "bad-position" && !error.message.includes("\n"));
  assert.throws(() => tables.successors("x"), jungletb.InputError);
  await assert.rejects(tables.has("Q"), { code: "bad-material" });
  await assert.rejects(tables.value("7/7/2r4/3L3/7/3c3/7/7/T6 w"), (error) => {
    assert.ok(error instanceof jungletb.MissingTableError);
    assert.deepEqual([error.code, error.material], ["missing-table", "LTvCR"]);
    assert.ok(error.urls.includes(`${web.url}/t/standard/${error.class}.wdl`), error.urls);
    assert.match(error.message, /^no table for LTvCR \(class \w+\) in http.*: make it with `jungletb generate LTvCR/);
    return true;
  });
  // The report of the same position has its moves.
  const report = await tables.probe("7/7/2r4/3L3/7/3c3/7/7/T6 w");
  assert.deepEqual([report.category, report.code, report.moves.length > 0], ["unknown", "missing-table", true]);
  await assert.rejects(tables.value("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"), { code: "too-many-pieces" });
});

test("damaged tables are found, whatever byte is wrong", async () => {
  const { class: name } = (await (await jungletb.open({ source: TABLES })).probe(POSITION));
  const intact = await files(`${name}.wdl`, `${name}.dtw`);
  const expected = await (await jungletb.open({ source: TABLES })).value(POSITION);
  let found = 0;
  for (const file of Object.keys(intact)) {
    for (let at = 0; at < intact[file].length; at += 61) {
      const bytes = new Uint8Array(intact[file]);
      bytes[at] ^= 0x11;
      const tables = await jungletb.open({ source: { ...intact, [file]: bytes } });
      try {
        assert.deepEqual(await tables.value(POSITION), expected);
      } catch (error) {
        assert.ok(error instanceof jungletb.DamagedTableError, error.stack);
        assert.match(error.path, new RegExp(`^files/standard/${name}\\.(wdl|dtw)$`));
        found += 1;
      }
      tables.close();
    }
    const tables = await jungletb.open({ source: { ...intact, [file]: intact[file].subarray(0, -10) } });
    await assert.rejects(tables.value(POSITION), { code: "damaged-table", what: "its length does not match its header" });
  }
  assert.ok(found > 40, `${found}`);
});

test("works in a worker", async () => {
  const file = path.join(scratch, "worker.mjs");
  const index = pathToFileURL(`${ROOT}/js/lib/index.js`);
  await writeFile(file, `
    import { parentPort } from "node:worker_threads";
    import { open } from "${index}";
    const tables = await open({ source: ${JSON.stringify(TABLES)} });
    parentPort.postMessage(await tables.value("${POSITION}"));`);
  const worker = new Worker(file);
  const [value] = await new Promise((done, failed) => worker.once("message", (...message) => done(message)).once("error", failed));
  assert.deepEqual(value, { category: "loss", dtw: 8, over: null });
});

test("jungletb-pack packs what is there, and says what is wrong", async () => {
  const { execFileSync } = await import("node:child_process");
  const pack = (...args) => execFileSync(process.execPath, [`${ROOT}/js/bin/jungletb-pack.js`, ...args], { encoding: "utf8", stdio: "pipe" });
  const folder = path.join(scratch, "some");
  await mkdir(path.join(folder, "standard"), { recursive: true });
  for (const [name, bytes] of Object.entries(await files("LvR.wdl", "LvR.dtw").catch(() => files("ELvR.wdl", "ELvR.dtw")))) {
    await writeFile(path.join(folder, "standard", name), bytes);
  }
  assert.match(pack(folder, path.join(scratch, "out")), /^2 tables, \d+ bytes: /);
  assert.throws(() => pack(folder), (error) => error.status === 2 && /usage/.test(error.stderr));
  assert.throws(() => pack(scratch, path.join(scratch, "out")), (error) => error.status === 1);
});
