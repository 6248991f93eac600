// Setting positions up.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, dragByFinger, expectValue, LONGEST, LOST, positionOf, positionPath, setUp, square } from "./visit.mjs";

const visit = setUp();
const piece = (page, letter) => page.locator(`[data-piece="${letter}"]`);

test("a position is set up by drag from an empty board and its value read", async (t) => {
  const page = await visit(t, "/");
  await page.getByRole("link", { name: "Set up a position" }).click();
  await expectValue(page, "The board is empty");
  await drag(page, piece(page, "L"), square(page, "g1"));
  await drag(page, piece(page, "r"), square(page, "f9"));
  await page.getByText("Black to move").first().click();
  await expectValue(page, "White wins in 22 plies");
  assert.equal(positionOf(page), LONGEST);
  await page.getByRole("button", { name: "white lion, on g1" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await expectValue(page, "White wins in 22 plies");
  assert.ok(!page.url().includes("edit"));
  assert.ok((await page.locator(".move").count()) > 0);
});

test("pieces are moved, exchanged, dragged off and removed", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"));
  await drag(page, square(page, "d6"), square(page, "a1"));
  await page.waitForURL(/L6_w/);
  await drag(page, square(page, "a1"), square(page, "c7"));
  await page.waitForURL(/2L4/);
  assert.equal(positionOf(page), "7/7/2L4/7/7/3c3/7/7/7 w");
  await drag(page, square(page, "d4"), [1000, 700]);
  await page.waitForURL(/7\/7\/2L4\/7\/7\/7/);
  await page.goBack();
  await page.waitForURL(/3c3/);
  await square(page, "d4").click();
  await page.getByRole("button", { name: "Remove" }).click();
  assert.equal(positionOf(page), "7/7/2L4/7/7/7/7/7/7 w");
});

test("squares that an animal may not stand on are barred", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"), { expected: [/status of 404/] });
  await expectValue(page, "Black wins in 8 plies");
  await piece(page, "E").click();
  assert.equal(await piece(page, "E").getAttribute("aria-pressed"), "true");
  // Twelve squares of water and the own den.
  assert.equal(await page.locator(".mark.barred").count(), 13);
  await square(page, "b4").click();
  assert.equal(positionOf(page), LOST);
  await piece(page, "R").click();
  assert.equal(await page.locator(".mark.barred").count(), 1);
  await square(page, "b4").click();
  assert.equal(positionOf(page), "7/7/2r4/3L3/7/1R1c3/7/7/7 w");
});

test("clear and starting position", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"), { expected: [/status of 404/] });
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL(/7\/7\/7\/7\/7\/7\/7\/7\/7_w/);
  await page.getByRole("button", { name: "Starting position" }).click();
  await page.waitForURL(/l5t/);
  assert.equal(await page.locator(".palette-piece.placed").count(), 16);
});

test("with a finger, palette and board are used by taps and drags", async (t) => {
  const page = await visit(t, positionPath("7/7/7/7/7/7/7/7/6L w", "&edit"), {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await expectValue(page, "White has won: Black has no piece left");
  await piece(page, "r").tap();
  await square(page, "f9").tap();
  await expectValue(page, "White wins in 17 plies");
  await dragByFinger(page, piece(page, "L"), square(page, "g2"));
  await page.waitForURL(/6L\/7_w/);
  await dragByFinger(page, square(page, "g2"), square(page, "g1"));
  await expectValue(page, "White wins in 17 plies");
  assert.equal(await page.evaluate(() => scrollY), 0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0);
});

test("the smaller board of animal checkers, chosen on the start page", async (t) => {
  const page = await visit(t, "/", { expected: [/status of 404/] });
  await page.getByRole("link", { name: "animal-checkers" }).click();
  await page.getByRole("link", { name: "Rat against elephant and tiger" }).click();
  await page.getByText("No table for RvET").waitFor();
  assert.equal(await page.locator(".command code").innerText(), "jungletb generate RvET --rules animal-checkers");
  assert.equal(await page.getByRole("gridcell").count(), 49);
  assert.equal(await square(page, "d7").getAttribute("aria-label"), "d7, black den");
  await page.locator("#edit").click();
  assert.equal(await page.locator(".palette-piece").count(), 8);
  await piece(page, "D").click();
  assert.equal(await page.locator(".mark.barred").count(), 1);
  await square(page, "g7").click();
  await page.waitForURL(/6D\/3e3\/7\/2R4/);
  await page.locator("#rules").selectOption("standard");
  // The position does not fit the other board.
  await page.getByRole("heading", { name: "Jungle endgame tablebase" }).waitFor();
});
