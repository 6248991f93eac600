//! Positions that exercise single rules: each with its value, whether and why the game is over, and legal and illegal
//! moves.

use crate::common::tables;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rules, position, category and distance, why the game is over, some legal moves (with `x` and the letter of the
/// captured animal, or `#` for a den entry), some illegal moves.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Runs the program for each case; returns the number of moves checked.
fn check(cases: &[Case]) -> usize {
    let mut checked = 0;
    for &(rules, position, value, over, legal, illegal) in cases {
        let pieces = position.split(' ').next().unwrap().matches(char::is_alphabetic).count();
        let tables = tables(rules, if pieces > 2 { "3" } else { "2" });
        let answer = tables.run("probe --json", rules, &[position]).good().json();
        let place = format!("{position} under {rules}");
        let words: Vec<&str> = value.split(' ').collect();
        let dtw = words.get(1).map(|plies| plies.parse::<u64>().unwrap());
        assert_eq!((&answer["category"], &answer["dtw"]), (&json!(words[0]), &json!(dtw)), "{place}");
        assert_eq!(answer["over"], if over.is_empty() { json!(null) } else { json!(over) }, "{place}");
        let moves: BTreeSet<String> = answer["moves"].as_array().unwrap().iter().map(written).collect();
        assert_eq!(moves.is_empty(), !over.is_empty(), "{place}: {moves:?}");
        for mv in legal.split_whitespace() {
            assert!(moves.contains(mv), "{place}: {mv} is not in {moves:?}");
            checked += 1;
        }
        for mv in illegal.split_whitespace() {
            assert!(!moves.iter().any(|listed| listed.starts_with(mv)), "{place}: {mv} is in {moves:?}");
            checked += 1;
        }
    }
    checked
}

fn written(mv: &Value) -> String {
    let capture = mv["capture"].as_str().map(|letter| format!("x{letter}")).unwrap_or_default();
    let den = if mv["den"] == true { "#" } else { "" };
    format!("{}{capture}{den}", mv["move"].as_str().unwrap())
}

#[test]
fn the_end_of_the_game() {
    let checked = check(&[
        // A den is entered: by the side that has moved, or by the side to move, whose turn never comes.
        ("standard", "3L3/7/7/7/7/7/7/7/c6 b", "loss 0", "den", "", ""),
        ("standard", "3L3/7/7/7/7/7/7/7/c6 w", "win 0", "den", "", ""),
        ("standard", "C6/7/7/7/7/7/7/7/3r3 w", "loss 0", "den", "", ""),
        ("standard", "C6/7/7/7/7/7/7/7/3r3 b", "win 0", "den", "", ""),
        ("standard", "3L3/7/7/7/7/7/7/7/7 b", "loss 0", "den", "", ""),
        ("animal-checkers", "3R3/7/7/7/7/7/e6 b", "loss 0", "den", "", ""),
        ("animal-checkers", "E6/7/7/7/7/7/3t3 b", "win 0", "den", "", ""),
        // A side has no piece left.
        ("standard", "7/7/7/7/7/7/7/7/R6 w", "win 0", "no-pieces", "", ""),
        ("standard", "7/7/7/7/7/7/7/7/R6 b", "loss 0", "no-pieces", "", ""),
        ("standard", "ep5/7/7/7/7/7/7/7/7 w", "loss 0", "no-pieces", "", ""),
        ("animal-checkers", "d6/7/7/7/7/7/7 b", "win 0", "no-pieces", "", ""),
        // The side to move has no legal move.
        ("standard", "5lT/6e/7/7/7/7/7/7/7 w", "loss 0", "no-moves", "", ""),
        ("no-move-draw", "5lT/6e/7/7/7/7/7/7/7 w", "draw", "no-moves", "", ""),
        ("standard", "7/7/3t3/3W3/3e3/7/7/7/7 w", "loss 0", "no-moves", "", ""),
        ("no-move-draw", "7/7/3t3/3W3/3e3/7/7/7/7 w", "draw", "no-moves", "", ""),
        ("animal-checkers", "Dt5/e6/7/7/7/7/7 w", "loss 0", "no-moves", "", ""),
        // The other side has one.
        ("standard", "5lT/6e/7/7/7/7/7/7/7 b", "win 1", "", "f9g9xT g8g9xT f9e9", "f9g8"),
        ("no-move-draw", "7/7/3t3/3W3/3e3/7/7/7/7 b", "win 1", "", "d7d6xW d5d6xW d7d8", ""),
        // The last step.
        ("standard", "7/3C3/7/7/7/7/7/7/l6 w", "win 1", "", "d8d9# d8c8", ""),
        ("standard", "7/7/7/7/7/7/7/2Cl3/7 b", "win 1", "", "d2d1# d2c2xC", ""),
        ("standard", "7/7/7/7/7/7/7/3Cl2/7 w", "loss 4", "", "d2c2", "d2d1"),
        ("animal-checkers", "7/3R3/7/7/7/7/e6 w", "win 1", "", "d6d7# d6e6", ""),
    ]);
    assert_eq!(checked, 15);
}

#[test]
fn traps() {
    let checked = check(&[
        // In an enemy trap a piece may be captured by any other.
        ("standard", "7/3L3/3c3/7/7/7/7/7/7 b", "win 1", "", "d7d8xL", ""),
        ("traps-none", "7/3L3/3c3/7/7/7/7/7/7 b", "loss 2", "", "d7c7", "d7d8"),
        ("standard", "7/2cL3/7/7/7/7/7/7/7 w", "win 1", "", "d8c8xC d8d9#", ""),
        ("trapped-powerless", "7/2cL3/7/7/7/7/7/7/7 w", "win 1", "", "d8d7 d8d9#", "d8c8"),
        // In its own trap only where the rules say so.
        ("standard", "7/7/7/7/7/7/3c3/3L3/7 b", "draw", "", "d3c3", "d3d2"),
        ("german", "7/7/7/7/7/7/3c3/3L3/7 b", "win 1", "", "d3d2xL", ""),
        ("german", "7/7/7/7/7/7/3c3/3L3/7 w", "win 1", "", "d2d3xC", "d2d1"),
        ("trapped-powerless-all", "7/7/7/7/7/7/3c3/3L3/7 w", "loss 8", "", "d2e2", "d2d3"),
        // The elephant captures the rat in a trap.
        ("standard", "7/7/7/7/7/7/3E3/3r3/7 w", "win 1", "", "d3d2xR", ""),
        ("elephant-never", "7/7/7/7/7/7/3E3/3r3/7 w", "loss 2", "", "d3c3", "d3d2"),
        ("standard", "7/7/7/7/7/7/3E3/2r4/7 w", "loss 4", "", "d3d2", ""),
        ("standard", "7/7/3E3/3r3/7/7/7/7/7 w", "win 3", "", "d7d8", "d7d6"),
        ("elephant-always", "7/7/3E3/3r3/7/7/7/7/7 w", "win 1", "", "d7d6xR", ""),
        ("leiden", "7/7/3E3/3r3/7/7/7/7/7 w", "win 1", "", "d7d6xR", ""),
        // Strong animals may be barred from traps.
        ("standard", "7/7/3L3/7/7/7/7/7/c6 w", "win 3", "", "d7d8 d7c7", ""),
        ("trap-max-4", "7/7/3L3/7/7/7/7/7/c6 w", "loss 6", "", "d7c7", "d7d8"),
        ("trap-max-4", "7/7/3W3/7/7/7/7/7/c6 w", "win 3", "", "d7d8", ""),
    ]);
    assert_eq!(checked, 28);
}

#[test]
fn across_the_bank() {
    let checked = check(&[
        // Rat on land, rat in the water.
        ("standard", "7/7/7/7/7/Rr5/7/7/7 w", "draw", "", "a4a5", "a4b4"),
        ("standard", "7/7/7/7/7/Rr5/7/7/7 b", "win 9", "", "b4c4", "b4a4"),
        ("leiden", "7/7/7/7/7/Rr5/7/7/7 w", "win 1", "", "a4b4xR", ""),
        ("leiden", "7/7/7/7/7/Rr5/7/7/7 b", "win 1", "", "b4a4xR", ""),
        ("japanese", "7/7/7/7/7/Rr5/7/7/7 w", "draw", "", "a4a5", "a4b4"),
        ("japanese", "7/7/7/7/7/Rr5/7/7/7 b", "win 1", "", "b4a4xR", ""),
        ("land-rat-takes-water-rat", "7/7/7/7/7/Rr5/7/7/7 w", "win 1", "", "a4b4xR", ""),
        ("land-rat-takes-water-rat", "7/7/7/7/7/Rr5/7/7/7 b", "win 9", "", "b4c4", "b4a4"),
        // Both swim, both walk.
        ("standard", "7/7/7/7/7/1Rr4/7/7/7 w", "win 1", "", "b4c4xR", ""),
        ("standard", "7/7/7/Rr5/7/7/7/7/7 w", "win 11", "", "a6a7", "a6b6"),
        ("standard", "7/7/Rr5/7/7/7/7/7/7 w", "win 1", "", "a7b7xR", ""),
        // Rat in the water, elephant on land.
        ("standard", "7/7/7/7/7/1R1e3/7/7/7 w", "loss 6", "", "b4c4 b4a4", ""),
        ("standard", "7/7/7/7/7/2Re3/7/7/7 w", "win 15", "", "c4b4 c4c3", "c4d4"),
        ("leiden", "7/7/7/7/7/2Re3/7/7/7 w", "win 15", "", "c4b4 c4c3", "c4d4"),
        ("water-rat-takes-both", "7/7/7/7/7/2Re3/7/7/7 w", "win 1", "", "c4d4xE", ""),
        ("standard", "7/7/2Re3/7/7/7/7/7/7 w", "win 1", "", "c7d7xE", ""),
        ("water-rat-takes-both", "7/7/7/7/7/2Rc3/7/7/7 w", "loss 10", "", "c4b4", "c4d4"),
        // Other animals do not swim, except a dog where the rules allow it.
        ("standard", "7/7/7/7/7/Dr5/7/7/7 w", "draw", "", "a4a5 a4a3", "a4b4"),
        ("dog-swims", "7/7/7/7/7/D5r/7/7/7 w", "loss 12", "", "a4b4 a4a5", ""),
        ("dog-swims", "7/7/7/7/7/Dr5/7/7/7 w", "draw", "", "a4a5", "a4b4"),
        ("dog-swims", "7/7/7/7/1r5/1D5/7/7/7 w", "win 1", "", "b4b5xR", ""),
        ("dog-swims", "7/7/7/7/1r5/1D5/7/7/7 b", "loss 18", "", "b5b6 b5a5", "b5b4"),
    ]);
    assert_eq!(checked, 39);
}

#[test]
fn jumps() {
    let checked = check(&[
        ("standard", "7/7/7/7/7/3L3/7/7/c6 w", "loss 6", "", "d4a4 d4g4 d4d5", ""),
        ("standard", "7/7/7/7/7/7/1T5/7/c6 w", "win 3", "", "b3b7 b3a3", ""),
        ("standard", "7/7/7/7/7/7/1P5/7/c6 w", "win 3", "", "b3b2 b3a3", "b3b7 b3b4"),
        // Blocked by a rat of either side in the water, anywhere on the path, and by nothing else.
        ("standard", "7/7/7/7/7/1r1L3/7/7/7 w", "win 9", "", "d4g4", "d4a4"),
        ("standard", "7/7/7/7/7/2RL3/7/7/c6 w", "loss 10", "", "d4g4", "d4a4"),
        ("standard", "7/7/7/1r5/7/7/1T5/7/7 w", "win 15", "", "b3c3", "b3b7"),
        ("standard", "7/7/7/2r4/7/7/1T5/7/7 w", "win 9", "", "b3b7", ""),
        ("blockers-enemy", "7/7/7/7/7/2RL3/7/7/c6 w", "loss 10", "", "d4a4 d4g4", ""),
        ("blockers-enemy", "7/7/7/7/7/2rL3/7/7/7 w", "win 11", "", "d4g4", "d4a4"),
        ("blockers-none", "7/7/7/7/7/2rL3/7/7/7 w", "win 11", "", "d4a4 d4g4", ""),
        // A jump may capture what the jumper may capture.
        ("standard", "7/7/1t5/7/7/7/1L5/7/7 w", "win 1", "", "b3b7xT", ""),
        ("standard", "7/7/1l5/7/7/7/1T5/7/7 w", "loss 10", "", "b3b2", "b3b7"),
        ("lion-equals-tiger", "7/7/1l5/7/7/7/1T5/7/7 w", "win 1", "", "b3b7xL", ""),
        ("tiger-above-lion", "7/7/1t5/7/7/7/1L5/7/7 w", "loss 10", "", "b3b2", "b3b7"),
        ("standard", "7/7/7/7/7/1r1L2t/7/7/7 w", "win 15", "", "d4g4xT", "d4a4"),
        // Directions of jumps.
        ("tiger-along", "7/7/7/7/7/3T3/7/7/c6 w", "loss 6", "", "d4d5", "d4a4 d4g4"),
        ("tiger-along", "7/7/7/7/7/7/1T5/7/c6 w", "win 3", "", "b3b7", ""),
        ("tiger-along", "7/7/7/7/7/3L3/7/7/c6 w", "loss 6", "", "d4a4 d4g4", ""),
        ("tiger-lion-along", "7/7/7/7/7/3L3/7/7/c6 w", "loss 6", "", "d4d5", "d4a4 d4g4"),
        ("leopard-across", "7/7/7/7/7/3P3/7/7/c6 w", "loss 6", "", "d4a4 d4g4", ""),
        ("leopard-across", "7/7/7/7/7/7/1P5/7/c6 w", "win 3", "", "b3a3", "b3b7"),
        ("leopard-across", "7/7/7/7/7/2rP3/7/7/7 w", "draw", "", "d4g4", "d4a4"),
        ("leopard-across-over-rats", "7/7/7/7/7/2rP3/7/7/7 w", "draw", "", "d4g4 d4a4", ""),
        ("leopard-across-over-rats", "7/7/7/7/7/2rL3/7/7/7 w", "win 11", "", "d4g4", "d4a4"),
        // A dog in the water blocks as well.
        ("dog-swims", "7/7/7/7/7/2dL3/7/7/7 w", "win 11", "", "d4g4", "d4a4"),
    ]);
    assert_eq!(checked, 51);
}
