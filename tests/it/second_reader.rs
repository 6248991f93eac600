//! An independent reader, written in Python from FORMAT.md only: it gives the same value as the program for every
//! position of some classes, and its checks pass on all shipped tables.
//!
//! Needs Python 3 with the package `zstandard`; without them the test reports this and passes, except on CI.

use crate::common::{SHIPPED, run, tables, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/read_table.py");

/// The interpreter prepared by `scripts/test`, or the default one.
pub fn python() -> String {
    std::env::var("JUNGLETB_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Whether the second reader can run here.
pub fn is_ready() -> bool {
    let ready = Command::new(python()).args(["-c", "import zstandard"]).output().is_ok_and(|out| out.status.success());
    assert!(ready || std::env::var_os("CI").is_none(), "CI needs Python 3 with zstandard");
    if !ready {
        eprintln!("skipped: needs Python 3 with zstandard (pip install zstandard)");
    }
    ready
}

fn read_table(file: &Path, arguments: &[&str]) -> Output {
    Command::new(python()).arg(SCRIPT).arg(file).args(arguments).output().unwrap()
}

/// A file with all keys of a rule set.
fn rule_file(rules: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(file.path(), run(&["rules", rules]).good().stdout).unwrap();
    file
}

/// Category and plies of each position of a dump, by the program.
fn by_the_program(tables: &str, rules: &str, dump: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    let positions: Vec<&str> = dump.iter().map(|line| line.rsplitn(3, ' ').last().unwrap()).collect();
    std::fs::write(&file, positions.join("\n")).unwrap();
    let answer = run(&["probe", "--batch", text(&file), "--tables", tables, "--rules", rules]).good();
    let value = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let dtw = json["dtw"].as_u64().map_or("-".to_owned(), |plies| plies.to_string());
        format!("{} {dtw}", json["category"].as_str().unwrap())
    };
    answer.stdout.lines().map(value).collect()
}

/// Compares every position of both tables of a class.
fn compare(tables: &str, rules: &str, class: &str, positions: usize) {
    let file = |metric: &str| PathBuf::from(tables).join(rules).join(format!("{class}.{metric}"));
    let keys = rule_file(rules);
    let dumped = read_table(&file("dtw"), &["--dump", "--rules", text(keys.path())]);
    assert!(dumped.status.success(), "{class}: {}", String::from_utf8_lossy(&dumped.stderr));
    let dump = String::from_utf8(dumped.stdout).unwrap();
    let lines: Vec<&str> = dump.lines().collect();
    assert_eq!(lines.len(), positions, "{class}");
    let results = String::from_utf8(read_table(&file("wdl"), &["--dump"]).stdout).unwrap();
    let results: Vec<&str> = results.lines().collect();
    for ((line, result), expected) in lines.iter().zip(&results).zip(by_the_program(tables, rules, &lines)) {
        assert!(line.ends_with(&format!(" {expected}")), "{class}: {line}, the program says {expected}");
        let category = expected.split(' ').next().unwrap();
        assert!(result.ends_with(&format!(" {category} -")), "{class}: {result}, the program says {expected}");
    }
    assert_eq!(results.len(), positions, "{class}");
}

#[test]
fn every_position_of_some_classes_has_the_same_value() {
    if is_ready() {
        // Two sides and one, a rat, jumpers, like pieces.
        compare(SHIPPED, "standard", "EvE", 1_197);
        compare(SHIPPED, "standard", "EvR", 2_982);
        compare(SHIPPED, "standard", "LRvP", 138_978);
        compare(SHIPPED, "standard", "PWvE", 55_524);
    }
}

/// Of version 2 it finds the distances of wins by the moves of the game.
#[test]
fn distances_that_are_left_out_are_found_by_its_own_moves() {
    if is_ready() {
        let tables = tables("standard", "3");
        compare(tables.text(), "standard", "EvE", 1_197);
        compare(tables.text(), "standard", "EvR", 2_982);
        let keys = rule_file("standard");
        for (class, positions) in [
            ("EvR", ["7/7/2r4/7/7/7/7/3E3/7 w", "7/7/7/7/3r3/7/7/5E1/7 w"]),
            ("LRvR", ["7/7/2r4/3L3/7/3R3/7/7/7 w", "7/3L3/7/7/r6/7/7/2R4/7 b"]),
            ("PWvE", ["7/7/2e4/3P3/7/7/7/5W1/7 w", "e6/P6/7/7/7/7/7/W6/7 b"]),
        ] {
            let file = tables.path().join(format!("standard/{class}.dtw"));
            for position in positions {
                let read = read_table(&file, &["--probe", position, "--rules", text(keys.path())]);
                let expected = by_the_program(tables.text(), "standard", &[&format!("{position} - -")]);
                assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), expected[0], "{class} {position}");
            }
            let checked = read_table(&file, &["--check"]);
            assert!(checked.status.success(), "{class}: {}", String::from_utf8_lossy(&checked.stderr));
        }
        let checked = read_table(&tables.path().join("standard/EvR.dtw"), &["--check", "--rules", text(keys.path())]);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn tables_in_parts_are_described_too() {
    if is_ready() {
        let folder = tempfile::tempdir().unwrap();
        let rules = folder.path().join("swimming-dog.toml");
        std::fs::write(&rules, "swimmers = [\"rat\", \"dog\"]\ntrap_entry_max_strength = 2").unwrap();
        run(&["generate", "CRvD", "-q", "--rules", text(&rules), "--tables", text(folder.path())]).good();
        let name = folder.path().join("swimming-dog");
        let classes = std::fs::read_dir(&name).unwrap().map(|entry| entry.unwrap().path());
        let classes: Vec<PathBuf> = classes.filter(|path| path.extension().is_some_and(|end| end == "dtw")).collect();
        assert!(classes.len() >= 3);
        for path in classes {
            let checked = read_table(&path, &["--check"]);
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        }
    }
}

#[test]
fn all_tables_that_ship_pass_its_checks() {
    if is_ready() {
        let files = std::fs::read_dir(Path::new(SHIPPED).join("standard")).unwrap().map(|entry| entry.unwrap().path());
        let shipped: Vec<PathBuf> = files.collect();
        assert_eq!(shipped.len(), 104);
        for path in &shipped {
            let checked = read_table(path, &["--check"]);
            assert!(checked.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&checked.stderr));
        }
    }
}
