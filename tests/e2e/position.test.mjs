// A position: value, moves, best line, notation, addresses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, expectValue, LONGEST, LOST, movesOf, positionOf, positionPath, setUp, square } from "./visit.mjs";

const visit = setUp();

test("an address shows its position with value, material and moves, best first", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(await page.locator(".facts").innerText(), "White to move\nLvCR\nPractice: win it");
  assert.deepEqual(await page.locator(".moves h3").allInnerTexts(), ["Losing\n4"]);
  assert.deepEqual(
    await page.locator(".move").evaluateAll((rows) => rows.map((row) => row.textContent.replace(/\s/g, " ").trim())),
    [
      "L d6 – d7, lion, 8 plies, loss,",
      "L d6 – d5, lion, 6 plies, loss,",
      "L d6 – a6, lion, 6 plies, loss,",
      "L d6 – g6, lion, 6 plies, loss,",
    ],
  );
  assert.equal(await page.title(), "Black wins in 8 plies · LvCR · jungletb");
});

test("a move is played by a click in the list, by drag, and by two taps", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator('[data-move="d6d7"]').click();
  await expectValue(page, "Black wins in 7 plies");
  assert.equal(positionOf(page), "7/7/2rL3/7/7/3c3/7/7/7 b");
  await drag(page, square(page, "c7"), square(page, "c8"));
  await expectValue(page, "Black wins in 6 plies");
  await square(page, "d7").click();
  assert.equal(await square(page, "d7").getAttribute("aria-selected"), "true");
  assert.match(await square(page, "d6").getAttribute("aria-label"), /^d6, can go here, loss, 6 plies$/);
  await square(page, "d6").click();
  await expectValue(page, "Black wins in 5 plies");
  assert.equal(positionOf(page), "7/2r4/7/3L3/7/3c3/7/7/7 b");
});

test("what is not legal is not played", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  await drag(page, square(page, "d6"), square(page, "b6"));
  await drag(page, square(page, "d4"), square(page, "d3"));
  await square(page, "d6").click();
  await square(page, "a1").click();
  assert.equal(positionOf(page), LOST);
  assert.equal(await square(page, "d6").getAttribute("aria-selected"), "false");
  assert.equal(await page.locator("#live").innerText(), "It cannot go there.");
});

test("an arrow shows the move that is pointed at or focused", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator('[data-move="d6g6"]').hover();
  assert.equal(await page.locator(".arrow").count(), 1);
  await page.locator(".verdict .sentence").hover();
  assert.equal(await page.locator(".arrow").count(), 0);
  await page.locator('[data-move="d6a6"]').focus();
  assert.equal(await page.locator(".arrow.loss").count(), 1);
});

test("the best line is stepped through, played to the end, and taken back", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(await page.locator(".line-body button").count(), 8);
  await page.getByRole("button", { name: "Play the next move" }).click();
  await expectValue(page, "Black wins in 7 plies");
  await page.getByRole("button", { name: "Play to the end" }).click();
  await expectValue(page, "Black has won: White’s den has been entered");
  assert.deepEqual(await movesOf(page), ["d6d7", "c7c8", "d7d6", "d4d3", "d6d5", "d3d2", "d5d4", "d2d1"]);
  await page.locator("#undo").click();
  await expectValue(page, "Black wins in 1 ply");
  await page.locator("#redo").click();
  await expectValue(page, "Black has won: White’s den has been entered");
  await page.locator('[aria-label="Game"] button').nth(1).click();
  await expectValue(page, "Black wins in 6 plies");
});

test("the best line plays by itself, stops when told and at the end, and leaves one step to go back", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await expectValue(page, "Black wins in 8 plies");
  const button = page.locator("#autoplay");
  await button.click();
  await button.getByText("Stop").waitFor();
  await page.locator('[aria-label="Game"] button').nth(1).waitFor();
  await button.click();
  await button.getByText("Play").waitFor();
  const stopped = positionOf(page);
  await page.waitForTimeout(1100);
  assert.equal(positionOf(page), stopped);
  await page.goBack();
  await expectValue(page, "Black wins in 8 plies");
  await page.goto(new URL(positionPath("7/7/7/7/7/7/7/3c3/L6 b"), page.url()).href);
  await expectValue(page, "Black wins in 1 ply");
  await button.click();
  await expectValue(page, "Black has won: White’s den has been entered");
  await button.waitFor({ state: "hidden" });
  assert.ok(await page.evaluate(() => document.activeElement.matches(".sentence")));
});

test("back and forward follow what was done", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator('[data-move="d6d5"]').click();
  await expectValue(page, "Black wins in 5 plies");
  await page.getByRole("button", { name: "Swap colors" }).click();
  await expectValue(page, "White wins in 5 plies");
  await page.goBack();
  await expectValue(page, "Black wins in 5 plies");
  assert.equal(await page.locator('[aria-label="Game"] [aria-current]').innerText(), "d6d5");
  await page.goBack();
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(positionOf(page), LOST);
  await page.goForward();
  await page.goForward();
  await expectValue(page, "White wins in 5 plies");
  await page.reload();
  await expectValue(page, "White wins in 5 plies");
});

