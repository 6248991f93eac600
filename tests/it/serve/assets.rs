//! The page's files: as they are in the source, and as the page uses them.

use super::client::Site;
use crate::common::contents;
use axum::http::{Method, StatusCode};
use regex_lite::Regex;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/assets")
}

#[tokio::test]
async fn every_file_is_served_as_it_is() {
    let folder = folder();
    let site = Site::shipped();
    let files = contents(&folder);
    assert!(files.len() > 1);
    for (path, bytes) in files {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        if name == "index.html" {
            continue;
        }
        let reply = site.get(&format!("/{name}")).await.good();
        assert!(reply.body == bytes, "{name} is another file than the one compiled in");
        assert_ne!(reply.header("content-type"), "application/octet-stream", "{name}");
        assert_eq!(reply.header("cache-control"), "no-cache");
    }
    let page = site.get("/").await.good();
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-cache");
    assert_eq!(page.body, site.get("/index.html").await.body);
    // The content of a link comes after the path.
    assert_eq!(page.body, site.get("/?rules=standard&material=ERvL").await.good().body);
}

#[tokio::test]
async fn the_page_needs_few_files_and_keeps_them() {
    let site = Site::shipped();
    let page = site.get("/").await.good().text();
    let links = Regex::new(r#"<(?:link|script)[^>]* (?:href|src)="([^"]*)""#).unwrap();
    let paths: Vec<&str> = links.captures_iter(&page).map(|link| link.get(1).unwrap().as_str()).collect();
    assert!((3..=5).contains(&paths.len()), "{paths:?}");
    let mut version = "";
    for path in paths {
        let plain = site.get(&format!("/{path}")).await.good();
        let Some((folder, name)) = path.split_once('/') else { continue };
        version = folder;
        assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable", "{path}");
        if name == "page.js" {
            let text = plain.text();
            assert!(!text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        }
    }
    // Files that the script asks for later are in the same folder.
    let text = site.get(&format!("/{version}/lang/en/general.js")).await.good();
    assert_eq!(text.body, std::fs::read(folder().join("lang/en/general.js")).unwrap());
    assert_eq!(site.get("/0123456789abcdef/lang/en/general.js").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_file_that_is_there_already_is_not_sent_again() {
    let site = Site::shipped();
    for encoding in ["br", "gzip", "identity"] {
        let path = "/lang/en/general.js";
        let whole = site.ask(Method::GET, path, &[("accept-encoding", encoding)]).await.good();
        let headers = [("accept-encoding", encoding), ("if-none-match", whole.header("etag"))];
        let again = site.ask(Method::GET, path, &headers).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        assert_eq!((again.header("etag"), again.header("vary")), (whole.header("etag"), "accept-encoding"));
    }
}
