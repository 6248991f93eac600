//! The perfect index: a bijection between `0..len` and the placements of a class, up to mirror images and like pieces.
//!
//! Groups are placed one after the other. All domains are nested, smallest first, so the number of squares left for a
//! group does not depend on the squares of earlier groups, and the number of placements of the remaining groups is a
//! product of binomials.
//!
//! Mirror symmetry is broken by the first group whose squares are not their own image. Split a free set of squares into
//! *pairs* (a square left of the d-file with its image) and *middle* squares. A set of squares takes one square of some
//! pairs (*singles*), both of others (*doubles*), and some middle squares. It is its own image if it has no singles; of
//! the two images of any other set, the one whose first single is on the left represents both. Placements whose first
//! group has singles come first, and the remaining groups are then unrestricted; for the others the next group must
//! break the symmetry. So at each step sets are ordered by *shape*: number of singles, doubles and middles.
//!
//! The last group is the plane group: placements that differ only in its lowest square are a *run* of consecutive
//! numbers (two runs where the rest is its own mirror image).
//!
//! Rule sets that keep strong animals out of traps while others swim have domains that are not nested (water but no
//! traps, traps but no water). Then the placements are divided into *parts* by how many pieces of a group stand on each
//! side of the other's border; within a part, each group lies in a region, and regions are nested or disjoint. For all
//! other rule sets there is one part.

use super::group::Group;
use super::part::{Part, free_squares, split};
use super::placement::Sets;
use super::runs::{Cursor, Runs};
use crate::game::{Square, SquareSet};
use std::ops::Range;

/// The index of a class's placements.
#[derive(Debug)]
pub struct Index {
    parts: Vec<Part>,
    len: u64,
}

/// Placements with consecutive numbers that differ only in the lowest square of the plane group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the first placement.
    pub start: u64,
    /// The squares of each group, without the lowest square of the plane group.
    pub sets: Sets,
    /// The squares of the lowest piece of the plane group, in ascending order.
    pub plane: SquareSet,
    /// Position of the plane group among the groups.
    pub plane_group: usize,
    /// Whether the placements are their own mirror images.
    pub is_mirror: bool,
}

impl Run {
    /// The placement with the lowest piece of the plane group on this square.
    #[inline]
    pub fn with(&self, square: Square) -> Sets {
        let mut sets = self.sets;
        sets[self.plane_group] |= square.set();
        sets
    }
}

impl Index {
    /// The index of a class with these groups, placed in this order.
    pub fn new(groups: &[Group]) -> Self {
        let mut len = 0;
        let mut parts = Vec::new();
        for pieces in split(groups) {
            let part = Part::new(len, pieces);
            if part.len() > 0 {
                len += part.len();
                parts.push(part);
            }
        }
        Self { parts, len }
    }

    /// Number of placements.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no placements.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Length of a row: of a run before symmetry reduction, where all runs are equally long. A table that starts a row
    /// with each of them has equal squares of the plane piece in the same column. If the plane group has several
    /// pieces, runs differ in length and this value has no meaning.
    pub fn row_len(&self) -> usize {
        match self.parts.first() {
            Some(Part { regions, .. }) if regions.last().is_some_and(|region| region.size == 1) => {
                free_squares(regions, regions.len() - 1)
            }
            _ => 64,
        }
    }

    /// The number of a placement or of its mirror image.
    ///
    /// `sets` holds the squares of each group, in the order of the class's groups; they must be legal under the rules.
    ///
    /// # Panics
    /// Panics if they are not.
    #[inline]
    pub fn encode(&self, sets: &Sets) -> u64 {
        let part = match &self.parts[..] {
            [part] => part,
            parts => parts.iter().find(|part| part.holds(sets)).expect("a legal placement is in some part"),
        };
        part.start + part.encode(sets)
    }

    /// The placement with this number, as the squares of each group.
    ///
    /// # Panics
    /// Panics if `index` is not below [`Index::len`].
    pub fn decode(&self, index: u64) -> Sets {
        let part = self.part(index);
        Cursor::new(part, index - part.start).sets()
    }

