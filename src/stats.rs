//! What is known of a whole material: counts, longest wins, histogram of distances.

use crate::game::{Color, Position, Rules};
use crate::material::Place;
use crate::table::{SideSummary, Table};
use std::collections::BTreeMap;

/// Counts of all positions of a material, nothing reduced, no piece in a den.
#[derive(Clone, Debug)]
pub struct MaterialStats {
    /// With White and with Black to move: wins, draws and losses of the side to move.
    pub by_color: [SideSummary; 2],
    /// The greatest distance in plies and a position that has it; `None` without a table of distances.
    pub longest: Option<(u16, Position)>,
    /// By distance: wins and losses of the side to move, both colors together.
    pub histogram: BTreeMap<u16, (u64, u64)>,
}

impl MaterialStats {
    /// Reads them off a table; `place` says which material of the table's class is meant.
    pub fn new(rules: &Rules, place: &Place, table: &Table) -> Self {
        let sides = &table.summary().sides;
        let of = |color: Color| {
            let (_, side) = place.casting(color);
            &sides[side.index().min(sides.len() - 1)]
        };
        let mut histogram: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
        for color in Color::BOTH {
            for (&plies, &count) in &of(color).plies {
                let entry = histogram.entry(plies).or_default();
                *if plies % 2 == 1 { &mut entry.0 } else { &mut entry.1 } += count;
            }
        }
        let longest = Color::BOTH
            .into_iter()
            .filter_map(|color| of(color).longest.map(|(plies, number)| (plies, color, number)))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(plies, color, number)| (plies, place.position(rules, &place.class.index().decode(number), color)));
        Self { by_color: Color::BOTH.map(|color| of(color).clone()), longest, histogram }
    }
}
