// What axe finds, in all states of the page, light and dark, wide and narrow.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { expectValue, LONGEST, LOST, positionPath, setUp } from "./visit.mjs";

const visit = setUp();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs axe's rules, all of them or those of the list. */
async function check(page, rules) {
  await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: { type: "rule", values: rules } }) };
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
  const texts = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`);
  assert.deepEqual(violations.flatMap(texts), []);
}

const WIDE = { viewport: { width: 1280, height: 900 } };
const NARROW = { viewport: { width: 390, height: 844 } };

// Dark differs from light in colors only.
for (const [colorScheme, rules] of [
  ["light", undefined],
  ["dark", ["color-contrast"]],
]) {
  test(`no violations, ${colorScheme}`, async (t) => {
    const page = await visit(t, "/", { ...WIDE, colorScheme, expected: [/status of 404/] });
    const go = (path) => page.goto(new URL(path, page.url()).href);
    await page.locator(".classes li").first().waitFor();
    await check(page, rules);
    await go(positionPath(LOST));
    await expectValue(page, "Black wins in 8 plies");
    await page.locator('[data-move="d6d7"]').click();
    await expectValue(page, "Black wins in 7 plies");
    await check(page, rules);
    await page.keyboard.press("?");
    await check(page, rules);
    await go(positionPath(LOST, "&edit"));
    await expectValue(page, "Black wins in 8 plies");
    await check(page, rules);
    await go(positionPath(LOST, `&moves=d6g6(d6d7c7c8)c7c8&at=0&start=${LOST.replace(" ", "_")}&white=Anna`));
    await page.locator(".slight").first().waitFor();
    await page.locator('[data-square="d6"]').click();
    await check(page, rules);
    await page.getByRole("button", { name: "Open a game" }).click();
    await check(page, rules);
    await go(positionPath(LONGEST, "&practice=win"));
    await page.getByText("Your move").first().waitFor();
    await check(page, rules);
    await go(`/?rules=standard&material=LvR&from=${LONGEST.replace(" ", "_")}`);
    await page.locator(".heat-number").first().waitFor();
    await page.locator(".as-table summary").click();
    await check(page, rules);
    await go(positionPath("7/7/2r4/3L3/7/3c3/7/7/ED5 w"));
    await page.locator(".command").waitFor();
    await check(page, rules);
  });

  test(`no violations on a phone, ${colorScheme}`, async (t) => {
    const page = await visit(t, positionPath(LOST, "&edit"), { ...NARROW, colorScheme });
    await expectValue(page, "Black wins in 8 plies");
    await check(page, rules);
  });
}

test("nothing moves for those who asked for less motion", async (t) => {
  const page = await visit(t, positionPath(LOST), { reducedMotion: "reduce" });
  await page.locator('[data-move="d6d7"]').click();
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});

test("nothing is wider than its window", async (t) => {
  const page = await visit(t, "/", { locale: "ru" });
  for (const [path, ready] of [
    ["/", ".classes li"],
    [positionPath(LOST), ".move"],
    [positionPath(LOST, "&edit"), ".palette-piece"],
    ["/?rules=standard&material=LvR", ".heat-number"],
  ]) {
    await page.goto(new URL(path, page.url()).href);
    await page.locator(ready).first().waitFor();
    for (const width of [320, 390, 820, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(wider, 0, `${path} at ${width}`);
    }
  }
});
