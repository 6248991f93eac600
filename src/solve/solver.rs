//! Solving one class: seeds, then passes until nothing changes.

use super::checkpoint::{Checkpoint, Files, Point, replay};
use super::code::Code;
use super::error::SolveError;
use super::journal::Journal;
use super::layout::{Layout, Slot, SlotPieces};
use super::passes::Passes;
use super::planes::Planes;
use super::progress::{Progress, Stage};
use super::scratch::Scratch;
use super::seeding::Seeded;
use super::seeds::{CaptureValue, Seeds};
use super::view::{LeadSets, View};
use crate::distances::{SideValues, Source};
use crate::game::Rules;
use crate::material::graph::Conversion;
use crate::material::{Class, Place, Side};
use crate::system::Cancel;
use crate::table::{Table, TableError, Value};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Input for solving a class.
pub struct Task<'a> {
    pub rules: &'a Rules,
    pub class: &'a Class,
    /// Where the tables of smaller classes come from.
    pub source: Source<'a>,
    /// By group of the class, each with the table of the remaining material, unless the game ends.
    pub conversions: Vec<(Conversion, Option<Arc<Table>>)>,
    /// Whether to compute distances, or WDL only.
    pub distances: bool,
    pub tuning: Tuning,
    /// Where the journal is kept; `None` for memory.
    pub files: Option<Files>,
    /// The folder for the bit planes; `None` for memory.
    pub planes: Option<PathBuf>,
    pub progress: &'a dyn Progress,
    /// Cancellation of the run.
    pub cancel: &'a Cancel,
}

/// How the work on a class is divided. The tables do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Configurations of a slab, at least.
    pub slab: usize,
    /// Bytes of views held at a time, about: the fewer, the more often the smaller tables are read.
    pub views: usize,
    /// The greatest distance for which one byte is used in views and restored distances.
    pub narrow: u16,
}

impl Tuning {
    /// The fastest with little memory.
    pub const DEFAULT: Self = Self { slab: 1 << 18, views: 1 << 30, narrow: 250 };
}

impl Task<'_> {
    /// The values after a capture from this side, which is then to move.
    fn values_after(&self, place: &Place, table: &Arc<Table>, victim: Side) -> Result<SideValues, TableError> {
        let (_, side) = place.casting(victim.color());
        SideValues::of_table(self.source, &place.class, Arc::clone(table), side)
    }

    /// Whether the journal records what each ply decides: for distances, or to resume.
    const fn records(&self) -> bool {
        self.distances || self.files.is_some()
    }

    /// The error for planes that cannot be allocated.
    fn no_room(&self, cause: io::Error) -> SolveError {
        match &self.planes {
            None => SolveError::OutOfMemory(self.class.name()),
            Some(path) => SolveError::Scratch { class: self.class.name(), path: path.clone(), cause },
        }
    }

    /// The error for scratch space that cannot be read or written.
    fn scratch(&self, cause: io::Error) -> SolveError {
        let path = self.files.as_ref().map(|files| files.scratch.clone()).unwrap_or_default();
        SolveError::Scratch { class: self.class.name(), path, cause }
    }
}

/// What is known about a class that is being solved.
pub struct Analysis<'a> {
    pub task: &'a Task<'a>,
    pub layout: Layout,
    pub both: [Planes; 2],
    pub journal: Journal,
    point: Point,
    /// None if the journal is in memory.
    checkpoint: Option<Checkpoint>,
}

impl<'a> Analysis<'a> {
    /// Analyzes a class, from the checkpoint of an interrupted run if there is one.
    ///
    /// # Errors
    /// Returns an error if a table is damaged, memory or scratch space is insufficient, a win is too long for a table,
    /// or the run is interrupted.
    pub fn new(task: &'a Task<'a>) -> Result<Self, SolveError> {
        let layout = Layout::new(task.rules, task.class, task.tuning.slab);
        let planes = || Planes::new(&layout, task.planes.as_deref()).map_err(|cause| task.no_room(cause));
        let both = [planes()?, planes()?];
        let new = |files: Files| Checkpoint::new(files, task.class, &layout, task.distances);
        let checkpoint = task.files.clone().map(new);
        let left = checkpoint.as_ref().map_or(Ok(None), Checkpoint::load).map_err(|cause| task.scratch(cause))?;
        let is_new = left.is_none();
        let (point, journal) = if let Some(left) = left {
            left
        } else {
            let scratch = task.files.as_ref().map(|files| files.open(0));
            let scratch = scratch.transpose().map_err(|cause| task.scratch(cause))?;
            let journal = Journal::new(scratch.unwrap_or(Scratch::Memory(Vec::new())), layout.slabs.len());
            (Point { ply: 1, last_change: 0, is_complete: false }, journal)
        };
        let mut analysis = Self { task, layout, both, journal, point, checkpoint };
        if is_new {
            analysis.seed()?;
        } else {
            analysis.replay()?;
        }
        analysis.run()?;
        Ok(analysis)
    }

    /// The greatest distance of any position.
    pub const fn longest(&self) -> u16 {
        self.point.last_change
    }

