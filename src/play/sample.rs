//! Sampling of positions, spread over values and distances.
//!
//! Most positions of a material are alike: short wins, or draws. A sample takes wins, draws and losses in equal numbers
//! where possible, and every distance of decided positions equally often, so that the long wins, which are hard, are as
//! frequent as the short ones.

use crate::game::{Category, Color, Position, Rules};
use crate::material::{Material, Place};
use crate::probe::{ProbeError, Tablebase};
use crate::table::{Table, Value};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Maximum number of table blocks searched per side to move. Covers all blocks of a table of up to three pieces.
const BLOCKS: usize = 256;

/// A sampled position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// The position.
    pub position: Position,
    /// Its value for the side to move; with a WDL table, the least of its category.
    pub value: Value,
}

/// A location in a table: color to move and number of the placement.
type Spot = (Color, u64);

/// Samples `count` different positions of a material in which the game continues, or all if there are fewer. The same
/// seed gives the same positions in the same order.
///
/// # Errors
/// Returns an error if a table is missing or damaged.
pub fn sample(tables: &Tablebase, material: Material, count: usize, seed: u64) -> Result<Vec<Sampled>, ProbeError> {
    let place = tables.place(material)?;
    let mut rng = rng(material, seed);
    // At distance 0 the side to move has no legal move.
    let strata = strata(tables, material, count, &mut rng, |value| value.plies() != Some(0))?;
    let spots = spread(strata.into_values(), count, &mut rng);
    let positions = spots
        .into_iter()
        .map(|(value, spot)| Sampled { position: position(tables.rules(), place, spot, rng.bool()), value });
    // A WDL table does not show whether a side has no move.
    Ok(positions.filter(|sampled| sampled.position.over(tables.rules()).is_none()).collect())
}

/// Samples won positions of a material: for each distance from `plies` up to a limit, shuffled.
///
/// # Errors
/// Returns an error if a table is missing or damaged.
pub(super) fn wins(
    tables: &Tablebase,
    material: Material,
    plies: RangeInclusive<u16>,
    count: usize,
    seed: u64,
) -> Result<BTreeMap<u16, Vec<Position>>, ProbeError> {
    let place = tables.place(material)?;
    let mut rng = rng(material, seed);
    let wanted = |value: Value| {
        let distance = value.plies().filter(|distance| plies.contains(distance));
        value.category() == Category::Win && distance.is_some()
    };
    let strata = strata(tables, material, count, &mut rng, wanted)?;
    let mut wins = BTreeMap::new();
    for (value, mut reservoir) in strata.into_values() {
        rng.shuffle(&mut reservoir.spots);
        let spots = reservoir.spots.into_iter();
        let positions = spots.map(|spot| position(tables.rules(), place, spot, rng.bool())).collect();
        wins.insert(value.plies().unwrap_or(0), positions);
    }
    Ok(wins)
}

