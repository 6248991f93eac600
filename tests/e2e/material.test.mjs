// Start page and pages of materials.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LONGEST, positionOf, positionPath, setUp } from "./visit.mjs";

const visit = setUp();

test("the start page tells what is loaded", async (t) => {
  const page = await visit(t, "/");
  await page.locator(".summary").getByText("52").waitFor();
  assert.deepEqual(await page.locator(".classes summary").allInnerTexts(), [
    "2 pieces\n10 tables",
    "3 pieces\n42 tables",
  ]);
});

test("materials are found however they are written", async (t) => {
  const page = await visit(t, "/");
  await page.locator(".classes li").first().waitFor();
  for (const [typed, first, count] of [
    ["lvr", "LvR", 1 + 5 + 8],
    ["RvL", "LvR", null],
    ["lion vs rat", "LvR", null],
    ["鼠对狮", "LvR", null],
    ["LT", null, null],
    ["xyz", null, 0],
  ]) {
    await page.getByRole("searchbox", { name: "Material" }).fill(typed);
    const found = page.locator(".classes li");
    if (first) assert.match(await found.first().innerText(), /^(LvR|RvL)/, typed);
    if (count === 0) assert.equal(await found.count(), 0, typed);
    else assert.ok((await found.count()) > 0, typed);
  }
  await page.getByRole("searchbox").fill("lr v l");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "LRvL", level: 1 }).waitFor();
});

test("a material shows shares, distances, longest win, map, and who shares its table", async (t) => {
  const page = await visit(t, "/?rules=standard&material=lvr");
  await page.getByRole("heading", { name: "LvR", level: 1 }).waitFor();
  const bars = page.locator(".share-bar");
  assert.match(
    await bars.nth(0).innerText(),
    /White to move\s+White wins\s+75\.8%\s+2,229\s+draws\s+6\.0%\s+177\s+Black wins\s+18\.2%\s+534/,
  );
  assert.match(
    await bars.nth(1).innerText(),
    /Black to move\s+White wins\s+\S+\s+\S+\s+draws\s+\S+\s+\S+\s+Black wins\s+28\.9%\s+849/,
  );
  assert.equal(await page.locator(".histogram .bar").count(), 22);
  assert.equal(await page.locator(".histogram .bar.current").count(), 0);
  assert.deepEqual(await page.locator(".chips a").allInnerTexts(), ["TvR", "RvL", "RvT"]);
  // With the lion on d8, White wins 114 of the 120 positions, whoever is to move, as probing each of them tells.
  await page.locator(".heat-number").first().waitFor();
  const rank = page.getByRole("rowheader", { name: "8", exact: true, includeHidden: true });
  const row = page.locator(".heat-frame tbody tr").filter({ has: rank });
  assert.equal(await row.locator("td").nth(3).textContent(), "95.0%");
  await page.getByRole("radio", { name: "black rat" }).check();
  // The rat swims: every square but the dens has a number.
  assert.equal(await page.locator(".heat-number").count(), 61);
});

test("the longest win opens on the board", async (t) => {
  const page = await visit(t, "/?rules=standard&material=LvR");
  await page.locator(".longest a").first().waitFor();
  assert.deepEqual(await page.locator(".longest strong").allInnerTexts(), [
    "White wins in 22 plies",
    "White wins in 21 plies",
  ]);
  await page.locator(".longest a").first().click();
  await expectValue(page, "White wins in 22 plies");
  assert.equal(positionOf(page), LONGEST);
  await page.goBack();
  await page.getByRole("link", { name: "Practice: win it" }).first().click();
  await page.getByRole("heading", { name: "Win as White" }).waitFor();
});

test("a position leads to its material, which marks its distance and leads back", async (t) => {
  const page = await visit(t, positionPath(LONGEST));
  await page.getByRole("link", { name: "LvR" }).click();
  await page.getByText("your position: 22 plies").waitFor();
  assert.equal(await page.locator(".bar.current").count(), 1);
  await page.getByRole("link", { name: "Back to the position" }).click();
  await expectValue(page, "White wins in 22 plies");
  await page.goBack();
  await page.getByText("your position: 22 plies").waitFor();
  await page.goBack();
  await expectValue(page, "White wins in 22 plies");
});

test("a material without a table is named with the command that makes it", async (t) => {
  const page = await visit(t, "/?rules=standard&material=ELDvCR", { expected: [/status of 404/] });
  await page.locator(".missing").getByText("No table for ELDvCR is loaded.").waitFor();
  assert.match(await page.locator(".command code").innerText(), /^jungletb generate ELDvCR/);
});

test("a bad material is told in words, with the service's sentence", async (t) => {
  const page = await visit(t, "/?rules=standard&material=EEvL", { expected: [/status of 400/] });
  await page.locator(".error").getByText("This is not a material of these rules.").waitFor();
  await page.locator('.detail[lang="en"]').getByText("a side has at most one elephant").waitFor();
});

test("the start page is found again as it was left: search, open groups, place", async (t) => {
  const page = await visit(t, "/", { viewport: { width: 390, height: 600 } });
  await page.locator(".classes summary").last().click();
  await page
    .locator(".classes details")
    .last()
    .evaluate((group) => !group.open || Promise.reject());
  await page.waitForTimeout(100);
  const card = page.locator(".classes li a").first();
  await card.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  assert.ok(place > 100);
  await card.click();
  await page.locator(".heat-number").first().waitFor();
  await page.goBack();
  await page.locator(".classes li").first().waitFor();
  assert.equal(await page.locator(".classes details").last().getAttribute("open"), null);
  assert.equal(await page.evaluate(() => scrollY), place);
  await page.getByRole("searchbox").fill("lvr");
  await page.locator(".classes li a").first().click();
  await page.getByRole("heading", { name: "LvR", level: 1 }).waitFor();
  await page.goBack();
  assert.equal(await page.getByRole("searchbox").inputValue(), "lvr");
  await page.locator(".hint").getByText("tables hold this material.").waitFor();
});

test("no text of the histogram is cut, in any language", async (t) => {
  const page = await visit(t, `/?rules=standard&material=LvR&from=${LONGEST.replace(" ", "_")}`);
  for (const language of ["en", "de", "ru", "ja", "zh"]) {
    await page.locator("#language").selectOption(language);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(150);
      const cut = await page.locator(".histogram").evaluate((picture) => {
        const within = picture.getBoundingClientRect();
        const texts = [...picture.querySelectorAll("text")];
        const isCut = ({ left, right }) => left < within.left - 0.5 || right > within.right + 0.5;
        return texts.filter((text) => isCut(text.getBoundingClientRect())).map((text) => text.textContent);
      });
      assert.deepEqual(cut, [], `${language} at ${width}`);
    }
  }
});

test("rules that are not loaded are said to be so, and others can be chosen", async (t) => {
  const page = await visit(t, "/?rules=chess");
  await page.getByText("No rules called “chess” are loaded here.").waitFor();
  await page.getByLabel("Rules").selectOption("standard");
  await page.locator(".summary").getByText("52").waitFor();
});
