//! Moves of a side, for all squares of the plane piece and all states of the inner dim at once.

use super::layout::{Dim, Layout};
use super::planes::{Planes, mark};
use super::seeds::DimSets;
use crate::game::SquareSet;
use crate::material::{MAX_PIECES, Side};

/// Reads the words that the moves from a row lead to.
pub struct Moves<'a> {
    layout: &'a Layout,
    /// Mirrored states of each outer dim, and of the inner one.
    mirrored: Vec<Vec<usize>>,
}

/// The row being processed.
pub struct Row {
    pub number: usize,
    states: [usize; MAX_PIECES],
    pub sets: DimSets,
}

/// A row that a move of an outer dim leads to.
struct Source {
    row: usize,
    flip: bool,
    /// Squares of the plane piece that do not block the move.
    open: u64,
    /// Water that an inner piece must leave free.
    path: SquareSet,
}

impl<'a> Moves<'a> {
    /// Prepares the moves of a class.
    pub fn new(layout: &'a Layout) -> Self {
        Self { layout, mirrored: layout.dims.iter().map(Dim::mirrored_states).collect() }
    }

    /// The row with this number.
    pub fn row(&self, number: usize) -> Row {
        let outer = self.layout.outer();
        let mut states = [0; MAX_PIECES];
        self.layout.row_states(number, &mut states[..outer.len()]);
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for (at, dim) in outer.iter().enumerate() {
            sets[at] = dim.states[states[at]];
        }
        Row { number, states, sets }
    }

    /// The squares of the outer pieces; `None` if two of them share one.
    pub fn outer_squares(&self, row: &Row) -> Option<SquareSet> {
        row.sets[..self.layout.outer().len()]
            .iter()
            .try_fold(SquareSet::EMPTY, |all, &set| (!all.meets(set)).then_some(all | set))
    }

    /// The squares of outer pieces that block the jumps of a slot.
    #[inline]
    fn outer_stoppers(&self, row: &Row, slot: usize) -> SquareSet {
        let outer = self.layout.outer().iter().zip(row.sets);
        let stopped_by = self.layout.slots[slot].stopped_by;
        let stopping = outer.filter(|(dim, _)| stopped_by[dim.side.index()]);
        stopping.fold(SquareSet::EMPTY, |all, (_, set)| all | set)
    }

    /// Whether an inner piece can block the jumps of a slot.
    fn inner_stops(&self, slot: usize) -> bool {
        self.layout.slots[slot].stopped_by[self.layout.inner().side.index()]
    }

