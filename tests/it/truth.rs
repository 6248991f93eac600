//! The program agrees with all figures of `tests/data`: values, counts, leaf counts and van Rijn & Vis's table.

use crate::common::{assert_same, rows, rules_argument, run_line, tables};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn values_are_those_of_an_independent_solver() {
    let mut by_rules: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for row in rows(include_str!("../data/values.tsv")) {
        by_rules.entry(row[0]).or_default().push(row);
    }
    let mut checked = 0;
    for (rules, rows) in &by_rules {
        // No position of the file has more pieces.
        let tables = tables(rules, "3");
        let positions: Vec<&str> = rows.iter().map(|row| row[1]).collect();
        for (row, answer) in rows.iter().zip(tables.probe_all(rules, &positions)) {
            let dtw = row[3].parse::<u64>().ok();
            assert_eq!(dtw.is_none(), row[3] == "-");
            assert_eq!((&answer["category"], &answer["dtw"]), (&json!(row[2]), &json!(dtw)), "{row:?}");
            assert_eq!(answer["position"], row[1]);
            // The best move and the best line achieve the value.
            let line = answer["line"].as_array().unwrap();
            assert_eq!(line.len() as u64, dtw.unwrap_or(0), "{row:?}");
            if let Some(dtw) = dtw.filter(|&dtw| dtw > 0) {
                assert_eq!(answer["moves"][0]["dtw"], dtw - 1, "{row:?}");
                assert_eq!(answer["moves"][0]["move"], line[0], "{row:?}");
            }
            checked += 1;
        }
    }
    assert_eq!((by_rules.len(), checked), (23, 1404));
}

#[test]
fn counts_of_whole_materials_are_those_of_an_independent_solver() {
    let mut by_rules: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for row in rows(include_str!("../data/counts.tsv")) {
        by_rules.entry(row[0]).or_default().push(row);
    }
    let mut checked = 0;
    for (rules, rows) in &by_rules {
        let tables = tables(rules, "3");
        let materials: Vec<&str> = rows.iter().map(|row| row[1]).collect();
        let stats = tables.run("stats --json", rules, &materials).good().json();
        assert_eq!(stats.as_array().unwrap().len(), rows.len());
        for (row, stats) in rows.iter().zip(stats.as_array().unwrap()) {
            assert_eq!((&stats["material"], &stats["rules"]), (&json!(row[1]), &json!(rules)));
            let figures: Vec<u64> = row[2..].iter().map(|figure| figure.parse().unwrap()).collect();
            let side = |figures: &[u64]| json!({"win": figures[0], "draw": figures[1], "loss": figures[2]});
            assert_eq!(stats["white"], side(&figures[..3]), "{row:?}");
            assert_eq!(stats["black"], side(&figures[3..6]), "{row:?}");
            assert_eq!(stats["longest"]["plies"], figures[6], "{row:?}");
            let sum = |what: &str| -> u64 {
                stats["histogram"].as_array().unwrap().iter().map(|row| row[what].as_u64().unwrap()).sum()
            };
            let decided = (figures[0] + figures[3], figures[2] + figures[5]);
            assert_eq!((sum("wins"), sum("losses")), decided, "{row:?}");
            checked += 1;
        }
        let longest: Vec<&str> =
            stats.as_array().unwrap().iter().map(|stats| stats["longest"]["position"].as_str().unwrap()).collect();
        for (row, answer) in rows.iter().zip(tables.probe_all(rules, &longest)) {
            assert_eq!(answer["dtw"], row[8].parse::<u64>().unwrap(), "{row:?}");
            assert_eq!(answer["material"], row[1]);
        }
        for (key, side) in [("longest_white", " w"), ("longest_black", " b")] {
            let of_side: Vec<&Value> = stats.as_array().unwrap().iter().map(|stats| &stats[key]).collect();
            let positions: Vec<&str> = of_side.iter().map(|longest| longest["position"].as_str().unwrap()).collect();
            for ((row, longest), answer) in rows.iter().zip(&of_side).zip(tables.probe_all(rules, &positions)) {
                assert_eq!((&answer["dtw"], &answer["material"]), (&longest["plies"], &json!(row[1])), "{row:?}");
                assert!(longest["position"].as_str().unwrap().ends_with(side), "{row:?}");
            }
        }
    }
    assert_eq!((by_rules.len(), checked), (2, 115));
}

