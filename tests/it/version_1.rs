//! Tables of format version 1 stay readable permanently: `tests/data/version-1` holds all classes of up to three pieces
//! as first released, and is never regenerated.

use crate::common::{SHIPPED, contents, run};
use std::path::Path;

#[test]
fn version_1_opens_probes_and_verifies() {
    let files = contents(&Path::new(SHIPPED).join("standard"));
    assert_eq!(files.len(), 104);
    for (path, bytes) in &files {
        // The version is a two-byte number after the eight bytes of the magic.
        assert_eq!(bytes[8..10], [1, 0], "{}", path.display());
    }
    let listed = run(&["list", "--json", "--tables", SHIPPED]).good().json();
    let is_good = |table: &&serde_json::Value| table["state"] == "ok" && table["pieces"].as_u64() <= Some(3);
    assert_eq!(listed["tables"].as_array().unwrap().iter().filter(is_good).count(), 52);
    run(&["verify", "-q", "--tables", SHIPPED]).good();
    // A win, a draw and a loss, with two and three pieces, either side to move.
    for (position, category, dtw) in [
        ("7/7/2r4/3L3/7/3c3/7/7/7 w", "loss", Some(8)),
        ("7/7/7/7/3e3/7/7/5E1/7 w", "win", Some(17)),
        ("7/3L3/7/7/7/7/7/7/c6 b", "loss", Some(2)),
        ("7/7/7/7/7/7/r6/7/L6 w", "draw", None),
    ] {
        let answer = run(&["probe", position, "--json", "--tables", SHIPPED]).good().json();
        let value = (answer["category"].as_str().unwrap(), answer["dtw"].as_u64());
        assert_eq!(value, (category, dtw), "{position}");
    }
}
