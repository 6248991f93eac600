//! Passes: one ply of the analysis over the configurations of a slab, one bit per square of the plane piece.

use super::code::Code;
use super::layout::Layout;
use super::moves::Moves;
use super::planes::{Planes, mark};
use super::records::Records;
use super::seeds::Seeds;
use crate::game::{NoLegalMove, Rules, SquareSet};
use crate::material::Side;
use crate::system::Cancel;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a pass found in a slab.
#[derive(Default)]
pub struct Found {
    /// Number of rows in which a position was decided.
    pub rows: usize,
    /// The positions, as blocks of records in order of configurations; empty unless they were asked for.
    pub blocks: Vec<Vec<u8>>,
}

/// What the captures of a slab decide.
#[derive(Default)]
pub struct Seeded {
    /// Whether any position is won at once.
    pub any_won: bool,
    /// Positions won at once (ply 1), and lost without a legal move (ply 0), as blocks of records.
    pub decided: [Vec<Vec<u8>>; 2],
    /// Positions never lost, as blocks of records.
    pub saved: Vec<Vec<u8>>,
    /// By ply: positions with a capture that takes effect then, as blocks of records.
    pub later: BTreeMap<u16, Vec<Vec<u8>>>,
}

/// Runs the passes over the rows of a class.
pub struct Passes<'a> {
    layout: &'a Layout,
    moves: Moves<'a>,
    no_move_draws: bool,
    /// Whether the positions found are recorded.
    records: bool,
    cancel: &'a Cancel,
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
    fn width(&self) -> usize {
        self.layout.inner().states.len()
    }

    /// Rows per job.
    fn job(&self) -> usize {
        (JOB / self.width()).max(1)
    }

    /// The configurations of some rows.
    fn words(&self, rows: &Range<usize>) -> Range<usize> {
        rows.start * self.width()..rows.end * self.width()
    }

    /// Marks the squares that the plane piece cannot take as won.
    pub fn lay_out(&self, own: &mut Planes) {
        let domain = self.layout.plane.domain.0;
        own.win.par_chunks_mut(self.width()).enumerate().for_each(|(number, win)| {
            let outer = self.moves.outer_squares(&self.moves.row(number));
            for (word, &inner) in win.iter_mut().zip(&self.layout.inner().states) {
                let legal = outer.filter(|outer| !outer.meets(inner)).map_or(0, |outer| domain & !(outer | inner).0);
                *word = !legal;
            }
        });
    }

    /// Leaves in `loss` the positions of a side that have no quiet move. They are lost, unless [`Passes::captures`]
    /// finds another move. The `win` of both sides must be as [`Passes::lay_out`] left it.
    pub fn stuck(&self, side: Side, own: &mut Planes, other: &Planes) {
        let width = self.width();
        let Planes { win, loss, .. } = own;
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

    /// Evaluates a side's captures and den entries in a slab, after [`Passes::stuck`].
    pub fn captures<C: Code>(&self, seeds: &Seeds<'_, C>, side: Side, slab: &Range<usize>, own: &mut Planes) -> Seeded {
        let (width, job) = (self.width(), self.job());
        let words = self.words(slab);
        let jobs = own.win[words.clone()]
            .par_chunks_mut(job * width)
            .zip(own.loss[words.clone()].par_chunks_mut(job * width))
            .zip(own.saved[words].par_chunks_mut(job * width))
            .zip(own.won_at[slab.clone()].par_chunks_mut(job))
            .zip(own.lost_at[slab.clone()].par_chunks_mut(job))
            .enumerate();
        let seeded: Vec<SeedJob> = jobs
            .map(|(n, ((((win, loss), saved), won_at), lost_at))| {
                let mut found = SeedJob::default();
                let first = slab.start + n * job;
                let rows = win.chunks_mut(width).zip(loss.chunks_mut(width)).zip(saved.chunks_mut(width));
                for (k, ((win, loss), saved)) in rows.enumerate() {
                    if self.cancel.is_cancelled() {
                        break;
                    }
                    let (any_won, any_lost) = self.seed_row(seeds, side, first + k, win, loss, saved, &mut found);
                    won_at[k] = if any_won { mark(1) } else { 0 };
                    lost_at[k] = if any_lost { mark(0) } else { 0 };
                    found.any_won |= any_won;
                }
                found
            })
            .collect();
        let mut all = Seeded::default();
        for job in seeded {
            all.any_won |= job.any_won;
            if self.records {
                let [won, lost] = job.decided;
                all.decided[1].push(won.into_block());
                all.decided[0].push(lost.into_block());
                all.saved.push(job.saved.into_block());
            }
            for (half, records) in (0..).zip(job.wins) {
                push(&mut all.later, half * 2 + 1, records);
            }
            for (half, records) in (0..).zip(job.gates) {
                push(&mut all.later, half * 2, records);
            }
        }
        all
    }

    /// Evaluates the captures of a row; returns whether positions are won at once, and lost at once.
    #[allow(clippy::too_many_arguments)]
    fn seed_row<C: Code>(
        &self,
        seeds: &Seeds<'_, C>,
        side: Side,
        number: usize,
        win: &mut [u64],
        loss: &mut [u64],
        saved: &mut [u64],
        found: &mut SeedJob,
    ) -> (bool, bool) {
        let inner_at = self.layout.dims.len() - 1;
        let at_once = C::win(1).expect("every code holds a win at ply 1");
        let (mut any_won, mut any_lost) = (false, false);
        let mut sets = self.moves.row(number).sets;
        let mut line = [C::NONE; 64];
        for (t, &inner) in self.layout.inner().states.iter().enumerate() {
            let legal = !win[t];
            if legal == 0 {
                continue;
            }
            let configuration = (number * win.len() + t) as u64;
            sets[inner_at] = inner;
            let mut first = seeds.den_entries(side, &sets).0 & legal;
            let (mut some, mut held, mut later) = (first, 0, 0);
            let stuck = loss[t];
            if seeds.configuration(side, &sets, &mut line) {
                some |= lanes(&line, |code| code != C::NONE) & legal;
                first |= lanes(&line, |code| code == at_once) & legal;
                held = lanes(&line, |code| code == C::SAVED) & legal;
                later = some & !first & !held;
            }
            for square in SquareSet(later) {
                let lane = square.set().0;
                let code = line[square.index()];
                if let Some(ply) = code.win_ply() {
                    // A capture that will win keeps a position from being lost at any ply.
                    held |= lane;
                    SeedJob::at(&mut found.wins, ply).add(configuration, lane);
                } else if code.gate_ply() > 2 || stuck & lane != 0 {
                    // Without a quiet move, no pass would visit the position at ply 2 for any other reason.
                    held |= lane;
                    SeedJob::at(&mut found.gates, code.gate_ply()).add(configuration, lane);
                }
            }
            let dead = stuck & !some;
            if self.no_move_draws {
                held |= dead;
            }
            let lost = if self.no_move_draws { 0 } else { dead };
            (loss[t], saved[t]) = (lost, held);
            win[t] |= first;
            any_won |= first != 0;
            any_lost |= lost != 0;
            if self.records {
                let [won_records, lost_records] = &mut found.decided;
                for (records, word) in [(won_records, first), (lost_records, lost), (&mut found.saved, held)] {
                    if word != 0 {
                        records.push(configuration, word);
                    }
                }
            }
        }
        (any_won, any_lost)
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

/// What the captures of a job's rows decide.
#[derive(Default)]
struct SeedJob {
    any_won: bool,
    decided: [Records; 2],
    saved: Records,
    /// Wins at a later ply, by half the ply.
    wins: Vec<Later>,
    /// Losses prevented until a ply, by half the ply.
    gates: Vec<Later>,
}

impl SeedJob {
    /// The records of a ply.
    fn at(all: &mut Vec<Later>, ply: u16) -> &mut Later {
        let half = usize::from(ply / 2);
        if half >= all.len() {
            all.resize_with(half + 1, Later::default);
        }
        &mut all[half]
    }
}

/// Records of a ply whose words are collected square by square.
#[derive(Default)]
struct Later {
    records: Records,
    configuration: u64,
    word: u64,
}

impl Later {
    /// Adds a square of a configuration; those of one configuration follow each other.
    fn add(&mut self, configuration: u64, square: u64) {
        if self.configuration != configuration {
            self.flush();
            self.configuration = configuration;
        }
        self.word |= square;
    }

    fn flush(&mut self) {
        if self.word != 0 {
            self.records.push(self.configuration, self.word);
            self.word = 0;
        }
    }
}

fn push(all: &mut BTreeMap<u16, Vec<Vec<u8>>>, ply: u16, mut later: Later) {
    later.flush();
    let block = later.records.into_block();
    if !block.is_empty() {
        all.entry(ply).or_default().push(block);
    }
}

/// The squares whose codes satisfy a condition.
#[inline]
fn lanes<C: Code>(line: &[C; 64], is: impl Fn(C) -> bool) -> u64 {
    line.iter().zip(0..).fold(0, |mask, (&code, lane)| mask | u64::from(is(code)) << lane)
}