    /// The runs of these placements, in ascending order. The first may start within a run of the index, and the last is
    /// cut where the range ends.
    ///
    /// # Panics
    /// Panics if the range exceeds [`Index::len`].
    pub fn runs(&self, numbers: Range<u64>) -> Runs<'_> {
        assert!(numbers.end <= self.len, "placements up to {} of {}", numbers.end, self.len);
        Runs::new(self, numbers)
    }

    /// The sets of the first group, up to mirror images, each with the numbers of its placements, which are consecutive;
    /// `None` if the index has several parts, where they are not.
    pub fn leads(&self) -> Option<Vec<(SquareSet, Range<u64>)>> {
        match &self.parts[..] {
            [part] => Some(part.leads().collect()),
            _ => None,
        }
    }

    pub(super) fn part(&self, index: u64) -> &Part {
        assert!(index < self.len, "index {index} of {}", self.len);
        let after = self.parts.partition_point(|part| part.start <= index);
        &self.parts[after - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::super::sets::{binomial, unrank_set};
    use super::super::{Classes, Material};
    use super::*;
    use crate::game::Rules;

    /// Counts placements and those that are their own mirror image, by enumeration.
    fn count(groups: &[Group], occupied: SquareSet, is_mirror: bool) -> (u64, u64) {
        let Some((group, later)) = groups.split_first() else { return (1, u64::from(is_mirror)) };
        let free = group.domain.without(occupied);
        (0..binomial(free.len(), group.len()))
            .map(|rank| unrank_set(rank, group.len(), free))
            .map(|set| count(later, occupied | set, is_mirror && set.mirror() == set))
            .fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    fn check_whole(rules: &Rules, name: &str) {
        let classes = Classes::new(rules);
        let class = &classes.place(rules, Material::parse(rules, name).unwrap()).unwrap().class;
        let index = class.index();
        let (all, mirrors) = count(&class.groups, SquareSet::EMPTY, true);
        assert_eq!(index.len(), u64::midpoint(all, mirrors), "{name} in {}", rules.name());
        let mut number = 0;
        for run in index.runs(0..index.len()) {
            assert_eq!(run.start, number);
            assert!(!run.plane.is_empty());
            for square in run.plane {
                let sets = run.with(square);
                assert_eq!(index.decode(number), sets, "{name} {number}");
                assert_eq!(index.encode(&sets), number, "{name} {sets:?}");
                let mirrored = sets.map(SquareSet::mirror);
                assert_eq!(index.encode(&mirrored), number);
                assert_eq!(run.is_mirror, mirrored == sets);
                let occupied = sets.iter().fold(SquareSet::EMPTY, |all, &set| all | set);
                assert_eq!(occupied.len(), class.pieces());
                assert!(class.groups.iter().zip(sets).all(|(g, set)| set.is_within(g.domain) && set.len() == g.len()));
                number += 1;
            }
        }
        assert_eq!(number, index.len());
        for (lead, numbers) in index.leads().unwrap_or_default() {
            assert!([numbers.start, numbers.end - 1].iter().all(|&number| index.decode(number)[0] == lead), "{name}");
        }
        // Walking part of the numbers gives the same as walking all.
        let step = index.len() / 37 + 1;
        for start in (0..index.len()).step_by(step as usize) {
            let end = index.len().min(start + 3 * step / 2);
            let placements = index.runs(start..end).flat_map(|run| run.plane.into_iter().map(move |at| run.with(at)));
            let expected: Vec<Sets> = (start..end).map(|number| index.decode(number)).collect();
            assert!(placements.eq(expected), "{name} {start}..{end}");
        }
    }

    #[test]
    fn index_is_a_bijection_for_every_class_of_two_pieces_and_kinds_of_three() {
        for name in super::super::super::game::PRESETS {
            let rules = Rules::preset(name).unwrap();
            for class in Classes::new(&rules).with_pieces(&rules, 2) {
                check_whole(&rules, &class.name());
            }
        }
        for name in ["ERvL", "ELvP", "PWvC", "PvWC", "RCvR", "LTvE"] {
            check_whole(&Rules::standard(), name);
        }
    }

    #[test]
    fn domains_that_are_not_nested_are_split_into_parts() {
        let text = "swimmers = [\"rat\", \"dog\"]\ntrap_entry_max_strength = 2";
        let rules = Rules::from_toml("swimming-dog", text).unwrap();
        for name in ["DvC", "DCvR", "CRvD", "DvD", "EDvC"] {
            check_whole(&rules, name);
        }
    }

    #[test]
    fn number_of_classes_as_known() {
        let rules = Rules::standard();
        let classes = Classes::new(&rules);
        let counts = [2, 3, 4, 5].map(|pieces| classes.with_pieces(&rules, pieces).len());
        assert_eq!(counts, [10, 42, 134, 340]);
    }
}
