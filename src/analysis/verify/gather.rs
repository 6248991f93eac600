//! Rows from the values of a table, which are in the order of its index.

use super::CHUNK;
use super::lanes::{Code, Row};
use super::layout::{Config, DimSets, Layout, is_on_the_left, representative};
use super::mapping::Mapping;
use crate::game::{Board, Rules, SquareSet};
use crate::material::{rank_set, unrank_set};
use rayon::prelude::*;

/// Values of a table for consecutive numbers.
pub struct Source<'a, C> {
    board: &'a Board,
    mapping: &'a Mapping,
    values: &'a [C],
    /// The number of the first.
    start: u64,
    /// The set of the first group that all these placements have, if they have one.
    lead: Option<SquareSet>,
}

impl<'a, C: Code> Source<'a, C> {
    /// Values of the table of a mapping from number `start` on.
    pub fn new(rules: &'a Rules, mapping: &'a Mapping, values: &'a [C], start: u64) -> Self {
        Self { board: rules.board(), mapping, values, start, lead: None }
    }

    /// States that all the values are of placements with this set of the first group, or its mirror image.
    pub fn with_lead(self, lead: SquareSet) -> Self {
        Self { lead: Some(lead), ..self }
    }

    /// Fills in the rows from number `first` on, as far as the values are among these.
    pub fn fill<R: Row<Code = C>>(&self, layout: &Layout, first: usize, rows: &mut [R]) {
        rows.par_chunks_mut(CHUNK).enumerate().for_each(|(n, rows)| {
            let mut config = Config::at(layout, first + n * CHUNK);
            for row in rows {
                if let Some(occupied) = config.occupied(layout) {
                    self.fill_row(layout, &config, layout.lane.domain.without(occupied), row);
                }
                config.advance(layout);
            }
        });
    }

    /// Fills in a row: the lane piece on each of these squares.
    fn fill_row<R: Row<Code = C>>(&self, layout: &Layout, config: &Config, lanes: SquareSet, row: &mut R) {
        let mapping = self.mapping;
        let sets = mapping.sets(self.board, layout, config);
        if self.lead.is_some_and(|lead| representative(sets[0]) != lead) {
            return;
        }
        if mapping.is_regular && self.fill_regular(&sets, lanes, row).is_some() {
            return;
        }
        for lane in lanes {
            if let Some(code) = self.lookup(sets, lane.set()) {
                row.set(lane.index(), code);
            }
        }
    }

    /// As [`Source::fill_row`], if the lane piece is in the last group and an earlier group breaks the mirror symmetry:
    /// then the numbers follow from the rank of the last group.
    fn fill_regular<R: Row<Code = C>>(&self, sets: &DimSets, lanes: SquareSet, row: &mut R) -> Option<()> {
        let class = &self.mapping.class;
        let last = class.groups.len() - 1;
        let is_left = sets[..last].iter().find_map(|&set| is_on_the_left(set))?;
        let look = |set: SquareSet| if is_left { set } else { set.mirror() };
        let mut sets = sets.map(look);
        let occupied = sets[..last].iter().fold(SquareSet::EMPTY, |all, &set| all | set);
        let (mates, free) = (sets[last], class.groups[last].domain.without(occupied));
        sets[last] = unrank_set(0, class.groups[last].len(), free);
        let base = class.index().encode(&sets);
        if is_left && !self.mapping.turned && mates.is_empty() {
            if let Some(values) = self.values.get((base.wrapping_sub(self.start)) as usize..) {
                for (lane, &code) in lanes.into_iter().zip(values) {
                    row.set(lane.index(), code);
                }
            }
            return Some(());
        }
        for lane in lanes {
            let set = look(self.mapping.look(self.board, lane.set())) | mates;
            if let Some(code) = self.at(base + rank_set(set, free)) {
                row.set(lane.index(), code);
            }
        }
        Some(())
    }

    /// The value of a placement; absent if it is not among these.
    pub fn code(&self, layout: &Layout, config: &Config, lane: SquareSet) -> C {
        self.lookup(self.mapping.sets(self.board, layout, config), lane).unwrap_or(C::ABSENT)
    }

    #[inline]
    fn lookup(&self, mut sets: DimSets, lane: SquareSet) -> Option<C> {
        if let Some(group) = self.mapping.lane {
            sets[group] |= self.mapping.look(self.board, lane);
        }
        self.at(self.mapping.class.index().encode(&sets))
    }

    #[inline]
    fn at(&self, number: u64) -> Option<C> {
        self.values.get(number.checked_sub(self.start)? as usize).copied()
    }
}
