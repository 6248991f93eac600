//! Solving one class: seeds, then pass after pass until nothing changes.

use super::cell::Cell;
use super::checkpoint::{Checkpoint, Point};
use super::error::SolveError;
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

/// What solving a class starts from.
pub struct Task<'a> {
    pub rules: &'a Rules,
    pub class: &'a Class,
    /// By group of the class, each with the table of what is left, unless it is the end of the game.
    pub conversions: Vec<(Conversion, Option<Arc<Table>>)>,
    /// Whether distances are wanted, or results alone.
    pub distances: bool,
    /// Where a checkpoint is kept.
    pub checkpoint: PathBuf,
    /// Least time between two checkpoints.
    pub interval: Duration,
    pub progress: &'a dyn Progress,
    /// When to stop.
    pub cancel: &'a Cancel,
}

impl Task<'_> {
    /// The checkpoint of its class for these cells and this layout.
    fn checkpoint<C: Cell>(&self, layout: &Layout) -> Checkpoint {
        let path = self.checkpoint.clone();
        Checkpoint::new::<C>(path, self.class.fingerprint, layout, self.distances, self.interval)
    }

    /// Whether a run that was stopped left a checkpoint with these cells.
    pub fn was_left<C: Cell>(&self) -> bool {
        // Laying a class out takes a while; without a file it is not worth asking.
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
    /// The last pass, to be run again by a run that finds the checkpoint.
    last: Point,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
}

impl<'a, C: Cell> Solved<'a, C> {
    /// Solves a class.
    ///
    /// # Errors
    /// [`SolveError::Deeper`] if distances do not fit the cells; damaged tables, too little memory, interruption.
    pub fn new(task: &Task<'a>) -> Result<Self, SolveError> {
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
                return Err(SolveError::Interrupted);
            }
            if !point.advance(outcome) {
                break this;
            }
            if point.ply >= Value::MAX_PLIES {
                return Err(SolveError::Deeper);
            }
            if checkpoint.is_due() {
                save(&mut checkpoint, point, &both, progress);
            }
        };
        drop(passes);
        Ok(Self { class, layout, both, longest: point.last_change, checkpoint, last, progress, cancel })
    }

    /// Forgets the checkpoint: the tables are on the disk.
    pub fn finish(self) {
        self.checkpoint.remove();
    }

    /// Keeps what was solved for the next run: this one was stopped before the tables were written.
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
    /// Where the analysis stands after its pass; false if it is finished.
    fn advance(&mut self, outcome: Outcome) -> bool {
        if outcome.rows > 0 {
            self.last_change = self.ply;
        }
        self.events[usize::from(self.ply % 2)] = outcome.next_event;
        // A pass sees what the one before it changed. If that was nothing, only captures can go on.
        let is_quiet = self.ply > self.last_change && self.ply >= 2;
        let next_event = self.events[0].min(self.events[1]);
        self.ply = if is_quiet { next_event } else { self.ply + 1 };
        !is_quiet || next_event != NEVER
    }
}

/// Lays a class out and weighs its captures.
fn seed<C: Cell>(
    task: &Task<'_>,
    layout: &Layout,
    passes: &Passes<'_>,
    both: &mut [SideState<C>; 2],
) -> Result<Point, SolveError> {
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
        return Err(SolveError::Interrupted);
    }
    Ok(Point { ply: 1, last_change: u16::from(outcome.rows > 0), events: [outcome.next_event; 2] })
}

/// Runs the pass of a ply for both sides.
fn pass<C: Cell>(
    task: &Task<'_>,
    passes: &Passes<'_>,
    ply: u16,
    both: &mut [SideState<C>; 2],
) -> Result<Outcome, SolveError> {
    let mut outcome = Outcome::NOTHING;
    for side in Side::BOTH {
        let (own, other) = sides(both, side);
        let code = if ply % 2 == 1 { C::win(ply) } else { C::gate(ply) };
        // Without cells the number of a pass is no distance, and the code is not used.
        let code = if task.distances { code.ok_or(SolveError::Deeper)? } else { C::NONE };
        outcome = outcome.and(if ply % 2 == 1 {
            passes.win(side, ply, code, own, other)
        } else {
            passes.lose(side, ply, code, own, other)
        });
    }
    Ok(outcome)
}

/// Takes a checkpoint. If that fails the run goes on: only time is lost.
fn save<C: Cell>(checkpoint: &mut Checkpoint, point: Point, both: &[SideState<C>; 2], progress: &dyn Progress) {
    if let Err(error) = checkpoint.save(point, both) {
        progress.warning(&format!("cannot write a checkpoint: {error}"));
    }
}

/// What the capture of each piece comes to, by slot.
fn capture_values<C: Cell>(task: &Task<'_>, layout: &Layout) -> Result<Vec<CaptureValue<C>>, SolveError> {
    let value = |pieces: &SlotPieces| {
        // The inner dim of a class of two pieces is empty: nobody takes it.
        let conversion = task.conversions.get(pieces.group).filter(|_| pieces.size > 0);
        let left = conversion.and_then(|(conversion, table)| conversion.place.as_ref().zip(table.as_ref()));
        let Some((place, table)) = left else { return Ok(CaptureValue::Win) };
        View::new(task.rules, task.class, layout, pieces.slot, place, table).map(CaptureValue::View)
    };
    layout.slots.iter().map(value).collect()
}

/// The state of a side, to be changed, and the other, to be read.
fn sides<C>(both: &mut [SideState<C>; 2], side: Side) -> (&mut SideState<C>, &SideState<C>) {
    let [first, second] = both;
    match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    }
}
