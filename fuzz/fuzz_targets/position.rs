//! Positions under every preset: what is read prints and reads back the same, and can be played.
#![no_main]

use jungletb::game::{PRESETS, Position, Rules};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static RULES: LazyLock<Vec<Rules>> = LazyLock::new(|| PRESETS.iter().map(|name| Rules::preset(name).unwrap()).collect());

fuzz_target!(|text: &str| {
    for rules in &*RULES {
        if let Ok(position) = Position::parse(rules, text) {
            assert_eq!(Position::parse(rules, &position.to_text(rules)), Ok(position));
            for successor in position.successors(rules) {
                assert_eq!(successor.position.check(rules), Ok(()));
            }
        }
    }
});
