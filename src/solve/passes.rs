//! Passes: one ply of the analysis over all configurations, one bit per square of the plane piece.

use super::cell::Cell;
use super::layout::Layout;
use super::moves::Moves;
use super::seeds::Seeds;
use super::side_state::{Marks, NEVER, SideState, cell_rows, mask, write};
use crate::game::{NoLegalMove, Rules, SquareSet};
use crate::material::Side;
use crate::system::Cancel;
use rayon::prelude::*;

/// The outcome of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Number of rows in which something became known.
    pub rows: usize,
    /// The next ply at which a capture takes effect.
    pub next_event: u16,
}

impl Outcome {
    /// No change now, no later event.
    pub const NOTHING: Self = Self { rows: 0, next_event: NEVER };

    /// The combined outcome.
    pub fn and(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, next_event: self.next_event.min(other.next_event) }
    }
}

/// Runs the passes over the rows of a class.
pub struct Passes<'a> {
    layout: &'a Layout,
    moves: Moves<'a>,
    no_move_draws: bool,
    cancel: &'a Cancel,
}

impl<'a> Passes<'a> {
    /// Passes over a class; rows are skipped once the run is cancelled.
    pub fn new(rules: &Rules, layout: &'a Layout, cancel: &'a Cancel) -> Self {
        let no_move_draws = rules.keys().no_legal_move == NoLegalMove::Draw;
        Self { layout, moves: Moves::new(layout), no_move_draws, cancel }
    }

    /// Marks the squares that the plane piece cannot take as won.
    pub fn lay_out<C: Cell>(&self, own: &mut SideState<C>) {
        let width = self.layout.inner().states.len();
        let domain = self.layout.plane.domain.0;
        own.win.par_chunks_mut(width).enumerate().for_each(|(number, win)| {
            let row = self.moves.row(number);
            let outer = self.moves.outer_squares(&row);
            for (word, &inner) in win.iter_mut().zip(&self.layout.inner().states) {
                let legal = outer.filter(|outer| !outer.meets(inner)).map_or(0, |outer| domain & !(outer | inner).0);
                *word = !legal;
            }
        });
    }

    /// Leaves in `loss` the positions of a side that have no quiet move. They are lost, unless [`Passes::captures`]
    /// finds another move. The `win` of both sides must be as [`Passes::lay_out`] left it.
    pub fn stuck<C: Cell>(&self, side: Side, own: &mut SideState<C>, other: &SideState<C>) {
        let width = self.layout.inner().states.len();
        let SideState { win, loss, .. } = own;
        loss.par_chunks_mut(width).zip(win.par_chunks(width)).enumerate().for_each(|(number, (loss, win))| {
            if self.cancel.is_cancelled() {
                return;
            }
            for (open, &illegal) in loss.iter_mut().zip(win) {
                *open = !illegal;
            }
            // With only the illegal squares marked as won, `answered` leaves the positions without any quiet move.
            self.moves.answered(&self.moves.row(number), side, &other.win, loss);
        });
    }

