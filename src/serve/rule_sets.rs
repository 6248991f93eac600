//! The served rule sets, with everything the page needs to draw their boards.

use super::payload::{Freshness, Payload};
use crate::game::{Animal, Color, Rules, Square, SquareSet};
use serde_json::{Map, Value, json};

/// `{"rules": […]}`, one object per rule set.
pub fn answer(rules: &[Rules]) -> Payload {
    let sets: Vec<Value> = rules.iter().map(describe).collect();
    Payload::json(&json!({"rules": sets}), Freshness::Checked)
}

fn describe(rules: &Rules) -> Value {
    let board = rules.board();
    let keys: Map<String, Value> = toml::from_str(&rules.keys().to_toml()).unwrap_or_default();
    json!({
        "name": rules.name(),
        "board": {
            "files": Square::FILES,
            "ranks": board.ranks,
            "dens": by_color(|color| board.dens[color.index()].to_string().into()),
            "traps": by_color(|color| squares(board.traps[color.index()])),
            "water": squares(board.water),
        },
        "animals": board.animals.iter().rev().map(|&animal| describe_animal(rules, animal)).collect::<Vec<_>>(),
        "keys": keys,
    })
}

/// Squares an animal may stand on while the game continues; it may also enter the enemy den, which ends the game.
fn describe_animal(rules: &Rules, animal: Animal) -> Value {
    let domain = |color: Color| rules.movement(color, animal).domain;
    json!({
        "letter": animal.letter().to_string(),
        "name": animal.name(),
        "strength": rules.keys().strength[animal.index()],
        "swims": domain(Color::White).meets(rules.board().water),
        "jumps": rules.movement(Color::White, animal).is_jumper(),
        "squares": by_color(|color| squares(domain(color))),
    })
}

fn by_color(value: impl Fn(Color) -> Value) -> Value {
    json!({"white": value(Color::White), "black": value(Color::Black)})
}

fn squares(set: SquareSet) -> Value {
    set.into_iter().map(|square| square.to_string()).collect()
}
