//! `puzzles`: each puzzle is correct by the tables or by the rules only, and no two are the same game.

use crate::common::{SHIPPED, assert_fails, rules, run};
use jungletb::game::{Category, Move, Position, Rules};
use jungletb::material::{Classes, Material, same_game_key};
use jungletb::probe::Tablebase;
use serde_json::Value;
use std::collections::HashSet;

fn puzzles(more: &[&str]) -> Vec<Value> {
    let arguments = ["puzzles", "--json", "-q", "--tables", SHIPPED];
    run(&[&arguments[..], more].concat()).good().json_lines()
}

fn position(rules: &Rules, puzzle: &Value) -> Position {
    Position::parse(rules, puzzle["position"].as_str().unwrap()).unwrap()
}

fn line(puzzle: &Value) -> Vec<Move> {
    puzzle["line"].as_array().unwrap().iter().map(|mv| Move::parse(mv.as_str().unwrap()).unwrap()).collect()
}

/// Checks a puzzle by table values; returns how many later moves of the winner have alternatives.
fn check_by_tables(tables: &Tablebase, puzzle: &Value) -> usize {
    let rules = tables.rules();
    let (mut position, line) = (position(rules, puzzle), line(puzzle));
    assert_eq!(puzzle["plies"], line.len());
    assert_eq!(puzzle["moves"], line.len().div_ceil(2));
    assert_eq!(puzzle["material"], Material::of(&position).to_string());
    let winning: Vec<_> = tables.moves(&position).unwrap().into_iter().collect();
    let winning: Vec<_> =
        winning.iter().filter(|mv| mv.answer.unwrap().category == Category::Loss).map(|mv| mv.mv.to_string()).collect();
    assert_eq!(winning, [puzzle["first"].as_str().unwrap()], "{puzzle}");
    let mut duals = 0;
    for (at, &mv) in line.iter().enumerate() {
        let left = (line.len() - at) as u16;
        assert_eq!(tables.value(&position).unwrap().dtw, Some(left), "{puzzle} {at}");
        let equal = |mv: &&jungletb::probe::RankedMove| mv.answer.unwrap().dtw == Some(left - 1);
        let equals = tables.moves(&position).unwrap().iter().filter(equal).count();
        let named = puzzle["duals"].as_array().unwrap().iter().find(|dual| dual["ply"] == at + 1);
        if at % 2 == 0 {
            assert_eq!(named.map_or(0, |dual| dual["moves"].as_array().unwrap().len()), equals - 1, "{puzzle} {at}");
            duals += usize::from(equals > 1);
        }
        position = position.play(rules, mv).unwrap();
    }
    assert!(position.over(rules).is_some(), "{puzzle}");
    assert_eq!(puzzle["unique"], duals == 0);
    duals
}

#[test]
fn puzzles_of_tables_have_one_way_to_win() {
    let rules = rules("standard");
    let tables = Tablebase::open(SHIPPED, &rules).unwrap();
    let classes = Classes::new(&rules);
    let found = puzzles(&["--count", "60", "--moves", "3..", "--threads", "2"]);
    assert_eq!(found.len(), 60);
    let (mut keys, mut materials) = (HashSet::new(), HashSet::new());
    for puzzle in &found {
        assert_eq!(check_by_tables(&tables, puzzle), 0);
        assert!(puzzle["moves"].as_u64().unwrap() >= 3 && puzzle["basis"] == "exact", "{puzzle}");
        let position = position(&rules, puzzle);
        assert!(keys.insert(same_game_key(&classes, &rules, &position)), "twice: {puzzle}");
        materials.insert(puzzle["source"]["class"].as_str().unwrap().to_owned());
    }
    assert!(materials.len() >= 15, "{materials:?}");
    let order: Vec<_> = found.iter().map(|puzzle| (puzzle["plies"].as_u64(), puzzle["pieces"].as_u64())).collect();
    assert!(order.is_sorted(), "{order:?}");
    // The same with any number of threads, different with another seed.
    assert_eq!(found, puzzles(&["--count", "60", "--moves", "3..", "--threads", "1"]));
    assert_ne!(found, puzzles(&["--count", "60", "--moves", "3..", "--seed", "2"]));
}