    /// Visits the rows that the outer pieces of a side move to, until `f` ends it.
    #[inline]
    fn for_each_source(&self, row: &Row, side: Side, mut f: impl FnMut(Source) -> bool) -> bool {
        let layout = self.layout;
        for (at, dim) in layout.outer().iter().enumerate().filter(|(_, dim)| dim.side == side) {
            let state = row.states[at];
            for mv in &dim.moves[state] {
                let mut open = u64::MAX;
                let mut path = SquareSet::EMPTY;
                if !mv.path.is_empty() {
                    if mv.path.meets(self.outer_stoppers(row, at)) {
                        continue;
                    }
                    if layout.slots[at].stopped_by[layout.plane.side.index()] {
                        open = !mv.path.0;
                    }
                    if self.inner_stops(at) {
                        path = mv.path;
                    }
                }
                let target = mv.target as usize;
                let source = if mv.flip {
                    // Only the lead flips; the other dims take the mirror image of their state.
                    let others = layout.strides.iter().zip(&self.mirrored).zip(row.states).skip(1);
                    target * layout.strides[0]
                        + others.map(|((stride, mirrored), state)| stride * mirrored[state]).sum::<usize>()
                } else {
                    row.number + target * layout.strides[at] - state * layout.strides[at]
                };
                if !f(Source { row: source, flip: mv.flip, open, path }) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether some position in a row that `side` can move to was won at this ply.
    pub fn is_near_change(&self, row: &Row, side: Side, ply: u16, other: &Planes) -> bool {
        let at = mark(ply);
        other.won_at[row.number] == at || !self.for_each_source(row, side, |source| other.won_at[source.row] != at)
    }

    /// Adds to `new` the positions from which `side` moves to one lost at `ply`; returns whether there may be any.
    pub fn reached(&self, row: &Row, side: Side, ply: u16, other: &Planes, new: &mut [u64]) -> bool {
        let layout = self.layout;
        let width = new.len();
        let mut touched = false;
        self.for_each_source(row, side, |source| {
            if other.lost_at[source.row] == mark(ply) {
                touched = true;
                let from = &other.loss[source.row * width..][..width];
                self.with_source(&source, from, 0, |t, word| new[t] |= word);
            }
            true
        });
        if other.lost_at[row.number] == mark(ply) {
            touched = true;
            let here = &other.loss[row.number * width..][..width];
            self.within_row(row, side, here, 0, |t, word| new[t] |= word);
            if layout.plane.side == side {
                self.plane_moves(row, here, |t, word, from| new[t] |= word & from);
            }
        }
        touched
    }

    /// Keeps in `open` the positions whose quiet moves all lead to won ones; returns whether any is left.
    pub fn answered(&self, row: &Row, side: Side, won: &[u64], open: &mut [u64]) -> bool {
        let width = open.len();
        let here = &won[row.number * width..][..width];
        if open.iter().all(|&open| open == 0) {
            return false;
        }
        if self.layout.plane.side == side {
            self.plane_moves(row, here, |t, word, from| open[t] &= word | !from);
        }
        self.within_row(row, side, here, u64::MAX, |t, word| open[t] &= word);
        if open.iter().all(|&open| open == 0) {
            return false;
        }
        self.for_each_source(row, side, |source| {
            let from = &won[source.row * width..][..width];
            self.with_source(&source, from, u64::MAX, |t, word| open[t] &= word);
            open.iter().any(|&open| open != 0)
        })
    }

    /// The words that a move of an outer piece leads to; `closed` where it is blocked.
    #[inline]
    fn with_source(&self, source: &Source, from: &[u64], closed: u64, mut f: impl FnMut(usize, u64)) {
        let shut = !source.open & closed;
        if source.flip {
            let inner = &self.mirrored[self.layout.dims.len() - 1];
            for (t, &image) in inner.iter().enumerate() {
                let word = SquareSet(from[image]).mirror().0;
                f(t, self.unless_inner_stops(source.path, t, closed, word & source.open | shut));
            }
        } else if source.path.is_empty() {
            for (t, &word) in from.iter().enumerate() {
                f(t, word & source.open | shut);
            }
        } else {
            for (t, &word) in from.iter().enumerate() {
                f(t, self.unless_inner_stops(source.path, t, closed, word & source.open | shut));
            }
        }
    }

    #[inline]
    fn unless_inner_stops(&self, path: SquareSet, t: usize, closed: u64, word: u64) -> u64 {
        if path.meets(self.layout.inner().states[t]) { closed } else { word }
    }

    /// The words that moves of the inner pieces lead to, if they belong to `side`; `closed` where they are blocked.
    #[inline]
    fn within_row(&self, row: &Row, side: Side, here: &[u64], closed: u64, mut f: impl FnMut(usize, u64)) {
        let layout = self.layout;
        let inner = layout.inner();
        if inner.side != side {
            return;
        }
        let at = layout.dims.len() - 1;
        let stoppers = self.outer_stoppers(row, at);
        let plane_stops = layout.slots[at].stopped_by[layout.plane.side.index()];
        for (t, moves) in inner.moves.iter().enumerate() {
            for mv in moves.iter().filter(|mv| !mv.path.meets(stoppers)) {
                let open = if plane_stops { !mv.path.0 } else { u64::MAX };
                f(t, here[mv.target as usize] & open | !open & closed);
            }
        }
    }

    /// The words that each move of the plane piece leads to, and its start squares.
    #[inline]
    fn plane_moves(&self, row: &Row, here: &[u64], mut f: impl FnMut(usize, u64, u64)) {
        let layout = self.layout;
        let slot = layout.plane_slot();
        for mv in &layout.plane.moves {
            if mv.path.is_empty() {
                for (t, &word) in here.iter().enumerate() {
                    f(t, mv.pull(word), mv.from.0);
                }
            } else if !mv.path.meets(self.outer_stoppers(row, slot)) {
                let path = if self.inner_stops(slot) { mv.path } else { SquareSet::EMPTY };
                for (t, &word) in here.iter().enumerate() {
                    let from = if path.meets(layout.inner().states[t]) { 0 } else { mv.from.0 };
                    f(t, mv.pull(word), from);
                }
            }
        }
    }
}
