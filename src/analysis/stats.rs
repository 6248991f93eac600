//! Statistics of a material: counts, longest wins, histogram of distances.

use crate::game::{Color, Position, Rules};
use crate::material::{Material, Place};
use crate::probe::Tablebase;
use crate::table::{SideSummary, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Counts of all positions of a material with no piece in a den, without any reduction.
#[derive(Clone, Debug)]
pub struct MaterialStats {
    /// With White and with Black to move: wins, draws and losses of the side to move.
    pub by_color: [SideSummary; 2],
    /// The greatest distance in plies and a position that has it; `None` without a DTW table.
    pub longest: Option<(u16, Position)>,
    /// The same with White and with Black to move.
    pub longest_by_color: [Option<(u16, Position)>; 2],
    /// By distance: wins and losses of the side to move, for both colors together.
    pub histogram: BTreeMap<u16, (u64, u64)>,
}

impl MaterialStats {
    /// Reads the statistics of a material from the table of its class; `place` identifies the material.
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
        let longest_by_color = Color::BOTH.map(|color| {
            let (plies, number) = of(color).longest?;
            Some((plies, place.position(rules, &place.class.index().decode(number), color)))
        });
        let longest =
            longest_by_color.into_iter().flatten().reduce(|best, next| if next.0 > best.0 { next } else { best });
        Self { by_color: Color::BOTH.map(|color| of(color).clone()), longest, longest_by_color, histogram }
    }

    /// The statistics as JSON: `white` is with White to move, where a win is White's; `black` likewise.
    pub fn json(&self, tables: &Tablebase, material: Material) -> Value {
        let side = |summary: &SideSummary| json!({"win": summary.wins, "draw": summary.draws, "loss": summary.losses});
        let longest = |longest: Option<(u16, Position)>| {
            longest.map(|(plies, position)| json!({"plies": plies, "position": position.to_text(tables.rules())}))
        };
        let histogram: Vec<Value> = self
            .histogram
            .iter()
            .map(|(plies, (wins, losses))| json!({"plies": plies, "wins": wins, "losses": losses}))
            .collect();
        json!({
            "material": material.to_string(),
            "rules": tables.rules().name(),
            "class": tables.place(material).map(|place| place.class.name()).unwrap_or_default(),
            "white": side(&self.by_color[0]),
            "black": side(&self.by_color[1]),
            "longest": longest(self.longest),
            "longest_white": longest(self.longest_by_color[0]),
            "longest_black": longest(self.longest_by_color[1]),
            "histogram": histogram,
        })
    }
}
