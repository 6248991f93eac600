//! Tests read only their own tables. The user's `tablebases` may hold any number of tables and must not affect the
//! result of a test.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of these folders and their subfolders. A packed crate has none of the folders of other packages.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = folders.iter().map(|name| root.join(name)).filter(|path| path.is_dir()).collect();
    let mut all = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !["node_modules", "__pycache__", "target", "data"].contains(&name) {
                open.push(path);
            } else if path.is_file() {
                all.push(path);
            }
        }
    }
    all
}

/// Documentation is for users: its examples open the folder that a user has, for values that more tables do not change.
/// The list of checksums is part of the repository.
fn names_the_folder(line: &str) -> bool {
    let line = line.trim_start();
    let is_documentation = ["//", ">>>", "#"].iter().any(|start| line.starts_with(start));
    !is_documentation && line.replace("tablebases/CHECKSUMS", "").contains("tablebases")
}

#[test]
fn no_test_opens_the_tables_of_the_user() {
    let mut seen = 0;
    let mut faults = Vec::new();
    let mut check = |path: &Path, text: &str| {
        seen += 1;
        let bad = text.lines().filter(|line| names_the_folder(line) && !line.contains("Endgame tablebases"));
        faults.extend(bad.map(|line| format!("{}: {}", path.display(), line.trim())));
    };
    for path in files(&["tests", "c/tests", "python/tests"]) {
        // These work in folders of their own, in which copies have the names that users know.
        if ["own_tables.rs", "samples.rs", "search_path.rs", "conftest.py"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if let Ok(text) = fs::read_to_string(&path) {
            check(&path, &text);
        }
    }
    for path in files(&["src", "c/src", "python/src"]) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            if let Some(at) = text.find("#[cfg(test)]\nmod tests {") {
                check(&path, &text[at..]);
            }
        }
    }
    for script in ["answers", "test", "test-c", "test-fleet", "test-page", "test-python", "fleet/test"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script);
        check(&path, &fs::read_to_string(&path).unwrap());
    }
    assert!(seen > 60, "{seen} files");
    assert!(faults.is_empty(), "use tests/it/common's SHIPPED, or tables():\n{}", faults.join("\n"));
}