    /// Computes the values of a side's captures and den entries, after [`Passes::stuck`].
    pub fn captures<C: Cell>(&self, seeds: &Seeds<'_, C>, side: Side, own: &mut SideState<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let inner_at = self.layout.dims.len() - 1;
        let code = C::win(1).expect("every cell holds a win at ply 1");
        let SideState { win, loss, saved, cells, marks } = own;
        let with_cells = !cells.is_empty();
        let capture_row = |number: usize,
                           win: &mut [u64],
                           loss: &mut [u64],
                           saved: &mut [u64],
                           marks: &mut Marks,
                           cells: &mut [C]| {
            if self.cancel.is_cancelled() {
                return Outcome::NOTHING;
            }
            let row = self.moves.row(number);
            let mut sets = row.sets;
            let mut line = [C::NONE; 64];
            for (t, &inner) in self.layout.inner().states.iter().enumerate() {
                let legal = !win[t];
                if legal == 0 {
                    continue;
                }
                sets[inner_at] = inner;
                let mut first = seeds.den_entries(side, &sets).0 & legal;
                let mut some = first;
                if seeds.configuration(side, &sets, &mut line) {
                    for lane in SquareSet(!legal) {
                        line[lane.index() & 63] = C::NONE;
                    }
                    line[63] = C::NONE;
                    some |= mask(&line, |cell| cell != C::NONE);
                    saved[t] = mask(&line, |cell| cell == C::SAVED);
                    if with_cells {
                        first |= mask(&line, |cell| cell == code);
                        let later = line.iter().filter_map(|cell| cell.win_ply()).filter(|&ply| ply > 1).min();
                        marks.win_event = marks.win_event.min(later.unwrap_or(NEVER));
                        cells[t * 64..][..64].copy_from_slice(&line);
                    } else {
                        first |= mask(&line, |cell| cell > C::SAVED);
                    }
                }
                let stuck = loss[t];
                let dead = stuck & !some;
                loss[t] = if self.no_move_draws { 0 } else { dead };
                if self.no_move_draws {
                    saved[t] |= dead;
                } else if dead != 0 {
                    marks.lost_at = 0;
                }
                for square in SquareSet(stuck & some & !saved[t] & !first) {
                    let cell = cells.get(t * 64 + square.index());
                    if cell.is_none_or(|&cell| cell < C::SAVED) {
                        marks.loss_event = marks.loss_event.min(cell.map_or(2, |cell| cell.gate_ply()));
                    }
                }
                if first != 0 {
                    win[t] |= first;
                    marks.won_at = 1;
                    write(cells, t, first, code);
                }
            }
            let rows = usize::from(marks.won_at == 1);
            Outcome { rows, next_event: marks.win_event.min(marks.loss_event) }
        };
        win.par_chunks_mut(width)
            .zip(loss.par_chunks_mut(width))
            .zip(saved.par_chunks_mut(width))
            .zip(marks.par_iter_mut())
            .zip(cell_rows(cells, self.layout.rows))
            .enumerate()
            .map(|(number, ((((win, loss), saved), marks), cells))| capture_row(number, win, loss, saved, marks, cells))
            .reduce(|| Outcome::NOTHING, Outcome::and)
    }

    /// A win pass: finds the positions of `side` with a move to a position lost at the previous ply, or with a capture
    /// that wins at this ply.
    pub fn win<C: Cell>(&self, side: Side, ply: u16, code: C, own: &mut SideState<C>, other: &SideState<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let SideState { win, cells, marks, .. } = own;
        let win_row = |new: &mut Vec<u64>, number: usize, win: &mut [u64], marks: &mut Marks, cells: &mut [C]| {
            if self.cancel.is_cancelled() {
                return Outcome::NOTHING;
            }
            new.clear();
            new.resize(width, 0);
            let row = self.moves.row(number);
            let mut touched = self.moves.reached(&row, side, ply - 1, other, new);
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
        win.par_chunks_mut(width)
            .zip(marks.par_iter_mut())
            .zip(cell_rows(cells, self.layout.rows))
            .enumerate()
            .map_init(Vec::new, |new, (number, ((win, marks), cells))| win_row(new, number, win, marks, cells))
            .reduce(|| Outcome::NOTHING, Outcome::and)
    }

    /// A loss pass: finds the positions of `side` all of whose moves lead to positions won by now, and whose captures
    /// no longer prevent the loss.
    pub fn lose<C: Cell>(
        &self,
        side: Side,
        ply: u16,
        code: C,
        own: &mut SideState<C>,
        other: &SideState<C>,
    ) -> Outcome {
        let width = self.layout.inner().states.len();
        let SideState { win, loss, saved, cells, marks } = own;
        let lose_row = |open: &mut Vec<u64>,
                        number: usize,
                        loss: &mut [u64],
                        win: &[u64],
                        saved: &[u64],
                        marks: &mut Marks,
                        cells: &mut [C]| {
            let row = self.moves.row(number);
            if marks.loss_event > ply && !self.moves.is_near_change(&row, side, ply - 1, other)
                || self.cancel.is_cancelled()
            {
                return Outcome { rows: 0, next_event: marks.loss_event };
            }
            open.clear();
            open.extend(win.iter().zip(&*loss).zip(saved).map(|((win, loss), saved)| !(win | loss | saved)));
            marks.loss_event = NEVER;
            if self.moves.answered(&row, side, &other.win, open) {
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
        loss.par_chunks_mut(width)
            .zip(win.par_chunks(width))
            .zip(saved.par_chunks(width))
            .zip(marks.par_iter_mut())
            .zip(cell_rows(cells, self.layout.rows))
            .enumerate()
            .map_init(Vec::new, |open, (number, ((((loss, win), saved), marks), cells))| {
                lose_row(open, number, loss, win, saved, marks, cells)
            })
            .reduce(|| Outcome::NOTHING, Outcome::and)
    }
}
