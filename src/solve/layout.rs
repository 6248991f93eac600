//! Memory layout of a class in the solver.
//!
//! One piece is the *plane piece*: its squares are the bits of a word (and 64 cells). The other pieces form *dims*: a
//! dim is a group of like pieces, and its *states* are the sets of squares the group can occupy. A *configuration* is a
//! state of each dim; it has one word per side and purpose. Configurations that differ only in the last (*inner*) dim
//! are neighbors: a *row*.
//!
//! Mirror reduction: the first dim, the *lead*, keeps one state of each mirror-image pair. A move of the lead to a
//! state that is not kept goes to the mirror image of the whole configuration, whose words are read mirrored.
//!
//! Configurations in which two pieces share a square are kept too, without a legal bit: this costs memory, but saves a
//! rank computation at every access.

use super::slabs::{LeadOrder, slabs};
use crate::game::{Animal, Rules, Square, SquareSet};
use crate::material::{Class, Side, binomial, rank_set, unrank_set};
use std::ops::Range;

/// A group of the class without the plane piece.
pub struct Dim {
    /// Index of the group in the class.
    pub group: usize,
    /// Side of the pieces.
    pub side: Side,
    /// Any of the animals in the group.
    pub animal: Animal,
    /// Number of pieces.
    pub size: usize,
    /// Squares the pieces may stand on.
    pub domain: SquareSet,
    /// The sets of squares, in order of state number.
    pub states: Vec<SquareSet>,
    /// The quiet moves from each state.
    pub moves: Vec<Vec<DimMove>>,
    /// Steps and jumps from each square on an empty board: target, and the water on the way.
    pub steps_and_jumps: Vec<Vec<(Square, SquareSet)>>,
    /// Maps the rank of a set among all of its size to its state; the flag means that the state is the mirror image.
    lookup: Vec<(u32, bool)>,
    /// Without pieces taken, and without one.
    rankers: [Ranker; 2],
}

/// A dim before its states are enumerated: for a class of many like pieces the list would exceed any memory.
#[derive(Clone, Copy)]
pub struct DimShape {
    /// Index of the group in the class.
    pub group: usize,
    /// Side of the pieces.
    pub side: Side,
    /// Any of the animals in the group.
    pub animal: Animal,
    /// Number of pieces.
    pub size: usize,
    /// Squares the pieces may stand on.
    pub domain: SquareSet,
}

impl DimShape {
    /// The dims of a class: lead first, inner last.
    pub fn all(class: &Class) -> Vec<Self> {
        let plane_group = class.groups.len() - 1;
        let mut dims = Vec::new();
        for (i, group) in class.groups.iter().enumerate() {
            let size = group.len() - usize::from(i == plane_group);
            if size > 0 {
                let (side, animal, domain) = (group.side, group.animal(), group.domain);
                dims.push(Self { group: i, side, animal, size, domain });
            }
        }
        // The first group leads, so that a slab is a stretch of the index. Rows are over the squares of one piece. Land
        // pieces go inside: they have fewer states, and no piece of a row stands in the water.
        dims.sort_by_key(|dim| (dim.group != 0, std::cmp::Reverse((dim.size, dim.domain.len())), dim.group));
        if dims.len() == 1 {
            let plane = &class.groups[plane_group];
            let (side, animal, domain) = (plane.side.other(), plane.animal(), SquareSet::EMPTY);
            dims.push(Self { group: usize::MAX, side, animal, size: 0, domain });
        }
        dims
    }

    /// Number of sets of squares for `size` pieces.
    pub fn sets(self, size: usize) -> u64 {
        binomial(self.domain.len(), size)
    }

    /// Number of states; for a lead, one per mirror-image pair.
    pub fn states(self, is_lead: bool) -> u64 {
        let sets = self.sets(self.size);
        if !is_lead {
            return sets;
        }
        let middles = (self.domain & SquareSet::MIDDLE).len();
        let pairs = (self.domain.len() - middles) / 2;
        let own_images = (0..=self.size / 2).map(|n| binomial(pairs, n) * binomial(middles, self.size - 2 * n));
        u64::midpoint(sets, own_images.sum())
    }
}

