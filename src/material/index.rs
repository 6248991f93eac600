//! The perfect index: a bijection between `0..len` and the placements of a class, up to mirror and like pieces.
//!
//! Groups are placed one after the other. All domains are nested, smallest first, so the number of squares left
//! for a group is the same wherever the earlier ones stand, and the placements of the remaining groups number a
//! product of binomials.
//!
//! The mirror is broken by the first group whose squares are not their own image. Split a free set of squares
//! into *pairs* (a square left of the d-file with its image) and *middle* squares. A set of squares takes one
//! square of some pairs (*singles*), both of others (*doubles*), and some middle squares. It is its own image if
//! it has no singles; of the two images of any other, the one whose first single is on the left stands for both.
//! Placements whose first group has singles come first and leave no symmetry to the rest; the others hand the
//! question on to the next group. So at each step sets come by *shape*: number of singles, doubles and middles.
//!
//! The last group is the plane group: placements that differ only in its lowest square are a *run* of
//! neighboring numbers (two runs where the rest is its own mirror image).
//!
//! Rule sets that keep strong animals out of traps while others swim have domains that are not nested (water but
//! no traps, traps but no water). Then the placements are dealt into *parts* by how many pieces of a group stand
//! on which side of the other's border; within a part, each group lies in a region, and regions are nested or
//! disjoint. Everywhere else there is one part.

use super::class::{Group, MAX_PIECES};
use super::sets::{binomial, rank_set, unrank_set};
use crate::game::{Square, SquareSet};

/// The squares of each group of a class, in the class's order; empty past its last group.
pub type Sets = [SquareSet; MAX_PIECES];

/// The numbering of a class's placements.
#[derive(Debug)]
pub struct Index {
    parts: Vec<Part>,
    len: u64,
}

/// Placements with neighboring numbers that differ only in the lowest square of the plane group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the first.
    pub start: u64,
    /// The squares of each group, without the lowest square of the plane group.
    pub sets: Sets,
    /// The squares that the lowest piece of the plane group takes in turn, in ascending order.
    pub plane: SquareSet,
    /// Which group is the plane group.
    pub plane_group: usize,
    /// Whether the placements are their own mirror images.
    pub is_mirror: bool,
}

impl Run {
    /// The placement whose plane group has its lowest piece here.
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
            if part.root.len > 0 {
                len += part.root.len;
                parts.push(part);
            }
        }
        Self { parts, len }
    }

    /// Number of placements.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Length of a row: of the runs before any symmetry, where they are all equally long. A table that begins a row
    /// with each of them has like squares of the plane piece one below the other. Where the plane group has several
    /// pieces runs differ, and the length means nothing.
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
    /// `sets` holds the squares of each group, in the order of the class's groups; they must be placed as the
    /// rules let them.
    ///
    /// # Panics
    /// If they are not.
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
    /// If `index` is not below [`Index::len`].
    pub fn decode(&self, index: u64) -> Sets {
        let part = self.part(index);
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        part.decode(index - part.start, &mut sets);
        sets
    }

    /// The run that holds this number, from it on.
    ///
    /// # Panics
    /// If `index` is not below [`Index::len`].
    pub fn run_at(&self, index: u64) -> Run {
        let part = self.part(index);
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        let broken = part.decode(index - part.start, &mut sets);
        let region = part.regions.last().expect("a class has pieces");
        let plane_set = sets[region.group] & region.squares;
        let lowest = plane_set.first().expect("a group has a piece");
        sets[region.group].0 &= !lowest.set().0;
        let occupied = sets.iter().fold(SquareSet::EMPTY, |all, &set| all | set);
        let free = region.squares.without(occupied);
        let is_mirror = !broken && plane_set.mirror() == plane_set;
        let from_here = free.without(SquareSet(lowest.set().0 - 1));
        let plane = match (plane_set.without(lowest.set()).first(), broken) {
            (None, true) => from_here,
            (None, false) if is_mirror => from_here & SquareSet::MIDDLE,
            (None, false) => from_here & SquareSet::LEFT,
            (Some(next), true) => from_here & SquareSet(next.set().0 - 1),
            (Some(_), false) => lowest.set(),
        };
        Run { start: index, sets, plane, plane_group: region.group, is_mirror }
    }

    fn part(&self, index: u64) -> &Part {
        assert!(index < self.len, "index {index} of {}", self.len);
        let after = self.parts.partition_point(|part| part.start <= index);
        &self.parts[after - 1]
    }
}

