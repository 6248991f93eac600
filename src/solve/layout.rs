//! How the solver lays out a class in memory.
//!
//! One piece is the *plane piece*: its squares are the bits of a word (and 64 cells). The other pieces form *dims*:
//! a dim is a group of like pieces, its *states* are the sets of squares the group can take. A *configuration* is a
//! state of each dim; it has one word for each side and purpose. Configurations that differ only in the last
//! (*inner*) dim are neighbors: a *row*.
//!
//! The mirror: the first dim, the *lead*, keeps one state of each mirror-image pair. A move of the lead to a state
//! that is not kept goes to the mirror image of the whole configuration instead, whose words are read mirrored.
//!
//! Configurations in which two pieces share a square are kept too, as configurations without a legal bit: that
//! costs memory, but saves a rank at every access.

use crate::game::{Animal, Rules, Square, SquareSet};
use crate::material::{Class, Side, binomial, rank_set, unrank_set};

/// One of a class's groups without the plane piece.
pub struct Dim {
    /// Which group of the class.
    pub group: usize,
    /// Whose it is.
    pub side: Side,
    /// Any of its animals.
    pub animal: Animal,
    /// Number of pieces.
    pub size: usize,
    /// Where they may stand.
    pub domain: SquareSet,
    /// The sets of squares, in the order of their numbers.
    pub states: Vec<SquareSet>,
    /// The quiet moves from each state.
    pub moves: Vec<Vec<DimMove>>,
    /// Steps and jumps from each square, whatever stands there: `to` and the water on the way.
    pub steps_and_jumps: Vec<Vec<(Square, SquareSet)>>,
    /// From the rank of a set among all of its size to its state; the flag means that it is the mirror image.
    lookup: Vec<(u32, bool)>,
    ranker: Ranker,
}

/// A dim before its states are listed: of a class of many like pieces they would fill any memory.
#[derive(Clone, Copy)]
pub struct DimShape {
    /// Which group of the class.
    pub group: usize,
    /// Whose it is.
    pub side: Side,
    /// Any of its animals.
    pub animal: Animal,
    /// Number of pieces.
    pub size: usize,
    /// Where they may stand.
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
        // Rows of one piece's squares; the dim with most states leads, as it is the one that is halved. Land pieces
        // inside: their states are fewer, and no piece of a row stands in the water.
        dims.sort_by_key(|dim| (std::cmp::Reverse((dim.size, dim.domain.len())), dim.group));
        if dims.len() == 1 {
            let plane = &class.groups[plane_group];
            let (side, animal, domain) = (plane.side.other(), plane.animal(), SquareSet::EMPTY);
            dims.push(Self { group: usize::MAX, side, animal, size: 0, domain });
        }
        dims
    }

    /// Number of sets of squares for a number of its pieces.
    pub fn sets(self, size: usize) -> u64 {
        binomial(self.domain.len(), size)
    }

    /// Number of its states: of a lead, one of each mirror-image pair.
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

/// Ranks sets of one size within a domain, single squares by a table.
#[derive(Clone)]
pub struct Ranker {
    size: usize,
    domain: SquareSet,
    ranks: [u8; 64],
}

impl Ranker {
    /// For sets of `size` squares.
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
    /// The state it leads to.
    pub target: u32,
    /// Whether the whole configuration is to be mirrored.
    pub flip: bool,
    /// The water it jumps over, empty for a step.
    pub path: SquareSet,
}

/// The plane piece.
pub struct Plane {
    /// Which group of the class it belongs to.
    pub group: usize,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub animal: Animal,
    /// Where it may stand.
    pub domain: SquareSet,
    /// Its quiet moves, many at a time.
    pub moves: Vec<PlaneMove>,
    /// The squares from which it enters the den.
    pub den_from: SquareSet,
}

/// Quiet moves of the plane piece that lead equally far: from each square of `from` to the one `shift` further.
#[derive(Clone, Copy, Debug)]
pub struct PlaneMove {
    /// Number of the target less number of the start.
    pub shift: i8,
    /// The starts.
    pub from: SquareSet,
    /// Water that must be free of stoppers.
    pub path: SquareSet,
}