#[test]
fn the_hardest_come_first_and_duals_are_named() {
    let rules = rules("standard");
    let tables = Tablebase::open(SHIPPED, &rules).unwrap();
    let hardest = puzzles(&["--count", "20", "--hardest"]);
    let difficulty = |puzzle: &Value| puzzle["difficulty"].as_u64().unwrap();
    assert!(hardest.iter().rev().is_sorted_by_key(difficulty), "{hardest:?}");
    let any = puzzles(&["--count", "20"]);
    let sum = |puzzles: &[Value]| puzzles.iter().map(difficulty).sum::<u64>();
    assert!(sum(&hardest) > sum(&any), "{} {}", sum(&hardest), sum(&any));
    let with_duals = puzzles(&["ERvL", "LTvR", "EvE", "--count", "40", "--moves", "4..", "--duals"]);
    let duals: usize = with_duals.iter().map(|puzzle| check_by_tables(&tables, puzzle)).sum();
    assert!(duals > 0, "some have duals");
}

/// Whether the side to move loses within this number of plies, by the rules only.
fn loses(rules: &Rules, position: &Position, plies: u16) -> bool {
    match position.over(rules) {
        Some((_, category)) => category == Category::Loss,
        None => plies > 0 && position.successors(rules).all(|next| wins(rules, &next.position, plies - 1)),
    }
}

fn wins(rules: &Rules, position: &Position, plies: u16) -> bool {
    match position.over(rules) {
        Some((_, category)) => category == Category::Win,
        None => plies > 0 && position.successors(rules).any(|next| loses(rules, &next.position, plies - 1)),
    }
}

#[test]
fn puzzles_of_games_are_proven() {
    let rules = rules("standard");
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["puzzles", "--json", "-q", "--games", "tests/data/games.jsonl", "--prove-positions", "20000"];
    let more = [
        "--threads",
        "1",
        "--memory",
        "96M",
        "--first",
        "quickest",
        "--duals",
        "--tables",
        crate::common::text(folder.path()),
    ];
    let arguments = [&arguments[..], &more].concat();
    let found = run(&arguments).good().json_lines();
    assert!(!found.is_empty());
    for puzzle in &found {
        let (position, line) = (position(&rules, puzzle), line(puzzle));
        let before = puzzle["no_other_win_before"].as_u64();
        assert!(before.is_none_or(|before| before > puzzle["plies"].as_u64().unwrap()), "{puzzle}");
        let (source, mut replayed) = (&puzzle["source"], Position::start(&rules).unwrap());
        let games: Vec<&str> = include_str!("../data/games.jsonl").lines().collect();
        let game: Value = serde_json::from_str(games[source["line"].as_u64().unwrap() as usize - 1]).unwrap();
        for mv in &game["moves"].as_array().unwrap()[..source["ply"].as_u64().unwrap() as usize] {
            replayed = replayed.play(&rules, Move::parse(mv.as_str().unwrap()).unwrap()).unwrap();
        }
        assert_eq!(replayed, position, "{puzzle}");
        if line.len() <= 3 {
            // Only the first move wins in this number of plies.
            let plies = line.len() as u16;
            let winning: Vec<_> =
                position.successors(&rules).filter(|next| loses(&rules, &next.position, plies - 1)).collect();
            assert_eq!(winning.iter().map(|next| next.mv).collect::<Vec<_>>(), [line[0]], "{puzzle}");
            assert!(!wins(&rules, &position, plies - 2), "{puzzle}");
        }
        let last = line.iter().fold(position, |position, &mv| position.play(&rules, mv).unwrap());
        assert!(last.over(&rules).is_some(), "{puzzle}");
    }
    assert_eq!(found, run(&arguments).good().json_lines(), "the same each time");
    // The stricter puzzles are among them.
    let only: Vec<&str> = arguments.iter().map(|word| if *word == "quickest" { "only" } else { word }).collect();
    for puzzle in run(&only).good().json_lines() {
        assert!(puzzle["slower"].as_array().unwrap().is_empty() && found.contains(&puzzle), "{puzzle}");
        let before = puzzle["no_other_win_before"].as_u64();
        assert!(before.is_none_or(|before| before >= puzzle["plies"].as_u64().unwrap() + 2), "{puzzle}");
    }
}