/// Pieces of a group that stand in a region.
#[derive(Clone, Copy, Debug)]
struct Region {
    group: usize,
    size: usize,
    squares: SquareSet,
}

/// Deals the groups into regions that are nested or disjoint, in every way there is.
fn split(groups: &[Group]) -> Vec<Vec<Region>> {
    let whole = groups.iter().enumerate();
    let mut parts = vec![whole.map(|(i, g)| Region { group: i, size: g.len(), squares: g.domain }).collect::<Vec<_>>()];
    let mut done = Vec::new();
    while let Some(mut part) = parts.pop() {
        let Some((i, border)) = crossing(&part) else {
            part.sort_by_key(|region| region.squares.len());
            done.push(part);
            continue;
        };
        let Region { group, size, squares } = part[i];
        // The last to be pushed, with all pieces inside, is the next to be dealt.
        for inside in 0..=size {
            let mut dealt = part.clone();
            let pieces = [(inside, squares & border), (size - inside, squares.without(border))];
            let regions = pieces.into_iter().filter(|&(size, _)| size > 0);
            dealt.splice(i..=i, regions.map(|(size, squares)| Region { group, size, squares }));
            parts.push(dealt);
        }
    }
    done
}

/// Of the first two regions that overlap without one holding the other, which has fewer squares, and the squares of
/// the other.
fn crossing(part: &[Region]) -> Option<(usize, SquareSet)> {
    let pairs = (0..part.len()).flat_map(|i| (i + 1..part.len()).map(move |j| (i, j)));
    let squares = |i: usize| part[i].squares;
    let crosses = |a: SquareSet, b: SquareSet| a.meets(b) && !a.is_within(b) && !b.is_within(a);
    let (i, j) = pairs.into_iter().find(|&(i, j)| crosses(squares(i), squares(j)))?;
    Some(if squares(i).len() <= squares(j).len() { (i, squares(j)) } else { (j, squares(i)) })
}

/// Squares of a region that the earlier ones leave free.
fn free_squares(regions: &[Region], i: usize) -> usize {
    let within = regions[..i].iter().filter(|region| region.squares.is_within(regions[i].squares));
    regions[i].squares.len().saturating_sub(within.map(|region| region.size).sum())
}

/// Placements with the same number of pieces of each group in each region.
#[derive(Debug)]
struct Part {
    start: u64,
    regions: Vec<Region>,
    /// `rest[i]`: placements of the regions from `i` on, whatever the earlier ones hold, mirror aside.
    rest: Vec<u64>,
    root: Node,
}

/// What is left to place while every earlier set is its own mirror image.
#[derive(Debug)]
struct Node {
    /// Placements from here on, up to mirror.
    len: u64,
    /// Free pairs and middle squares of this region.
    pairs: usize,
    middles: usize,
    shapes: Vec<Shape>,
}

/// The sets of a region with so many singles, doubles and middles.
#[derive(Debug)]
struct Shape {
    singles: usize,
    doubles: usize,
    middles: usize,
    /// The first number of this shape within its node.
    start: u64,
    /// Placements of the later regions for each set of this shape.
    rest: u64,
    /// How the question goes on if there are no singles.
    next: Option<Box<Node>>,
}

