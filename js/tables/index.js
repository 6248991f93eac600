// The tables of up to three pieces under the rules `standard`, as a source.

const INDEX = new URL("./standard.json", import.meta.url);
const DATA = new URL("./standard.pack", import.meta.url);

let loaded;

/** The source: `open({ source: tables })`. */
export const tables = {
  name: "jungletb/tables",

  async read(needs) {
    const files = await all();
    return needs.map(({ file, ranges }) => {
      const bytes = files.get(file);
      if (!bytes) return null;
      const parts = ranges ?? [[0, bytes.length]];
      return parts.map(([start, end]) => ({ start, bytes: bytes.subarray(start, end), size: bytes.length }));
    });
  },

  async list() {
    return [...(await all()).keys()];
  },
};

function all() {
  loaded ??= load().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load() {
  const [index, data] = await Promise.all([bytesOf(INDEX), bytesOf(DATA)]);
  const files = new Map();
  let at = 0;
  for (const [file, size] of JSON.parse(new TextDecoder().decode(index)).files) {
    files.set(file, data.subarray(at, at + size));
    at += size;
  }
  return files;
}

async function bytesOf(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the host answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
