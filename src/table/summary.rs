//! Summary of a table: counts and longest wins.
//!
//! Counts are of all legal positions of the class's pieces with no piece in a den, without any reduction: a stored
//! placement also counts for its mirror image, unless the two are equal, and for every order of like pieces.

use super::value::Value;
use super::wire::{Bytes, Fields};
use crate::game::Category;
use std::collections::BTreeMap;

/// Counts of the positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideSummary {
    /// Wins of the side to move.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses of the side to move.
    pub losses: u64,
    /// Decided positions by distance in plies; empty in a WDL table.
    pub plies: BTreeMap<u16, u64>,
    /// The greatest distance, and the number of the first position with it.
    pub longest: Option<(u16, u64)>,
}

impl SideSummary {
    /// Counts a stored position with this weight.
    #[inline]
    pub fn add(&mut self, category: Category, weight: u64) {
        match category {
            Category::Win => self.wins += weight,
            Category::Draw => self.draws += weight,
            Category::Loss => self.losses += weight,
        }
    }

    /// Total number of positions.
    pub const fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Adds the counts of positions with higher numbers.
    pub fn merge(&mut self, later: &Self) {
        self.wins += later.wins;
        self.draws += later.draws;
        self.losses += later.losses;
        for (&plies, &count) in &later.plies {
            *self.plies.entry(plies).or_default() += count;
        }
        if self.longest.is_none_or(|(plies, _)| later.longest.is_some_and(|(other, _)| other > plies)) {
            self.longest = later.longest;
        }
    }
}

/// Counts by [`Value::code`], added up per block.
pub(super) struct Tally {
    counts: Vec<u64>,
    longest: Option<(u16, u64)>,
}

impl Tally {
    pub fn new() -> Self {
        Self { counts: Vec::new(), longest: None }
    }

    /// Counts a stored position with this weight.
    #[inline]
    pub fn add(&mut self, value: Value, weight: u64, number: u64) {
        let code = usize::from(value.code());
        if code >= self.counts.len() {
            self.counts.resize(code + 1, 0);
            if let Some(plies) = value.plies() {
                self.longest = Some((plies, number));
            }
        }
        if let Some(count) = self.counts.get_mut(code) {
            *count += weight;
        }
    }

    pub fn summary(&self) -> SideSummary {
        let mut summary = SideSummary { longest: self.longest, ..SideSummary::default() };
        for (code, &count) in (0..).zip(&self.counts).filter(|(_, count)| **count > 0) {
            let Some(value) = Value::from_code(code) else { continue };
            summary.add(value.category(), count);
            if let Some(plies) = value.plies() {
                summary.plies.insert(plies, count);
            }
        }
        summary
    }
}

/// Counts of a whole table, by stored side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// One or two sides, as the class stores them.
    pub sides: Vec<SideSummary>,
}

impl Summary {
    /// The greatest distance; 0 in a WDL table.
    pub fn longest_plies(&self) -> u16 {
        self.sides.iter().filter_map(|side| side.longest).map(|(plies, _)| plies).max().unwrap_or(0)
    }

    /// The summary without distances, as in a WDL table.
    #[must_use]
    pub fn results_only(&self) -> Self {
        let side = |side: &SideSummary| SideSummary { plies: BTreeMap::new(), longest: None, ..side.clone() };
        Self { sides: self.sides.iter().map(side).collect() }
    }

    /// Whether the counts are possible for this number of placements: within bounds, the distances sum to the decided
    /// positions, and the longest win exists.
    pub(super) fn fits(&self, placements: u64) -> bool {
        /// Maximum weight of a placement: two for the mirror image, times the orders of at most seven like pieces per
        /// side.
        const MOST_FOR_ONE: u64 = 2 * 5040 * 5040;
        let limit = placements.saturating_mul(MOST_FOR_ONE).min(u64::MAX / 4);
        self.sides.iter().all(|side| {
            let total = [side.wins, side.draws, side.losses].into_iter().try_fold(0, u64::checked_add);
            let decided = side.plies.values().copied().try_fold(0, u64::checked_add);
            total.is_some_and(|total| total <= limit)
                && (side.plies.is_empty() || decided == side.wins.checked_add(side.losses))
                && side.longest.is_none_or(|(_, number)| number < placements)
        })
    }

    pub(super) fn write(&self, out: &mut Bytes) {
        for side in &self.sides {
            out.u64(side.wins);
            out.u64(side.draws);
            out.u64(side.losses);
            let (plies, number) = side.longest.unwrap_or((u16::MAX, u64::MAX));
            out.u16(plies);
            out.u64(number);
            out.u16(side.plies.len() as u16);
            for (&plies, &count) in &side.plies {
                out.u16(plies);
                out.u64(count);
            }
        }
    }

    pub(super) fn read(fields: &mut Fields<'_>, sides: usize) -> Option<Self> {
        let mut summary = Self::default();
        for _ in 0..sides {
            let (wins, draws, losses) = (fields.u64()?, fields.u64()?, fields.u64()?);
            let longest = (fields.u16()?, fields.u64()?);
            let longest = (longest.0 != u16::MAX).then_some(longest);
            let mut plies = BTreeMap::new();
            for _ in 0..fields.u16()? {
                plies.insert(fields.u16()?, fields.u64()?);
            }
            summary.sides.push(SideSummary { wins, draws, losses, plies, longest });
        }
        Some(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_is_the_first_of_its_length() {
        let mut tally = Tally::new();
        for (number, plies) in [(0, 3), (1, 8), (2, 8), (3, 5)] {
            tally.add(Value::decided(plies), 2, number);
        }
        tally.add(Value::DRAW, 1, 4);
        let summary = tally.summary();
        assert_eq!(summary.longest, Some((8, 1)));
        assert_eq!((summary.wins, summary.draws, summary.losses), (4, 1, 4));
        let mut all = Tally::new();
        all.add(Value::decided(9), 1, 0);
        let mut all = all.summary();
        all.merge(&summary);
        assert_eq!(all.longest, Some((9, 0)));
        assert_eq!(all.total(), 10);
        let written = Summary { sides: vec![all] };
        let mut bytes = Bytes::default();
        written.write(&mut bytes);
        assert_eq!(Summary::read(&mut Fields(&bytes.0), 1), Some(written));
    }
}
