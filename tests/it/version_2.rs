//! Format version 2: the distances that it leaves out, the pair of tables that belong together, and the pages of the
//! block table.

use crate::common::{SHIPPED, assert_fails, contents, rules, run, run_line, tables, text};
use jungletb::game::{Color, Rules};
use jungletb::material::{Class, Classes, Material};
use jungletb::probe::Tablebase;
use jungletb::system::Cancel;
use jungletb::table::{Encoding, Metric, Registry, State, Table, TableError, Value, reencode};
use std::fs;
use std::path::Path;

/// All values of a class, by stored side.
fn values(base: &Tablebase, class: &Class) -> Vec<Vec<Value>> {
    let side_values = |&side| {
        let all = base.values(class.representative, side).unwrap();
        let mut values = vec![Value::DRAW; class.index().len() as usize];
        all.read(0, &mut values).unwrap();
        values
    };
    class.stored_sides().iter().map(side_values).collect()
}

#[test]
fn every_position_has_the_value_that_version_1_stores() {
    let (rules, made) = (rules("standard"), tables("standard", "3"));
    let (old, new) = (Tablebase::open(SHIPPED, &rules).unwrap(), Tablebase::open(made.path(), &rules).unwrap());
    let mut compared = 0;
    for class in (2..=3).flat_map(|pieces| new.classes().with_pieces(&rules, pieces)) {
        let versions = [&old, &new].map(|base| base.table(class.representative).unwrap().header().version);
        assert_eq!(versions, [1, 2]);
        let (expected, found) = (values(&old, &class), values(&new, &class));
        for ((expected, found), &side) in expected.iter().zip(&found).zip(class.stored_sides()) {
            crate::common::assert_same(expected, found, &class.name());
            // A part that starts and ends within blocks and runs.
            let part = expected.len() / 3..expected.len() / 2;
            let mut some = vec![Value::DRAW; part.len()];
            new.values(class.representative, side).unwrap().read(part.start as u64, &mut some).unwrap();
            crate::common::assert_same(&expected[part], &some, &class.name());
            compared += expected.len();
        }
        assert_eq!(
            old.table(class.representative).unwrap().summary(),
            new.table(class.representative).unwrap().summary()
        );
    }
    assert_eq!(compared, 4_928_157);
}

/// Compares the values of whole classes with those of single probes, which find distances by another way.
#[test]
fn whole_classes_and_single_probes_agree_under_other_rules() {
    for (name, materials) in [
        ("dog-swims", &["DRvD", "CRvD"][..]),
        ("trap-max-4", &["LRvD"]),
        ("no-move-draw", &["LRvT"]),
        ("tiger-along", &["TRvE"]),
        ("blockers-enemy", &["LRvR"]),
        ("blockers-none", &["LRvR"]),
        ("leopard-across-over-rats", &["PRvR"]),
        ("water-rat-takes-both", &["ERvR"]),
        ("trapped-powerless-all", &["PWvC"]),
        ("animal-checkers", &["TDvR", "EDvT"]),
    ] {
        let rules = rules(name);
        for material in materials {
            let tables = tables(name, material);
            let base = Tablebase::open(tables.path(), &rules).unwrap();
            let place = base.place(Material::parse(&rules, material).unwrap()).unwrap();
            let class = &place.class;
            let all = values(&base, class);
            for (number, color) in (0..class.index().len()).zip(Color::BOTH.into_iter().cycle()) {
                let (_, side) = place.casting(color);
                let position = place.position(&rules, &class.index().decode(number), color);
                let found = all[side.index()][number as usize];
                let answer = base.value(&position).unwrap();
                let what = || format!("{} under {name}", position.to_text(&rules));
                assert_eq!((answer.category, answer.dtw), (found.category(), found.plies()), "{}", what());
            }
        }
    }
}

/// Copies the tables of some classes in version 2.
fn copy(classes: &[&str], to: &Path) {
    let from = tables("standard", "3");
    fs::create_dir_all(to.join("standard")).unwrap();
    for file in classes.iter().flat_map(|class| [format!("standard/{class}.wdl"), format!("standard/{class}.dtw")]) {
        fs::copy(from.path().join(&file), to.join(&file)).unwrap();
    }
}