impl Part {
    fn new(start: u64, regions: Vec<Region>) -> Self {
        let mut rest = vec![1; regions.len() + 1];
        for i in (0..regions.len()).rev() {
            rest[i] = rest[i + 1] * binomial(free_squares(&regions, i), regions[i].size);
        }
        let root = Node::new(&regions, &rest, &mut Vec::new());
        Self { start, regions, rest, root }
    }

    /// Whether the placement belongs to this part.
    fn holds(&self, sets: &Sets) -> bool {
        self.regions.iter().all(|region| (sets[region.group] & region.squares).len() == region.size)
    }

    #[inline]
    fn encode(&self, sets: &Sets) -> u64 {
        let mut node = &self.root;
        let mut number = 0;
        let mut occupied = SquareSet::EMPTY;
        for (i, region) in self.regions.iter().enumerate() {
            let set = sets[region.group] & region.squares;
            let free = region.squares.without(occupied);
            let image = set.mirror();
            let singles = set.without(image);
            let shape = node.shape(singles.len(), (set & image & SquareSet::LEFT).len());
            if !singles.is_empty() {
                let first = (singles | singles.mirror()) & SquareSet::LEFT;
                let flip = !singles.has(first.first().expect("there are singles"));
                let look = |set: SquareSet| if flip { set.mirror() } else { set };
                let set = look(set);
                number += shape.start + shape.rest * rank_shaped(set, free, node, shape);
                occupied |= set;
                for (region, rest) in self.regions.iter().zip(&self.rest[1..]).skip(i + 1) {
                    let set = look(sets[region.group]) & region.squares;
                    number += rest * rank_set(set, region.squares.without(occupied));
                    occupied |= set;
                }
                return number;
            }
            number += shape.start + shape.rest * rank_shaped(set, free, node, shape);
            occupied |= set;
            match &shape.next {
                Some(next) => node = next,
                None => return number,
            }
        }
        number
    }

    /// Fills in the sets; tells whether the mirror was broken before the last region.
    fn decode(&self, mut number: u64, sets: &mut Sets) -> bool {
        let mut node = &self.root;
        let mut occupied = SquareSet::EMPTY;
        for (i, region) in self.regions.iter().enumerate() {
            let free = region.squares.without(occupied);
            let shape = &node.shapes[node.shapes.partition_point(|shape| shape.start <= number) - 1];
            number -= shape.start;
            let set = unrank_shaped(number / shape.rest, free, node, shape);
            number %= shape.rest;
            sets[region.group] |= set;
            occupied |= set;
            if let Some(next) = &shape.next {
                node = next;
                continue;
            }
            for (region, rest) in self.regions.iter().zip(&self.rest[1..]).skip(i + 1) {
                let set = unrank_set(number / rest, region.size, region.squares.without(occupied));
                number %= rest;
                sets[region.group] |= set;
                occupied |= set;
            }
            return i + 1 < self.regions.len();
        }
        false
    }
}

impl Node {
    /// `taken`: pairs and middles that each earlier region holds.
    fn new(regions: &[Region], rest: &[u64], taken: &mut Vec<(usize, usize)>) -> Self {
        let i = taken.len();
        let Some(region) = regions.get(i) else {
            return Self { len: 1, pairs: 0, middles: 0, shapes: Vec::new() };
        };
        let within = regions[..i].iter().zip(&*taken).filter(|(earlier, _)| earlier.squares.is_within(region.squares));
        let (used_pairs, used_middles) = within.fold((0, 0), |sum, (_, used)| (sum.0 + used.0, sum.1 + used.1));
        let pairs = (region.squares & SquareSet::LEFT).len().saturating_sub(used_pairs);
        let middles = (region.squares & SquareSet::MIDDLE).len().saturating_sub(used_middles);
        let mut node = Self { len: 0, pairs, middles, shapes: Vec::new() };
        // Sets that break the mirror first.
        for singles in (1..=region.size).chain([0]) {
            for doubles in 0..=(region.size - singles) / 2 {
                let shape_middles = region.size - singles - 2 * doubles;
                let mut shape =
                    Shape { singles, doubles, middles: shape_middles, start: node.len, rest: rest[i + 1], next: None };
                let sets = shape.count(pairs, middles);
                if sets == 0 {
                    continue;
                }
                if singles == 0 && i + 1 < regions.len() {
                    taken.push((doubles, shape_middles));
                    let next = Self::new(regions, rest, taken);
                    taken.pop();
                    shape.rest = next.len;
                    shape.next = Some(Box::new(next));
                }
                if shape.rest > 0 {
                    node.len += sets * shape.rest;
                    node.shapes.push(shape);
                }
            }
        }
        node
    }

