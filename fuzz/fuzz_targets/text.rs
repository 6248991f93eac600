//! The small readers: squares, moves, materials, lists of checksums.
#![no_main]

use jungletb::game::{Move, Rules, Square};
use jungletb::material::Material;
use jungletb::table::Checksums;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static RULES: LazyLock<Rules> = LazyLock::new(Rules::standard);

fuzz_target!(|text: &str| {
    if let Some(square) = Square::parse(text) {
        assert_eq!(square.to_string(), text);
    }
    if let Some(mv) = Move::parse(text) {
        assert_eq!(mv.to_string(), text);
    }
    if let Ok(material) = Material::parse(&RULES, text) {
        assert_eq!(Material::parse(&RULES, &material.to_string()), Ok(material));
    }
    let _ = Checksums::parse("CHECKSUMS".into(), text);
});