fn rng(material: Material, seed: u64) -> Rng {
    Rng::with_seed(seed ^ (material.key() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The position at a location in a table, or its mirror image.
fn position(rules: &Rules, place: &Place, (color, number): Spot, mirrored: bool) -> Position {
    let position = place.position(rules, &place.class.index().decode(number), color);
    if mirrored { position.mirror() } else { position }
}

/// Up to `count` locations for each wanted value.
fn strata(
    tables: &Tablebase,
    material: Material,
    count: usize,
    rng: &mut Rng,
    wanted: impl Fn(Value) -> bool,
) -> Result<BTreeMap<u16, (Value, Reservoir)>, ProbeError> {
    let table = tables.table(material)?;
    let place = tables.place(material)?;
    let mut strata: BTreeMap<u16, (Value, Reservoir)> = BTreeMap::new();
    for color in Color::BOTH {
        let (_, side) = place.casting(color);
        let all = tables.values(material, side)?;
        for block in blocks(&table, rng) {
            let start = block * u64::from(table.header().block_len);
            let len = u64::from(table.header().block_len).min(table.header().placements - start);
            let mut values = vec![Value::DRAW; len as usize];
            all.read(start, &mut values)?;
            for (&value, number) in values.iter().zip(start..) {
                if wanted(value) {
                    let (_, reservoir) = strata.entry(value.code()).or_insert_with(|| (value, Reservoir::default()));
                    reservoir.offer((color, number), count, rng);
                }
            }
        }
    }
    Ok(strata)
}

/// The blocks of a side to search, by number within the side.
fn blocks(table: &Table, rng: &mut Rng) -> Vec<u64> {
    let all = table.header().blocks_per_side();
    if all <= BLOCKS as u64 {
        return (0..all).collect();
    }
    let mut chosen: Vec<u64> = (0..BLOCKS).map(|_| rng.u64(..all)).collect();
    // Includes the block with the longest win.
    let longest = table.summary().sides.iter().filter_map(|side| side.longest);
    chosen.extend(longest.map(|(_, number)| number / u64::from(table.header().block_len)));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Reservoir sampling: a uniform choice among more locations than it holds.
#[derive(Default)]
struct Reservoir {
    spots: Vec<Spot>,
    offered: usize,
}

impl Reservoir {
    fn offer(&mut self, spot: Spot, capacity: usize, rng: &mut Rng) {
        self.offered += 1;
        if self.spots.len() < capacity {
            self.spots.push(spot);
        } else {
            let at = rng.usize(..self.offered);
            if let Some(old) = self.spots.get_mut(at) {
                *old = spot;
            }
        }
    }
}

/// Takes `count` locations from the strata: wins, draws and losses in turn, and within wins and losses each distance.
fn spread(strata: impl Iterator<Item = (Value, Reservoir)>, count: usize, rng: &mut Rng) -> Vec<(Value, Spot)> {
    let mut by_category: BTreeMap<Category, Vec<(Value, Vec<Spot>)>> = BTreeMap::new();
    for (value, mut reservoir) in strata {
        rng.shuffle(&mut reservoir.spots);
        by_category.entry(value.category()).or_default().push((value, reservoir.spots));
    }
    let mut lists: Vec<_> = by_category
        .into_values()
        .map(|mut strata| {
            rng.shuffle(&mut strata);
            in_turn(strata)
        })
        .collect();
    for list in &mut lists {
        // Taken from the end.
        list.reverse();
    }
    let mut taken = Vec::with_capacity(count);
    while taken.len() < count && lists.iter().any(|list| !list.is_empty()) {
        for list in &mut lists {
            if taken.len() < count {
                taken.extend(list.pop());
            }
        }
    }
    taken
}

/// Takes one of each stratum in turn, until all are empty.
fn in_turn(mut strata: Vec<(Value, Vec<Spot>)>) -> Vec<(Value, Spot)> {
    let mut list = Vec::new();
    while !strata.is_empty() {
        for (value, spots) in &mut strata {
            list.extend(spots.pop().map(|spot| (*value, spot)));
        }
        strata.retain(|(_, spots)| !spots.is_empty());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_sample_is_spread_and_repeatable() {
        let rules = Rules::standard();
        let tables = Tablebase::open(crate::SHIPPED, &rules).unwrap();
        for text in ["ERvL", "EvE", "LTvR"] {
            let material = Material::parse(&rules, text).unwrap();
            let sampled = sample(&tables, material, 300, 7).unwrap();
            assert_eq!(sampled.len(), 300);
            assert_eq!(sampled, sample(&tables, material, 300, 7).unwrap());
            assert_ne!(sampled, sample(&tables, material, 300, 8).unwrap());
            let different: HashSet<Position> = sampled.iter().map(|sampled| sampled.position).collect();
            assert_eq!(different.len(), 300);
            for Sampled { position, value } in &sampled {
                let answer = tables.value(position).unwrap();
                assert_eq!((answer.category, answer.dtw, answer.over), (value.category(), value.plies(), None));
                assert_eq!(Material::of(position), material);
            }
            let count = |category| sampled.iter().filter(|sampled| sampled.value.category() == category).count();
            let (wins, losses) = (count(Category::Win), count(Category::Loss));
            assert!(wins >= 100 && losses >= 80, "{text}: {wins} {losses}");
            assert!(sampled.iter().any(|sampled| sampled.position.to_move() == Color::Black));
            let distances: HashSet<Value> = sampled.iter().map(|sampled| sampled.value).collect();
            let stats = crate::analysis::stats::MaterialStats::new(
                &rules,
                tables.place(material).unwrap(),
                &tables.table(material).unwrap(),
            );
            let all = stats.histogram.keys().filter(|plies| **plies > 0).count();
            let decided = distances.iter().filter(|value| value.plies().is_some()).count();
            assert_eq!(decided, all, "{text}: every distance is there");
        }
    }
}
