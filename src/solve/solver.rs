//! Solving one class: seeds, then pass after pass until nothing changes.

use super::SolveError;
use super::cell::Cell;
use super::half::Half;
use super::layout::Layout;
use super::passes::{Outcome, Passes};
use super::progress::{Progress, Stage};
use super::seeds::{Prize, Seeds, slot};
use super::view::View;
use crate::game::{Rules, SquareSet};
use crate::material::graph::Conversion;
use crate::material::{Class, Sets, Side};
use crate::table::{Source, Table, Value};
use std::sync::Arc;

/// What solving a class starts from.
pub struct Task<'a> {
    pub rules: &'a Rules,
    pub class: &'a Class,
    /// By group of the class, each with the table of what is left, unless it is the end of the game.
    pub conversions: Vec<(Conversion, Option<Arc<Table>>)>,
    /// Whether distances are wanted, or results alone.
    pub distances: bool,
    pub progress: &'a dyn Progress,
}

/// A solved class, ready to be written.
pub struct Solved<'a, C> {
    class: &'a Class,
    layout: Layout,
    halves: [Half<C>; 2],
    longest: u16,
    progress: &'a dyn Progress,
}

impl<'a, C: Cell> Solved<'a, C> {
    /// Solves a class.
    ///
    /// # Errors
    /// [`SolveError::Deeper`] if distances do not fit the cells; damaged tables, too little memory, interruption.
    pub fn new(task: &Task<'a>) -> Result<Self, SolveError> {
        let Task { rules, class, progress, .. } = *task;
        let layout = Layout::new(rules, class);
        progress.stage(class, Stage::Seeds);
        let interrupted = || progress.interrupted();
        let check = || if interrupted() { Err(SolveError::Interrupted) } else { Ok(()) };

        let half = || Half::new(&layout, task.distances).ok_or_else(|| SolveError::OutOfMemory(class.name()));
        let mut halves: [Half<C>; 2] = [half()?, half()?];
        let passes = Passes::new(rules, &layout, &interrupted);
        for half in &mut halves {
            passes.lay_out(half);
        }

        let seeds = Seeds::new(rules, class, &layout, prizes(task, &layout)?);
        check()?;
        let mut pending = Outcome::NOTHING;
        for side in Side::BOTH {
            let (half, other) = sides(&mut halves, side);
            pending = pending.and(passes.seed(&seeds, side, half, other));
            check()?;
        }
        drop(seeds);
        for half in &mut halves {
            pending = pending.and(passes.promote(half));
        }

        let mut last_change = u16::from(pending.rows > 0);
        let mut longest = last_change;
        // The next ply at which a capture comes into effect: in a loss pass, in a win pass.
        let mut events = [pending.next_event; 2];
        let mut ply = 1;
        loop {
            progress.stage(class, Stage::Pass(ply));
            let mut outcome = Outcome::NOTHING;
            for side in Side::BOTH {
                let (half, other) = sides(&mut halves, side);
                let code = if ply % 2 == 1 { C::win(ply) } else { C::gate(ply) };
                // Without cells the number of a pass is no distance, and the code is not used.
                let code = if task.distances { code.ok_or(SolveError::Deeper)? } else { C::NONE };
                outcome = outcome.and(if ply % 2 == 1 {
                    passes.win(side, ply, code, half, other)
                } else {
                    passes.lose(side, ply, code, half, other)
                });
                check()?;
            }
            if outcome.rows > 0 {
                last_change = ply;
                longest = longest.max(ply);
            }
            events[usize::from(ply % 2)] = outcome.next_event;
            if ply > last_change && ply >= 2 {
                match events[0].min(events[1]) {
                    u16::MAX => break,
                    next => ply = next,
                }
            } else {
                ply += 1;
            }
            if ply >= Value::MAX_PLIES {
                return Err(SolveError::Deeper);
            }
        }
        drop(passes);
        Ok(Self { class, layout, halves, longest, progress })
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

impl<C: Cell> Source for Solved<'_, C> {
    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) {
        let half = &self.halves[to_move.index()];
        let mut number = start;
        let mut rest = out;
        while !rest.is_empty() {
            let run = self.class.index().run_at(number);
            let (values, later) = rest.split_at_mut(run.plane.len().min(rest.len()));
            number += values.len() as u64;
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
                *value = half.value(configuration, lane.index());
            }
        }
    }

    fn written(&self, positions: u64) {
        self.progress.written(self.class, positions);
    }
}

/// Bytes of memory that solving a class takes, with one byte a distance; what the program itself takes comes on top.
pub fn memory_need(rules: &Rules, class: &Class, distances: bool) -> u64 {
    let layout = Layout::new(rules, class);
    let configurations = layout.configurations() as u64;
    let words = 3 * size_of::<u64>() as u64;
    let cells = if distances { 64 } else { 0 };
    let groups = layout.dims.iter().map(|dim| dim.size).chain([1]);
    let views =
        groups.enumerate().filter(|&(_, size)| size > 0).map(|(at, _)| View::<u8>::size(&layout, slot(&layout, at)));
    2 * configurations * (words + cells) + views.sum::<usize>() as u64 + (8 << 20)
}

/// What the capture of each piece comes to: by dim, then the plane piece.
fn prizes<C: Cell>(task: &Task<'_>, layout: &Layout) -> Result<Vec<Prize<C>>, SolveError> {
    let groups = layout.dims.iter().map(|dim| (dim.group, dim.size)).chain([(layout.plane.group, 1)]);
    let prize = |(at, (group, size)): (usize, (usize, usize))| {
        // The inner dim of a class of two pieces is empty: nobody takes it.
        let Some((conversion, table)) = task.conversions.get(group).filter(|_| size > 0) else { return Ok(Prize::Win) };
        let Some((place, table)) = conversion.place.as_ref().zip(table.as_ref()) else { return Ok(Prize::Win) };
        View::new(task.rules, task.class, layout, slot(layout, at), place, table).map(Prize::View)
    };
    groups.enumerate().map(prize).collect()
}

/// The half of a side, to be changed, and the other, to be read.
fn sides<C>(halves: &mut [Half<C>; 2], side: Side) -> (&mut Half<C>, &Half<C>) {
    let [first, second] = halves;
    match side {
        Side::First => (first, second),
        Side::Second => (second, first),
    }
}
