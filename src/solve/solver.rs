//! Solving one class: seeds, then passes until nothing changes.

use super::cell::Cell;
use super::checkpoint::{Checkpoint, Point};
use super::error::{SolveError, Unsolved};
use super::layout::{Layout, SlotPieces};
use super::passes::{Outcome, Passes};
use super::progress::{Progress, Stage};
use super::seeds::{CaptureValue, Seeds};
use super::side_state::{NEVER, SideState};
use super::view::View;
use crate::game::{Rules, SquareSet};
use crate::material::graph::Conversion;
use crate::material::{Class, Sets, Side};
use crate::system::Cancel;
use crate::table::{Table, TableError, Value, Values};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Input for solving a class.
pub struct Task<'a> {
    pub rules: &'a Rules,
    pub class: &'a Class,
    /// By group of the class, each with the table of the remaining material, unless the game ends.
    pub conversions: Vec<(Conversion, Option<Arc<Table>>)>,
    /// Whether to compute distances, or WDL only.
    pub distances: bool,
    /// Path of the checkpoint.
    pub checkpoint: PathBuf,
    /// Minimum time between two checkpoints.
    pub interval: Duration,
    pub progress: &'a dyn Progress,
    /// Cancellation of the run.
    pub cancel: &'a Cancel,
}

impl Task<'_> {
    /// The checkpoint of its class for this cell type and layout.
    fn checkpoint<C: Cell>(&self, layout: &Layout) -> Checkpoint {
        let path = self.checkpoint.clone();
        Checkpoint::new::<C>(path, self.class.fingerprint, layout, self.distances, self.interval)
    }

    /// Whether an interrupted run left a checkpoint with this cell type.
    pub fn was_left<C: Cell>(&self) -> bool {
        // Laying out a class takes a while; without a file it is unnecessary.
        self.checkpoint.exists() && self.checkpoint::<C>(&Layout::new(self.rules, self.class)).exists()
    }
}

/// A solved class, ready to be written.
pub struct Solved<'a, C> {
    class: &'a Class,
    layout: Layout,
    both: [SideState<C>; 2],
    longest: u16,
    checkpoint: Checkpoint,
    /// The last pass, which a run resuming from the checkpoint runs again.
    last: Point,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl<'a, C: Cell> Solved<'a, C> {
    /// Solves a class.
    ///
    /// # Errors
    /// Returns [`Unsolved::Deeper`] if distances do not fit the cells, and an error if tables are damaged, memory is
    /// insufficient, or the run is interrupted.
    pub fn new(task: &Task<'a>) -> Result<Self, Unsolved> {
        let Task { rules, class, progress, distances, cancel, .. } = *task;
        let layout = Layout::new(rules, class);
        let state = || SideState::new(&layout, distances).ok_or_else(|| SolveError::OutOfMemory(class.name()));
        let mut both: [SideState<C>; 2] = [state()?, state()?];
        let mut checkpoint = task.checkpoint::<C>(&layout);

        let passes = Passes::new(rules, &layout, cancel);
        let mut point = match checkpoint.load(&mut both) {
            Some(point) => point,
            None => seed(task, &layout, &passes, &mut both)?,
        };
        let last = loop {
            let this = point;
            progress.stage(class, Stage::Pass(point.ply));
            let outcome = pass(task, &passes, point.ply, &mut both)?;
            if cancel.is_cancelled() {
                if checkpoint.is_worth_it() {
                    save(&mut checkpoint, point, &both, progress);
                }
                return Err(SolveError::Interrupted.into());
            }
            if !point.advance(outcome) {
                break this;
            }
            if point.ply >= Value::MAX_PLIES {
                return Err(Unsolved::Deeper);
            }
            if checkpoint.is_due() {
                save(&mut checkpoint, point, &both, progress);
            }
        };
        drop(passes);
        Ok(Self { class, layout, both, longest: point.last_change, checkpoint, last, progress, cancel })
    }

    /// Deletes the checkpoint, once the tables are on disk.
    pub fn finish(self) {
        self.checkpoint.remove();
    }

    /// Saves a checkpoint of the solved class for the next run, if this one was stopped before the tables were written.
    pub fn keep(mut self) {
        if self.checkpoint.is_worth_it() {
            save(&mut self.checkpoint, self.last, &self.both, self.progress);
        }
    }

    /// The greatest distance of any position.
    pub const fn longest(&self) -> u16 {
        self.longest
    }

    /// The configuration of a placement without its plane piece, and whether it is the mirror image.
    #[inline]
    fn locate(&self, sets: &Sets, plane: SquareSet) -> (usize, bool) {
        let dims = &self.layout.dims;
        let own_group = self.layout.plane.group;
        self.layout.configuration(|at| {
            let group = dims[at].group;
            match sets.get(group) {
                Some(set) if group == own_group => set.without(plane),
                Some(set) => *set,
                None => SquareSet::EMPTY,
            }
        })
    }
}

