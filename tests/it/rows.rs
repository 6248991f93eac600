//! The rows of materials are all their positions, each once, with the values of single probes.

use crate::common::{rules, tables};
use jungletb::analysis::rows::{Chunk, Rows};
use jungletb::game::{Color, Position, Square};
use jungletb::material::Material;
use jungletb::probe::Tablebase;
use std::collections::HashSet;

/// Among them: exchanged sides, like pieces, placements that are their own mirror images; under `dog-swims` also an index
/// of several parts.
#[test]
fn every_position_is_one_row_with_the_value_of_a_probe() {
    for (name, materials) in [
        ("standard", &["LvR", "RvL", "EvE", "ERvL", "LvER", "PvWC", "WCvP", "LTvE"][..]),
        ("dog-swims", &["CvD", "DvR"]),
    ] {
        let rules = rules(name);
        let made = tables(name, if name == "standard" { "3" } else { "2" });
        let base = Tablebase::open(made.path(), &rules).unwrap();
        for material in materials.iter().map(|material| Material::parse(&rules, material).unwrap()) {
            for to_move in Color::BOTH {
                let rows = Rows::new(&base, material, to_move).unwrap();
                let results = Rows::of_results(&base, material, to_move).unwrap();
                assert!(rows.has_distances() && !results.has_distances());
                let (mut chunk, mut same) = (Chunk::default(), Chunk::default());
                let step = rows.step(1000);
                for start in (0..rows.placements()).step_by(step as usize) {
                    let before = chunk.values.len();
                    rows.read(start..rows.placements().min(start + step), &mut chunk).unwrap();
                    assert!(chunk.values.len() - before <= 1000);
                }
                results.read(0..rows.placements(), &mut same).unwrap();
                assert_eq!(chunk.values.len() as u64, rows.len(), "{material}");
                assert!(chunk.squares == same.squares);
                let mut seen = HashSet::new();
                for (n, value) in chunk.values.iter().enumerate() {
                    let mut position = Position::empty(to_move);
                    for (&piece, column) in rows.pieces().iter().zip(&chunk.squares) {
                        position.set(piece, Some(Square::new(column[n])));
                    }
                    assert!(seen.insert(position), "{material}: {} twice", position.to_text(&rules));
                    assert_eq!(value.category(), same.values[n].category());
                    if n % 7 == 0 {
                        let answer = base.value(&position).unwrap();
                        let found = (value.category(), value.plies());
                        assert_eq!(found, (answer.category, answer.dtw), "{}", position.to_text(&rules));
                    }
                }
            }
        }
    }
}
