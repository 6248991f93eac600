// On a phone: what matters is in sight, and nothing jumps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LONGEST, LOST, positionPath, setUp } from "./visit.mjs";

const visit = setUp();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

test("board, value and best line are in sight together, and stay where they are while the line plays", async (t) => {
  const page = await visit(t, positionPath(LONGEST), PHONE);
  await expectValue(page, "White wins in 22 plies");
  const box = await page.locator(".line-panel").boundingBox();
  assert.ok(box.y + box.height <= 844, `the best line ends at ${box.y + box.height}`);
  // Where the parts are, each time that the page is drawn.
  await page.evaluate(() => {
    globalThis.places = new Set();
    const look = () => {
      const parts = [".board", ".verdict", ".line-panel", "#autoplay", ".moves-panel"];
      const tops = parts.map((part) => Math.round(document.querySelector(part).getBoundingClientRect().y));
      globalThis.places.add(tops.join());
      requestAnimationFrame(look);
    };
    look();
  });
  await page.locator("#autoplay").tap();
  await page.locator('.line-body [data-ply="3"][aria-current]').waitFor();
  assert.equal((await page.evaluate(() => [...globalThis.places])).length, 1);
  assert.equal(await page.evaluate(() => scrollY), 0);
  const current = page.locator(".line-body [aria-current]");
  assert.ok((await current.getAttribute("data-ply")) >= 2, "the line is the one that began");
  assert.equal(await page.locator(".line-body button").count(), 22);
});

test("all examples of the start page are in sight", async (t) => {
  const page = await visit(t, "/", PHONE);
  await page.locator(".example").first().waitFor();
  for (const card of await page.locator(".example").all()) {
    const { x, width } = await card.boundingBox();
    assert.ok(x >= 0 && x + width <= 390);
  }
});

test("a tap on a move of the best line goes there, forward and back", async (t) => {
  const page = await visit(t, positionPath(LOST), PHONE);
  await expectValue(page, "Black wins in 8 plies");
  await page.locator('.line-body [data-ply="3"]').tap();
  await expectValue(page, "Black wins in 4 plies");
  await page.locator('.line-body [data-ply="1"]').tap();
  await expectValue(page, "Black wins in 6 plies");
  assert.equal(await page.locator('[aria-label="Game"] button').count(), 4);
});