#[test]
fn published_puzzles_are_found_to_be_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games");
    // Positions beyond the tables, each with the number of the winner's moves and the only winning first move.
    let published = [
        ("7/2c2d1/3el2/2RL3/7/3P3/3DE1C/1t1WT2/7 b", 3, "b2c2"),
        ("5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w", 2, "f9e9"),
        ("7/2cp3/1Lte3/7/7/7/R1D1l1C/2PT3/7 b", 3, "e3e2"),
    ];
    let records: Vec<String> =
        published.iter().map(|(start, ..)| format!("{{\"start\":\"{start}\",\"moves\":[]}}\n")).collect();
    std::fs::write(&file, records.concat()).unwrap();
    let arguments = ["puzzles", "--json", "-q", "--games", crate::common::text(&file), "--prove-positions", "50000"];
    // Some have a second, slower win.
    let more = ["--first", "quickest", "--memory", "96M", "--duals", "--tables", crate::common::text(folder.path())];
    let found = run(&[&arguments[..], &more].concat()).good().json_lines();
    for (start, moves, first) in published {
        let puzzle = found.iter().find(|puzzle| puzzle["position"] == start);
        let puzzle = puzzle.unwrap_or_else(|| panic!("{start}: {found:?}"));
        assert_eq!((&puzzle["moves"], &puzzle["first"]), (&moves.into(), &first.into()), "{puzzle}");
    }
    let first = found.iter().find(|puzzle| puzzle["position"] == published[0].0).unwrap();
    assert!(first["slower"].as_array().unwrap().contains(&"e7e8".into()), "{first}");
}

#[test]
fn arguments_and_the_form_for_people() {
    let people = run(&["puzzles", "-q", "ERvL", "--count", "1", "--moves", "5", "--tables", SHIPPED]).good().stdout;
    assert!(people.starts_with("1. ") && people.contains(" to move wins in 5 moves    (table ERvL)"), "{people}");
    assert!(people.contains("solution  1. ") && people.contains(" 5. ") && people.contains("difficulty "), "{people}");
    assert_fails(&run(&["puzzles", "--moves", "5..3"]), 2, "give a number or a range", "a bad range");
    assert_fails(&run(&["puzzles", "ERvX"]), 2, "not an animal", "a bad material");
    assert_fails(&run(&["puzzles", "--prove", "1s"]), 2, "give --games too", "proofs for tables");
    let folder = tempfile::tempdir().unwrap();
    let nothing = run(&["puzzles", "ERvL", "--tables", crate::common::text(folder.path())]);
    assert_fails(&nothing, 4, "generate", "no tables");
    let nothing = run(&["puzzles", "--tables", crate::common::text(folder.path())]);
    assert_fails(&nothing, 4, "generate", "no tables at all");
}

#[test]
fn certificates_of_puzzles_hold() {
    let none = tempfile::tempdir().unwrap();
    let none = crate::common::text(none.path());
    let games = ["--games", "tests/data/games.jsonl", "--prove-positions", "20000", "--memory", "96M"];
    let of_games = [&games[..], &["--first", "quickest", "--duals", "--count", "5", "--tables", none]].concat();
    let of_tables = ["ERvL", "EvL", "--count", "4", "--moves", "3..", "--tables", SHIPPED];
    for (options, tables) in [(&of_games[..], none), (&of_tables[..], SHIPPED)] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new").join("folder");
        let command = ["puzzles", "--json", "-q", "--certificates", crate::common::text(&out)];
        let found = run(&[&command[..], options].concat()).good().json_lines();
        assert!(!found.is_empty());
        for puzzle in &found {
            let file = puzzle["certificate"].as_str().unwrap();
            let checked = run(&["verify", "--certificate", file, "--json", "--tables", tables]).good().json();
            let certificate = &checked["certificates"][0];
            assert_eq!(certificate["position"], puzzle["position"]);
            assert_eq!(
                (&certificate["category"], &certificate["plies"]),
                (&"win".into(), &puzzle["plies"]),
                "{puzzle}"
            );
        }
    }
}
