// Requests, bytes and rounds of a first probe over a web host: node requests.mjs TABLES [POSITIONS] [PIECES]. With
// --pack OUT.json the tables of a pack, which lies in TABLES. Each position is asked of tables opened for it alone.

import { parseArgs } from "node:util";
import { open } from "../lib/index.js";
import { host } from "./host.mjs";
import { answers, positions } from "./program.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pack: { type: "string" }, one: { type: "boolean" }, seed: { type: "string" } },
});
const [folder, count = "200", pieces = "5"] = positionals;
const web = await host({ "/": folder }, { ranges: values.one ? "one" : "many" });
const asked = positions(Number(count), [Number(pieces)], Number(values.seed ?? 1));
const expected = answers(asked, folder);
const found = { requests: [], kilobytes: [], milliseconds: [] };
const value = { requests: [], kilobytes: [] };
for (const [at, position] of asked.entries()) {
  const source = values.pack ? `${web.url}/${values.pack}` : web.url;
  const first = await open({ source });
  const started = performance.now();
  const report = await first.probe(position, { line: false });
  found.milliseconds.push(performance.now() - started);
  found.requests.push(first.statistics().requests);
  found.kilobytes.push(first.statistics().bytes_fetched / 1000);
  if (report.dtw !== expected[at].dtw || JSON.stringify(report.moves) !== JSON.stringify(expected[at].moves)) {
    throw new Error(`another answer than the program's for ${position}`);
  }
  first.close();
  const second = await open({ source });
  await second.value(position);
  value.requests.push(second.statistics().requests);
  value.kilobytes.push(second.statistics().bytes_fetched / 1000);
  second.close();
}
for (const [what, numbers] of [["value and moves", found], ["value", value]]) {
  for (const [name, all] of Object.entries(numbers)) {
    all.sort((a, b) => a - b);
    const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(1);
    console.log(`${what}, ${name}: median ${at(0.5)}, 90 % ${at(0.9)}, 99 % ${at(0.99)}, most ${at(1)}`);
  }
}
await web.stop();
