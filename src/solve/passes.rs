//! The passes: one ply of the analysis over all configurations, a bit a square of the plane piece.

use super::cell::Cell;
use super::layout::{Dim, Layout};
use super::seeds::{DimSets, Seeds};
use crate::game::{Color, NoLegalMove, Rules, SquareSet};
use crate::material::{MAX_PIECES, Side};
use rayon::prelude::*;

/// What is known of the positions with one side to move.
pub struct Half<C> {
    /// Won positions; also set for squares the plane piece cannot take.
    pub win: Vec<u64>,
    /// Lost positions.
    pub loss: Vec<u64>,
    /// Positions that are never lost: a capture saves them, or they are drawn for want of a move.
    saved: Vec<u64>,
    /// 64 a configuration; none while solving for results only.
    pub cells: Vec<C>,
    /// By row.
    marks: Vec<Marks>,
}

/// What has happened in a row, and what will.
#[derive(Clone, Copy)]
struct Marks {
    /// The last ply at which a position of the row was won.
    won_at: u16,
    /// The last ply at which a position of the row was lost.
    lost_at: u16,
    /// The next ply at which a capture wins.
    win_event: u16,
    /// The next ply at which a capture no longer keeps a position from being lost.
    loss_event: u16,
}

const NEVER: u16 = u16::MAX;

/// What a pass did.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Rows in which something became known.
    pub rows: usize,
    /// The next ply at which a capture comes into effect.
    pub next_event: u16,
}

impl Outcome {
    /// Nothing changed, nothing will.
    pub const NOTHING: Self = Self { rows: 0, next_event: NEVER };

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, next_event: self.next_event.min(other.next_event) }
    }
}

/// Everything a pass needs to know besides the halves.
pub struct Passes<'a> {
    layout: &'a Layout,
    no_move_draws: bool,
    /// `stopped[slot]`: which sides' pieces stop the jumps of the slot's animal; slots are dims, then the plane piece.
    stopped: Vec<[bool; 2]>,
    /// Mirrored states of each outer dim, and of the inner one.
    mirrored: Vec<Vec<usize>>,
    /// The domain of the plane piece.
    domain: u64,
    interrupted: &'a (dyn Fn() -> bool + Sync),
}

/// A row under work.
struct Row {
    number: usize,
    states: [usize; MAX_PIECES],
    sets: DimSets,
}

/// A row from which the moves of an outer dim take values.
struct Source {
    row: usize,
    flip: bool,
    /// Squares of the plane piece that do not stop the move.
    open: u64,
    /// Water that an inner piece must leave free.
    path: SquareSet,
}

impl<C: Cell> Half<C> {
    /// Memory for one side to move; `None` if there is too little.
    pub fn new(layout: &Layout, with_cells: bool) -> Option<Self> {
        let words = || zeroed(layout.configurations(), 0_u64);
        let cells = if with_cells { layout.configurations().checked_mul(64)? } else { 0 };
        let marks = Marks { won_at: NEVER, lost_at: NEVER, win_event: NEVER, loss_event: NEVER };
        Some(Self {
            win: words()?,
            loss: words()?,
            saved: words()?,
            cells: zeroed(cells, C::NONE)?,
            marks: zeroed(layout.rows, marks)?,
        })
    }
}

fn zeroed<T: Clone>(len: usize, value: T) -> Option<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).ok()?;
    vec.resize(len, value);
    Some(vec)
}

impl<'a> Passes<'a> {
    pub fn new(rules: &Rules, layout: &'a Layout, interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let slots = layout.dims.iter().map(|dim| (dim.side, dim.animal));
        let stopped = slots
            .chain([(layout.plane.side, layout.plane.animal)])
            .map(|(side, animal)| Color::BOTH.map(|owner| super::layout::stops(rules, side.color(), animal, owner)));
        Self {
            layout,
            no_move_draws: rules.keys().no_legal_move == NoLegalMove::Draw,
            stopped: stopped.collect(),
            mirrored: layout.dims.iter().map(Dim::mirrored_states).collect(),
            domain: layout.plane.domain.0,
            interrupted,
        }
    }

    /// Marks the squares that the plane piece cannot take as won.
    pub fn lay_out<C: Cell>(&self, half: &mut Half<C>) {
        let width = self.layout.inner().states.len();
        half.win.par_chunks_mut(width).enumerate().for_each(|(number, win)| {
            let row = self.row(number);
            let outer = self.outer_squares(&row);
            for (word, &inner) in win.iter_mut().zip(&self.layout.inner().states) {
                let legal =
                    outer.filter(|outer| !outer.meets(inner)).map_or(0, |outer| self.domain & !(outer | inner).0);
                *word = !legal;
            }
        });
    }

