//! Passes: one ply of the analysis over the configurations of a slab, one bit per square of the plane piece.

use super::layout::Layout;
use super::moves::Moves;
use super::planes::{Planes, mark};
use super::records::Records;
use crate::game::{NoLegalMove, Rules};
use crate::material::Side;
use crate::system::Cancel;
use rayon::prelude::*;
use std::ops::Range;

/// What a pass found in a slab.
#[derive(Default)]
pub struct Found {
    /// Number of rows in which a position was decided.
    pub rows: usize,
    /// The positions, as blocks of records in order of configurations; empty unless they were asked for.
    pub blocks: Vec<Vec<u8>>,
}

/// Runs the passes over the rows of a class.
pub struct Passes<'a> {
    pub(super) layout: &'a Layout,
    pub(super) moves: Moves<'a>,
    pub(super) no_move_draws: bool,
    /// Whether the positions found are recorded.
    pub(super) records: bool,
    pub(super) cancel: &'a Cancel,
}

/// Configurations of a job, about.
const JOB: usize = 1 << 12;

/// The rows of a job, and what was found in them.
struct Job {
    rows: usize,
    block: Vec<u8>,
}

impl<'a> Passes<'a> {
    /// Passes over a class; rows are skipped once the run is cancelled.
    pub fn new(rules: &Rules, layout: &'a Layout, records: bool, cancel: &'a Cancel) -> Self {
        let no_move_draws = rules.keys().no_legal_move == NoLegalMove::Draw;
        Self { layout, moves: Moves::new(layout), no_move_draws, records, cancel }
    }

    /// Words per row.
    pub(super) fn width(&self) -> usize {
        self.layout.inner().states.len()
    }

    /// Rows per job.
    pub(super) fn job(&self) -> usize {
        (JOB / self.width()).max(1)
    }

    /// The configurations of some rows.
    pub(super) fn words(&self, rows: &Range<usize>) -> Range<usize> {
        rows.start * self.width()..rows.end * self.width()
    }

    /// A win pass: finds the positions of `side` with a move to a position lost at the previous ply, or with a capture
    /// that wins at this ply.
    pub fn win(
        &self,
        side: Side,
        ply: u16,
        slab: &Range<usize>,
        captures: &[(u64, u64)],
        own: &mut Planes,
        other: &Planes,
    ) -> Found {
        let (width, job) = (self.width(), self.job());
        let win_job = |new: &mut Vec<u64>, first: usize, win: &mut [u64], won_at: &mut [u16]| {
            let mut found = JobRecords::default();
            let mut captures = Due::new(captures, first, won_at.len(), width);
            new.resize(width, 0);
            for ((number, win), won_at) in (first..).zip(win.chunks_mut(width)).zip(won_at) {
                if self.cancel.is_cancelled() {
                    break;
                }
                let mut touched = self.moves.reached(&self.moves.row(number), side, ply - 1, other, new);
                captures.for_each_of_row(number, |t, word| {
                    new[t] |= word;
                    touched = true;
                });
                if touched {
                    let mut any = false;
                    for (t, (win, new)) in win.iter_mut().zip(&mut *new).enumerate() {
                        let fresh = *new & !*win;
                        *new = 0;
                        if fresh != 0 {
                            *win |= fresh;
                            any = true;
                            found.add(self.records, (number * width + t) as u64, fresh);
                        }
                    }
                    if any {
                        *won_at = mark(ply);
                        found.rows += 1;
                    }
                }
            }
            found.into_job()
        };
        let words = self.words(slab);
        let jobs = own.win[words].par_chunks_mut(job * width).zip(own.won_at[slab.clone()].par_chunks_mut(job));
        let jobs = jobs.enumerate();
        let jobs = jobs
            .map_init(Vec::new, |new, (n, (win, won_at))| win_job(new, slab.start + n * job, win, won_at))
            .collect();
        Found::of(jobs)
    }

