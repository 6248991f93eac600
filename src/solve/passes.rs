//! The passes: one ply of the analysis over all configurations, a bit a square of the plane piece.

use super::cell::Cell;
use super::half::{Half, Marks, NEVER, cell_rows, mask, write};
use super::layout::Layout;
use super::moves::Moves;
use super::seeds::Seeds;
use crate::game::{NoLegalMove, Rules, SquareSet};
use crate::material::Side;
use crate::system::Cancel;
use rayon::prelude::*;

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

/// Goes over the rows of a class, pass by pass.
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
        Self { layout, moves: Moves::new(rules, layout), no_move_draws, cancel }
    }

    /// Marks the squares that the plane piece cannot take as won.
    pub fn lay_out<C: Cell>(&self, half: &mut Half<C>) {
        let width = self.layout.inner().states.len();
        let domain = self.layout.plane.domain.0;
        half.win.par_chunks_mut(width).enumerate().for_each(|(number, win)| {
            let row = self.moves.row(number);
            let outer = self.moves.outer_squares(&row);
            for (word, &inner) in win.iter_mut().zip(&self.layout.inner().states) {
                let legal = outer.filter(|outer| !outer.meets(inner)).map_or(0, |outer| domain & !(outer | inner).0);
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
        let seed_row = |scratch: &mut [Vec<u64>; 2],
                        number: usize,
                        loss: &mut [u64],
                        saved: &mut [u64],
                        marks: &mut Marks,
                        cells: &mut [C]| {
            if self.cancel.is_cancelled() {
                return Outcome::NOTHING;
            }
            let row = self.moves.row(number);
            let Some(outer) = self.moves.outer_squares(&row) else { return Outcome::NOTHING };
            let won = &win[number * width..][..width];
            let mut sets = row.sets;
            let inner_at = self.layout.dims.len() - 1;
            let [some, stuck] = scratch;
            some.clear();
            some.resize(width, 0);
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
            stuck.clear();
            stuck.extend(won.iter().map(|&won| !won));
            if self.moves.answered(&row, side, &other.win, stuck) {
                for (t, &stuck) in stuck.iter().enumerate() {
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
        loss.par_chunks_mut(width)
            .zip(saved.par_chunks_mut(width))
            .zip(marks.par_iter_mut())
            .zip(cell_rows(cells, self.layout.rows))
            .enumerate()
            .map_init(<[Vec<u64>; 2]>::default, |scratch, (number, (((loss, saved), marks), cells))| {
                seed_row(scratch, number, loss, saved, marks, cells)
            })
            .reduce(|| Outcome::NOTHING, Outcome::and)
    }

    /// Moves the wins at ply 1 to where they belong.
    pub fn promote<C: Cell>(&self, half: &mut Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, loss, saved, cells, marks } = half;
        let code = C::win(1).expect("every cell holds a win at ply 1");
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
        win.par_chunks_mut(width)
            .zip(loss.par_chunks_mut(width))
            .zip(saved.par_chunks(width))
            .zip(marks.par_iter_mut())
            .zip(cell_rows(cells, self.layout.rows))
            .map(|((((win, loss), saved), marks), cells)| promote_row(win, loss, saved, marks, cells))
            .reduce(|| Outcome::NOTHING, Outcome::and)
    }

    /// A win pass: what of `side` can move to a position lost at the ply before, or wins with a capture at this ply.
    pub fn win<C: Cell>(&self, side: Side, ply: u16, code: C, half: &mut Half<C>, other: &Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, cells, marks, .. } = half;
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

    /// A loss pass: the positions of `side` all of whose moves lead to positions won by now, and whose captures all
    /// have come to be answered.
    pub fn lose<C: Cell>(&self, side: Side, ply: u16, code: C, half: &mut Half<C>, other: &Half<C>) -> Outcome {
        let width = self.layout.inner().states.len();
        let Half { win, loss, saved, cells, marks } = half;
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