    /// Works out the captures of a side, and which positions have no move at all. Wins at ply 1 are left in `loss`
    /// and `saved` together, for [`Passes::promote`]: the other side still reads `win` as it was laid out.
    pub fn seed<C: Cell>(&self, seeds: &Seeds<'_, C>, side: Side, half: &mut Half<C>, other: &Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, loss, saved, cells, marks } = half;
        let with_cells = !cells.is_empty();
        let rows = loss.par_chunks_mut(width).zip(saved.par_chunks_mut(width)).zip(marks.par_iter_mut());
        let seed_row = |number: usize, loss: &mut [u64], saved: &mut [u64], marks: &mut Marks, cells: &mut [C]| {
            if (self.interrupted)() {
                return Outcome::NOTHING;
            }
            let row = self.row(number);
            let Some(outer) = self.outer_squares(&row) else { return Outcome::NOTHING };
            let won = &win[number * width..][..width];
            let mut sets = row.sets;
            let inner_at = self.layout.dims.len() - 1;
            let mut some = vec![0_u64; width];
            let mut line = [C::NONE; 64];
            for (t, &inner) in self.layout.inner().states.iter().enumerate() {
                let legal = !won[t];
                if legal == 0 || outer.meets(inner) {
                    continue;
                }
                sets[inner_at] = inner;
                let dens = seeds.den_entries(side, &sets).0 & legal;
                let mut first = dens;
                if seeds.configuration(side, &sets, &mut line) {
                    for lane in SquareSet(!legal) {
                        line[lane.index() & 63] = C::NONE;
                    }
                    line[63] = C::NONE;
                    some[t] = mask(&line, |code| code != C::NONE);
                    let wins = mask(&line, |code| code > C::SAVED);
                    saved[t] = mask(&line, |code| code == C::SAVED);
                    if with_cells {
                        let now = C::win(1);
                        first |= mask(&line, |code| Some(code) == now);
                        let later = line.iter().filter_map(|code| code.win_ply()).filter(|&ply| ply > 1).min();
                        marks.win_event = marks.win_event.min(later.unwrap_or(NEVER));
                        cells[t * 64..][..64].copy_from_slice(&line);
                    } else {
                        first |= wins;
                    }
                }
                some[t] |= dens;
                saved[t] |= first;
                loss[t] = first;
            }
            // With only the illegal squares known as won, the positions whose moves are all answered have none.
            let mut stuck: Vec<u64> = won.iter().map(|&won| !won).collect();
            if self.answered(&row, side, &other.win, &mut stuck) {
                for (t, stuck) in stuck.into_iter().enumerate() {
                    let dead = stuck & !some[t];
                    if dead != 0 && self.no_move_draws {
                        saved[t] |= dead;
                    } else if dead != 0 {
                        loss[t] |= dead;
                        marks.lost_at = 0;
                    }
                    for square in SquareSet(stuck & some[t] & !saved[t]) {
                        let cell = cells.get(t * 64 + square.index());
                        if cell.is_none_or(|&cell| cell < C::SAVED) {
                            marks.loss_event = marks.loss_event.min(cell.map_or(2, |cell| cell.gate_ply()));
                        }
                    }
                }
            }
            Outcome { rows: usize::from(marks.lost_at == 0), next_event: marks.win_event.min(marks.loss_event) }
        };
        if with_cells {
            let rows = rows.zip(cells.par_chunks_mut(width * 64)).enumerate();
            rows.map(|(n, (((loss, saved), marks), cells))| seed_row(n, loss, saved, marks, cells))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        } else {
            rows.enumerate()
                .map(|(n, ((loss, saved), marks))| seed_row(n, loss, saved, marks, &mut []))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        }
    }

