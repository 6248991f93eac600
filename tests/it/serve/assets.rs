//! The page's files, as they are in the source.

use super::client::Site;
use crate::common::contents;
use std::path::Path;

#[tokio::test]
async fn every_file_is_served_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/assets");
    let site = Site::shipped();
    let files = contents(&folder);
    assert!(files.len() > 1);
    for (path, bytes) in files {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let reply = site.get(&format!("/{name}")).await.good();
        assert!(reply.body == bytes, "{name} is another file than the one compiled in");
        assert_ne!(reply.header("content-type"), "application/octet-stream", "{name}");
        assert_eq!(reply.header("cache-control"), "no-cache");
    }
    let page = site.get("/").await.good();
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.body, site.get("/index.html").await.body);
    // The content of a link comes after the path.
    assert_eq!(page.body, site.get("/?rules=standard&material=ERvL").await.good().body);
}
