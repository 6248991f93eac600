//! Where a class's values are in memory.
//!
//! One piece of the last group is the *lane piece*: its squares are the lanes of a row. The other pieces form *dims*,
//! one per group, whose *states* are the sets of squares the pieces may occupy. A row has one state of each dim. Rows
//! in which two pieces share a square exist, but hold no positions.
//!
//! The first dim, the *lead*, has one state of each mirror-image pair; a configuration with the other is looked up as
//! its mirror image. The rows of one lead state, or of several if they are few, are a *slab*. Lead states are in the
//! order of the index, so that the positions of a slab have consecutive numbers.

use crate::game::{Animal, SquareSet};
use crate::material::{Class, MAX_PIECES, Side, binomial, rank_set, unrank_set};
use std::collections::HashMap;
use std::ops::Range;

/// The pieces of a group, without the lane piece.
#[derive(Clone)]
pub struct Dim {
    /// Index of the group in the class.
    pub group: usize,
    /// The side of the pieces.
    pub side: Side,
    /// Any of the animals.
    pub animal: Animal,
    /// Squares they may stand on.
    pub domain: SquareSet,
    /// The sets of squares by number of state.
    pub states: Vec<SquareSet>,
    /// The state of each state's mirror image.
    pub mirrored: Vec<u32>,
    /// By rank of a set: its state, and whether that is of its mirror image.
    lookup: Vec<(u32, bool)>,
}

/// The lane piece.
#[derive(Clone)]
pub struct Lane {
    /// Index of its group in the class.
    pub group: usize,
    /// Its side.
    pub side: Side,
    /// The animal.
    pub animal: Animal,
    /// Squares it may stand on.
    pub domain: SquareSet,
    /// Number of pieces of its group, any of which can be the lane piece.
    pub alike: u64,
}

/// The dims of a class, or of what is left of it after a capture.
#[derive(Clone)]
pub struct Layout {
    /// The dims, the lead first.
    pub dims: Vec<Dim>,
    /// The lane piece.
    pub lane: Lane,
    /// Number of rows between consecutive states of each dim.
    pub strides: Vec<usize>,
    /// Number of rows.
    pub rows: usize,
    /// Number of lead states of a slab.
    span: usize,
}

/// A slab has at least this many rows if the class has: many blocks of the table, so that few are read twice.
const SLAB_ROWS: usize = 1 << 14;

/// The squares of the dims.
pub type DimSets = [SquareSet; MAX_PIECES];

impl Layout {
    /// The layout of a class.
    pub fn new(class: &Class) -> Self {
        Self::after(class, None)
    }

    /// The layout of a class in which a dim has lost a piece.
    pub fn after(class: &Class, victim: Option<usize>) -> Self {
        let last = class.groups.len() - 1;
        let sizes = class.groups.iter().enumerate().map(|(n, group)| (n, group.len() - usize::from(n == last)));
        let dims = sizes.filter(|&(_, size)| size > 0).enumerate();
        let dims = dims.map(|(at, (n, size))| Dim::new(class, n, size - usize::from(victim == Some(at)), at == 0));
        let dims: Vec<Dim> = dims.collect();
        let mut rows = 1;
        let mut strides = vec![0; dims.len()];
        for (stride, dim) in strides.iter_mut().zip(&dims).rev() {
            *stride = rows;
            rows *= dim.states.len();
        }
        let group = &class.groups[last];
        let (side, animal, domain) = (group.side, group.animal(), group.domain);
        let lane = Lane { group: last, side, animal, domain, alike: group.len() as u64 };
        let span = SLAB_ROWS.div_ceil(strides[0]);
        Self { dims, lane, strides, rows, span }
    }

    /// Number of rows of every slab but the last, which may be shorter.
    pub fn slab_rows(&self) -> usize {
        self.strides[0] * self.span
    }

    /// Number of slabs.
    pub fn slabs(&self) -> usize {
        self.dims[0].states.len().div_ceil(self.span)
    }

    /// The states of the lead in a slab.
    pub fn leads(&self, slab: usize) -> Range<usize> {
        let start = slab * self.span;
        start..self.dims[0].states.len().min(start + self.span)
    }

    /// The rows of a slab.
    pub fn rows_of(&self, slab: usize) -> Range<usize> {
        let leads = self.leads(slab);
        leads.start * self.strides[0]..leads.end * self.strides[0]
    }

    /// The slab of a state of the lead.
    pub fn slab_of(&self, lead: usize) -> usize {
        lead / self.span
    }

    /// The row with these states, or that of the mirror image.
    #[inline]
    pub fn row(&self, states: &[u32], flip: bool) -> usize {
        let lead = states[0] as usize * self.strides[0];
        let rest = self.dims.iter().zip(&self.strides).zip(states).skip(1);
        lead + rest.map(|((dim, stride), &state)| dim.state_seen(state, flip) as usize * stride).sum::<usize>()
    }
}

