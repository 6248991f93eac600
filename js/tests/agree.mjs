// Compares the program, Node and a browser: node agree.mjs [TABLES] [POSITIONS] [PIECES] (100,000 of 2 to 5 pieces).

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { open } from "../lib/index.js";
import { host } from "./host.mjs";
import { ROOT, TABLES, answers, positions } from "./program.mjs";

const { chromium } = createRequire(`${ROOT}/tests/e2e/package.json`)("playwright-core");
const [folder = TABLES, count = "100000", most = "5"] = process.argv.slice(2);
const web = await host({ "/js/": `${ROOT}/js`, "/tables/": folder }, {
  answer: (request, response, { pathname }) =>
    pathname === "/" && (response.setHeader("content-type", "text/html"), response.end("<!doctype html><title>agree</title>"), true),
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage();
await page.goto(`${web.url}/`);
await page.evaluate(async () => {
  const { open } = await import("/js/lib/index.js");
  window.tables = await open({ source: "/tables" });
});
const tables = await open({ source: folder });
const pieces = Array.from({ length: Number(most) - 1 }, (_, at) => at + 2);
const STEP = 1000;
for (let at = 0; at < Number(count); at += STEP) {
  const asked = positions(Math.min(STEP, Number(count) - at), pieces, 1000 + at);
  const expected = answers(asked, folder);
  // The line is compared for one position of ten: it repeats what the values tell.
  const withLine = asked.filter((_, at) => at % 10 === 0);
  const plain = ({ error, line, ...report }) => report;
  const inNode = await tables.batch(asked, { line: false });
  const inPage = await page.evaluate((asked) => window.tables.batch(asked, { line: false }), asked);
  const lines = await tables.batch(withLine);
  for (const [index, position] of asked.entries()) {
    assert.deepEqual(plain(inNode[index]), plain(expected[index]), `Node: ${position}`);
    assert.deepEqual(plain(inPage[index]), plain(expected[index]), `browser: ${position}`);
    if (index % 10 === 0) assert.deepEqual(lines[index / 10].line, expected[index].line, `line: ${position}`);
  }
  console.log(`${at + asked.length} positions agree`);
}
await browser.close();
await web.stop();