impl<C: Cell> Values for Solved<'_, C> {
    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        if self.cancel.is_cancelled() {
            return Err(TableError::Interrupted { path: PathBuf::from(self.class.name()) });
        }
        let own = &self.both[to_move.index()];
        let numbers = start..start + out.len() as u64;
        let mut rest = out;
        for run in self.class.index().runs(numbers) {
            let (values, later) = rest.split_at_mut(run.plane.len());
            rest = later;
            let is_plane = run.plane_group == self.layout.plane.group;
            let mut place = if is_plane { self.locate(&run.sets, SquareSet::EMPTY) } else { (0, false) };
            for (square, value) in run.plane.into_iter().zip(values) {
                let mut plane = square;
                if !is_plane {
                    let sets = run.with(square);
                    plane = sets[self.layout.plane.group].first().expect("the plane piece stands somewhere");
                    place = self.locate(&sets, plane.set());
                }
                let (configuration, flip) = place;
                let lane = if flip { plane.mirror() } else { plane };
                *value = own.value(configuration, lane.index());
            }
        }
        Ok(())
    }

    fn written(&self, positions: u64) {
        self.progress.written(self.class, positions);
    }
}

impl Point {
    /// Advances the point after its pass; false if the analysis is finished.
    fn advance(&mut self, outcome: Outcome) -> bool {
        if outcome.rows > 0 {
            self.last_change = self.ply;
        }
        self.events[usize::from(self.ply % 2)] = outcome.next_event;
        // A pass sees what the previous one changed. If that was nothing, only captures can still cause changes.
        let is_quiet = self.ply > self.last_change && self.ply >= 2;
        let next_event = self.events[0].min(self.events[1]);
        self.ply = if is_quiet { next_event } else { self.ply + 1 };
        !is_quiet || next_event != NEVER
    }
}

/// Lays out a class and evaluates its captures.
fn seed<C: Cell>(
    task: &Task<'_>,
    layout: &Layout,
    passes: &Passes<'_>,
    both: &mut [SideState<C>; 2],
) -> Result<Point, Unsolved> {
    let Task { rules, class, progress, .. } = *task;
    progress.stage(class, Stage::Seeds);
    for own in both.iter_mut() {
        own.clear();
        passes.lay_out(own);
    }
    let seeds = Seeds::new(rules, layout, capture_values(task, layout)?);
    for side in Side::BOTH {
        let (own, other) = sides(both, side);
        passes.stuck(side, own, other);
    }
    let mut outcome = Outcome::NOTHING;
    for (side, own) in Side::BOTH.into_iter().zip(both) {
        outcome = outcome.and(passes.captures(&seeds, side, own));
    }
    if task.cancel.is_cancelled() {
        return Err(SolveError::Interrupted.into());
    }
    Ok(Point { ply: 1, last_change: u16::from(outcome.rows > 0), events: [outcome.next_event; 2] })
}

/// Runs the pass of a ply for both sides.
fn pass<C: Cell>(
    task: &Task<'_>,
    passes: &Passes<'_>,
    ply: u16,
    both: &mut [SideState<C>; 2],
) -> Result<Outcome, Unsolved> {
    let mut outcome = Outcome::NOTHING;
    for side in Side::BOTH {
        let (own, other) = sides(both, side);
        let code = if ply % 2 == 1 { C::win(ply) } else { C::gate(ply) };
        // Without cells the pass number is not a distance, and the code is unused.
        let code = if task.distances { code.ok_or(Unsolved::Deeper)? } else { C::NONE };
        outcome = outcome.and(if ply % 2 == 1 {
            passes.win(side, ply, code, own, other)
        } else {
            passes.lose(side, ply, code, own, other)
        });
    }
    Ok(outcome)
}

/// Saves a checkpoint. On failure the run continues: only time is at risk.
fn save<C: Cell>(checkpoint: &mut Checkpoint, point: Point, both: &[SideState<C>; 2], progress: &dyn Progress) {
    if let Err(error) = checkpoint.save(point, both) {
        progress.warning(&format!("cannot write a checkpoint: {error}"));
    }
}

/// The value after capturing each piece, by slot.
fn capture_values<C: Cell>(task: &Task<'_>, layout: &Layout) -> Result<Vec<CaptureValue<C>>, Unsolved> {
    let value = |pieces: &SlotPieces| {
        // The inner dim of a class of two pieces is empty and is never captured.
        let conversion = task.conversions.get(pieces.group).filter(|_| pieces.size > 0);
        let left = conversion.and_then(|(conversion, table)| conversion.place.as_ref().zip(table.as_ref()));
        let Some((place, table)) = left else { return Ok(CaptureValue::Win) };
        View::new(task.rules, task.class, layout, pieces.slot, place, table).map(CaptureValue::View)
    };
    layout.slots.iter().map(value).collect()
}

/// The state of a side, mutable, and that of the other side.
fn sides<C>(both: &mut [SideState<C>; 2], side: Side) -> (&mut SideState<C>, &SideState<C>) {
    let [first, second] = both;
    match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    }
}
