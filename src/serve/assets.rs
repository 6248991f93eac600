//! The explorer page: its files are embedded in the program, so no request path ever reaches the disk.

use super::payload::{Freshness, JSON, Payload, SVG};
use include_dir::{Dir, include_dir};
use std::collections::HashMap;

/// All files of the folder, included automatically.
static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/serve/assets");

/// The start page.
const INDEX: &str = "index.html";

/// The page's files by path, including `/`.
#[derive(Debug)]
pub struct Assets(HashMap<&'static str, Payload>);

impl Assets {
    /// All files.
    pub fn new() -> Self {
        let mut files = HashMap::new();
        collect(&FILES, &mut files);
        if let Some(index) = files.get(INDEX).cloned() {
            files.insert("", index);
        }
        Self(files)
    }

    /// The file at the path of a URL.
    pub fn get(&self, path: &str) -> Option<&Payload> {
        self.0.get(path.strip_prefix('/')?)
    }
}

fn collect(folder: &Dir<'static>, files: &mut HashMap<&'static str, Payload>) {
    for file in folder.files() {
        let Some(path) = file.path().to_str() else { continue };
        files.insert(path, Payload::new(content_type(path), file.contents(), Freshness::Checked));
    }
    for folder in folder.dirs() {
        collect(folder, files);
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json" | "map") => JSON,
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => SVG,
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_type_and_the_page_is_there() {
        let assets = Assets::new();
        assert!(assets.get("/").is_some() && assets.get("/index.html").is_some());
        for path in assets.0.keys().filter(|path| !path.is_empty()) {
            assert_ne!(content_type(path), "application/octet-stream", "{path}");
        }
        for path in ["", "index.html", "//", "/../Cargo.toml", "/assets.rs", "/%2e%2e/mod.rs"] {
            assert!(assets.get(path).is_none(), "{path}");
        }
    }
}
