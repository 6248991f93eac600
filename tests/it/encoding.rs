//! The same values in other encodings, and the list of checksums.

use crate::common::{SHIPPED, assert_fails, contents, run, tables, text};
use jungletb::game::{Category, Rules};
use jungletb::material::{Class, Material, Side};
use jungletb::probe::Tablebase;
use jungletb::system::Cancel;
use jungletb::table::{Encoding, Metric, Registry, Table, Value, reencode};
use std::fs;
use std::path::Path;

/// The values of a table as far as version 2 stores them: without the distances of wins.
fn values(table: &Table, class: &Class) -> Vec<Value> {
    let mut all = Vec::new();
    for &side in class.stored_sides() {
        let mut values = vec![Value::DRAW; class.index().len() as usize];
        table.read(side, 0, &mut values).unwrap();
        let stored = |value: Value| if value.category() == Category::Win { Value::least(Category::Win) } else { value };
        all.extend(values.into_iter().map(stored));
    }
    all
}

#[test]
fn any_blocks_hold_the_same_values() {
    let rules = Rules::standard();
    let base = Tablebase::open(SHIPPED, &rules).unwrap();
    for material in ["EvE", "LRvP", "PWvC"] {
        let class = &base.place(Material::parse(&rules, material).unwrap()).unwrap().class;
        for (rows, level) in [(1, 1), (7, 3), (256, 6), (4096, 19)] {
            let folder = tempfile::tempdir().unwrap();
            let encoding = Encoding { wdl_rows: rows, dtw_rows: rows * 3 % 4097, wdl_level: level, dtw_level: level };
            reencode(base.registry(), &rules, class, encoding, folder.path(), &Cancel::new()).unwrap();
            let other = Registry::new(folder.path(), &rules);
            for metric in [Metric::Wdl, Metric::Dtw] {
                let (before, after) = (base.registry().table(class, metric), other.table(class, metric));
                let (before, after) = (before.unwrap(), after.unwrap());
                let expected = values(&before, class);
                assert_eq!(expected, values(&after, class), "{material} {rows} {level}");
                assert_eq!(before.summary(), after.summary());
                for number in (0..class.index().len()).step_by(97) {
                    let (block, at) = after.locate(Side::First, number);
                    let block_bytes = after.block(block).unwrap();
                    let expected = expected[number as usize];
                    // A block of distances tells nothing of positions that are not lost.
                    if metric == Metric::Wdl || expected.category() == Category::Loss {
                        let picked = after.pick(block, &block_bytes, at).unwrap();
                        assert_eq!(picked, expected, "{material} {number}");
                    }
                    if number > 20_000 {
                        break;
                    }
                }
            }
        }
    }
}

/// The list of the complete set.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases/CHECKSUMS");

/// Copies the tables of the list that the tests have.
fn copy(to: &Path) {
    let made = tables("standard", "3");
    fs::create_dir(to.join("standard")).unwrap();
    for (path, bytes) in contents(made.path()).into_iter().filter(|(path, _)| path.extension().unwrap() != "lock") {
        if path.parent().unwrap().ends_with("standard") {
            fs::write(to.join(path.strip_prefix(made.path()).unwrap()), bytes).unwrap();
        }
    }
    fs::copy(LIST, to.join("CHECKSUMS")).unwrap();
}

#[test]
fn the_tables_made_are_those_that_the_list_names() {
    let list = include_str!("../../tablebases/CHECKSUMS");
    assert_eq!(list.lines().count(), 2 * (10 + 42 + 134 + 340));
    let folder = tables("standard", "3");
    let made = run(&["list", "--checksums", "--tables", folder.text()]).good();
    assert_eq!(made.stdout.lines().count(), 104);
    let some = run(&["list", "ERvL", "EvE", "LvE", "--checksums", "--tables", folder.text()]).good();
    let names: Vec<&str> = some.stdout.lines().map(|line| &line[17..]).collect();
    let expected = ["EvE.wdl", "EvE.dtw", "EvL.wdl", "EvL.dtw", "ERvL.wdl", "ERvL.dtw"];
    assert_eq!(names, expected.map(|name| format!("standard/{name}")));
    assert!(some.stdout.lines().all(|line| made.stdout.lines().any(|listed| listed == line)));
    for line in made.stdout.lines() {
        assert!(list.lines().any(|listed| listed == line), "{line}");
    }
}

#[test]
fn a_table_other_than_the_listed_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path());
    let tables = ["--tables", text(folder.path())];
    let with = |arguments: &[&str]| run(&[arguments, &tables[..]].concat());
    with(&["list"]).good();
    with(&["verify", "--checksums"]).good();

    let again = with(&["re-encode", "ERvL", "--wdl-rows", "64", "--json"]).good();
    assert_eq!(again.json()[0]["class"], "ERvL");
    with(&["probe", "7/7/7/7/7/7/7/L6/E5r w"]).good();
    // The list was updated. By the published list this is a different file with the same values.
    for command in [&["list"][..], &["verify", "ERvL"], &["verify", "--checksums"]] {
        with(command).good();
    }
    fs::copy(LIST, folder.path().join("CHECKSUMS")).unwrap();
    for command in [&["list"][..], &["verify", "--checksums"]] {
        assert_fails(&with(command), 3, "CHECKSUMS lists", &format!("{command:?}"));
    }
    assert_fails(&with(&["verify", "ERvL"]), 0, "; its values hold", "verify");
    // Back to the default encoding: the same bytes as before.
    with(&["re-encode", "ERvL"]).good();
    with(&["list"]).good();
    with(&["verify", "ERvL"]).good();

    fs::write(folder.path().join("CHECKSUMS"), "nonsense\n").unwrap();
    assert_fails(&with(&["list"]), 3, "line 1 is not a checksum", "a bad list");
    fs::remove_file(folder.path().join("CHECKSUMS")).unwrap();
    with(&["list"]).good();
}

#[test]
fn bad_encodings_are_refused() {
    for arguments in [
        &["re-encode", "ERvL", "--wdl-rows", "0"][..],
        &["re-encode", "ERvL", "--dtw-rows", "99999999"],
        &["re-encode", "ERvL", "--wdl-level", "23"],
        &["re-encode", "EEvL"],
    ] {
        assert_fails(&run(arguments), 2, "", &format!("{arguments:?}"));
    }
    assert_fails(&run(&["re-encode", "ELPvTR", "--tables", SHIPPED]), 4, "no table for ELPvTR", "missing");
}