#[test]
fn a_table_of_losses_needs_its_own_results() {
    let folder = tempfile::tempdir().unwrap();
    copy(&["EvR", "LvR"], folder.path());
    let common = ["--tables", text(folder.path())];
    let with = |line: &str| run_line(line, &common);
    let won = "probe 7/7/7/7/7/7/1r5/7/6E_b";
    let expected = with(won).good().stdout;
    let results = folder.path().join("standard/EvR.wdl");
    let good = fs::read(&results).unwrap();

    // Without the results: missing, and the message names the file.
    fs::remove_file(&results).unwrap();
    assert_fails(&with(won), 4, "EvR.wdl, which is missing; copy that file, or generate it again", "no results");
    assert_fails(&with("stats EvR"), 4, "EvR.wdl, which is missing", "no results");
    let listed = with("list --json");
    assert_eq!(listed.code, Some(4));
    let tables = listed.json()["tables"].as_array().unwrap().clone();
    let state = |class: &str| tables.iter().find(|table| table["class"] == class).unwrap()["state"].clone();
    assert_eq!((state("EvR"), state("LvR")), ("missing".into(), "ok".into()));
    // It is found again once it is back.
    let base = Tablebase::open(folder.path(), &rules("standard")).unwrap();
    let material = Material::parse(base.rules(), "EvR").unwrap();
    assert!(matches!(base.table(material).map(|_| ()), Err(error) if error.code() == "missing-table"));
    fs::write(&results, &good).unwrap();
    assert!(base.refresh() && base.table(material).is_ok() && !base.refresh());

    // With other results, intact and of the same class: refused with both checksums.
    let (other, rules) = (tempfile::tempdir().unwrap(), rules("standard"));
    let class = base.place(material).unwrap().class.clone();
    let encoding = Encoding { wdl_rows: 7, ..Encoding::default() };
    reencode(base.registry(), &rules, &class, encoding, other.path(), &Cancel::new()).unwrap();
    fs::copy(other.path().join("standard/EvR.wdl"), &results).unwrap();
    let checksum = Table::open(&results).unwrap().checksum();
    assert_fails(&with(won), 3, &format!("EvR.wdl is {checksum:016x}"), "another pair");
    assert_fails(&with("list"), 3, "it belongs to a WDL table with the checksum", "another pair");
    // Results of another class.
    fs::copy(folder.path().join("standard/LvR.wdl"), &results).unwrap();
    assert_eq!(with(won).code, Some(3));
    // A DTW table in place of the results.
    fs::copy(folder.path().join("standard/EvR.dtw"), &results).unwrap();
    assert_fails(&with(won), 3, "it is a table of the other metric, renamed", "renamed");

    // `generate` puts all of it right, with the same bytes.
    with("generate EvR -q").good();
    assert!(fs::read(&results).unwrap() == good);
    assert_eq!(with(won).good().stdout, expected);
}

/// Distances that rest on a missing table are not told, and those that do not are.
#[test]
fn what_rests_on_a_missing_smaller_table_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    copy(&["ERvL", "EvL"], folder.path());
    let rules = rules("standard");
    let made = tables("standard", "3");
    let (some, all) = (Tablebase::open(folder.path(), &rules).unwrap(), Tablebase::open(made.path(), &rules).unwrap());
    let place = all.place(Material::parse(&rules, "ERvL").unwrap()).unwrap();
    let (mut told, mut untold) = (0, 0);
    for number in (0..place.class.index().len()).step_by(3) {
        for color in Color::BOTH {
            let position = place.position(&rules, &place.class.index().decode(number), color);
            let (found, expected) = (some.value(&position).unwrap(), all.value(&position).unwrap());
            assert_eq!(found.category, expected.category);
            if found.dtw.is_some() || expected.dtw.is_none() {
                assert_eq!(found, expected, "{}", position.to_text(&rules));
                told += 1;
            } else {
                untold += 1;
            }
        }
    }
    assert!(told > 10_000 && untold > 20, "{told} {untold}");
    let out = run(&["export", "ERvL", "--format", "csv", "--to-move", "black", "--tables", text(folder.path())]);
    assert_eq!(out.code, Some(4), "{}", out.stderr);
    assert!(out.stderr.contains("it is read together with"), "{}", out.stderr);
}

