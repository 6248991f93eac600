//! State of the solver for a class, for each side to move.

use super::cell::Cell;
use super::layout::Layout;
use super::raw::Raw;
use crate::system::filled;
use crate::table::Value;
use rayon::iter::Either;
use rayon::prelude::*;

/// Known facts about the positions with one side to move.
pub struct SideState<C> {
    /// Won positions; also set for squares the plane piece cannot take.
    pub win: Vec<u64>,
    /// Lost positions.
    pub loss: Vec<u64>,
    /// Positions that are never lost: a capture saves them, or having no move is a draw there.
    pub saved: Vec<u64>,
    /// 64 per configuration; empty while solving WDL only.
    pub cells: Vec<C>,
    /// By row.
    pub marks: Vec<Marks>,
}

/// Past and upcoming events of a row.
#[derive(Clone, Copy)]
pub struct Marks {
    /// The last ply at which a position of the row was won.
    pub won_at: u16,
    /// The last ply at which a position of the row was lost.
    pub lost_at: u16,
    /// The next ply at which a capture wins.
    pub win_event: u16,
    /// The next ply at which a capture no longer keeps a position from being lost.
    pub loss_event: u16,
}

impl Marks {
    /// No past and no upcoming event.
    const NOTHING: Self = Self { won_at: NEVER, lost_at: NEVER, win_event: NEVER, loss_event: NEVER };
}

impl Raw for Marks {
    const SIZE: usize = 8;

    fn put(self, out: &mut Vec<u8>) {
        for number in [self.won_at, self.lost_at, self.win_event, self.loss_event] {
            number.put(out);
        }
    }

    fn get(bytes: &[u8]) -> Self {
        let number = |n: usize| u16::get(&bytes[2 * n..2 * n + 2]);
        Self { won_at: number(0), lost_at: number(1), win_event: number(2), loss_event: number(3) }
    }
}

/// Stands for no ply.
pub const NEVER: u16 = u16::MAX;

impl<C: Cell> SideState<C> {
    /// Allocates the state for one side to move; `None` if memory is insufficient.
    pub fn new(layout: &Layout, with_cells: bool) -> Option<Self> {
        let words = || filled(layout.configurations(), 0_u64).ok();
        let cells = if with_cells { layout.configurations().checked_mul(64)? } else { 0 };
        Some(Self {
            win: words()?,
            loss: words()?,
            saved: words()?,
            cells: filled(cells, C::NONE).ok()?,
            marks: filled(layout.rows, Marks::NOTHING).ok()?,
        })
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        self.win.fill(0);
        self.loss.fill(0);
        self.saved.fill(0);
        self.cells.fill(C::NONE);
        self.marks.fill(Marks::NOTHING);
    }

    /// The value of a position of a solved class; without cells, at its least possible distance.
    #[inline]
    pub fn value(&self, configuration: usize, lane: usize) -> Value {
        let cell = || self.cells.get(configuration * 64 + lane);
        if self.win[configuration] >> lane & 1 != 0 {
            Value::decided(cell().and_then(|cell| cell.win_ply()).unwrap_or(1))
        } else if self.loss[configuration] >> lane & 1 != 0 {
            Value::decided(cell().map_or(0, |cell| cell.gate_ply()))
        } else {
            Value::DRAW
        }
    }
}

/// The cells of each row; empty slices if there are no cells.
pub fn cell_rows<C: Cell>(cells: &mut [C], rows: usize) -> impl IndexedParallelIterator<Item = &mut [C]> {
    if cells.is_empty() {
        Either::Left((0..rows).into_par_iter().map(|_| <&mut [C]>::default()))
    } else {
        let len = cells.len() / rows;
        Either::Right(cells.par_chunks_mut(len))
    }
}

/// Sets the cells of the squares in a word.
#[inline]
pub fn write<C: Cell>(cells: &mut [C], t: usize, squares: u64, code: C) {
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
pub fn mask<C: Cell>(line: &[C; 64], is: impl Fn(C) -> bool) -> u64 {
    line.iter().zip(0..).fold(0, |mask, (&cell, lane)| mask | u64::from(is(cell)) << lane)
}
