//! Solving one class: seeds, then passes until nothing changes.

use super::code::Code;
use super::error::SolveError;
use super::journal::Journal;
use super::layout::{Layout, Slot, SlotPieces};
use super::passes::Passes;
use super::planes::Planes;
use super::progress::{Progress, Stage};
use super::scratch::Scratch;
use super::seeds::{CaptureValue, Seeds};
use super::view::{LeadSets, View};
use crate::game::Rules;
use crate::material::graph::Conversion;
use crate::material::{Class, Side};
use crate::system::Cancel;
use crate::table::{Table, Value};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Input for solving a class.
pub struct Task<'a> {
    pub rules: &'a Rules,
    pub class: &'a Class,
    /// By group of the class, each with the table of the remaining material, unless the game ends.
    pub conversions: Vec<(Conversion, Option<Arc<Table>>)>,
    /// Whether to compute distances, or WDL only.
    pub distances: bool,
    pub progress: &'a dyn Progress,
    /// Cancellation of the run.
    pub cancel: &'a Cancel,
}

/// What is known about a class that is being solved.
pub struct Analysis<'a> {
    pub task: &'a Task<'a>,
    pub layout: Layout,
    pub both: [Planes; 2],
    pub journal: Journal,
    /// The pass to run next, and the last one that decided a position.
    pub ply: u16,
    pub last_change: u16,
}

impl<'a> Analysis<'a> {
    /// Lays out a class, with nothing known.
    ///
    /// # Errors
    /// Returns an error if memory is insufficient.
    pub fn new(task: &'a Task<'a>) -> Result<Self, SolveError> {
        let layout = Layout::new(task.rules, task.class);
        let planes = || Planes::new(&layout).ok_or_else(|| SolveError::OutOfMemory(task.class.name()));
        let both = [planes()?, planes()?];
        let journal = Journal::new(Scratch::Memory(Vec::new()), layout.slabs.len());
        Ok(Self { task, layout, both, journal, ply: 1, last_change: 0 })
    }

    /// Runs the analysis to its end.
    ///
    /// # Errors
    /// Returns an error if a table is damaged, memory or scratch space is insufficient, a win is too long for a table,
    /// or the run is interrupted.
    pub fn run(&mut self) -> Result<(), SolveError> {
        let smaller = self.task.conversions.iter().filter_map(|(_, table)| table.as_ref());
        let longest = smaller.map(|table| table.summary().longest_plies()).max().unwrap_or(0);
        if longest <= NARROW {
            self.seed::<u8>()?;
        } else {
            self.seed::<u16>()?;
        }
        loop {
            self.task.progress.stage(self.task.class, Stage::Pass(self.ply));
            self.pass()?;
            // A pass sees what the previous one changed. If that was nothing, only captures can still cause changes.
            let is_quiet = self.ply > self.last_change && self.ply >= 2;
            let next = if is_quiet { self.journal.next_capture(self.ply) } else { Some(self.ply + 1) };
            let Some(next) = next else { return Ok(()) };
            if next >= Value::MAX_PLIES {
                return Err(SolveError::TooLong(self.task.class.name()));
            }
            self.ply = next;
        }
    }

