//! Iteration over the placements of a class in numeric order, run by run.
//!
//! Unranking a placement takes as long as visiting fifty of them, so the iterator unranks once and then advances: the
//! last region that has a next set takes it, and the regions after it restart with their first. A placement is unranked
//! again only where the shape of the region that breaks the mirror symmetry changes.

use super::index::{Index, Run};
use super::part::{Part, Turn};
use super::placement::MAX_PIECES;
use super::sets::{first_set, next_set};
use crate::game::SquareSet;
use std::ops::Range;

/// Iterator over the runs of a range of placements: see [`Index::runs`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    index: &'a Index,
    /// The remaining placements.
    numbers: Range<u64>,
    /// At the run returned last.
    cursor: Option<Cursor<'a>>,
}

impl<'a> Runs<'a> {
    pub(super) const fn new(index: &'a Index, numbers: Range<u64>) -> Self {
        Self { index, numbers, cursor: None }
    }
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        let start = self.numbers.start;
        let left = self.numbers.end.checked_sub(start).filter(|&left| left > 0)?;
        if !self.cursor.as_mut().is_some_and(Cursor::next_run) {
            let part = self.index.part(start);
            self.cursor = Some(Cursor::new(part, start - part.start));
        }
        let mut run = self.cursor.as_ref()?.run(start);
        if run.plane.len() as u64 > left {
            run.plane = run.plane & SquareSet(run.plane.nth(left as usize).set().0 - 1);
        }
        self.numbers.start += run.plane.len() as u64;
        Some(run)
    }
}

/// A placement of a part, region by region, that can advance to the next run.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    part: &'a Part,
    /// The squares of each region's pieces.
    sets: [SquareSet; MAX_PIECES],
    /// The squares that the earlier regions leave to each.
    free: [SquareSet; MAX_PIECES],
    /// The region that breaks the mirror symmetry, or the last.
    turn: Turn<'a>,
}

impl<'a> Cursor<'a> {
    /// The placement with this number within the part.
    pub fn new(part: &'a Part, number: u64) -> Self {
        let (mut sets, mut free) = ([SquareSet::EMPTY; MAX_PIECES], [SquareSet::EMPTY; MAX_PIECES]);
        let turn = part.decode(number, &mut sets, &mut free);
        Self { part, sets, free, turn }
    }

    const fn last(&self) -> usize {
        self.part.regions.len() - 1
    }

    /// The squares of each group.
    pub fn sets(&self) -> [SquareSet; MAX_PIECES] {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for (region, &set) in self.part.regions.iter().zip(&self.sets) {
            sets[region.group] |= set;
        }
        sets
    }

    /// The run that starts at this placement, which has this number.
    fn run(&self, start: u64) -> Run {
        let (last, mut sets) = (self.last(), self.sets());
        let plane_group = self.part.regions[last].group;
        let plane_set = self.sets[last];
        let lowest = plane_set.first().expect("a group has a piece");
        let upper = plane_set.without(lowest.set());
        sets[plane_group] = sets[plane_group].without(lowest.set());
        let is_broken = self.turn.at < last;
        let is_mirror = !is_broken && plane_set.mirror() == plane_set;
        let from_here = self.free[last].without(SquareSet(lowest.set().0 - 1));
        let plane = match (upper.first(), is_broken) {
            (None, true) => from_here,
            (None, false) if is_mirror => from_here & SquareSet::MIDDLE,
            (None, false) => from_here & SquareSet::LEFT,
            (Some(next), true) => from_here & SquareSet(next.set().0 - 1),
            (Some(_), false) => lowest.set(),
        };
        Run { start, sets, plane, plane_group, is_mirror }
    }

    /// Advances to the first placement of the next run; false if that must be unranked.
    fn next_run(&mut self) -> bool {
        let mut at = self.last();
        if self.turn.at == at {
            return false;
        }
        // Within the run the lowest plane piece takes all squares below the next piece; continue from the last of them.
        let plane_set = self.sets[at];
        let upper = SquareSet(plane_set.0 & (plane_set.0 - 1));
        let below = upper.first().map_or(self.free[at], |next| self.free[at] & SquareSet(next.set().0 - 1));
        self.sets[at] = upper | SquareSet(1 << below.0.ilog2());
        while at > self.turn.at {
            if let Some(set) = next_set(self.sets[at], self.free[at]) {
                self.sets[at] = set;
                self.start_after(at);
                return true;
            }
            at -= 1;
        }
        if !self.turn.advance() {
            return false;
        }
        self.sets[at] = self.turn.set(self.free[at]);
        self.start_after(at);
        true
    }

    /// Resets the regions after this one to their first sets.
    #[inline]
    fn start_after(&mut self, at: usize) {
        let mut occupied = self.sets[..=at].iter().fold(SquareSet::EMPTY, |all, &set| all | set);
        for (later, region) in self.part.regions.iter().enumerate().skip(at + 1) {
            self.free[later] = region.squares.without(occupied);
            self.sets[later] = first_set(region.size, self.free[later]);
            occupied |= self.sets[later];
        }
    }
}