    #[inline]
    fn shape(&self, singles: usize, doubles: usize) -> &Shape {
        let found = self.shapes.iter().find(|shape| shape.singles == singles && shape.doubles == doubles);
        found.expect("a legal placement has one of the shapes")
    }
}

impl Shape {
    /// Number of sets of this shape, up to mirror.
    fn count(&self, pairs: usize, middles: usize) -> u64 {
        binomial(pairs, self.singles)
            * self.signs()
            * binomial(pairs.saturating_sub(self.singles), self.doubles)
            * binomial(middles, self.middles)
    }

    /// In how many ways the singles other than the first can lie left or right.
    const fn signs(&self) -> u64 {
        1 << self.singles.saturating_sub(1)
    }
}

/// The rank among the sets of its shape of a set whose first single is on the left.
#[inline]
fn rank_shaped(set: SquareSet, free: SquareSet, node: &Node, shape: &Shape) -> u64 {
    let pairs = free & SquareSet::LEFT;
    let image = set.mirror();
    let singles = set.without(image);
    let single_pairs = (singles | singles.mirror()) & SquareSet::LEFT;
    let mut rank = rank_set(single_pairs, pairs);
    if shape.singles > 1 {
        let signs = single_pairs.into_iter().skip(1).zip(0..);
        let signs = signs.map(|(square, bit)| u64::from(singles.has(square)) << bit).sum::<u64>();
        rank = rank * shape.signs() + signs;
    }
    if shape.doubles > 0 {
        let left = pairs.without(single_pairs);
        let doubles = set & image & SquareSet::LEFT;
        rank = rank * binomial(left.len(), shape.doubles) + rank_set(doubles, left);
    }
    if shape.middles > 0 {
        let middles = rank_set(set & SquareSet::MIDDLE, free & SquareSet::MIDDLE);
        rank = rank * binomial(node.middles, shape.middles) + middles;
    }
    rank
}

/// The inverse of [`rank_shaped`].
fn unrank_shaped(mut rank: u64, free: SquareSet, node: &Node, shape: &Shape) -> SquareSet {
    let mut digit = |base: u64| {
        let digit = rank % base;
        rank /= base;
        digit
    };
    let middles = digit(binomial(node.middles, shape.middles));
    let doubles = digit(binomial(node.pairs - shape.singles, shape.doubles));
    let signs = digit(shape.signs());
    let pairs = free & SquareSet::LEFT;
    let single_pairs = unrank_set(rank, shape.singles, pairs);
    let mut set = SquareSet::EMPTY;
    for (square, bit) in single_pairs.into_iter().zip(0_usize..) {
        let left = bit == 0 || signs >> (bit - 1) & 1 != 0;
        set |= if left { square } else { square.mirror() }.set();
    }
    let doubles = unrank_set(doubles, shape.doubles, pairs.without(single_pairs));
    set | doubles | doubles.mirror() | unrank_set(middles, shape.middles, free & SquareSet::MIDDLE)
}

#[cfg(test)]
mod tests {
    use super::super::{Classes, Material};
    use super::*;
    use crate::game::Rules;

    /// Counts placements and those that are their own mirror image, by walking over all of them.
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
        while number < index.len() {
            let run = index.run_at(number);
            assert!(!run.plane.is_empty());
            for square in run.plane {
                let sets = run.with(square);
                assert_eq!(index.decode(number), sets);
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
