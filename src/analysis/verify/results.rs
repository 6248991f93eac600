//! The proof of a WDL table: the results are computed anew, and then compared.
//!
//! That every result follows from those of its successors does not suffice: positions could be marked won because of
//! each other. So the results are computed from the ends of the game and the captures on. At first all positions are
//! drawn; then, one side after the other, each takes the value of its successors, until none changes. A position
//! becomes won or lost only because of positions that already are. This is the least fixed point, and the true result:
//! a forced win takes a certain number of plies, and is found when that number is reached.
//!
//! The positions of a row are two words ([`Bits`]); a block of rows is visited again only after a block that its moves
//! lead to has changed.

use super::bits::Bits;
use super::captures::{Bound, Captures, Smaller};
use super::distances::wrong;
use super::lanes::Row;
use super::layout::{Config, Layout};
use super::mapping::Mapping;
use super::moves::Moves;
use super::need::Need;
use super::slabs::Slabs;
use super::stored::Stored;
use super::successors::Successors;
use super::tally::Tally;
use super::{CHUNK, Checked, Failure, Task, VerifyError};
use crate::material::Side;
use crate::system::filled;
use crate::table::{SideSummary, Summary};
use rayon::prelude::*;
use std::ops::Range;

/// Computes the results of a class, and compares its WDL table with them.
pub fn prove(task: &Task<'_>, smaller: &Smaller) -> Result<Checked, Failure> {
    let (class, layout, verifier) = (task.class, task.layout, task.verifier);
    let rules = verifier.tables.rules();
    let moves: Moves<'_, Bits> = Moves::new(rules, class, layout);
    Need::of_results(class, layout, smaller).room(class, verifier.memory)?;
    let whole = |mapping: &Mapping| verifier.whole::<Bits>(mapping, Bound::Least);
    let read = |side| Captures::read(verifier, class, layout, smaller, side, &whole);
    let captures = [read(Side::First)?, read(Side::Second)?];
    let successors = Side::BOTH.map(|side| Successors::new(rules, layout, &moves, &captures[side.index()], side));
    let mut solved = Solved::new(task, &moves)?;
    while solved.pass(task, &successors)? {}
    compare(task, &solved)
}

/// The results computed so far.
struct Solved {
    /// By side to move.
    rows: [Vec<Bits>; 2],
    /// Rows per block.
    block: usize,
    /// By side to move and block: the number of the pass that changed it last.
    changed: [Vec<u32>; 2],
    /// By side to move and block: the blocks that moves lead to.
    near: [Vec<Vec<u32>>; 2],
    /// Number of passes done.
    passes: u32,
}

impl Solved {
    fn new(task: &Task<'_>, moves: &Moves<'_, Bits>) -> Result<Self, Failure> {
        let layout = task.layout;
        let draws = || {
            let mut rows =
                filled(layout.rows, Bits::ABSENT).map_err(|_| VerifyError::OutOfMemory(task.class.name()))?;
            rows.par_chunks_mut(CHUNK).enumerate().for_each(|(n, rows)| {
                let mut config = Config::at(layout, n * CHUNK);
                for row in rows {
                    if let Some(occupied) = config.occupied(layout) {
                        *row = Bits::draws(layout.lane.domain.without(occupied));
                    }
                    config.advance(layout);
                }
            });
            Ok::<_, Failure>(rows)
        };
        let rows = [draws()?, draws()?];
        // The rows of a state of the lead and one of the dim after it.
        let block = layout.strides.get(1).copied().unwrap_or(1);
        let blocks = layout.rows / block;
        let near = Side::BOTH.map(|side| near(layout, moves, side, block));
        Ok(Self { rows, block, changed: [vec![0; blocks], vec![0; blocks]], near, passes: 0 })
    }

