// Practice against the tables, and looking further where they do not reach.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, positionOf, positionPath, setUp } from "./visit.mjs";

const visit = setUp();
/** Lion against rat: White, to move, wins. */
const WON = "5r1/7/7/7/7/7/7/7/6L w";
const status = (page) => page.locator(".practice-panel .sentence");

test("a win is practised: the tables answer, moves are told what they cost, and the try is remembered", async (t) => {
  const page = await visit(t, positionPath("7/7/7/3L3/7/7/7/r6/7 w"));
  await page.locator("#practise").click();
  await status(page).getByText("Your move").waitFor();
  await page.getByRole("heading", { name: "Win as White" }).waitFor();
  // Nothing of the tables is in sight.
  for (const part of [".verdict", ".moves-panel", ".line-panel"]) assert.ok(await page.locator(part).isHidden(), part);
  for (let n = 0; n < 20; n += 1) {
    await page.locator("#hint").click();
    await page.locator("#hint").click();
    const said = await status(page).innerText();
    const [, from, to] = /(\w\d) to (\w\d)/.exec(said);
    // The hint has picked the piece up.
    assert.equal(await page.locator(`[data-square="${from}"]`).getAttribute("aria-selected"), "true");
    await page.locator(`[data-square="${to}"]`).click();
    await page.locator(".cost").getByText("The best move").waitFor();
    await status(page)
      .getByText(/Your move|Won in/)
      .waitFor();
    if ((await status(page).innerText()).startsWith("Won")) break;
  }
  const said = await status(page).innerText();
  const [, plies, least] = /Won in (\d+) plies; the least is (\d+)/.exec(said);
  assert.equal(plies, least);
  assert.match(await page.locator(".tries").innerText(), /Won in \d+ plies.*hints: \d+/);
  await page.reload();
  await page.locator(".tries li").waitFor();
});

test("a bad move is told what it cost, and taken back", async (t) => {
  const page = await visit(t, positionPath(WON));
  await page.locator("#practise").click();
  await status(page).getByText("Your move").waitFor();
  await page.locator('[data-square="g1"]').click();
  // Dots only: which of them wins is for the user to find.
  assert.ok((await page.locator(".mark.move").count()) > 0);
  assert.equal(await page.locator(".value").count(), 0);
  await page.locator('[data-square="f1"]').click();
  await page
    .locator(".cost")
    .getByText(/Still a win|Gives the win away|The best move/)
    .waitFor();
  await status(page).getByText("Your move").waitFor();
  await page.locator("#take-back").click();
  await page.waitForURL((url) => url.searchParams.get("position") === WON.replace(" ", "_"));
  await status(page).getByText("Your move").waitFor();
  await page.locator("#practice-stop").click();
  await page.locator(".verdict .sentence").waitFor();
  await page
    .locator(".verdict .sentence")
    .getByText(/White wins in/)
    .waitFor();
});

test("a position that another side wins is practised as that side, with the tables to move", async (t) => {
  const page = await visit(t, positionPath("5r1/7/7/7/7/7/7/7/6L b"));
  await expectValue(page, "White wins in 22 plies");
  await page.locator("#practise").click();
  await page.getByRole("heading", { name: "Win as White" }).waitFor();
  await status(page).getByText("Your move").waitFor();
  assert.match(positionOf(page), / w$/);
});

test("where no table reaches, a proof is searched for, with progress, and can be broken off", async (t) => {
  const path = positionPath("5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w");
  const page = await visit(t, path, { expected: [/status of 404/] });
  await expectValue(page, "Value not known");
  await page.locator("#further").click();
  await page.locator(".further .found").getByText("White wins in 3 plies").waitFor();
  await page.getByRole("button", { name: "Show f9e9" }).click();
  assert.equal(await page.locator(".arrow").count(), 1);
  await page.goto(new URL("/?rules=standard&position=startpos", page.url()).href);
  await page.locator("#guess").click();
  await page
    .locator(".further")
    .getByText(/^A guess: the engine plays \w\d\w\d after a search of \d+ pl/)
    .waitFor();
  assert.equal(await page.locator(".arrow").count(), 1);
  await page.locator("#further").click();
  await page.getByRole("progressbar").waitFor();
  await page.locator(".further .hint").getByText("No forced win within").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("#further").waitFor();
});