/// Ranks sets of one size within a domain; single squares by table lookup.
#[derive(Clone)]
pub struct Ranker {
    size: usize,
    domain: SquareSet,
    ranks: [u8; 64],
}

impl Ranker {
    /// A ranker for sets of `size` squares.
    pub fn new(size: usize, domain: SquareSet) -> Self {
        let mut ranks = [0; 64];
        for (rank, square) in (0..).zip(domain) {
            ranks[square.index()] = rank;
        }
        Self { size, domain, ranks }
    }

    /// Number of sets.
    pub fn count(&self) -> usize {
        binomial(self.domain.len(), self.size) as usize
    }

    /// The rank of a set.
    #[inline]
    pub fn rank(&self, set: SquareSet) -> usize {
        debug_assert_eq!(set.len(), self.size);
        match self.size {
            0 => 0,
            1 => self.ranks[set.0.trailing_zeros() as usize & 63].into(),
            _ => rank_set(set, self.domain) as usize,
        }
    }
}

/// A quiet move within a dim.
#[derive(Clone, Copy, Debug)]
pub struct DimMove {
    /// The target state.
    pub target: u32,
    /// Whether to mirror the whole configuration.
    pub flip: bool,
    /// The water it jumps over; empty for a step.
    pub path: SquareSet,
}

/// The plane piece.
pub struct Plane {
    /// Index of its group in the class.
    pub group: usize,
    /// Side of the piece.
    pub side: Side,
    /// The animal.
    pub animal: Animal,
    /// Squares the piece may stand on.
    pub domain: SquareSet,
    /// Its quiet moves, grouped by shift.
    pub moves: Vec<PlaneMove>,
    /// The squares from which it can enter the den.
    pub den_from: SquareSet,
}

/// Quiet moves of the plane piece with the same offset: from each square of `from` to the square `shift` further.
#[derive(Clone, Copy, Debug)]
pub struct PlaneMove {
    /// Target number minus start number.
    pub shift: i8,
    /// The start squares.
    pub from: SquareSet,
    /// Water that must be free of blocking pieces.
    pub path: SquareSet,
}

/// Location of pieces of the class in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The pieces of a dim.
    Dim(usize),
    /// The plane piece.
    Plane,
}

/// The pieces of a slot.
#[derive(Clone, Copy, Debug)]
pub struct SlotPieces {
    /// The slot.
    pub slot: Slot,
    /// Index of their group in the class.
    pub group: usize,
    /// Side of the pieces.
    pub side: Side,
    /// Any of the animals.
    pub animal: Animal,
    /// Number of pieces.
    pub size: usize,
    /// By side: whether its pieces in the water block their jumps.
    pub stopped_by: [bool; 2],
}

/// The layout of a class.
pub struct Layout {
    /// The dims in order, then the plane piece.
    pub slots: Vec<SlotPieces>,
    /// Lead first, inner last. A class of two pieces has an inner dim without pieces.
    pub dims: Vec<Dim>,
    /// The plane piece.
    pub plane: Plane,
    /// `strides[d]`: number of rows between consecutive states of dim `d`; the inner dim has none.
    pub strides: Vec<usize>,
    /// Number of rows.
    pub rows: usize,
    /// The slabs: stretches of states of the lead, whose rows are processed together.
    pub slabs: Vec<Range<usize>>,
}