    /// Moves the wins at ply 1 to where they belong.
    pub fn promote<C: Cell>(&self, half: &mut Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, loss, saved, cells, marks } = half;
        let code = C::win(1).expect("every cell holds a win at ply 1");
        let rows = win
            .par_chunks_mut(width)
            .zip(loss.par_chunks_mut(width))
            .zip(saved.par_chunks(width))
            .zip(marks.par_iter_mut());
        let promote_row = |win: &mut [u64], loss: &mut [u64], saved: &[u64], marks: &mut Marks, cells: &mut [C]| {
            for (t, (win, loss)) in win.iter_mut().zip(loss).enumerate() {
                let first = *loss & saved[t];
                if first != 0 {
                    *win |= first;
                    *loss &= !first;
                    marks.won_at = 1;
                    write(cells, t, first, code);
                }
            }
            Outcome { rows: usize::from(marks.won_at == 1), next_event: NEVER }
        };
        if cells.is_empty() {
            rows.map(|(((win, loss), saved), marks)| promote_row(win, loss, saved, marks, &mut []))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        } else {
            rows.zip(cells.par_chunks_mut(width * 64))
                .map(|((((win, loss), saved), marks), cells)| promote_row(win, loss, saved, marks, cells))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        }
    }

    /// A win pass: what of `side` can move to a position lost at the ply before, or wins with a capture at this ply.
    pub fn win<C: Cell>(&self, side: Side, ply: u16, code: C, half: &mut Half<C>, other: &Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, cells, marks, .. } = half;
        let rows = win.par_chunks_mut(width).zip(marks.par_iter_mut());
        let win_row = |new: &mut Vec<u64>, number: usize, win: &mut [u64], marks: &mut Marks, cells: &mut [C]| {
            if (self.interrupted)() {
                return Outcome::NOTHING;
            }
            new.clear();
            new.resize(width, 0);
            let row = self.row(number);
            let mut touched = self.reached(&row, side, ply - 1, other, new);
            if marks.win_event == ply {
                touched = true;
                marks.win_event = NEVER;
                for (t, line) in cells.as_chunks::<64>().0.iter().enumerate() {
                    new[t] |= mask(line, |cell| cell == code);
                    let later = line.iter().filter(|&&cell| cell < code && cell > C::SAVED).max();
                    marks.win_event = marks.win_event.min(later.and_then(|cell| cell.win_ply()).unwrap_or(NEVER));
                }
            }
            if touched {
                for (t, (win, &new)) in win.iter_mut().zip(&*new).enumerate() {
                    let fresh = new & !*win;
                    if fresh != 0 {
                        *win |= fresh;
                        marks.won_at = ply;
                        write(cells, t, fresh, code);
                    }
                }
            }
            Outcome { rows: usize::from(marks.won_at == ply), next_event: marks.win_event }
        };
        if cells.is_empty() {
            rows.enumerate()
                .map_init(Vec::new, |new, (n, (win, marks))| win_row(new, n, win, marks, &mut []))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        } else {
            rows.zip(cells.par_chunks_mut(width * 64))
                .enumerate()
                .map_init(Vec::new, |new, (n, ((win, marks), cells))| win_row(new, n, win, marks, cells))
                .reduce(|| Outcome::NOTHING, Outcome::and)
        }
    }

    /// A loss pass: the positions of `side` all of whose moves lead to positions won by now, and whose captures all
    /// have come to be answered.
    pub fn lose<C: Cell>(&self, side: Side, ply: u16, code: C, half: &mut Half<C>, other: &Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, loss, saved, cells, marks } = half;
        let rows = loss
            .par_chunks_mut(width)
            .zip(win.par_chunks(width))
            .zip(saved.par_chunks(width))
            .zip(marks.par_iter_mut());
        let lose_row = |open: &mut Vec<u64>,
                        number: usize,
                        loss: &mut [u64],
                        win: &[u64],
                        saved: &[u64],
                        marks: &mut Marks,
                        cells: &mut [C]| {
            let row = self.row(number);
            if marks.loss_event > ply && !self.is_near_change(&row, side, ply - 1, other) || (self.interrupted)() {
                return Outcome { rows: 0, next_event: marks.loss_event };
            }
            open.clear();
            open.extend(win.iter().zip(&*loss).zip(saved).map(|((win, loss), saved)| !(win | loss | saved)));
            marks.loss_event = NEVER;
            if self.answered(&row, side, &other.win, open) {
                for (t, &open) in open.iter().enumerate().filter(|(_, open)| **open != 0) {
                    let mut fresh = open;
                    if let Some(line) = cells.as_chunks::<64>().0.get(t) {
                        for square in SquareSet(open) {
                            // A capture that will win keeps a position from being lost at any ply.
                            let cell = line[square.index()];
                            if cell > C::SAVED {
                                fresh &= !square.set().0;
                            } else if cell.gate_ply() > ply {
                                fresh &= !square.set().0;
                                marks.loss_event = marks.loss_event.min(cell.gate_ply());
                            }
                        }
                    }
                    if fresh != 0 {
                        loss[t] |= fresh;
                        marks.lost_at = ply;
                        write(cells, t, fresh, code);
                    }
                }
            }
            Outcome { rows: usize::from(marks.lost_at == ply), next_event: marks.loss_event }
        };
        if cells.is_empty() {
            rows.enumerate()
                .map_init(Vec::new, |open, (n, (((loss, win), saved), marks))| {
                    lose_row(open, n, loss, win, saved, marks, &mut [])
                })
                .reduce(|| Outcome::NOTHING, Outcome::and)
        } else {
            rows.zip(cells.par_chunks_mut(width * 64))
                .enumerate()
                .map_init(Vec::new, |open, (n, ((((loss, win), saved), marks), cells))| {
                    lose_row(open, n, loss, win, saved, marks, cells)
                })
                .reduce(|| Outcome::NOTHING, Outcome::and)
        }
    }

    fn row(&self, number: usize) -> Row {
        let outer = self.layout.outer();
        let mut states = [0; MAX_PIECES];
        self.layout.row_states(number, &mut states[..outer.len()]);
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for (at, dim) in outer.iter().enumerate() {
            sets[at] = dim.states[states[at]];
        }
        Row { number, states, sets }
    }

    /// The squares of the outer pieces, `None` if two of them share one.
    fn outer_squares(&self, row: &Row) -> Option<SquareSet> {
        row.sets[..self.layout.outer().len()]
            .iter()
            .try_fold(SquareSet::EMPTY, |all, &set| (!all.meets(set)).then_some(all | set))
    }

    /// The squares of outer pieces that stop the jumps of a slot.
    #[inline]
    fn outer_stoppers(&self, row: &Row, slot: usize) -> SquareSet {
        let outer = self.layout.outer().iter().zip(row.sets);
        let stopping = outer.filter(|(dim, _)| self.stopped[slot][dim.side.index()]);
        stopping.fold(SquareSet::EMPTY, |all, (_, set)| all | set)
    }

    /// Whether an inner piece stops the jumps of a slot.
    fn inner_stops(&self, slot: usize) -> bool {
        self.stopped[slot][self.layout.inner().side.index()]
    }

    /// Visits the rows that the outer pieces of a side move to; stops when `f` says so.
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
                    if self.stopped[at][layout.plane.side.index()] {
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

    /// Whether a row that `side` can move to was won in part at this ply.
    fn is_near_change<C: Cell>(&self, row: &Row, side: Side, ply: u16, other: &Half<C>) -> bool {
        other.marks[row.number].won_at == ply
            || !self.for_each_source(row, side, |source| other.marks[source.row].won_at != ply)
    }

    /// Adds to `new` the positions from which `side` moves to one lost at `ply`; tells whether there may be any.
    fn reached<C: Cell>(&self, row: &Row, side: Side, ply: u16, other: &Half<C>, new: &mut [u64]) -> bool {
        let layout = self.layout;
        let width = new.len();
        let mut touched = false;
        self.for_each_source(row, side, |source| {
            if other.marks[source.row].lost_at == ply {
                touched = true;
                let from = &other.loss[source.row * width..][..width];
                self.with_source(&source, from, 0, |t, word| new[t] |= word);
            }
            true
        });
        if other.marks[row.number].lost_at == ply {
            touched = true;
            let here = &other.loss[row.number * width..][..width];
            self.within_row(row, side, here, 0, |t, word| new[t] |= word);
            if layout.plane.side == side {
                self.plane_moves(row, here, |t, word, from| new[t] |= word & from);
            }
        }
        touched
    }

    /// Keeps in `open` the positions whose quiet moves all lead to won ones; tells whether any is left.
    fn answered(&self, row: &Row, side: Side, won: &[u64], open: &mut [u64]) -> bool {
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

    /// The words that a move of an outer piece leads to, `closed` where it is stopped.
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

    /// The words that moves of the inner pieces lead to, if they are of `side`; `closed` where they are stopped.
    #[inline]
    fn within_row(&self, row: &Row, side: Side, here: &[u64], closed: u64, mut f: impl FnMut(usize, u64)) {
        let layout = self.layout;
        let inner = layout.inner();
        if inner.side != side {
            return;
        }
        let at = layout.dims.len() - 1;
        let stoppers = self.outer_stoppers(row, at);
        let plane_stops = self.stopped[at][layout.plane.side.index()];
        for (t, moves) in inner.moves.iter().enumerate() {
            for mv in moves.iter().filter(|mv| !mv.path.meets(stoppers)) {
                let open = if plane_stops { !mv.path.0 } else { u64::MAX };
                f(t, here[mv.target as usize] & open | !open & closed);
            }
        }
    }

    /// For each move of the plane piece the words it leads to, and the squares it goes from.
    #[inline]
    fn plane_moves(&self, row: &Row, here: &[u64], mut f: impl FnMut(usize, u64, u64)) {
        let layout = self.layout;
        let slot = layout.dims.len();
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

/// Sets the cells of the squares in a word.
#[inline]
fn write<C: Cell>(cells: &mut [C], t: usize, squares: u64, code: C) {
    if let Some(line) = cells.as_chunks_mut::<64>().0.get_mut(t) {
        let mut squares = squares;
        while squares != 0 {
            line[squares.trailing_zeros() as usize] = code;
            squares &= squares - 1;
        }
    }
}

/// The squares whose cells satisfy a condition.
#[inline]
fn mask<C: Cell>(line: &[C; 64], is: impl Fn(C) -> bool) -> u64 {
    line.iter().zip(0..).fold(0, |mask, (&cell, lane)| mask | u64::from(is(cell)) << lane)
}
