// A game on the page: moves and variations, in the address, through every change of the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LOST, movesOf, positionOf, positionPath, setUp } from "./visit.mjs";

const visit = setUp();
const play = (page, move) => page.locator(`[data-move="${move}"]`).click();

async function begin(t, options) {
  const page = await visit(t, positionPath(LOST), options);
  await play(page, "d6d7");
  await play(page, "c7c8");
  await expectValue(page, "Black wins in 6 plies");
  return page;
}

test("moves survive edit mode, mirroring, swapping, and a change of language", async (t) => {
  const page = await begin(t);
  await page.locator("#edit").click();
  await page.getByRole("button", { name: "Done" }).click();
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "edit");
  await page.getByRole("button", { name: "Mirror left and right" }).click();
  assert.deepEqual(await movesOf(page), ["d6d7", "e7e8"]);
  await expectValue(page, "Black wins in 6 plies");
  await page.getByRole("button", { name: "Swap colors" }).click();
  assert.deepEqual(await movesOf(page), ["d4d3", "c3c2"]);
  await expectValue(page, "White wins in 6 plies");
  await page.locator("#language").selectOption("zh");
  assert.equal(await page.locator(".tree button").count(), 2);
  await page.locator("#undo").click();
  await expectValue(page, "白方 7 步取胜");
});

test("the link that is copied holds the whole game, and a pasted link brings it", async (t) => {
  const page = await begin(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#undo").click();
  await expectValue(page, "Black wins in 7 plies");
  await page.getByRole("group", { name: "Copy" }).getByRole("button", { name: "Link" }).click();
  await page.getByText("Copied").first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, page.url());
  await page.goto(new URL("/", page.url()).href);
  await page.goto(link);
  await expectValue(page, "Black wins in 7 plies");
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8"]);
  await page.goto(new URL(positionPath("7/7/7/7/7/7/7/3c3/L6 b"), link).href);
  await page.getByLabel("Notation").fill(link);
  await page.keyboard.press("Enter");
  await expectValue(page, "Black wins in 7 plies");
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8"]);
  await page.reload();
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8"]);
});

test("another move is a variation, which can be made the main line and deleted", async (t) => {
  const page = await begin(t);
  await page.locator("#undo").click();
  await expectValue(page, "Black wins in 7 plies");
  await play(page, "c7b7");
  await page.locator(".variation").waitFor();
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8", "c7b7"]);
  await page.getByRole("button", { name: "Make this the main line" }).click();
  assert.deepEqual(await movesOf(page), ["d6d7", "c7b7", "c7c8"]);
  assert.equal(positionOf(page), "7/7/1r1L3/7/7/3c3/7/7/7 w");
  await page.getByRole("button", { name: "Delete from this move on" }).click();
  await expectValue(page, "Black wins in 7 plies");
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8"]);
  await page.goBack();
  assert.deepEqual(await movesOf(page), ["d6d7", "c7b7", "c7c8"]);
});

test("a game in an address whose moves lead elsewhere is not shown", async (t) => {
  const page = await visit(t, positionPath(LOST, "&moves=a1a2b1b2"));
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(await page.locator(".tree button").count(), 0);
  await page.getByText("No moves yet").waitFor();
});
