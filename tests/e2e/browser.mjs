// The program and a browser, started and stopped for the tests.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { withAssets } from "./assets.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser without a window that asks nothing of the network by itself. */
export const launch = () =>
  chromium.launch({
    executablePath: BROWSERS.find((path) => path && existsSync(path)),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** Starts the program on a free port; `url` is where it listens. With `ASSETS` in the environment, the page's files come
 * from the source folder instead of the program, so that they can be changed without a build. `more` are arguments. */
export async function serve(...more) {
  const service = await start(more);
  return process.env.ASSETS ? withAssets(service) : service;
}

function start(more) {
  const program = process.env.JUNGLETB ?? join(ROOT, "target", "debug", "jungletb");
  const tables = join(ROOT, "tests", "data", "version-1");
  // Animal checkers, whose tables do not ship, for its smaller board.
  const rules = ["standard", "animal-checkers"].flatMap((name) => ["--rules", name]);
  const child = spawn(program, ["serve", "--bind", "127.0.0.1:0", "--tables", tables, ...rules, ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (chunk) => {
      said += chunk;
      const url = /http:\/\/[\w.:[\]]+:\d+/.exec(said)?.[0];
      if (url) resolve({ url, stop: () => stop(child) });
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${program} serve ended with ${code}: ${said}`)));
  });
}

function stop(child) {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}