impl Layout {
    /// Lays out a class in its own orientation, with slabs of at least this many configurations.
    pub fn new(rules: &Rules, class: &Class, slab: usize) -> Self {
        let shapes = DimShape::all(class).into_iter().enumerate();
        let order = LeadOrder { class };
        let dims: Vec<Dim> = shapes.map(|(at, shape)| Dim::new(rules, shape, (at == 0).then_some(&order))).collect();
        let mut rows = 1;
        let mut strides = vec![0; dims.len() - 1];
        for (stride, dim) in strides.iter_mut().zip(&dims).rev() {
            *stride = rows;
            rows *= dim.states.len();
        }
        let plane = Plane::new(rules, class, &dims);
        let slots = dims.iter().enumerate().map(|(at, dim)| (Slot::Dim(at), dim.group, dim.side, dim.animal, dim.size));
        let slots = slots.chain([(Slot::Plane, plane.group, plane.side, plane.animal, 1)]);
        let slots = slots.map(|(slot, group, side, animal, size)| {
            let movement = rules.movement(side.color(), animal);
            let stopped = |owner| if owner == side { movement.stopped_by_own } else { movement.stopped_by_enemy };
            SlotPieces { slot, group, side, animal, size, stopped_by: Side::BOTH.map(stopped) }
        });
        let slots = slots.collect();
        let slabs = slabs(dims[0].states.len(), strides[0] * dims[dims.len() - 1].states.len(), slab);
        Self { slots, dims, plane, strides, rows, slabs }
    }

    /// The rows of a slab.
    pub fn slab_rows(&self, slab: usize) -> Range<usize> {
        let states = &self.slabs[slab];
        states.start * self.strides[0]..states.end * self.strides[0]
    }

    /// The slab of a configuration.
    #[inline]
    pub fn slab_of(&self, configuration: usize) -> usize {
        let state = configuration / self.inner().states.len() / self.strides[0];
        self.slabs.partition_point(|slab| slab.end <= state)
    }

    /// Index of the plane piece's slot.
    pub const fn plane_slot(&self) -> usize {
        self.slots.len() - 1
    }

    /// The dim whose states make up a row.
    pub fn inner(&self) -> &Dim {
        &self.dims[self.dims.len() - 1]
    }

    /// The dims that distinguish rows.
    pub fn outer(&self) -> &[Dim] {
        &self.dims[..self.dims.len() - 1]
    }

    /// Number of configurations, including those without a legal bit.
    pub fn configurations(&self) -> usize {
        self.rows * self.inner().states.len()
    }

    /// Computes the state of each outer dim in a row.
    pub fn row_states(&self, row: usize, states: &mut [usize]) {
        let mut rest = row;
        for (state, stride) in states.iter_mut().zip(&self.strides) {
            *state = rest / stride;
            rest %= stride;
        }
    }

    /// The configuration with these sets, one per dim, and whether it is the mirror image of the requested one.
    #[inline]
    pub fn configuration(&self, set_of: impl Fn(usize) -> SquareSet) -> (usize, bool) {
        let lead = &self.dims[0];
        let (state, flip) = lead.state(set_of(0));
        let mut number = state;
        for (at, dim) in self.dims.iter().enumerate().skip(1) {
            let set = set_of(at);
            let (state, _) = dim.state(if flip { set.mirror() } else { set });
            number = number * dim.states.len() + state;
        }
        (number, flip)
    }
}

impl Dim {
    fn new(rules: &Rules, shape: DimShape, lead: Option<&LeadOrder<'_>>) -> Self {
        let DimShape { group, side, animal, size, domain } = shape;
        let all: Vec<SquareSet> =
            (0..binomial(domain.len(), size)).map(|rank| unrank_set(rank, size, domain)).collect();
        let rank_of = |set: SquareSet| rank_set(set, domain) as usize;
        let is_kept = |set: SquareSet| lead.is_none() || rank_of(set.mirror()) >= rank_of(set);
        let mut states: Vec<SquareSet> = all.iter().copied().filter(|&set| is_kept(set)).collect();
        if let Some(lead) = lead {
            states.sort_by_cached_key(|&set| lead.number(set));
        }
        let mut lookup = vec![(0, false); all.len()];
        for (state, &set) in (0..).zip(&states) {
            if lead.is_some() {
                lookup[rank_of(set.mirror())] = (state, true);
            }
            lookup[rank_of(set)] = (state, false);
        }
        let rankers = [Ranker::new(size, domain), Ranker::new(size.saturating_sub(1), domain)];
        let movement = rules.movement(side.color(), animal);
        let steps_and_jumps = (0..Square::COUNT).map(|from| {
            let steps = movement.steps[from].into_iter().map(|to| (to, SquareSet::EMPTY));
            steps.chain(movement.jumps[from].iter().map(|jump| (jump.to, jump.path))).collect()
        });
        let steps_and_jumps = steps_and_jumps.collect();
        let mut dim =
            Self { group, side, animal, size, domain, states, moves: Vec::new(), steps_and_jumps, lookup, rankers };
        dim.moves = dim.states.iter().map(|&set| dim.quiet_moves(set, movement.stopped_by_own)).collect();
        dim
    }