impl Dim {
    fn new(class: &Class, group: usize, size: usize, is_lead: bool) -> Self {
        let domain = class.groups[group].domain;
        let all: Vec<SquareSet> =
            (0..binomial(domain.len(), size)).map(|rank| unrank_set(rank, size, domain)).collect();
        let kept = || all.iter().copied().filter(|&set| !is_lead || set == representative(set)).collect();
        let numbered = class.index().leads().filter(|_| is_lead && size == class.groups[group].len());
        let states: Vec<SquareSet> = numbered.map_or_else(kept, |leads| leads.iter().map(|(set, _)| *set).collect());
        let numbers: HashMap<SquareSet, u32> = states.iter().copied().zip(0..).collect();
        let state = |set: SquareSet| numbers.get(&set).copied().unwrap_or_default();
        let lookup = all.iter().map(|&set| {
            let kept = if is_lead { representative(set) } else { set };
            (state(kept), kept != set)
        });
        let lookup = lookup.collect();
        let mirrored = states.iter().map(|set| if is_lead { state(*set) } else { state(set.mirror()) }).collect();
        let (side, animal) = (class.groups[group].side, class.groups[group].animal());
        Self { group, side, animal, domain, states, mirrored, lookup }
    }

    /// The state of a set of squares, and whether it is that of the mirror image.
    #[inline]
    pub fn state(&self, set: SquareSet) -> (u32, bool) {
        self.lookup[rank_set(set, self.domain) as usize]
    }

    #[inline]
    fn state_seen(&self, state: u32, flip: bool) -> u32 {
        if flip { self.mirrored[state as usize] } else { state }
    }
}

/// Of a set and its mirror image, the one that the index numbers: the one whose first single is on the left.
pub fn representative(set: SquareSet) -> SquareSet {
    if is_on_the_left(set).unwrap_or(true) { set } else { set.mirror() }
}

/// Whether the first of the squares whose mirror image is not in the set is on the left; `None` if there are none.
pub fn is_on_the_left(set: SquareSet) -> Option<bool> {
    let singles = set.without(set.mirror());
    let first = ((singles | singles.mirror()) & SquareSet::LEFT).first()?;
    Some(singles.has(first))
}

/// A row being visited.
#[derive(Clone)]
pub struct Config {
    /// The number of the row.
    pub row: usize,
    /// The state of each dim.
    pub states: [u32; MAX_PIECES],
    /// The squares of each dim.
    pub sets: DimSets,
}

impl Config {
    /// The row with this number.
    pub fn at(layout: &Layout, row: usize) -> Self {
        let mut config = Self { row, states: [0; MAX_PIECES], sets: [SquareSet::EMPTY; MAX_PIECES] };
        let mut rest = row;
        for (at, (dim, stride)) in layout.dims.iter().zip(&layout.strides).enumerate() {
            config.states[at] = (rest / stride) as u32;
            config.sets[at] = dim.states[rest / stride];
            rest %= stride;
        }
        config
    }

    /// The row with these squares of each group of the class, or that of the mirror image; and whether it is the latter.
    pub fn of(layout: &Layout, groups: &DimSets) -> (Self, bool) {
        let mut config = Self { row: 0, states: [0; MAX_PIECES], sets: [SquareSet::EMPTY; MAX_PIECES] };
        let flip = layout.dims.first().is_some_and(|lead| lead.state(groups[lead.group]).1);
        for (at, dim) in layout.dims.iter().enumerate() {
            let set = groups[dim.group];
            config.sets[at] = if flip { set.mirror() } else { set };
            config.states[at] = dim.state(config.sets[at]).0;
        }
        config.row = layout.row(&config.states, false);
        (config, flip)
    }

    /// Advances to the next row; after the last one, to the first.
    #[inline]
    pub fn advance(&mut self, layout: &Layout) {
        self.row += 1;
        for (at, dim) in layout.dims.iter().enumerate().rev() {
            self.states[at] += 1;
            if let Some(&set) = dim.states.get(self.states[at] as usize) {
                self.sets[at] = set;
                return;
            }
            self.states[at] = 0;
            self.sets[at] = dim.states[0];
        }
    }

    /// The squares of all dims; `None` if two pieces share one.
    #[inline]
    pub fn occupied(&self, layout: &Layout) -> Option<SquareSet> {
        let sets = self.sets.iter().take(layout.dims.len());
        sets.copied().try_fold(SquareSet::EMPTY, |all, set| (!all.meets(set)).then_some(all | set))
    }

    /// Whether the squares of the lead are their own mirror image: the slab then holds both images of each placement.
    #[inline]
    pub fn has_both_images(&self) -> bool {
        self.sets[0].mirror() == self.sets[0]
    }

    /// The squares of each group of the class, with the lane piece on this square.
    pub fn placement(&self, layout: &Layout, lane: SquareSet) -> DimSets {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for (dim, set) in layout.dims.iter().zip(self.sets) {
            sets[dim.group] |= set;
        }
        sets[layout.lane.group] |= lane;
        sets
    }
}