/// Opening a table reads only the list of the pages of its block table.
#[test]
fn damage_in_a_page_of_the_block_table_is_found_when_it_is_used() {
    let rules = rules("standard");
    let made = tables("standard", "3");
    let base = Tablebase::open(made.path(), &rules).unwrap();
    let class = base.place(Material::parse(&rules, "LRvR").unwrap()).unwrap().class.clone();
    let folder = tempfile::tempdir().unwrap();
    let encoding = Encoding { wdl_rows: 1, dtw_rows: 1, ..Encoding::default() };
    reencode(base.registry(), &rules, &class, encoding, folder.path(), &Cancel::new()).unwrap();
    let registry = Registry::new(folder.path(), &rules);
    let mut found = 0;
    for metric in [Metric::Wdl, Metric::Dtw] {
        let path = registry.path(&class, metric);
        let good = fs::read(&path).unwrap();
        let table = Table::open(&path).unwrap();
        let (pages, start) = (table.blocks().div_ceil(512), table.header().tail_start as usize);
        assert!(pages > 5, "{pages}");
        for page in 0..pages {
            let mut bad = good.clone();
            bad[start + page * 512 * 12 + 5] ^= 1;
            fs::write(&path, &bad).unwrap();
            let table = Table::open(&path).unwrap();
            let read = |block: usize| table.block(block).map(|_| ()).map_err(|error| error.to_string());
            let error = read(page * 512 + 3).unwrap_err();
            assert!(
                error.contains(&format!("page {page} of {pages} of its block table fails its checksum")),
                "{error}"
            );
            assert_eq!(read((page + 1) % pages * 512), Ok(()));
            assert!(matches!(registry.examine(&class, metric), State::Damaged(TableError::Damaged { .. })));
            found += 1;
        }
        // A page that is right by itself, with a block of another length.
        fs::write(&path, &good).unwrap();
    }
    assert!(found > 10, "{found}");
    let other = Tablebase::open(folder.path(), &rules).unwrap();
    assert!(other.table(class.representative).unwrap().check_blocks().is_ok());
}

/// What `re-encode` makes of tables in version 1 is what `generate` writes.
#[test]
fn version_1_is_turned_into_version_2() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for (path, bytes) in contents(Path::new(SHIPPED)) {
        fs::write(folder.path().join(path.strip_prefix(SHIPPED).unwrap()), bytes).unwrap();
    }
    let made = tables("standard", "3");
    let classes = Classes::new(&Rules::standard());
    let all = (2..=3).flat_map(|pieces| classes.with_pieces(&Rules::standard(), pieces)).map(|class| class.name());
    let all: Vec<String> = all.collect();
    let before = fs::read_to_string(folder.path().join("CHECKSUMS")).unwrap();
    run_line(&format!("re-encode {}", all.join(" ")), &["--tables", text(folder.path())]).good();
    let is_table = |path: &Path| path.extension().is_some_and(|end| end == "wdl" || end == "dtw");
    let files = |folder: &Path| -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let files = contents(&folder.join("standard")).into_iter().filter(|(path, _)| is_table(path));
        files.map(|(path, bytes)| (path.file_name().unwrap().to_owned(), bytes)).collect()
    };
    let (found, mut expected) = (files(folder.path()), files(made.path()));
    // Other tests may have added larger classes.
    expected.retain(|(name, _)| found.iter().any(|(other, _)| other == name));
    assert_eq!((found.len(), expected.len()), (104, 104));
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found == expected, "{:?}", found.0);
    }
    // The list names the new files.
    assert_ne!(fs::read_to_string(folder.path().join("CHECKSUMS")).unwrap(), before);
    run_line("list", &["--tables", text(folder.path())]).good();
}