#[test]
fn leaf_counts_are_those_of_an_independent_move_generator() {
    let mut checked = 0;
    for row in rows(include_str!("../data/perft.tsv")) {
        let json = run_line("perft --json --rules", &[&rules_argument(row[0]), row[1], "4"]).good().json();
        let counts: Vec<u64> = row[2..6].iter().map(|count| count.parse().unwrap()).collect();
        assert_eq!(json, json!({"position": row[1], "rules": row[0], "counts": counts}));
        checked += 1;
    }
    assert_eq!(checked, 72);
}

/// The animals of the published table by their strengths in it.
const ANIMALS: [(&str, char); 5] = [("0", 'R'), ("4", 'P'), ("5", 'T'), ("6", 'L'), ("7", 'E')];

/// The only position missing from it, by its columns.
const LACKING: &str = "7,5,0,7,6,0,w";

/// The rows of the published table.
fn published() -> Vec<&'static str> {
    let rows: Vec<&str> = include_str!("../data/leiden-two-pieces.csv").lines().skip(1).collect();
    assert_eq!(rows.len(), 44_819);
    rows
}

fn animal(strength: &str) -> char {
    ANIMALS.iter().find(|(given, _)| *given == strength).unwrap().1
}

fn position(row: &str) -> String {
    let fields: Vec<&str> = row.split(',').collect();
    let mut board = [['1'; 7]; 9];
    for (animal, file, rank) in
        [(animal(fields[0]), fields[1], fields[2]), (animal(fields[3]).to_ascii_lowercase(), fields[4], fields[5])]
    {
        board[8 - rank.parse::<usize>().unwrap()][file.parse::<usize>().unwrap()] = animal;
    }
    board.map(|rank| rank.iter().collect::<String>()).join("/") + " w"
}

/// The result in the published table's letters.
fn result(answer: &Value) -> &'static str {
    match answer["category"].as_str() {
        Some("win") => "w",
        Some("draw") => "d",
        Some("loss") => "b",
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_published_table_of_two_pieces_holds_under_its_rules_and_under_standard_without_the_rat() {
    let rows = published();
    let positions: Vec<String> = rows.iter().map(|row| position(row)).collect();
    let mut differing = 0;
    for rules in ["leiden", "standard"] {
        let answers = tables(rules, "2").probe_all(rules, &positions);
        for (row, answer) in rows.iter().zip(&answers) {
            if result(answer) != row.rsplit(',').next().unwrap() {
                assert_eq!(rules, "standard", "{row}");
                assert!(answer["material"].as_str().unwrap().contains('R'), "{row}");
                differing += 1;
            }
        }
    }
    assert!(differing > 0);
}

#[test]
fn exports_are_the_published_table() {
    let tables = tables("leiden", "2");
    let of_row = |row: &&str| {
        let fields: Vec<&str> = row.split(',').collect();
        format!("{}v{}", animal(fields[0]), animal(fields[3]))
    };
    let materials: BTreeSet<String> = published().iter().map(of_row).collect();
    assert_eq!(materials.len(), 17);
    let mut exported = BTreeSet::new();
    for material in &materials {
        let csv = tables.run("export --format csv", "leiden", &[material]).good().stdout;
        let (header, rows) = csv.split_once('\n').unwrap();
        assert_eq!(include_str!("../data/leiden-two-pieces.csv").lines().next(), Some(header));
        let before = exported.len();
        exported.extend(rows.lines().map(str::to_owned));
        assert_eq!(exported.len() - before, rows.lines().count(), "{material} has a row twice");
        // The other format has the same data after another header.
        let arff = tables.run("export --format arff", "leiden", &[material]).good().stdout;
        assert_eq!(arff.split_once("@data\n").unwrap().1, rows);
    }
    assert!(exported.remove(LACKING));
    let mut published: Vec<String> = published().into_iter().map(str::to_owned).collect();
    published.sort();
    assert_same(&exported.into_iter().collect::<Vec<_>>(), &published, "rows");
}
