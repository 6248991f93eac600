//! Selection of puzzles: without duplicates, spread over materials and lengths.

use super::Puzzle;
use crate::game::Rules;
use crate::material::{Classes, Material, same_game_key};
use fastrand::Rng;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// How puzzles are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Number of puzzles.
    pub count: usize,
    /// Whether to choose the hardest puzzles, in descending order of difficulty.
    pub hardest: bool,
    /// The same seed gives the same choice.
    pub seed: u64,
}

/// Chooses puzzles. Of those that are the same game under other names one is kept. Materials take turns, and within
/// each material the lengths. The result is sorted by length and number of pieces, or hardest first.
pub fn choose(classes: &Classes, rules: &Rules, puzzles: Vec<Puzzle>, choice: Choice) -> Vec<Puzzle> {
    let mut rng = Rng::with_seed(choice.seed);
    let mut seen = HashSet::new();
    let mut by_material: BTreeMap<String, Vec<Puzzle>> = BTreeMap::new();
    for puzzle in puzzles {
        if seen.insert(same_game_key(classes, rules, &puzzle.position)) {
            by_material.entry(group(classes, rules, &puzzle)).or_default().push(puzzle);
        }
    }
    let mut groups: Vec<Vec<Puzzle>> = by_material.into_values().collect();
    for group in &mut groups {
        if choice.hardest {
            // Taken from the end.
            group.sort_by_key(Puzzle::difficulty);
        } else {
            rng.shuffle(group);
            *group = lengths_in_turn(std::mem::take(group));
        }
    }
    if choice.hardest {
        groups.sort_by_key(|group| Reverse(group.last().map(Puzzle::difficulty)));
    } else {
        rng.shuffle(&mut groups);
    }
    let mut chosen = Vec::new();
    while chosen.len() < choice.count && groups.iter().any(|group| !group.is_empty()) {
        for group in &mut groups {
            if chosen.len() < choice.count {
                chosen.extend(group.pop());
            }
        }
    }
    if choice.hardest {
        chosen.sort_by_key(|puzzle| Reverse(puzzle.difficulty()));
    } else {
        chosen.sort_by_key(|puzzle| (puzzle.plies(), puzzle.position.len()));
    }
    chosen
}

/// The unit that takes turns: the class of the material, or the material if it has too many pieces for a class.
fn group(classes: &Classes, rules: &Rules, puzzle: &Puzzle) -> String {
    let material = Material::of(&puzzle.position);
    classes.place(rules, material).map_or_else(|| material.to_string(), |place| place.class.name())
}

/// One of each length in turn.
fn lengths_in_turn(puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
    let mut by_length: BTreeMap<usize, Vec<Puzzle>> = BTreeMap::new();
    for puzzle in puzzles {
        by_length.entry(puzzle.plies()).or_default().push(puzzle);
    }
    let mut list = Vec::new();
    while by_length.values().any(|puzzles| !puzzles.is_empty()) {
        list.extend(by_length.values_mut().filter_map(Vec::pop));
    }
    list
}
