//! Lists the tables that become part of the library, and has the page's assets compiled in without `cargo clean`.

use std::env;
use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/serve/assets");
    if env::var_os("CARGO_FEATURE_SHIPPED").is_some() { list_tables() } else { Ok(()) }
}

/// Writes a Rust list of the tables in `tablebases/standard`: of those with up to three pieces, since the folder may
/// hold others.
fn list_tables() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("tablebases/standard");
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_small(name));
    names.sort();
    if names.is_empty() {
        println!("cargo:rerun-if-changed=tablebases");
    }
    let mut list = String::from("&[\n");
    for name in names {
        let path = folder.join(&name).display().to_string();
        println!("cargo:rerun-if-changed={path}");
        list += &format!("    ({name:?}, include_bytes!({path:?})),\n");
    }
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("shipped.rs"), list + "]\n")
}

/// Whether a file is the table of a class of at most three pieces, such as `ERvL.wdl`.
fn is_small(name: &str) -> bool {
    let parts = name.split_once('.');
    parts.is_some_and(|(class, metric)| class.len() <= "ERvL".len() && (metric == "wdl" || metric == "dtw"))
}
