// A game opened on the page: read in every format, slid through, graded, taken along.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LOST, movesOf, positionOf, positionPath, setUp } from "./visit.mjs";

const visit = setUp();
const TAGGED = `[White "Anna"]
[Black "Ben"]
[Result "0-1"]
[Position "${LOST}"]

1. d6g6 {why?} (1. d6d7 c7c8) c7c8 2. g6g7 c8d8 0-1
`;
const LINE = `[position ${LOST}] d6g6 c7c8 g6g7 c8d8 0-1`;
const JSON_LINE = JSON.stringify({ moves: ["d6g6", "c7c8", "g6g7", "c8d8"], start: LOST, result: "0-1" });
const moves = (page) => page.locator('[aria-label="Game"] button');

async function paste(page, text) {
  await page.getByRole("button", { name: "Open a game" }).click();
  await page.getByLabel("Moves or a whole record").fill(text);
  await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
}

test("a game is pasted in every format, graded, and slid through", async (t) => {
  const page = await visit(t, positionPath(LOST));
  for (const text of [TAGGED, LINE, JSON_LINE]) {
    await paste(page, text);
    await page.locator(".grave, .slight").first().waitFor();
    const shown = await moves(page).locator("visible=true").allInnerTexts();
    const main = shown.filter((move) => !/^(d6d7|c7c8)$/.test(move) || text !== TAGGED);
    assert.ok(main[0].startsWith("d6g6?!"), shown.join());
    assert.equal(positionOf(page), LOST);
    await page.goBack();
  }
  await paste(page, TAGGED);
  await page.getByText("Anna – Ben, 0-1").waitFor();
  assert.equal(await page.locator(".variation button").count(), 2);
  const slider = page.getByRole("slider", { name: "Position of the game" });
  await slider.focus();
  await page.keyboard.press("End");
  await expectValue(page, "Black wins in 6 plies");
  await page.locator('[aria-valuetext="4. c8d8: Black wins in 6 plies"]').waitFor();
  await page.keyboard.press("ArrowLeft");
  await expectValue(page, "Black wins in 5 plies");
  await page.keyboard.press("Home");
  await expectValue(page, "Black wins in 8 plies");
  assert.ok((await page.locator(".strip .black").count()) === 5);
  await page.reload();
  await page.getByText("Anna – Ben, 0-1").waitFor();
  assert.equal(await moves(page).count(), 6);
});

test("a mistake is named with what was better, and the decisive one is said to be so", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await paste(page, "[position 7/4c2/7/7/7/7/1r5/3L3/7 w] d2c2 b3b4 0-1");
  const mistake = page.locator(".mistakes li");
  await mistake.waitFor();
  assert.equal(await mistake.count(), 1);
  const text = (await mistake.innerText()).replace(/\s+/g, " ");
  assert.equal(text, "1. d2c2? a draw becomes a loss decisive mistake better: d2d3");
  assert.equal(await page.locator(".strip .decisive").textContent(), "?");
  await page.getByRole("slider").press("End");
  await expectValue(page, /^Black wins in/);
  await mistake.getByRole("button").click();
  await expectValue(page, "Draw");
});

test("several games are offered for choice, with what cannot be read", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await paste(page, `${LINE}\n[position x] a1a2\n[position ${LOST}] d6d7 a1a1 *\n`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 games").waitFor();
  await dialog.getByText("bad position").waitFor();
  await dialog.getByText(/a1a1.* is illegal|no piece on a1/).waitFor();
  await dialog.getByRole("button", { name: /1 ply/ }).click();
  assert.deepEqual(await movesOf(page), ["d6d7"]);
  await paste(page, "no game at all");
  await page
    .getByText(/0 games|No game was found|is not a move/)
    .first()
    .waitFor();
});

test("a file is opened, in the encoding that is named", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.getByRole("button", { name: "Open a game" }).click();
  await page.getByLabel("Encoding").selectOption("gbk");
  const name = Buffer.from([0xcf, 0xf3]);
  const buffer = Buffer.concat([Buffer.from('[White "'), name, Buffer.from(`"]\n[Position "${LOST}"]\n\n1. d6d7 *\n`)]);
  await page.getByLabel("File").setInputFiles({ name: "game.txt", mimeType: "text/plain", buffer });
  await page.getByText("象 – ?").waitFor();
});

test("the game is copied as a record and annotated", async (t) => {
  const page = await visit(t, positionPath(LOST), { permissions: ["clipboard-read", "clipboard-write"] });
  await paste(page, TAGGED);
  await page.getByText("Anna – Ben, 0-1").waitFor();
  const copies = page.getByRole("group", { name: "Copy the game" });
  const copied = async (button) => {
    await copies.getByRole("button", { name: button }).click();
    await copies.getByText("Copied").first().waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await copies.getByText("Copied").first().waitFor({ state: "hidden" });
    return text;
  };
  const record = await copied("Record");
  assert.match(record, /1\. d6g6 \(1\. d6d7 c7c8\) 1\.\.\. c7c8 2\. g6g7 c8d8 0-1/);
  const annotated = await copied("Annotated");
  assert.match(annotated, /d6g6\?! \{loss in 6; sooner by 2; best d6d7\}/);
  await paste(page, record);
  assert.equal(await moves(page).count(), 6);
});

test("a game beyond the tables is graded by proof on request, which can be broken off", async (t) => {
  const game = "a1a2g9g8e3d3a7a6g1f1a6a5f1e1";
  const page = await visit(t, "/?rules=standard&position=startpos", { expected: [/status of 404/] });
  await page.getByText("16 pieces are more than tables hold.").waitFor();
  await paste(page, game.match(/..../g).join(" "));
  await page.locator("#prove-game").click();
  await page.getByRole("progressbar", { name: "Positions examined" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("#prove-game").waitFor();
});
