//! Counts of the positions that were checked, to be compared with the summary of the table.

use super::lanes::{Code, Row};
use super::layout::{Config, Layout};
use crate::game::SquareSet;
use crate::material::Class;
use crate::table::SideSummary;

/// Counts of some rows.
pub struct Tally {
    /// Positions by code: those of slabs with one image of each placement, and those with both.
    codes: [Vec<u64>; 2],
    /// The first placement with the distance that the summary calls the greatest.
    first: Option<u64>,
    /// Lanes that must have a position.
    expected: u64,
    /// Twice the number of stored positions whose distance is only bounded, times the number of like lane pieces.
    bounded: u64,
}

impl Tally {
    /// No rows.
    pub fn new<R: Row>() -> Self {
        Self { codes: [vec![0; R::Code::KINDS], vec![0; R::Code::KINDS]], first: None, expected: 0, bounded: 0 }
    }

    /// Counts the positions of a row. `longest`: the value with the greatest distance according to the summary.
    pub fn add<R: Row>(
        &mut self,
        class: &Class,
        layout: &Layout,
        config: &Config,
        lanes: SquareSet,
        found: &R,
        longest: Option<R::Code>,
    ) {
        found.count(&mut self.codes[usize::from(config.has_both_images())]);
        self.expected += lanes.len() as u64;
        let Some(longest) = longest.filter(|&code| found.has(code)) else { return };
        for lane in lanes.into_iter().filter(|lane| found.lane(lane.index()) == longest) {
            let number = class.index().encode(&config.placement(layout, lane.set()));
            self.first = Some(self.first.map_or(number, |first| first.min(number)));
        }
    }

    /// Counts the positions whose value has different bounds.
    pub fn add_bounded<R: Row>(&mut self, layout: &Layout, config: &Config, lanes: SquareSet, (least, most): (&R, &R)) {
        let sets = &config.sets[..layout.dims.len()];
        let own_images = sets.iter().all(|&set| set.mirror() == set);
        for lane in lanes.into_iter().filter(|lane| least.lane(lane.index()) != most.lane(lane.index())) {
            let once = config.has_both_images() && !(own_images && lane.mirror() == lane);
            self.bounded += if once { 1 } else { 2 };
        }
    }

    /// Adds other counts.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        for (count, more) in self.codes.iter_mut().flatten().zip(other.codes.iter().flatten()) {
            *count += more;
        }
        self.first = self.first.into_iter().chain(other.first).min();
        self.expected += other.expected;
        self.bounded += other.bounded;
        self
    }

    /// Whether every lane that must have a position had one.
    pub fn is_whole<R: Row>(&self) -> bool {
        let absent = R::Code::ABSENT.index();
        let positions = self.codes.iter().map(|codes| codes.iter().sum::<u64>() - codes[absent]);
        positions.sum::<u64>() == self.expected
    }

    /// Adds the counts to those of a side: each placement counts for its mirror image and every order of like pieces.
    pub fn summarize<R: Row>(&self, summary: &mut SideSummary, class: &Class, layout: &Layout) {
        let absent = R::Code::ABSENT.index();
        for (codes, images) in self.codes.iter().zip([2, 1]) {
            let weight = images * class.like_orders() / layout.lane.alike;
            for (index, count) in codes.iter().enumerate().filter(|&(index, &count)| count > 0 && index != absent) {
                let value = R::Code::from_index(index).value();
                summary.add(value.category(), count * weight);
                if let Some(plies) = value.plies().filter(|_| R::Code::KINDS > 4) {
                    *summary.plies.entry(plies).or_default() += count * weight;
                }
            }
        }
    }

    /// The first placement with the distance looked for.
    pub const fn first(&self) -> Option<u64> {
        self.first
    }

    /// Stored positions whose distance is only bounded, times two, times the number of like lane pieces.
    pub const fn bounded(&self) -> u64 {
        self.bounded
    }
}
