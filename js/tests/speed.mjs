// Time of warm probes in Node: node speed.mjs [TABLES] [PIECES].

import { open } from "../lib/index.js";
import { TABLES, positions } from "./program.mjs";

const [folder = TABLES, pieces = "3"] = process.argv.slice(2);
const tables = await open({ source: folder, cacheBytes: 1 << 30 });
const asked = positions(300, [Number(pieces)]);
for (const position of asked) await tables.probe(position).catch(() => {});
const questions = {
  wdlNow: (position) => tables.wdlNow(position),
  wdl: (position) => tables.wdl(position),
  value: (position) => tables.value(position),
  moves: (position) => tables.moves(position),
  "probe without line": (position) => tables.probe(position, { line: false }),
  probe: (position) => tables.probe(position),
};
for (const [name, question] of Object.entries(questions)) {
  const times = [];
  for (let round = 0; round < 8; round++) {
    const started = process.cpuUsage();
    for (const position of asked) await question(position);
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / asked.length);
  }
  console.log(`${name}: ${Math.min(...times).toFixed(2)} µs of CPU time`);
}
