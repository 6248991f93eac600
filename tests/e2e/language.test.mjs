// Languages, light and dark, what is remembered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { expectValue, LONGEST, LOST, positionPath, setUp, square } from "./visit.mjs";

const visit = setUp();
const language = (page) => page.locator("#language");

test("the language is the browser's, can be switched, and is remembered", async (t) => {
  const page = await visit(t, positionPath(LONGEST), { locale: "de-AT" });
  await expectValue(page, "Weiß gewinnt in 22 Halbzügen");
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  await language(page).selectOption("ru");
  await expectValue(page, "Белые выигрывают за 22 полухода");
  assert.equal(await page.locator("html").getAttribute("lang"), "ru");
  await page.reload();
  await expectValue(page, "Белые выигрывают за 22 полухода");
  assert.equal(await square(page, "g1").getAttribute("aria-label"), "g1, белый лев");
});

test("plural forms are right", async (t) => {
  const page = await visit(t, positionPath("7/7/7/7/7/7/7/3c3/L6 b"), { locale: "ru" });
  await expectValue(page, "Чёрные выигрывают за 1 полуход");
  await language(page).selectOption("en");
  await expectValue(page, "Black wins in 1 ply");
  await language(page).selectOption("ja");
  await expectValue(page, "1手で黒の勝ち");
  await language(page).selectOption("de");
  await expectValue(page, "Schwarz gewinnt in 1 Halbzug");
});

test("pieces bear characters in Chinese and Japanese, with the letter beside", async (t) => {
  const page = await visit(t, positionPath(LOST), { locale: "zh-CN" });
  await expectValue(page, "黑方 8 步取胜");
  assert.deepEqual((await page.locator(".pieces .character").allTextContents()).sort(), ["狮", "猫", "鼠"].sort());
  assert.deepEqual((await page.locator(".pieces .letter").allTextContents()).sort(), ["C", "L", "R"]);
  await language(page).selectOption("ja");
  await expectValue(page, "8手で黒の勝ち");
  assert.ok((await page.locator(".pieces .character").allTextContents()).includes("獅"));
});

test("moves played survive a change of language", async (t) => {
  const page = await visit(t, positionPath(LOST));
  await page.locator('[data-move="d6d7"]').click();
  await expectValue(page, "Black wins in 7 plies");
  await language(page).selectOption("de");
  await expectValue(page, "Schwarz gewinnt in 7 Halbzügen");
  assert.equal(await page.locator('[aria-label="Partie"] [aria-current]').innerText(), "d6d7");
});

test("light or dark follows the system until chosen", async (t) => {
  const page = await visit(t, "/", { colorScheme: "dark" });
  const lightness = () =>
    page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number);
      return (r + g + b) / 3;
    });
  await page.locator("#theme").waitFor();
  assert.ok((await lightness()) < 60);
  await page.locator("#theme").click();
  assert.ok((await lightness()) > 200);
  assert.equal(await page.locator("#theme").getAttribute("aria-label"), "Colors: light");
  await page.reload();
  await page.locator("#theme").waitFor();
  assert.ok((await lightness()) > 200);
});

test("nothing overflows its place on the narrowest phone, in any language", async (t) => {
  const page = await visit(t, "/", { viewport: { width: 320, height: 640 }, hasTouch: true });
  for (const [path, ready] of [
    ["/", ".classes li"],
    [positionPath(LOST), ".move"],
    [positionPath(LOST, "&edit"), ".palette-piece"],
    [positionPath(LOST, "&practice=win"), ".practice-panel .sentence"],
    ["/?rules=standard&material=LvR", ".share-bar"],
  ]) {
    await page.goto(new URL(path, page.url()).href);
    for (const code of ["en", "de", "ru", "ja", "zh"]) {
      await language(page).selectOption(code);
      await page.locator(ready).first().waitFor();
      const wide = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            "header, .panel, .panel-head, .buttons, .button, h1, h2, h3, dt, dd, .toolbar, p, label",
          ),
        ]
          .filter((part) => part.offsetParent && !part.closest(".hidden, .scroll, .line") && !part.matches(".hidden"))
          .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline")
          .map((part) => `${part.tagName}.${part.className}: ${part.textContent.slice(0, 40)}`),
      );
      assert.deepEqual(wide, [], `${code} ${path}`);
    }
  }
});

test("what is chosen can be told apart in forced colors", async (t) => {
  const page = await visit(t, positionPath(LOST, "&edit"), { forcedColors: "active" });
  const outline = (locator) => locator.evaluate((part) => getComputedStyle(part).outlineStyle);
  await page.locator('[data-piece="E"]').click();
  assert.equal(await outline(page.locator('[data-piece="E"]')), "solid");
  await page.goto(new URL("/?rules=standard&material=LvR", page.url()).href);
  await page.locator(".heat-number").first().waitFor();
  assert.equal(await outline(page.locator(".piece-choice label").first()), "solid");
  assert.notEqual(await outline(page.locator(".piece-choice label").last()), "solid");
});
