#!/usr/bin/env node
// Packs the tables of a folder into one file for a web host, so that one request can bring parts of many tables:
// OUT.json (the index) and OUT.pack.

import { createReadStream } from "node:fs";
import { open, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";

const USAGE = "usage: jungletb-pack TABLES OUT [--rules NAME]...";

async function pack(tables, out, rules) {
  const files = [];
  for (const name of rules) {
    const entries = await readdir(path.join(tables, name));
    // Smaller classes first; both tables of a class beside each other.
    const classes = entries.filter((entry) => /^[A-Z]+v[A-Z]+\.(wdl|dtw)$/.test(entry));
    classes.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    for (const entry of classes) files.push([`${name}/${entry}`, (await stat(path.join(tables, name, entry))).size]);
  }
  if (files.length === 0) throw new Error(`no tables of ${rules.join(", ")} in ${tables}: give the folder that has a folder for each rule set`);
  const data = await open(`${out}.pack`, "w");
  try {
    for (const [file] of files) await data.writeFile(createReadStream(path.join(tables, file)));
  } finally {
    await data.close();
  }
  const lines = files.map((file) => JSON.stringify(file)).join(",\n");
  const index = `{"format":"jungletb-pack-1","data":${JSON.stringify(`${path.basename(out)}.pack`)},"files":[\n${lines}\n]}\n`;
  await writeFile(`${out}.json`, index);
  return { files: files.length, bytes: files.reduce((sum, [, size]) => sum + size, 0) };
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { rules: { type: "string", multiple: true } } });
  if (positionals.length !== 2) throw new Error(USAGE);
  const [tables, out] = positionals;
  const { files, bytes } = await pack(tables, out, values.rules ?? ["standard"]);
  console.log(`${files} tables, ${bytes} bytes: ${out}.json, ${out}.pack`);
} catch (error) {
  console.error(`jungletb-pack: ${error.message}`);
  process.exitCode = error.message === USAGE ? 2 : 1;
}
