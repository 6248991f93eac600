//! The tables match the reference solver position by position, verification accepts them under every rule set, and WDL
//! tables give the same results.

use crate::common::{all_rules, generate, rules, run_line, tables, text};
use jungletb::game::{BoardName, Category, Rules};
use jungletb::material::{Classes, Material};
use jungletb::probe::Tablebase;
use jungletb::solve::reference::Reference;
use jungletb::table::{Metric, Registry, Value};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Compares all positions of some materials; returns the number of positions.
fn compare(base: &Tablebase, materials: &[&str]) -> usize {
    let rules = base.rules();
    let mut reference = Reference::new(rules);
    let mut compared = 0;
    for text in materials {
        let material = Material::parse(rules, text).unwrap();
        reference.solve(material);
        for position in reference.positions(material) {
            let (expected, answer) = (reference.value(&position), base.value(&position).unwrap());
            let found = (answer.category, answer.dtw);
            let place = || format!("{} under {}", position.to_text(rules), rules.name());
            assert_eq!(found, (expected.category(), expected.plies()), "{}", place());
            assert_eq!(base.wdl(&position).unwrap(), expected.category(), "{}", place());
            compared += 1;
        }
    }
    compared
}

#[test]
fn two_pieces_under_every_rule_set() {
    for name in all_rules() {
        let tables = tables(&name, "2");
        let base = Tablebase::open(tables.path(), &rules(&name)).unwrap();
        let compared = match base.rules().keys().board {
            BoardName::Jungle => compare(&base, &["RvR", "EvR", "LvT", "TvR", "PvD"]),
            BoardName::AnimalCheckers => compare(&base, &["RvR", "EvR", "TvD"]),
        };
        assert!(compared > 10_000, "{name}: {compared}");
    }
}

#[test]
fn three_pieces_under_standard_rules() {
    let tables = tables("standard", "3");
    let base = Tablebase::open(tables.path(), &rules("standard")).unwrap();
    let compared = compare(&base, &["ERvL", "LRvR", "PWvC"]);
    assert_eq!(compared, 2 * (49 * 48 * 59 + 49 * 60 * 59 + 49 * 48 * 47));
}

/// Generates tables and verifies them; returns the number of classes.
fn generate_and_verify(target: &str, rules: &str, folder: &Path) -> usize {
    generate(target, rules, folder);
    let argument = crate::common::rules_argument(rules);
    let common = ["--json", "-q", "--tables", text(folder), "--rules", &argument];
    let verified = run_line("verify", &common).good().json();
    assert_eq!((&verified["ok"], &verified["checked"]), (&json!(true), &json!("positions")), "{rules}");
    verified["tables"].as_array().unwrap().len()
}

#[test]
fn verification_accepts_the_tables_of_every_rule_set() {
    let mut verified = 0;
    for name in all_rules() {
        // A separate folder each: nothing is adopted from another rule set.
        let folder = tempfile::tempdir().unwrap();
        let classes = generate_and_verify("2", &name, folder.path());
        assert_eq!(classes, Classes::new(&rules(&name)).with_pieces(&rules(&name), 2).len());
        verified += classes;
    }
    assert!(verified > 24 * 5, "{verified}");
}

#[test]
fn domains_need_not_be_nested() {
    // The dog may stand in the water and in a trap, the rat as well, the cat in a trap only, the others in neither.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not-nested.toml");
    fs::write(&file, "swimmers = [\"rat\", \"dog\"]\ntrap_entry_max_strength = 2\n").unwrap();
    let rules = Rules::load(text(&file)).unwrap();
    let common = ["--rules", text(&file), "--tables", text(folder.path()), "--json", "-q"];
    run_line("generate DCvR CRvD EDvC", &common).good();
    let verified = run_line("verify", &common).good().json();
    assert_eq!(verified["ok"], true);
    let names: Vec<_> = verified["tables"].as_array().unwrap().iter().map(|table| &table["class"]).collect();
    for material in ["DCvR", "CRvD", "EDvC"] {
        assert!(names.contains(&&json!(material)), "{material} in {names:?}");
    }
    let base = Tablebase::open(folder.path(), &rules).unwrap();
    assert!(compare(&base, &["DvC", "DvR", "DCvR"]) > 300_000);
}

#[test]
fn tables_of_results_alone_tell_the_same_results() {
    let rules = rules("standard");
    let both = tables("standard", "3");
    let folder = tempfile::tempdir().unwrap();
    generate("3 --metric wdl", "standard", folder.path());
    let store = Registry::new(folder.path(), &rules);
    let files = crate::common::contents(store.folder());
    assert_eq!(files.len(), 52);
    assert!(files.iter().all(|(path, _)| path.extension().unwrap() == "wdl"));
    let full = Registry::new(both.path(), &rules);
    let classes = Classes::new(&rules);
    let mut compared = 0;
    for class in (2..=3).flat_map(|pieces| classes.with_pieces(&rules, pieces)) {
        for &side in class.stored_sides() {
            let read = |store: &Registry, metric| -> Vec<Category> {
                let mut values = vec![Value::DRAW; class.index().len() as usize];
                store.table(&class, metric).unwrap().read(side, 0, &mut values).unwrap();
                values.iter().map(|value| value.category()).collect()
            };
            let alone = read(&store, Metric::Wdl);
            for metric in [Metric::Wdl, Metric::Dtw] {
                crate::common::assert_same(&alone, &read(&full, metric), &class.name());
            }
            compared += alone.len();
        }
    }
    assert_eq!(compared, 4_928_157);

    // Probing them gives results without distances, unless the game is over.
    let common = ["--json", "--tables", text(folder.path())];
    let answer = run_line("probe", &[&["7/7/3L3/7/7/7/7/7/c6 w"], &common[..]].concat()).good().json();
    assert_eq!((&answer["category"], &answer["dtw"]), (&json!("win"), &json!(null)));
    assert_eq!(answer["line"], json!([]));
    assert!(answer["moves"].as_array().unwrap().len() > 2);
    let over = run_line("probe", &[&["3L3/7/7/7/7/7/7/7/c6 b"], &common[..]].concat()).good().json();
    assert_eq!((&over["category"], &over["dtw"]), (&json!("loss"), &json!(0)));
    let verified = run_line("verify", &common).good().json();
    let standings = verified["tables"].as_array().unwrap().iter().map(|table| &table["standing"]);
    assert_eq!((&verified["ok"], standings.filter(|&standing| standing == "proven").count()), (&json!(true), 52));
}

/// Every class up to three pieces of three rule sets, every position: takes some minutes.
#[test]
#[ignore = "takes minutes; scripts/check-reference runs it"]
fn every_class_up_to_three_pieces() {
    for name in ["standard", "leiden", "japanese"] {
        let tables = tables(name, "3");
        let rules = rules(name);
        let base = Tablebase::open(tables.path(), &rules).unwrap();
        let classes = Classes::new(&rules);
        let all = [2, 3].map(|pieces| classes.with_pieces(&rules, pieces)).concat();
        let names: Vec<String> = all.iter().map(|class| class.name()).collect();
        let compared: usize = names.iter().map(|name| compare(&base, &[name])).sum();
        // Both sides to move of every placement, without reduction.
        let summaries = all.iter().map(|class| {
            let stats = base.table(class.representative).unwrap().summary().clone();
            stats.sides.iter().map(jungletb::table::SideSummary::total).sum::<u64>() * 2 / stats.sides.len() as u64
        });
        assert_eq!(compared as u64, summaries.sum::<u64>(), "{name}");
        println!("{name}: {} classes, {compared} positions", names.len());
    }
}