    fn passes(&self) -> Passes<'_> {
        Passes::new(self.task.rules, &self.layout, self.task.distances, self.task.cancel)
    }

    /// Marks illegal positions and evaluates captures, den entries and positions without a legal move.
    fn seed<C: Code>(&mut self) -> Result<(), SolveError> {
        let Self { task, layout, both, journal, .. } = self;
        task.progress.stage(task.class, Stage::Seeds);
        let passes = Passes::new(task.rules, layout, task.distances, task.cancel);
        both.iter_mut().for_each(|own| passes.lay_out(own));
        for side in Side::BOTH {
            let (own, other) = sides(both, side);
            passes.stuck(side, own, other);
        }
        let mut values: Vec<CaptureValue<C>> = Vec::new();
        for slabs in batches(layout, size_of::<C>()) {
            let states = layout.slabs[slabs.start].start..layout.slabs[slabs.end - 1].end;
            values = capture_values(task, layout, &LeadSets::around(layout, &states), values)?;
            let seeds = Seeds::new(task.rules, layout, &values);
            for slab in slabs {
                for (side, own) in Side::BOTH.into_iter().zip(&mut *both) {
                    let seeded = passes.captures(&seeds, side, &layout.slab_rows(slab), own);
                    if task.cancel.is_cancelled() {
                        return Err(SolveError::Interrupted);
                    }
                    if seeded.any_won {
                        self.last_change = 1;
                    }
                    let mut keep = || {
                        for (ply, blocks) in (0..).zip(seeded.decided) {
                            journal.decide(side, slab, ply, blocks)?;
                        }
                        for (ply, blocks) in seeded.later {
                            journal.await_capture(side, slab, ply, blocks)?;
                        }
                        Ok(())
                    };
                    keep().map_err(|cause| scratch(task.class, cause))?;
                }
            }
        }
        Ok(())
    }

    /// Runs the pass of the current ply for both sides.
    fn pass(&mut self) -> Result<(), SolveError> {
        let Self { task, layout, both, journal, ply, last_change } = self;
        let passes = Passes::new(task.rules, layout, task.distances, task.cancel);
        let mut rows = 0;
        for side in Side::BOTH {
            for slab in 0..layout.slabs.len() {
                let captures = journal.captures(side, slab, *ply).map_err(|cause| scratch(task.class, cause))?;
                let (own, other) = sides(both, side);
                let slab_rows = layout.slab_rows(slab);
                let found = if *ply % 2 == 1 {
                    passes.win(side, *ply, &slab_rows, &captures, own, other)
                } else {
                    passes.lose(side, *ply, &slab_rows, &captures, own, other)
                };
                if task.cancel.is_cancelled() {
                    return Err(SolveError::Interrupted);
                }
                rows += found.rows;
                journal.decide(side, slab, *ply, found.blocks).map_err(|cause| scratch(task.class, cause))?;
            }
        }
        if rows > 0 {
            *last_change = *ply;
        }
        Ok(())
    }
}

/// The longest distance of a smaller table whose capture codes fit one byte.
const NARROW: u16 = 250;
/// Bytes of views at a time, about: the fewer, the more often the smaller tables are read.
const VIEWS: usize = 1 << 30;

/// Divides the slabs into batches that are seeded one after the other, so that the views need little memory.
fn batches(layout: &Layout, width: usize) -> Vec<Range<usize>> {
    let victims = || layout.slots.iter().filter(|pieces| pieces.size > 0 && pieces.slot != Slot::Dim(0));
    let bytes = |slabs: &Range<usize>| {
        let states = layout.slabs[slabs.start].start..layout.slabs[slabs.end - 1].end;
        let lead = LeadSets::around(layout, &states);
        victims().map(|pieces| View::<u8>::size(layout, pieces.slot, &lead)).sum::<usize>() * width
    };
    let all = layout.slabs.len();
    let mut count = 1;
    loop {
        let batches: Vec<_> = (0..count).map(|n| n * all / count..(n + 1) * all / count).collect();
        if count == all || batches.iter().map(bytes).max().unwrap_or(0) <= VIEWS {
            return batches;
        }
        count = (count * 2).min(all);
    }
}

/// The value after capturing each piece, by slot. The view of a captured lead piece does not depend on the slabs: it is
/// taken from `earlier`, if there.
fn capture_values<C: Code>(
    task: &Task<'_>,
    layout: &Layout,
    lead: &LeadSets,
    earlier: Vec<CaptureValue<C>>,
) -> Result<Vec<CaptureValue<C>>, SolveError> {
    let mut of_lead = earlier.into_iter().next();
    let mut value = |pieces: &SlotPieces| {
        if pieces.slot == Slot::Dim(0)
            && let Some(value) = of_lead.take()
        {
            return Ok(value);
        }
        // The inner dim of a class of two pieces is empty and is never captured.
        let conversion = task.conversions.get(pieces.group).filter(|_| pieces.size > 0);
        let left = conversion.and_then(|(conversion, table)| conversion.place.as_ref().zip(table.as_ref()));
        let Some((place, table)) = left else { return Ok(CaptureValue::Win) };
        let class = (task.rules, task.class, layout);
        View::new(class, pieces.slot, lead, place, table, task.distances).map(CaptureValue::View)
    };
    layout.slots.iter().map(&mut value).collect()
}

/// The state of a side, mutable, and that of the other side.
fn sides(both: &mut [Planes; 2], side: Side) -> (&mut Planes, &Planes) {
    let [first, second] = both;
    match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    }
}

/// The error for scratch space that cannot be read or written.
pub fn scratch(class: &Class, cause: io::Error) -> SolveError {
    SolveError::Scratch { class: class.name(), path: PathBuf::new(), cause }
}
