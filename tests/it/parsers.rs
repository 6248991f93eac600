//! The parsers never panic on any text, and accepted text prints and parses back to the same value.

use crate::common::all_rules;
use jungletb::game::{Move, PRESETS, Position, RuleKeys, Rules, Square};
use jungletb::material::Material;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;

/// A change to a text: position, kind of change, and the character for it.
type Change = (Index, u8, char);

/// Valid texts, some slightly changed, some made of the same characters, some arbitrary.
fn texts(good: Vec<String>) -> impl Strategy<Value = String> {
    let alphabet: Vec<char> = good.iter().flat_map(|text| text.chars()).collect();
    let mutated = (select(good), vec(any::<Change>(), 0..4), vec(select(alphabet.clone()), 4));
    let mutated = mutated.prop_map(|(text, changes, symbols)| {
        let mut text: Vec<char> = text.chars().collect();
        for ((at, kind, any), symbol) in changes.into_iter().zip(symbols) {
            let at = at.index(text.len() + 1);
            let symbol = if kind & 0x80 == 0 { symbol } else { any };
            match kind % 5 {
                0 => text.insert(at, symbol),
                1 => text.truncate(at),
                2 => drop(text.drain(at..text.len().min(at + 3))),
                3 => text.extend_from_within(..at),
                _ => text.iter_mut().skip(at).take(1).for_each(|old| *old = symbol),
            }
        }
        text.into_iter().collect()
    });
    let babble = vec(select(alphabet), 0..60).prop_map(String::from_iter);
    prop_oneof![6 => mutated, 2 => babble, 1 => any::<String>(), 1 => "\\PC*"]
}

/// Runs texts through a check that returns whether a text was accepted; some must be, and some not.
fn feed(good: Vec<String>, check: impl Fn(&str) -> Result<bool, TestCaseError>) {
    let (read, refused) = (Cell::new(0), Cell::new(0));
    let cases = if cfg!(debug_assertions) { 4_000 } else { 40_000 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new(config).run(&texts(good), |text| {
        let count = if check(&text)? { &read } else { &refused };
        count.set(count.get() + 1);
        Ok(())
    });
    run.unwrap();
    assert!(read.get() > cases / 100 && refused.get() > cases / 10, "{} read, {} refused", read.get(), refused.get());
}

/// Checks that an error message is a single line.
fn one_line(error: &impl ToString) -> Result<bool, TestCaseError> {
    let error = error.to_string();
    prop_assert!(!error.is_empty() && !error.contains('\n'), "{:?}", error);
    Ok(false)
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Positions of a board with that number of ranks from the data files.
fn positions(ranks: usize) -> Vec<String> {
    let values = crate::common::rows(include_str!("../data/values.tsv"))
        .chain(crate::common::rows(include_str!("../data/perft.tsv")));
    let positions = values.map(|row| row[1].to_owned()).filter(|text| text.matches('/').count() + 1 == ranks);
    let positions: Vec<_> = positions.collect();
    assert!(positions.len() >= 48);
    positions
}

#[test]
fn positions_of_all_boards() {
    for (name, ranks) in [("standard", 9), ("animal-checkers", 7), ("trap-max-4", 9), ("dog-swims", 9)] {
        let rules = crate::common::rules(name);
        feed(positions(ranks), |text| match Position::parse(&rules, text) {
            Ok(position) => {
                let printed = position.to_text(&rules);
                prop_assert_eq!(Position::parse(&rules, &printed), Ok(position));
                // Accepted positions can be played on.
                for successor in position.successors(&rules) {
                    prop_assert_eq!(successor.position.check(&rules), Ok(()));
                }
                Ok(true)
            }
            Err(error) => one_line(&error),
        });
    }
}

#[test]
fn moves_and_squares() {
    feed(strings(&["d7d8", "b3b7", "a1a2", "g9f9", "d4g4"]), |text| {
        let Some(mv) = Move::parse(text) else { return Ok(false) };
        prop_assert_eq!(mv.to_string(), text);
        Ok(true)
    });
    feed(strings(&["a1", "g9", "d5", "c2"]), |text| {
        let Some(square) = Square::parse(text) else { return Ok(false) };
        prop_assert_eq!(square.to_string(), text);
        Ok(true)
    });
}

#[test]
fn materials_of_all_boards() {
    for name in ["standard", "animal-checkers"] {
        let rules = crate::common::rules(name);
        feed(strings(&["EvE", "ERvT", "RvTD", "ETDRvETDR", "DTRvE"]), |text| match Material::parse(&rules, text) {
            Ok(material) => {
                let printed = material.to_string();
                let again = Material::parse(&rules, &printed).unwrap();
                prop_assert_eq!(again, material);
                prop_assert_eq!(again.to_string(), printed);
                let letters = text.chars().filter(|symbol| !symbol.is_whitespace()).count();
                prop_assert!(!material.is_one_sided() && material.len() < letters, "{text:?}");
                Ok(true)
            }
            Err(error) => one_line(&error),
        });
    }
}

/// Rule files: those of the presets in full, and those of `tests/data`.
fn rule_files() -> Vec<String> {
    let full = PRESETS.map(|name| RuleKeys::preset(name).unwrap().to_toml());
    let short = all_rules().into_iter().filter(|name| !PRESETS.contains(&name.as_str()));
    let short = short.map(|name| std::fs::read_to_string(format!("tests/data/rules/{name}.toml")).unwrap());
    full.into_iter().chain(short).collect()
}

// `base = "st\\ndard"` once gave an error of two lines, because the name was quoted unescaped.
#[test]
fn rule_files_in_and_out() {
    feed(rule_files(), |text| match RuleKeys::from_toml(text) {
        Ok(keys) => {
            prop_assert_eq!(RuleKeys::from_toml(&keys.to_toml()).unwrap(), keys.clone());
            let rules = Rules::from_toml("own", text).unwrap();
            prop_assert_eq!(rules.keys(), &keys);
            // The masks computed from them can be used for play.
            for position in ["l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", "t5e/7/7/7/7/7/R2D3 b"] {
                if let Ok(position) = Position::parse(&rules, position) {
                    prop_assert!(position.successors(&rules).count() > 3);
                }
            }
            Ok(true)
        }
        Err(error) => one_line(&error),
    });
}

// The name "\ntandard" did as well.
#[test]
fn names_of_rules() {
    feed(strings(&["standard", "my-rules", "a.b_c", "leiden", "x1"]), |name| match Rules::from_toml(name, "") {
        Ok(rules) => {
            prop_assert_eq!(rules.name(), name);
            // It is a single path component.
            prop_assert_eq!(std::path::Path::new(name).components().count(), 1);
            Ok(true)
        }
        Err(error) => one_line(&error),
    });
}
