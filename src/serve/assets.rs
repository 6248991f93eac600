//! The explorer page: its files are embedded in the program, so no request path ever reaches the disk.
//!
//! Every file has a path of its own, and browsers ask each time whether it is still the same. The page itself links to
//! a folder named after the contents of all files. Nothing in that folder ever changes, so browsers ask once. There the
//! modules are also one script, and the style sheets one sheet ([`bundle`]). Each file is compressed once.

use super::bundle::{self, StyleError, Texts};
use super::encoding::{Accepted, Encoding};
use super::payload::{Freshness, JSON, Payload, SVG};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use hyper::body::Bytes;
use include_dir::{Dir, include_dir};
use std::collections::HashMap;
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3;

/// All files of the folder, included automatically.
static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/serve/assets");

/// The start page.
const INDEX: &str = "index.html";

/// The page's files by path, including the empty one.
#[derive(Debug)]
pub struct Assets(HashMap<String, Asset>);

/// A file of the page.
#[derive(Debug)]
pub struct Asset {
    payload: Payload,
    /// The compressed forms, once they were asked for.
    packed: [OnceLock<Payload>; Encoding::ALL.len()],
}

impl Assets {
    /// All files.
    ///
    /// # Errors
    /// Returns an error if the files do not follow the style that [`bundle`] expects.
    pub fn new() -> Result<Self, StyleError> {
        let mut contents = Vec::new();
        collect(&FILES, &mut contents);
        let version = version(&contents);
        let text = |&(path, bytes)| Some((path, str::from_utf8(bytes).ok()?));
        let texts: Texts<'_> = contents.iter().filter_map(text).collect();
        let index = texts.get(INDEX).copied().unwrap_or_default();
        let (page, styles) = bundle::page(&texts, index, &version)?;
        let script = bundle::script(&texts, bundle::entry(index).unwrap_or_default())?;

        let mut files = HashMap::new();
        let mut add = |path: String, bytes: Bytes, freshness| {
            let payload = Payload::new(content_type(&path), bytes, freshness);
            files.insert(path, Asset { payload, packed: Default::default() });
        };
        for &(path, bytes) in contents.iter().filter(|(path, _)| *path != INDEX) {
            add(format!("{version}/{path}"), bytes.into(), Freshness::Forever);
            add(path.to_owned(), bytes.into(), Freshness::Checked);
        }
        add(format!("{version}/{}", bundle::SCRIPT), script.into(), Freshness::Forever);
        add(format!("{version}/{}", bundle::STYLE), styles.into(), Freshness::Forever);
        for path in ["", INDEX] {
            add(path.to_owned(), page.clone().into(), Freshness::Checked);
        }
        Ok(Self(files))
    }

    /// The file at the path of a URL.
    pub fn get(&self, path: &str) -> Option<&Asset> {
        self.0.get(path.strip_prefix('/')?)
    }
}

impl Asset {
    /// The file as the response to a request with these header fields.
    pub fn respond(&self, headers: &HeaderMap) -> Response {
        let packed = Accepted::of(headers).best().filter(|_| self.payload.is_worth_packing());
        let payload = packed.map_or(&self.payload, |encoding| {
            self.packed[encoding as usize].get_or_init(|| self.payload.packed(encoding))
        });
        payload.clone().respond(headers.get(header::IF_NONE_MATCH))
    }
}

/// The name of the folder whose files never change.
fn version(contents: &[(&str, &[u8])]) -> String {
    let mut hasher = Xxh3::new();
    for (path, bytes) in contents {
        hasher.update(path.as_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    format!("{:016x}", hasher.digest())
}

fn collect(folder: &Dir<'static>, files: &mut Vec<(&'static str, &'static [u8])>) {
    files.extend(folder.files().filter_map(|file| Some((file.path().to_str()?, file.contents()))));
    for folder in folder.dirs() {
        collect(folder, files);
    }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        None | Some("html") => "text/html; charset=utf-8",
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
        let assets = Assets::new().unwrap();
        assert!(assets.get("/").is_some() && assets.get("/index.html").is_some());
        for path in assets.0.keys() {
            assert_ne!(content_type(path), "application/octet-stream", "{path}");
        }
        for path in ["", "index.html", "//", "/../Cargo.toml", "/assets.rs", "/%2e%2e/mod.rs"] {
            assert!(assets.get(path).is_none(), "{path}");
        }
    }
}
