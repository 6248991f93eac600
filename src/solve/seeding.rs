//! Seeding: what is known of the positions of a slab before the first pass, from captures, den entries and legal moves.

use super::code::Code;
use super::passes::Passes;
use super::planes::{Planes, mark};
use super::records::Records;
use super::seeds::Seeds;
use crate::game::SquareSet;
use crate::material::Side;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

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

impl Passes<'_> {
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