    /// A loss pass: finds the positions of `side` all of whose moves lead to positions won by now, and whose captures
    /// no longer prevent the loss.
    pub fn lose(
        &self,
        side: Side,
        ply: u16,
        slab: &Range<usize>,
        captures: &[(u64, u64)],
        own: &mut Planes,
        other: &Planes,
    ) -> Found {
        let (width, job) = (self.width(), self.job());
        let lose_job = |open: &mut Vec<u64>,
                        first: usize,
                        loss: &mut [u64],
                        win: &[u64],
                        saved: &mut [u64],
                        lost_at: &mut [u16]| {
            let mut found = JobRecords::default();
            let mut captures = Due::new(captures, first, lost_at.len(), width);
            let rows = loss.chunks_mut(width).zip(win.chunks(width)).zip(saved.chunks_mut(width)).zip(lost_at);
            for (number, (((loss, win), saved), lost_at)) in (first..).zip(rows) {
                if self.cancel.is_cancelled() {
                    break;
                }
                let row = self.moves.row(number);
                open.clear();
                open.resize(width, 0);
                let mut due = false;
                captures.for_each_of_row(number, |t, word| {
                    saved[t] &= !word;
                    open[t] |= word & !(win[t] | loss[t]);
                    due |= open[t] != 0;
                });
                if self.moves.is_near_change(&row, side, ply - 1, other) {
                    for (open, ((win, loss), saved)) in open.iter_mut().zip(win.iter().zip(&*loss).zip(&*saved)) {
                        *open = !(win | loss | saved);
                    }
                } else if !due {
                    continue;
                }
                if self.moves.answered(&row, side, &other.win, open) {
                    for (t, (loss, &fresh)) in loss.iter_mut().zip(&*open).enumerate() {
                        if fresh != 0 {
                            *loss |= fresh;
                            found.add(self.records, (number * width + t) as u64, fresh);
                        }
                    }
                    *lost_at = mark(ply);
                    found.rows += 1;
                }
            }
            found.into_job()
        };
        let words = self.words(slab);
        let Planes { win, loss, saved, lost_at, .. } = own;
        let jobs = loss[words.clone()]
            .par_chunks_mut(job * width)
            .zip(win[words.clone()].par_chunks(job * width))
            .zip(saved[words].par_chunks_mut(job * width))
            .zip(lost_at[slab.clone()].par_chunks_mut(job))
            .enumerate();
        let jobs = jobs.map_init(Vec::new, |open, (n, (((loss, win), saved), lost_at))| {
            lose_job(open, slab.start + n * job, loss, win, saved, lost_at)
        });
        Found::of(jobs.collect())
    }
}

/// The captures due at a ply, read row by row.
struct Due<'a> {
    rest: &'a [(u64, u64)],
    width: u64,
}

impl<'a> Due<'a> {
    /// The captures of some rows, from the first one on.
    fn new(captures: &'a [(u64, u64)], first: usize, rows: usize, width: usize) -> Self {
        let before = |row: usize| captures.partition_point(|(configuration, _)| *configuration < (row * width) as u64);
        Self { rest: &captures[before(first)..before(first + rows)], width: width as u64 }
    }

    /// Visits the captures of the next row with any, if it has this number, with the number of the word in the row.
    #[inline]
    fn for_each_of_row(&mut self, number: usize, mut f: impl FnMut(usize, u64)) {
        let start = number as u64 * self.width;
        while let [(configuration, word), later @ ..] = self.rest
            && configuration - start < self.width
        {
            f((configuration - start) as usize, *word);
            self.rest = later;
        }
    }
}

/// What a job has found so far.
#[derive(Default)]
struct JobRecords {
    rows: usize,
    records: Records,
}

impl JobRecords {
    #[inline]
    fn add(&mut self, is_recorded: bool, configuration: u64, word: u64) {
        if is_recorded {
            self.records.push(configuration, word);
        }
    }

    fn into_job(self) -> Job {
        Job { rows: self.rows, block: self.records.into_block() }
    }
}

impl Found {
    fn of(jobs: Vec<Job>) -> Self {
        let rows = jobs.iter().map(|job| job.rows).sum();
        Self { rows, blocks: jobs.into_iter().map(|job| job.block).collect() }
    }
}