    /// Runs the passes that are left.
    fn run(&mut self) -> Result<(), SolveError> {
        while !self.point.is_complete {
            self.task.progress.stage(self.task.class, Stage::Pass(self.point.ply));
            if let Err(error) = self.pass() {
                // What the pass has found so far does not count.
                self.journal.forget_ply(self.point.ply);
                self.save();
                return Err(error);
            }
            let Point { ply, last_change, .. } = self.point;
            // A pass sees what the previous one changed. If that was nothing, only captures can still cause changes.
            let is_quiet = ply > last_change && ply >= 2;
            match if is_quiet { self.journal.next_capture(ply) } else { Some(ply + 1) } {
                Some(next) if next >= Value::MAX_PLIES => return Err(SolveError::TooLong(self.task.class.name())),
                Some(next) => self.point.ply = next,
                None => self.point.is_complete = true,
            }
            if self.point.is_complete || self.checkpoint.as_ref().is_some_and(Checkpoint::is_due) {
                self.save();
            }
        }
        Ok(())
    }

    /// Saves a checkpoint. On failure the run continues: only time is at risk.
    fn save(&mut self) {
        let Self { task, journal, point, checkpoint, .. } = self;
        if let Some(Err(error)) = checkpoint.as_mut().map(|checkpoint| checkpoint.save(*point, journal)) {
            task.progress.warning(&format!("cannot write a checkpoint: {error}"));
        }
    }

    /// Brings the planes to the state of a checkpoint.
    fn replay(&mut self) -> Result<(), SolveError> {
        let Self { task, layout, both, journal, point, .. } = self;
        task.progress.stage(task.class, Stage::Seeds);
        let passes = Passes::new(task.rules, layout, task.records(), task.cancel);
        for (side, own) in Side::BOTH.into_iter().zip(both) {
            passes.lay_out(own);
            replay(journal, layout, side, point.ply, own).map_err(|cause| task.scratch(cause))?;
        }
        Ok(())
    }

    /// Evaluates captures, den entries and positions without a legal move.
    fn seed(&mut self) -> Result<(), SolveError> {
        let smaller = self.task.conversions.iter().filter_map(|(_, table)| table.as_ref());
        let longest = smaller.map(|table| table.summary().longest_plies()).max().unwrap_or(0);
        if longest <= self.task.tuning.narrow { self.seed_with::<u8>() } else { self.seed_with::<u16>() }
    }

    /// Marks illegal positions and evaluates captures, den entries and positions without a legal move.
    fn seed_with<C: Code>(&mut self) -> Result<(), SolveError> {
        let Self { task, layout, both, journal, point, .. } = self;
        task.progress.stage(task.class, Stage::Seeds);
        let passes = Passes::new(task.rules, layout, task.records(), task.cancel);
        for own in &mut *both {
            passes.lay_out(own);
        }
        for side in Side::BOTH {
            let (own, other) = sides(both, side);
            passes.stuck(side, own, other);
        }
        let mut values: Vec<CaptureValue<C>> = Vec::new();
        for slabs in batches(layout, task.tuning.views / size_of::<C>()) {
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
                        point.last_change = 1;
                    }
                    seeded.keep(journal, side, slab).map_err(|cause| task.scratch(cause))?;
                }
            }
        }
        Ok(())
    }

    /// Runs the pass of the current ply for both sides.
    fn pass(&mut self) -> Result<(), SolveError> {
        let Self { task, layout, both, journal, point, .. } = self;
        let passes = Passes::new(task.rules, layout, task.records(), task.cancel);
        let ply = point.ply;
        let mut rows = 0;
        for side in Side::BOTH {
            for slab in 0..layout.slabs.len() {
                let captures = journal.captures(side, slab, ply).map_err(|cause| task.scratch(cause))?;
                let (own, other) = sides(both, side);
                let slab_rows = layout.slab_rows(slab);
                let pass = if ply % 2 == 1 { Passes::win } else { Passes::lose };
                let found = pass(&passes, side, ply, &slab_rows, &captures, own, other);
                if task.cancel.is_cancelled() {
                    return Err(SolveError::Interrupted);
                }
                rows += found.rows;
                journal.decide(side, slab, ply, found.blocks).map_err(|cause| task.scratch(cause))?;
            }
        }
        if rows > 0 {
            point.last_change = ply;
        }
        Ok(())
    }
}

impl Seeded {
    /// Adds what was found to the journal.
    fn keep(self, journal: &mut Journal, side: Side, slab: usize) -> io::Result<()> {
        for (ply, blocks) in (0..).zip(self.decided) {
            journal.decide(side, slab, ply, blocks)?;
        }
        journal.save(side, slab, self.saved)?;
        for (ply, blocks) in self.later {
            journal.await_capture(side, slab, ply, blocks)?;
        }
        Ok(())
    }
}

/// Divides the slabs into batches that are seeded one after the other, so that the views hold few codes.
fn batches(layout: &Layout, most: usize) -> Vec<Range<usize>> {
    let victims = || layout.slots.iter().filter(|pieces| pieces.size > 0 && pieces.slot != Slot::Dim(0));
    let codes = |slabs: &Range<usize>| {
        let states = layout.slabs[slabs.start].start..layout.slabs[slabs.end - 1].end;
        let lead = LeadSets::around(layout, &states);
        victims().map(|pieces| View::<u8>::size(layout, pieces.slot, &lead)).sum::<usize>()
    };
    let all = layout.slabs.len();
    let mut count = 1;
    loop {
        let batches: Vec<_> = (0..count).map(|n| n * all / count..(n + 1) * all / count).collect();
        if count == all || batches.iter().map(codes).max().unwrap_or(0) <= most {
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
        let values = task.values_after(place, table, pieces.side)?;
        View::new(class, pieces.slot, lead, place, &values, task.distances).map(CaptureValue::View)
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
