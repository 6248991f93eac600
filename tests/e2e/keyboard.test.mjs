// Everything by keyboard alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LONGEST, LOST, positionOf, positionPath, setUp, square } from "./visit.mjs";

const visit = setUp();
const focused = (page) => page.evaluate(() => document.activeElement.dataset.square ?? document.activeElement.id);

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test("the board is one stop of the tab key; arrows go over it and it tells what is there", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(await page.locator('[role="gridcell"][tabindex="0"]').count(), 1);
  await press(page, "b");
  assert.equal(await focused(page), "d1");
  await press(page, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  assert.equal(await focused(page), "d6");
  assert.equal(await square(page, "d6").getAttribute("aria-label"), "d6, white lion");
  await press(page, "PageUp");
  assert.equal(await square(page, await focused(page)).getAttribute("aria-label"), "d9, black den");
  await press(page, "ArrowDown");
  assert.equal(await square(page, await focused(page)).getAttribute("aria-label"), "d8, black trap");
  await press(page, "Home");
  assert.equal(await focused(page), "a8");
  await press(page, "ArrowLeft");
  assert.equal(await focused(page), "a8");
  await press(page, "Control+End");
  assert.equal(await focused(page), "g1");
});

test("a move is made with arrows and Enter, and the value is said", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await press(page, "b", ..."UUUUU".split("").map(() => "ArrowUp"), "Enter");
  assert.equal(await page.locator("#live").innerText(), "white lion on d6 picked up");
  await press(page, "Escape");
  assert.equal(await square(page, "d6").getAttribute("aria-selected"), "false");
  await press(page, "Space", "ArrowDown", "Space");
  await expectValue(page, "Black wins in 5 plies");
  await page.locator("#live").getByText("white lion d6 to d5. Black wins in 5 plies").waitFor();
  assert.equal(await focused(page), "d5");
});

test("keys play, take back, turn and edit", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await press(page, "n");
  await expectValue(page, "Black wins in 7 plies");
  await press(page, ",");
  await expectValue(page, "Black wins in 8 plies");
  await press(page, ".");
  await expectValue(page, "Black wins in 7 plies");
  await press(page, "ArrowLeft");
  await expectValue(page, "Black wins in 8 plies");
  await press(page, "ArrowRight");
  await expectValue(page, "Black wins in 7 plies");
  await press(page, "x");
  await expectValue(page, "White wins in 7 plies");
  await press(page, "f", "b");
  assert.equal(await square(page, "a1").evaluate((cell) => cell.parentElement.previousElementSibling), null);
  await press(page, "e");
  await page.getByRole("heading", { name: "Set up" }).waitFor();
});

test("a position is set up with letters on squares", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"));
  await expectValue(page, "Black wins in 8 plies");
  await page.locator("#clear").focus();
  await press(page, "Enter", "b", "Control+End", "Shift+L", "PageUp", "ArrowLeft", "r");
  await page.waitForURL(/5r1\/7\/7\/7\/7\/7\/7\/7\/6L_w/);
  await press(page, "Delete");
  await page.waitForURL(/7\/7\/7\/7\/7\/7\/7\/7\/6L_w/);
  await press(page, "r");
  await page.getByRole("radio", { name: "White to move" }).focus();
  await press(page, "ArrowRight");
  await expectValue(page, "White wins in 22 plies");
  assert.equal(positionOf(page), LONGEST);
});

test("a palette piece chosen by keyboard goes to the board", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"), { expected: [/status of 404/] });
  await expectValue(page, "Black wins in 8 plies");
  await page.locator('[data-piece="E"]').focus();
  await press(page, "Enter");
  assert.equal(await focused(page), "d1");
  await press(page, "ArrowUp", "Enter");
  await page.waitForURL(/3E3/);
});

test("a move chosen in the list keeps the focus in the list", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator('[data-move="d6d7"]').focus();
  await press(page, "Enter");
  await expectValue(page, "Black wins in 7 plies");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".move")));
});

test("the help tells the keys, closes with Escape and gives the focus back", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator("#help").focus();
  await press(page, "?");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  assert.ok((await page.locator(".keys dt").count()) > 15);
  await page.getByLabel("Single keys act anywhere on the page").uncheck();
  await press(page, "Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await focused(page), "help");
  await press(page, "n");
  await page.waitForTimeout(200);
  assert.equal(positionOf(page), LOST);
});

test("the first tab stop leads past the header to the board", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await press(page, "Tab", "Enter");
  assert.equal(await focused(page), "d1");
});
