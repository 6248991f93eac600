// A new user's way: the packed package in an empty folder, the samples of the guide, the example engine, its types.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { host } from "./host.mjs";
import { ROOT, TABLES, answers } from "./program.mjs";

const { chromium } = createRequire(`${ROOT}/tests/e2e/package.json`)("playwright-core");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const POSITION = "7/7/2r4/3L3/7/3c3/7/7/7 w";
const run = (program, args, options) => execFileSync(program, args, { encoding: "utf8", stdio: "pipe", ...options });

let folder;
let guide;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "jungletb-js-"));
  guide = await readFile(`${ROOT}/docs/javascript.md`, "utf8");
  run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: `${ROOT}/js` });
  const [tgz] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await writeFile(`${folder}/package.json`, '{"private":true,"type":"module"}');
  run("npm", ["install", "--no-audit", "--no-fund", "--silent", `./${tgz}`], { cwd: folder });
});
after(() => rm(folder, { recursive: true }));

const sample = (language, number = 0) => [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))][number][1];

test("the package holds what it should, and is small", async () => {
  const installed = `${folder}/node_modules/jungletb`;
  const files = (await readdir(installed, { recursive: true })).filter((file) => /\.\w+$|LICENSE/.test(file)).sort();
  assert.deepEqual(files, [
    "LICENSE", "README.md", "bin/jungletb-pack.js", "examples/engine.ts", "lib/core.js", "lib/core_bg.wasm", "lib/errors.js", "lib/host.js",
    "lib/index.d.ts", "lib/index.js", "lib/ranges.js", "lib/sources.js", "lib/tablebase.js", "lib/wasm.js", "package.json",
    "tables/index.d.ts", "tables/index.js", "tables/standard.json", "tables/standard.pack",
  ]);
  let compressed = 0;
  for (const file of files.filter((file) => file.startsWith("lib/"))) compressed += gzipSync(await readFile(`${installed}/${file}`)).length;
  assert.ok(compressed < 400_000, `${compressed} bytes`);
});

test("the sample for Node", async () => {
  await writeFile(`${folder}/sample.js`, sample("js"));
  assert.equal(run(process.execPath, ["sample.js"], { cwd: folder }), sample("text"));
});

test("the sample for a page", async () => {
  const web = await host({ "/jungletb/": `${folder}/node_modules/jungletb`, "/tablebases/": TABLES }, {
    answer: (request, response, { pathname }) =>
      pathname === "/" && (response.setHeader("content-type", "text/html"), response.end(sample("html").replace("<title>", '<link rel="icon" href="data:,"><title>')), true),
  });
  const browser = await chromium.launch({
    executablePath: BROWSERS.find((path) => path && existsSync(path)),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${web.url}/`);
    await page.waitForFunction(() => document.querySelector("#answer").textContent !== "");
    assert.equal(await page.textContent("#answer"), "loss in 8");
    await page.fill("#position", "7/7/2r4/3L3/7/3c3/7/7/T6 w");
    await page.press("#position", "Enter");
    await page.waitForFunction(() => document.querySelector("#answer").textContent.startsWith("no table for LTvCR"));
  } finally {
    await browser.close();
    await web.stop();
  }
});

test("the example engine compiles and plays by the tables", async () => {
  await cp(`${ROOT}/js/examples/engine.ts`, `${folder}/engine.ts`);
  await symlink(`${ROOT}/js/node_modules/@types`, `${folder}/node_modules/@types`);
  const tsc = ["--target", "es2022", "--module", "nodenext", "--strict", "--types", "node", "--lib", "es2022,dom,dom.iterable", "engine.ts"];
  run(process.execPath, [`${ROOT}/js/node_modules/typescript/bin/tsc`, ...tsc], { cwd: folder });
  const engine = (...args) => JSON.parse(run(process.execPath, ["engine.js", ...args], { cwd: folder }));
  const [expected] = answers([POSITION]);
  const byTables = engine(POSITION, TABLES);
  assert.deepEqual([byTables.move, byTables.basis], [expected.moves[0].move, "table"]);
  // Four pieces: a capture leads into the tables.
  const searched = engine("7/7/7/1r5/3c3/3L3/7/7/T6 w", TABLES);
  assert.equal(searched.basis, "search");
  assert.ok(searched.nodes > 0);
});
