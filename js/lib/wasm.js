// Loads the WebAssembly module, once.

import init, { initSync } from "./core.js";

let loaded;

/** Loads the module; `source`: its bytes, module, response or address, if not the file beside this one. */
export function load(source) {
  loaded ??= start(source).catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function start(source) {
  const module = source ?? new URL("./core_bg.wasm", import.meta.url);
  if (module instanceof URL && module.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    initSync({ module: await readFile(module) });
  } else {
    await init({ module_or_path: module });
  }
}