    /// Gives the positions of one side the values of their successors; false once nothing changes for either side.
    fn pass(&mut self, task: &Task<'_>, successors: &[Successors<'_, Bits>; 2]) -> Result<bool, Failure> {
        let layout = task.layout;
        let side = Side::BOTH[self.passes as usize % 2];
        self.passes += 1;
        let (pass, block) = (self.passes, self.block);
        let (near, there) = (&self.near[side.index()], &self.changed[side.other().index()]);
        // A capture or a missing move takes effect in the first pass of each side.
        let is_due = |near: &Vec<u32>| pass <= 2 || near.iter().any(|&n| there[n as usize] + 1 == pass);
        let due: Vec<bool> = near.iter().map(is_due).collect();
        let [first, second] = self.rows.each_mut();
        let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
        let others: Vec<&[Bits]> = other.chunks(layout.slab_rows()).collect();
        let blocks = own.par_chunks_mut(block).zip(&mut self.changed[side.index()]).zip(due).enumerate();
        blocks.filter(|(_, (_, due))| *due).try_for_each(|(n, ((rows, changed), _))| {
            if task.verifier.cancel.is_cancelled() {
                return Err(Failure::from(VerifyError::Interrupted));
            }
            let mut config = Config::at(layout, n * block);
            for row in rows {
                // A decided position stays so.
                let open = row.drawn();
                if !open.is_empty() {
                    let value = successors[side.index()].value(&config, &others).on(open);
                    if value != row.on(open) {
                        *row = row.with(open, value);
                        *changed = pass;
                    }
                }
                config.advance(layout);
            }
            Ok(())
        })?;
        let last = self.passes.saturating_sub(1);
        Ok(pass < 2 || self.changed.iter().flatten().any(|&changed| changed >= last))
    }
}

/// By block: the blocks to which moves of a side lead.
fn near(layout: &Layout, moves: &Moves<'_, Bits>, side: Side, block: usize) -> Vec<Vec<u32>> {
    let per_lead = layout.strides[0] / block;
    let seconds = layout.dims.get(1);
    let of_block = |n: usize| {
        let (lead, second) = (n / per_lead, n % per_lead);
        let mut near = vec![n as u32];
        if layout.dims[0].side == side {
            near.extend(moves.dims[0].from[lead].iter().map(|mv| {
                let seen = seconds.filter(|_| mv.flip).map_or(second, |dim| dim.mirrored[second] as usize);
                (mv.target as usize * per_lead + seen) as u32
            }));
        }
        if seconds.is_some_and(|dim| dim.side == side) {
            let targets = moves.dims[1].from[second].iter().map(|mv| mv.target as usize);
            near.extend(targets.map(|second| (lead * per_lead + second) as u32));
        }
        near
    };
    (0..layout.rows / block).map(of_block).collect()
}

/// Compares the table with the results.
fn compare(task: &Task<'_>, solved: &Solved) -> Result<Checked, Failure> {
    let (class, layout, verifier) = (task.class, task.layout, task.verifier);
    let stored = Stored::new(verifier.tables, task.class, None, Bound::Least, &verifier.cancel)?;
    let own = || Side::BOTH.map(|side| Mapping::own(class, layout, side));
    let room = if class.index().leads().is_some() { 1 } else { usize::MAX };
    let mut slabs: Slabs<'_, Bits> = Slabs::new(verifier.tables.rules(), layout, &stored, own(), room);
    let mut summary = Summary::default();
    for (at, &side) in class.stored_sides().iter().enumerate() {
        let mut counts = SideSummary::default();
        for slab in 0..layout.slabs() {
            slabs.ensure(&[(side, slab)], (slab + 1..layout.slabs()).map(|slab| (side, slab)))?;
            let Range { start: first, end } = layout.rows_of(slab);
            let computed = solved.rows[side.index()][first..end].par_chunks(CHUNK);
            let rows = slabs.rows((side, slab)).par_chunks(CHUNK).zip(computed).enumerate();
            let check = |mut tally: Tally, (n, (rows, computed)): (usize, (&[Bits], &[Bits]))| {
                let mut config = Config::at(layout, first + n * CHUNK);
                for (found, computed) in rows.iter().zip(computed) {
                    if let Some(occupied) = config.occupied(layout) {
                        if !found.is_within(computed, computed) {
                            return Err(Failure::from(wrong(task, side, &config, found, (computed, computed))));
                        }
                        tally.add(class, layout, &config, layout.lane.domain.without(occupied), found, None);
                    }
                    config.advance(layout);
                }
                Ok(tally)
            };
            let tallies = rows.try_fold(Tally::new::<Bits>, check);
            let tally = tallies.try_reduce(Tally::new::<Bits>, |one, other| Ok(one.merge(&other)))?;
            if !tally.is_whole::<Bits>() {
                return Err(VerifyError::Counts { class: class.name() }.into());
            }
            tally.summarize::<Bits>(&mut counts, class, layout);
            task.advance(at * layout.slabs() + slab, class.stored_sides().len() * layout.slabs());
        }
        summary.sides.push(counts);
    }
    Ok(Checked { summary, bounded: 0 })
}
