// Opens pages for tests and watches over them: whatever the console complains of, whatever leaves the origin, whatever
// the content security policy stops, fails the test.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch, serve } from "./browser.mjs";

/** A lost position of two against one: all four moves lose, the best in 8 plies. */
export const LOST = "7/7/2r4/3L3/7/3c3/7/7/7 w";
/** The longest win of lion against rat. */
export const LONGEST = "5r1/7/7/7/7/7/7/7/6L b";

/** The address of a position's page. */
export const positionPath = (position, rest = "") => `/?rules=standard&position=${position.replace(" ", "_")}${rest}`;

/** Sets program and browser up for the tests of a file; `visit` opens a page of it. */
export function setUp() {
  const shared = {};
  before(async () => {
    [shared.service, shared.browser] = await Promise.all([serve(), launch()]);
  });
  after(async () => {
    await shared.browser?.close();
    await shared.service?.stop();
  });
  return (test, path, options) => visit(shared, test, path, options);
}

/** `expected` are patterns of complaints that the test provokes, such as an answer of status 404. */
async function visit({ service, browser }, test, path, { expected = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US", ...options });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    );
  });
  const page = await context.newPage();
  const complaints = [];
  const complain = (text) => expected.some((pattern) => pattern.test(text)) || complaints.push(text);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complain(message.text()));
  page.on("pageerror", (error) => complain(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== service.url && protocol !== "data:") complain(`request to ${request.url()}`);
  });
  test.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  // Long enough for a machine with much else to do.
  page.setDefaultTimeout(60_000);
  await page.goto(service.url + path);
  return page;
}

/** Waits until the value of the position reads so. */
export async function expectValue(page, text) {
  await page.locator(".verdict .sentence").getByText(text, { exact: true }).waitFor();
}

/** A square of the board. */
export const square = (page, name) => page.locator(`[data-square="${name}"]`);

async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Drags with the mouse from the middle of one element to the middle of another. */
export async function drag(page, from, to) {
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  const [x, y] = Array.isArray(to) ? to : await middle(to);
  await page.mouse.move(x - 7, y - 7);
  await page.mouse.move(x, y);
  await page.mouse.up();
}

/** Drags with a finger. */
export async function dragByFinger(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [[x0, y0], [x1, y1]] = [await middle(from), await middle(to)];
  await touch("touchStart", [{ x: x0, y: y0 }]);
  for (const step of [0.2, 0.5, 0.8, 1]) {
    await touch("touchMove", [{ x: x0 + (x1 - x0) * step, y: y0 + (y1 - y0) * step }]);
  }
  await touch("touchEnd", []);
}

/** The position in the address. */
export const positionOf = (page) => new URL(page.url()).searchParams.get("position")?.replace("_", " ");

/** The moves of the game that is shown, without what is said of them. */
export const movesOf = (page) =>
  page
    .locator('[aria-label="Game"] button')
    .evaluateAll((buttons) => buttons.map((button) => button.firstChild.textContent));
