// The package in a browser, from a plain static host, on the main thread and in a worker.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { host } from "./host.mjs";
import { ROOT, TABLES, answers, positions } from "./program.mjs";

const { chromium } = createRequire(`${ROOT}/tests/e2e/package.json`)("playwright-core");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>jungletb</title>`;

let browser;
let web;
before(async () => {
  browser = await chromium.launch({
    executablePath: BROWSERS.find((path) => path && existsSync(path)),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  web = await host({ "/js/": `${ROOT}/js`, "/tables/": TABLES }, {
    headers: { "access-control-allow-origin": "*" },
    answer: (request, response, { pathname }) =>
      pathname === "/" && (response.setHeader("content-type", "text/html"), response.end(PAGE), true),
  });
});
after(async () => {
  await browser?.close();
  await web?.stop();
});

/** Opens a page of the host, or of another one, and fails for any error in it. */
async function visit(url = web.url) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${url}/`);
  return { page, errors };
}

test("a page gives the answers of the program", async () => {
  const asked = positions(400, [2, 3], 3);
  const expected = answers(asked);
  const { page, errors } = await visit();
  const got = await page.evaluate(async (asked) => {
    const { open } = await import("/js/lib/index.js");
    const tables = await open({ source: "/tables" });
    return tables.batch(asked);
  }, asked);
  got.forEach((report, at) => assert.deepEqual(report, expected[at], asked[at]));
  assert.deepEqual(errors, []);
});

test("a worker, and the tables of the package", async () => {
  const { page } = await visit();
  const value = await page.evaluate(async () => {
    const source = `
      import { open } from "${location.origin}/js/lib/index.js";
      import { tables } from "${location.origin}/js/tables/index.js";
      const opened = await open({ source: tables });
      postMessage(await opened.value("7/7/2r4/3L3/7/3c3/7/7/7 w"));`;
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url, { type: "module" });
    return new Promise((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = (event) => failed(new Error(event.message));
    });
  });
  assert.deepEqual(value, { category: "loss", dtw: 8, over: null });
});

test("tables of another host need no permission for each range", async () => {
  const other = await host({}, { answer: (request, response) => (response.setHeader("content-type", "text/html"), response.end(PAGE), true) });
  const { page } = await visit(other.url);
  web.reset();
  const report = await page.evaluate(async (url) => {
    const { open } = await import(`${url}/js/lib/index.js`);
    const tables = await open({ source: `${url}/tables` });
    return tables.probe("7/7/2r4/3L3/7/3c3/7/7/7 w");
  }, web.url);
  assert.deepEqual(report, answers(["7/7/2r4/3L3/7/3c3/7/7/7 w"])[0]);
  assert.ok(web.requests.every(({ method }) => method === "GET"), JSON.stringify(web.requests));
  await other.stop();
});

test("files that a person chooses", async () => {
  const { page } = await visit();
  await page.setContent(`${PAGE}<input type="file" multiple>`);
  const { class: name } = answers(["7/7/7/3L3/7/3c3/7/7/7 w"])[0];
  await page.setInputFiles("input", ["wdl", "dtw"].map((metric) => `${TABLES}/standard/${name}.${metric}`));
  const value = await page.evaluate(async (url) => {
    const { open } = await import(`${url}/js/lib/index.js`);
    const tables = await open({ source: document.querySelector("input").files });
    return tables.value("7/7/7/3L3/7/3c3/7/7/7 w");
  }, web.url);
  const { category, dtw, over } = answers(["7/7/7/3L3/7/3c3/7/7/7 w"])[0];
  assert.deepEqual(value, { category, dtw, over });
});

test("a page whose tables are missing gets a typed error", async () => {
  const { page } = await visit();
  const error = await page.evaluate(async () => {
    const { MissingTableError, open } = await import("/js/lib/index.js");
    const tables = await open({ source: "/nowhere" });
    try {
      await tables.value("7/7/7/3L3/7/3c3/7/7/7 w");
    } catch (error) {
      return { isTyped: error instanceof MissingTableError, code: error.code, urls: error.urls };
    }
  });
  assert.equal(error.isTyped, true);
  assert.equal(error.code, "missing-table");
  assert.ok(error.urls[0].startsWith(`${web.url}/nowhere/standard/`), error.urls[0]);
});
