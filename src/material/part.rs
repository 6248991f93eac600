//! A part of the index: the placements with the same number of pieces of each group in each region, numbered region by
//! region. [`super::index`] explains the scheme.

use super::group::Group;
use super::placement::{MAX_PIECES, Sets};
use super::sets::{binomial, rank_set, unrank_set};
use crate::game::SquareSet;
use std::ops::Range;

/// Pieces of a group that stand in a region.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The group.
    pub group: usize,
    /// Number of its pieces in the region.
    pub size: usize,
    /// Squares they may stand on.
    pub squares: SquareSet,
}

/// Divides the groups into regions that are nested or disjoint, in every possible way.
pub fn split(groups: &[Group]) -> Vec<Vec<Region>> {
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
        // The last one pushed, with all pieces inside, is processed next.
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

/// The smaller of the first two regions that overlap without being nested, and the squares of the other.
fn crossing(part: &[Region]) -> Option<(usize, SquareSet)> {
    let pairs = (0..part.len()).flat_map(|i| (i + 1..part.len()).map(move |j| (i, j)));
    let squares = |i: usize| part[i].squares;
    let crosses = |a: SquareSet, b: SquareSet| a.meets(b) && !a.is_within(b) && !b.is_within(a);
    let (i, j) = pairs.into_iter().find(|&(i, j)| crosses(squares(i), squares(j)))?;
    Some(if squares(i).len() <= squares(j).len() { (i, squares(j)) } else { (j, squares(i)) })
}

/// Number of squares of a region that the earlier regions leave free.
pub fn free_squares(regions: &[Region], i: usize) -> usize {
    let within = regions[..i].iter().filter(|region| region.squares.is_within(regions[i].squares));
    regions[i].squares.len().saturating_sub(within.map(|region| region.size).sum())
}

/// Placements with the same number of pieces of each group in each region.
#[derive(Debug)]
pub struct Part {
    /// The first number of the part within the index.
    pub start: u64,
    /// The regions in placement order.
    pub regions: Vec<Region>,
    /// `rest[i]`: number of placements of the regions from `i` on, for any placement of the earlier ones, without
    /// mirror reduction.
    rest: Vec<u64>,
    root: Node,
}

/// The remaining regions while every earlier set is its own mirror image.
#[derive(Debug)]
struct Node {
    /// Number of placements from here on, up to mirror images.
    len: u64,
    /// Number of free pairs and middle squares of this region.
    pairs: usize,
    middles: usize,
    shapes: Vec<Shape>,
}

/// The sets of a region with given numbers of singles, doubles and middles.
#[derive(Debug)]
struct Shape {
    singles: usize,
    doubles: usize,
    middles: usize,
    /// The first number of this shape within its node.
    start: u64,
    /// Number of placements of the later regions for each set of this shape.
    rest: u64,
    /// The node of the next region if there are no singles.
    next: Option<Box<Node>>,
}

impl Part {
    /// The part with these regions.
    pub fn new(start: u64, regions: Vec<Region>) -> Self {
        let mut rest = vec![1; regions.len() + 1];
        for i in (0..regions.len()).rev() {
            rest[i] = rest[i + 1] * binomial(free_squares(&regions, i), regions[i].size);
        }
        let root = Node::new(&regions, &rest, &mut Vec::new());
        Self { start, regions, rest, root }
    }

    /// Number of placements.
    pub const fn len(&self) -> u64 {
        self.root.len
    }

    /// The sets of the first region, up to mirror images, with the numbers within the part of their placements.
    pub fn leads(&self) -> impl Iterator<Item = (SquareSet, Range<u64>)> {
        let free = self.regions[0].squares;
        self.root.shapes.iter().flat_map(move |shape| {
            (0..shape.count(self.root.pairs, self.root.middles)).map(move |rank| {
                let start = shape.start + rank * shape.rest;
                (unrank_shaped(rank, free, &self.root, shape), start..start + shape.rest)
            })
        })
    }

    /// Whether the placement belongs to this part.
    pub fn holds(&self, sets: &Sets) -> bool {
        self.regions.iter().all(|region| (sets[region.group] & region.squares).len() == region.size)
    }

    /// The number of a placement, or of its mirror image, within the part.
    #[inline]
    pub fn encode(&self, sets: &Sets) -> u64 {
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

    /// Fills in the squares of each region's pieces for the placement with this number within the part, and the squares
    /// that the earlier regions leave to each; returns the region that breaks the mirror symmetry, or else the last.
    pub fn decode(
        &self,
        mut number: u64,
        sets: &mut [SquareSet; MAX_PIECES],
        free: &mut [SquareSet; MAX_PIECES],
    ) -> Turn<'_> {
        let mut node = &self.root;
        let mut occupied = SquareSet::EMPTY;
        let mut at = 0;
        let turn = loop {
            free[at] = self.regions[at].squares.without(occupied);
            let shape = &node.shapes[node.shapes.partition_point(|shape| shape.start <= number) - 1];
            number -= shape.start;
            let turn = Turn { at, node, shape, rank: number / shape.rest };
            number %= shape.rest;
            sets[at] = turn.set(free[at]);
            occupied |= sets[at];
            match &shape.next {
                Some(next) => node = next,
                None => break turn,
            }
            at += 1;
        };
        for (later, region) in self.regions.iter().enumerate().skip(at + 1) {
            free[later] = region.squares.without(occupied);
            sets[later] = unrank_set(number / self.rest[later + 1], region.size, free[later]);
            number %= self.rest[later + 1];
            occupied |= sets[later];
        }
        turn
    }
}

/// The region of a placement that breaks the mirror symmetry, or the last one if none before it does, and which of the
/// sets of its shape it has.
#[derive(Clone, Debug)]
pub struct Turn<'a> {
    /// The region.
    pub at: usize,
    node: &'a Node,
    shape: &'a Shape,
    rank: u64,
}

impl Turn<'_> {
    /// The set, within the free squares.
    #[inline]
    pub fn set(&self, free: SquareSet) -> SquareSet {
        unrank_shaped(self.rank, free, self.node, self.shape)
    }

    /// Advances to the next set of the shape; false if there is none.
    #[inline]
    pub fn advance(&mut self) -> bool {
        self.rank += 1;
        self.rank < self.shape.count(self.node.pairs, self.node.middles)
    }
}

impl Node {
    /// `taken`: pairs and middles occupied by each earlier region.
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
        // Sets that break the mirror symmetry come first.
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
    /// Number of sets of this shape, up to mirror images.
    fn count(&self, pairs: usize, middles: usize) -> u64 {
        binomial(pairs, self.singles)
            * self.signs()
            * binomial(pairs.saturating_sub(self.singles), self.doubles)
            * binomial(middles, self.middles)
    }

    /// Number of ways to choose left or right for the singles other than the first.
    const fn signs(&self) -> u64 {
        1 << self.singles.saturating_sub(1)
    }
}

/// The rank, among the sets of its shape, of a set whose first single is on the left.
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