/// Where pieces of the class are in its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// They are those of a dim.
    Dim(usize),
    /// It is the plane piece.
    Plane,
}

/// The pieces of a slot.
#[derive(Clone, Copy, Debug)]
pub struct SlotPieces {
    /// Which slot.
    pub slot: Slot,
    /// Which group of the class they belong to.
    pub group: usize,
    /// Whose they are.
    pub side: Side,
    /// Any of them.
    pub animal: Animal,
    /// How many.
    pub size: usize,
    /// By side: whether its pieces in the water stop their jumps.
    pub stopped_by: [bool; 2],
}

/// The layout of a class.
pub struct Layout {
    /// The dims in their order, then the plane piece.
    pub slots: Vec<SlotPieces>,
    /// Lead first, inner last. A class of two pieces has an inner dim without pieces.
    pub dims: Vec<Dim>,
    /// The plane piece.
    pub plane: Plane,
    /// `strides[d]`: rows from a state of dim `d` to the next; the inner dim has none.
    pub strides: Vec<usize>,
    /// Number of rows.
    pub rows: usize,
}

impl Layout {
    /// Lays out a class in its own orientation.
    pub fn new(rules: &Rules, class: &Class) -> Self {
        let shapes = DimShape::all(class).into_iter().enumerate();
        let dims: Vec<Dim> = shapes.map(|(at, shape)| Dim::new(rules, shape, at == 0)).collect();
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
        Self { slots, dims, plane, strides, rows }
    }

    /// The number of the plane piece's slot.
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

    /// Number of configurations, those without a legal bit included.
    pub fn configurations(&self) -> usize {
        self.rows * self.inner().states.len()
    }

    /// The state of each outer dim in a row.
    pub fn row_states(&self, row: usize, states: &mut [usize]) {
        let mut rest = row;
        for (state, stride) in states.iter_mut().zip(&self.strides) {
            *state = rest / stride;
            rest %= stride;
        }
    }

    /// The configuration of these sets, one a dim, and whether it is the mirror image of what was asked for.
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
    fn new(rules: &Rules, shape: DimShape, is_lead: bool) -> Self {
        let DimShape { group, side, animal, size, domain } = shape;
        let all: Vec<SquareSet> =
            (0..binomial(domain.len(), size)).map(|rank| unrank_set(rank, size, domain)).collect();
        let mut states = Vec::new();
        let mut lookup = vec![(0, false); all.len()];
        for (rank, &set) in all.iter().enumerate() {
            let image = rank_set(set.mirror(), domain) as usize;
            if is_lead && image < rank {
                lookup[rank] = (lookup[image].0, true);
            } else {
                lookup[rank] = (states.len() as u32, false);
                states.push(set);
            }
        }
        let ranker = Ranker::new(size, domain);
        let movement = rules.movement(side.color(), animal);
        let steps_and_jumps = (0..Square::COUNT).map(|from| {
            let steps = movement.steps[from].into_iter().map(|to| (to, SquareSet::EMPTY));
            steps.chain(movement.jumps[from].iter().map(|jump| (jump.to, jump.path))).collect()
        });
        let steps_and_jumps = steps_and_jumps.collect();
        let mut dim =
            Self { group, side, animal, size, domain, states, moves: Vec::new(), steps_and_jumps, lookup, ranker };
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

    /// Bytes of its lists, those of single squares aside.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        let moves: usize = self.moves.iter().map(|moves| moves.capacity() * size_of::<DimMove>()).sum();
        let lists = self.states.len() * (2 * size_of::<SquareSet>() + size_of::<Vec<DimMove>>());
        moves + lists + 2 * size_of_val(&self.lookup[..])
    }

    /// The state of a set of squares, and whether it is that of its mirror image.
    #[inline]
    pub fn state(&self, set: SquareSet) -> (usize, bool) {
        let (state, flip) = self.lookup[self.ranker.rank(set)];
        (state as usize, flip)
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
    /// For each start the bit of its target.
    #[inline]
    pub const fn pull(self, word: u64) -> u64 {
        if self.shift >= 0 { word >> self.shift } else { word << -self.shift }
    }
}