test("mirror, swap colors and turning the board keep the value", async (t) => {
  const page = await visit(t, positionPath(LONGEST));
  await expectValue(page, "White wins in 22 plies");
  await page.getByRole("button", { name: "Mirror left and right" }).click();
  await page.waitForURL(/1r5/);
  assert.equal(positionOf(page), "1r5/7/7/7/7/7/7/7/L6 b");
  await expectValue(page, "White wins in 22 plies");
  await page.getByRole("button", { name: "Swap colors" }).click();
  await expectValue(page, "Black wins in 22 plies");
  assert.equal(positionOf(page), "6l/7/7/7/7/7/7/7/5R1 w");
  const before = await square(page, "a1").boundingBox();
  await page.getByRole("button", { name: "Turn the board" }).click();
  const turned = await square(page, "a1").boundingBox();
  assert.ok(turned.y < before.y && turned.x > before.x);
});

test("bad notation is told in words and leaves the board alone", async (t) => {
  const page = await visit(t, positionPath(LOST), { expected: [/status of 400/] });
  await page.getByLabel("Notation").fill("7/7/7/7/7/2L4/7/7/7 w");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.locator("#notation-error").getByText("White lion on c4: it cannot stand in the water.").waitFor();
  assert.equal(await page.getByLabel("Notation").getAttribute("aria-invalid"), "true");
  assert.equal(positionOf(page), LOST);
  await page.getByLabel("Notation").fill(` ${LONGEST} `);
  await page.keyboard.press("Enter");
  await expectValue(page, "White wins in 22 plies");
});

test("notation is read as other tools write it, and so are links to the page", async (t) => {
  const page = await visit(t, positionPath(LONGEST));
  const show = async (text) => {
    await page.getByLabel("Notation").fill(text);
    await page.getByRole("button", { name: "Show", exact: true }).click();
  };
  for (const text of [
    `\ufeff"${LOST}";`,
    LOST.replace(" ", "_"),
    `${page.url().split("?")[0]}?fen=${LOST.replace(" ", "_")}&utm_source=x`,
  ]) {
    await show(text);
    await expectValue(page, "Black wins in 8 plies");
    assert.equal(positionOf(page), LOST, text);
    assert.equal(await page.getByLabel("Notation").inputValue(), LOST);
    await page.goBack();
    await expectValue(page, "White wins in 22 plies");
  }
  await show("http://elsewhere/?rules=standard&material=lvr");
  await page.waitForURL(/material=/);
});

test("an address in another spelling is shown, and becomes the usual one", async (t) => {
  const page = await visit(t, `/?utm_source=x&rules=Standard&fen=%22${LOST.replace(" ", "_")}%22;`);
  await expectValue(page, "Black wins in 8 plies");
  assert.equal(positionOf(page), LOST);
  assert.ok(page.url().endsWith(positionPath(LOST)), page.url());
});

test("an address with a bad position says what is wrong", async (t) => {
  const page = await visit(t, "/?rules=standard&position=7/7_w", { expected: [/status of 400/] });
  await page.locator(".verdict .error").getByText("2 ranks, but the board has 9.").waitFor();
});

test("a missing table is named with the command that makes it, and moves are played all the same", async (t) => {
  const page = await visit(t, positionPath("7/7/2r4/3L3/7/3c3/7/7/ED5 w"), { expected: [/status of 404/] });
  await expectValue(page, "Value not known");
  await page.getByText("No table for ELDvCR (class ELPvWR) is loaded.").waitFor();
  assert.match(await page.locator(".command code").innerText(), /^jungletb generate ELDvCR/);
  await page.locator('[data-move="a1a2"]').click();
  await page.waitForURL(/E6\/1D5_b/);
});

test("more pieces than tables hold can be played with", async (t) => {
  const page = await visit(t, "/", { expected: [/status of 404/] });
  await page.getByRole("link", { name: "Starting position" }).click();
  await page.getByText("16 pieces are more than tables hold.").waitFor();
  assert.equal(await page.locator(".move").count(), 24);
});

test("link, notation and answer are copied", async (t) => {
  const page = await visit(t, positionPath(LOST), { permissions: ["clipboard-read", "clipboard-write"] });
  await expectValue(page, "Black wins in 8 plies");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copies = page.getByRole("group", { name: "Copy" });
  for (const [name, check] of [
    ["Link", (text) => assert.equal(text, page.url())],
    ["Notation", (text) => assert.equal(text, LOST)],
    ["JSON", (text) => assert.equal(JSON.parse(text).dtw, 8)],
  ]) {
    await copies.getByRole("button", { name, exact: true }).click();
    await copies.getByText("Copied").first().waitFor();
    check(await copied());
  }
});

test("without a clipboard, as on a plain connection, copying still works", async (t) => {
  const page = await visit(t, positionPath(LOST), { permissions: ["clipboard-read", "clipboard-write"] });
  await expectValue(page, "Black wins in 8 plies");
  await page.evaluate(() => {
    globalThis.clipboard = navigator.clipboard;
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  await page.getByRole("group", { name: "Copy" }).getByRole("button", { name: "Notation" }).click();
  await page.getByText("Copied").first().waitFor();
  assert.equal(await page.evaluate(() => globalThis.clipboard.readText()), LOST);
});
