//! Writes the JavaScript and the types around a WebAssembly file: `jungletb-bindgen FILE.wasm FOLDER`.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("usage: jungletb-bindgen FILE.wasm FOLDER")?;
    let folder = arguments.next().context("usage: jungletb-bindgen FILE.wasm FOLDER")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(file).web(true)?.typescript(true).omit_default_module_path(true);
    bindgen.out_name("core").generate(folder)
}