    fn quiet_moves(&self, set: SquareSet, stopped_by_own: bool) -> Vec<DimMove> {
        let mut moves = Vec::new();
        for from in set {
            let others = set.without(from.set());
            for &(to, path) in &self.steps_and_jumps[from.index()] {
                let stopped = stopped_by_own && path.meets(others);
                if self.domain.has(to) && !others.has(to) && !stopped {
                    let (target, flip) = self.state(others | to.set());
                    moves.push(DimMove { target: target as u32, flip, path });
                }
            }
        }
        moves
    }

    /// Size of its lists in bytes, without those of single squares.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        let moves: usize = self.moves.iter().map(|moves| moves.capacity() * size_of::<DimMove>()).sum();
        let lists = self.states.len() * (2 * size_of::<SquareSet>() + size_of::<Vec<DimMove>>());
        moves + lists + 2 * size_of_val(&self.lookup[..])
    }

    /// The state of a set of squares, and whether it is the state of the mirror image.
    #[inline]
    pub fn state(&self, set: SquareSet) -> (usize, bool) {
        let (state, flip) = self.lookup[self.rankers[0].rank(set)];
        (state as usize, flip)
    }

    /// Ranks the sets of its pieces without this number of victims, 0 or 1.
    pub fn ranker(&self, victims: usize) -> Ranker {
        self.rankers[victims].clone()
    }

    /// The state of the mirror image of each state.
    pub fn mirrored_states(&self) -> Vec<usize> {
        self.states.iter().map(|set| self.state(set.mirror()).0).collect()
    }
}

impl Plane {
    fn new(rules: &Rules, class: &Class, dims: &[Dim]) -> Self {
        let group_number = class.groups.len() - 1;
        let group = &class.groups[group_number];
        let (side, animal, domain) = (group.side, group.animal(), group.domain);
        let movement = rules.movement(side.color(), animal);
        let goal = rules.board().goal(side.color());
        let stoppers_swim = dims.iter().any(|dim| dim.domain.meets(rules.board().water));
        let mut plane =
            Self { group: group_number, side, animal, domain, moves: Vec::new(), den_from: SquareSet::EMPTY };
        for from in domain {
            let steps = movement.steps[from.index()];
            if steps.has(goal) {
                plane.den_from |= from.set();
            }
            for to in steps & domain {
                plane.add_move(from, to, SquareSet::EMPTY);
            }
            for jump in &movement.jumps[from.index()] {
                plane.add_move(from, jump.to, if stoppers_swim { jump.path } else { SquareSet::EMPTY });
            }
        }
        plane
    }

    fn add_move(&mut self, from: Square, to: Square, path: SquareSet) {
        let shift = to.index() as i8 - from.index() as i8;
        match self.moves.iter_mut().find(|mv| mv.shift == shift && mv.path == path) {
            Some(mv) => mv.from |= from.set(),
            None => self.moves.push(PlaneMove { shift, from: from.set(), path }),
        }
    }
}

impl PlaneMove {
    /// Moves the bit of each target to its start.
    #[inline]
    pub const fn pull(self, word: u64) -> u64 {
        if self.shift >= 0 { word >> self.shift } else { word << -self.shift }
    }
}
