// Takes pictures of the page in all its states: node screenshots.mjs OUTDIR [URL]
// Without a URL it starts the built program itself.

import { mkdir } from "node:fs/promises";
import { launch, serve } from "./browser.mjs";

const [folder, url] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node screenshots.mjs OUTDIR [URL]");
  process.exit(2);
}

const POSITION = "/?rules=standard&position=7/7/2r4/3L3/7/3c3/7/7/7_w";
const SHOTS = [
  ["start", "/"],
  ["position", POSITION],
  ["edit", `${POSITION}&edit`],
  ["game", `${POSITION}&moves=d6g6(d6d7c7c8)c7c8g6g7c8d8&at=0&start=7/7/2r4/3L3/7/3c3/7/7/7_w&white=Anna&black=Ben`],
  ["practice", "/?rules=standard&position=5r1/7/7/7/7/7/7/7/6L_w&practice=win"],
  ["material", "/?rules=standard&material=LvR&from=5r1/7/7/7/7/7/7/7/6L_b"],
  ["missing", "/?rules=standard&position=7/7/2r4/3L3/7/3c3/7/7/ED5_w"],
  ["full", "/?rules=standard&position=l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L_w"],
];
const LOOKS = [
  { name: "wide-light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "wide-dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { name: "phone-light", viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true },
  { name: "phone-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
];
const LANGUAGES = [
  ["ja", "start"],
  ["ja", "position"],
  ["ru", "position"],
  ["ru", "material"],
  ["zh", "edit"],
  ["de", "position"],
];

const service = url ? { url, stop: () => {} } : await serve();
const browser = await launch();
await mkdir(folder, { recursive: true });

async function shoot(look, name, path, locale = "en") {
  const { name: lookName, ...options } = look;
  const context = await browser.newContext({ ...options, locale });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.log(`${name}: ${message.text()}`));
  page.on("pageerror", (error) => console.log(`${name}: ${error}`));
  await page.goto(service.url + path);
  await page.waitForLoadState("networkidle");
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) console.log(`${lookName} ${name}: ${overflow} pixels too wide`);
  await page.screenshot({
    path: `${folder}/${lookName}-${name}${locale === "en" ? "" : `-${locale}`}.png`,
    fullPage: true,
  });
  await context.close();
}

for (const look of LOOKS) for (const [name, path] of SHOTS) await shoot(look, name, path);
for (const [locale, name] of LANGUAGES) {
  const path = SHOTS.find(([shot]) => shot === name)[1];
  await shoot(LOOKS[0], name, path, locale);
  await shoot(LOOKS[2], name, path, locale);
}
await browser.close();
await service.stop();
