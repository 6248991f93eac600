// A slow, a busy and a failing service: nothing old is acted on, and what may help is tried again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { expectValue, LOST, movesOf, positionOf, positionPath, setUp, square } from "./visit.mjs";

const visit = setUp();

/** Answers of the API come this much later. */
const slow = (page, milliseconds) =>
  page.route("**/api/**", async (route) => {
    await sleep(milliseconds);
    await route.continue();
  });

/** The first answers about positions are refusals with a status, `times` of them. */
async function refuse(page, status, code, times) {
  let left = times;
  await page.route("**/probe?**", (route) => {
    left -= 1;
    if (left < 0) return route.continue();
    const headers = { "retry-after": "1", "content-type": "application/json" };
    return route.fulfill({ status, headers, body: JSON.stringify({ error: "in English", code }) });
  });
}

test("a second click on a move that was played does nothing, however late the answer comes", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await slow(page, 150);
  await page.locator('[data-move="d6d5"]').dblclick();
  await expectValue(page, "Black wins in 5 plies");
  assert.equal(positionOf(page), "7/7/2r4/7/3L3/3c3/7/7/7 b");
  assert.deepEqual(await movesOf(page), ["d6d5"]);
});

test("nothing of an older position can be played in a newer one", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await slow(page, 300);
  await page.evaluate(() => {
    document.querySelector('[data-move="d6d5"]').click();
    // The list is still White's; so is the best line.
    document.querySelector('[data-move="d6a6"]').click();
    document.querySelector(".line-panel .buttons button").click();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
  });
  await expectValue(page, "Black wins in 5 plies");
  assert.equal(positionOf(page), "7/7/2r4/7/3L3/3c3/7/7/7 b");
  // A piece can be picked up only once its moves are known.
  await page.locator('[data-move="c7c8"]').click();
  await square(page, "d5").evaluate((cell) => cell.click());
  assert.equal(await page.locator(".mark.held").count(), 0);
});

test("a position that was typed does not replace one that was shown meanwhile", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await slow(page, 400);
  await page.getByLabel("Notation").fill("7/7/7/7/7/7/7/3c3/L6 b");
  await page.keyboard.press("Enter");
  await page.locator('[data-move="d6d5"]').click();
  await expectValue(page, "Black wins in 5 plies");
  await page.waitForTimeout(500);
  assert.equal(positionOf(page), "7/7/2r4/7/3L3/3c3/7/7/7 b");
});

for (const [status, code] of [
  [429, "rate-limited"],
  [503, "overloaded"],
]) {
  test(`an answer of status ${status} is asked for again when the service says so`, async (t) => {
    const page = await visit(t, positionPath(LOST), { expected: [/status of (429|503)/], locale: "de" });
    await expectValue(page, "Schwarz gewinnt in 8 Halbzügen");
    await refuse(page, status, code, 2);
    await page.locator('[data-move="d6d5"]').click();
    await page.getByText("Der Dienst ist ausgelastet; neuer Versuch in 1 Sekunde.").waitFor();
    await expectValue(page, "Schwarz gewinnt in 5 Halbzügen");
    assert.ok(await page.locator("#waiting").isHidden());
  });
}

test("a service that stays busy is told of in the page's language, with a button to ask again", async (t) => {
  const page = await visit(t, positionPath(LOST), { expected: [/status of 429/], locale: "ru" });
  await expectValue(page, "Чёрные выигрывают за 8 полуходов");
  await refuse(page, 429, "rate-limited", 5);
  await page.locator('[data-move="d6d5"]').click();
  await page.locator(".error").getByText("Слишком много запросов отсюда за короткое время.").waitFor();
  assert.equal(await page.getByText("in English").count(), 0);
  await page.getByRole("button", { name: "Повторить" }).click();
  await expectValue(page, "Чёрные выигрывают за 5 полуходов");
});

test("a lost answer is asked for again, and a service that is gone is told of", async (t) => {
  const page = await visit(t, positionPath(LOST), { expected: [/ERR_/] });
  await expectValue(page, "Black wins in 8 plies");
  let failing = 1;
  await page.route("**/probe?**", (route) => (failing-- > 0 ? route.abort() : route.continue()));
  await page.locator('[data-move="d6d5"]').click();
  await expectValue(page, "Black wins in 5 plies");
  failing = 2;
  await page.locator(".move").first().click();
  await page.locator(".error").getByText("The service does not answer.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await expectValue(page, "Black wins in 4 plies");
});
