//! A solved class, as the source of the values of its tables.

use super::solver::Analysis;
use crate::game::SquareSet;
use crate::material::{Sets, Side};
use crate::system::room;
use crate::table::{TableError, Value, Values};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};
use std::sync::{PoisonError, RwLock};

/// A solved class.
pub struct Solved<'a> {
    analysis: Analysis<'a>,
    /// The distances of some slabs of a side; none for WDL only.
    restored: RwLock<Restored>,
}

/// Distances by slab, for one side to move.
#[derive(Default)]
struct Restored {
    side: Option<Side>,
    slabs: BTreeMap<usize, Codes>,
}

/// The codes of the positions of a slab, 64 per configuration, as [`Value::code`].
enum Codes {
    Narrow(Vec<AtomicU8>),
    Wide(Vec<AtomicU16>),
}

impl<'a> Solved<'a> {
    /// A class whose analysis is complete.
    pub fn new(analysis: Analysis<'a>) -> Self {
        Self { analysis, restored: RwLock::default() }
    }

    /// The greatest distance of any position.
    pub const fn longest(&self) -> u16 {
        self.analysis.longest()
    }

    /// The configuration of a placement without its plane piece, and whether it is the mirror image.
    #[inline]
    fn locate(&self, sets: &Sets, plane: SquareSet) -> (usize, bool) {
        let layout = &self.analysis.layout;
        let own_group = layout.plane.group;
        layout.configuration(|at| {
            let group = layout.dims[at].group;
            match sets.get(group) {
                Some(set) if group == own_group => set.without(plane),
                Some(set) => *set,
                None => SquareSet::EMPTY,
            }
        })
    }

    /// The slabs of the placements with these numbers.
    fn slabs(&self, numbers: Range<u64>) -> Vec<usize> {
        let layout = &self.analysis.layout;
        let mut slabs: Vec<usize> = Vec::new();
        let mut last = SquareSet::EMPTY;
        for run in self.analysis.task.class.index().runs(numbers) {
            if run.sets[0] != last {
                last = run.sets[0];
                let (state, _) = layout.dims[0].state(last);
                slabs.push(layout.slabs.partition_point(|slab| slab.end <= state));
            }
        }
        slabs.sort_unstable();
        slabs.dedup();
        slabs
    }

    /// Restores the distances of a slab from the journal.
    fn restore(&self, side: Side, slab: usize) -> Result<Codes, TableError> {
        let Analysis { task, layout, journal, .. } = &self.analysis;
        let name = PathBuf::from(task.class.name());
        let rows = layout.slab_rows(slab);
        let width = layout.inner().states.len();
        let first = rows.start * width;
        let len = rows.len() * width * 64;
        let out_of_memory = |_| TableError::io(&name, "restore the distances of")(io::ErrorKind::OutOfMemory.into());
        let codes = if self.longest() <= task.tuning.narrow {
            Codes::Narrow(atomics(len).map_err(out_of_memory)?)
        } else {
            Codes::Wide(atomics(len).map_err(out_of_memory)?)
        };
        journal.decided(side, slab).par_iter().try_for_each(|(ply, piece)| {
            let code = Value::decided(*ply).code();
            let read = journal.read(piece, |configuration, word| {
                let start = (configuration as usize - first) * 64;
                for square in SquareSet(word) {
                    match &codes {
                        Codes::Narrow(codes) => codes[start + square.index()].store(code as u8, Ordering::Relaxed),
                        Codes::Wide(codes) => codes[start + square.index()].store(code, Ordering::Relaxed),
                    }
                }
            });
            read.map_err(TableError::io(journal.scratch().path().unwrap_or(&name), "read"))
        })?;
        Ok(codes)
    }
}

/// Zeros.
fn atomics<T: Default>(len: usize) -> Result<Vec<T>, std::collections::TryReserveError> {
    let mut items = room(len)?;
    items.resize_with(len, T::default);
    Ok(items)
}

impl Codes {
    #[inline]
    fn value(&self, at: usize) -> Value {
        let code = match self {
            Self::Narrow(codes) => codes[at].load(Ordering::Relaxed).into(),
            Self::Wide(codes) => codes[at].load(Ordering::Relaxed),
        };
        Value::from_code(code).expect("the analysis ends before the longest distance")
    }
}

impl Values for Solved<'_> {
    fn prepare(&self, to_move: Side, numbers: Range<u64>) -> Result<(), TableError> {
        if !self.analysis.task.distances {
            return Ok(());
        }
        let mut restored = self.restored.write().unwrap_or_else(PoisonError::into_inner);
        if restored.side != Some(to_move) {
            *restored = Restored { side: Some(to_move), slabs: BTreeMap::new() };
        }
        let slabs = self.slabs(numbers);
        restored.slabs.retain(|slab, _| slabs.contains(slab));
        for slab in slabs {
            if let Entry::Vacant(entry) = restored.slabs.entry(slab) {
                entry.insert(self.restore(to_move, slab)?);
            }
        }
        Ok(())
    }

    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        let Analysis { task, layout, both, .. } = &self.analysis;
        if task.cancel.is_cancelled() {
            return Err(TableError::Interrupted { path: PathBuf::from(task.class.name()) });
        }
        let own = &both[to_move.index()];
        let restored = self.restored.read().unwrap_or_else(PoisonError::into_inner);
        let numbers = start..start + out.len() as u64;
        let width = layout.inner().states.len();
        let mut rest = out;
        for run in task.class.index().runs(numbers) {
            let (values, later) = rest.split_at_mut(run.plane.len());
            rest = later;
            let is_plane = run.plane_group == layout.plane.group;
            let mut place = if is_plane { self.locate(&run.sets, SquareSet::EMPTY) } else { (0, false) };
            let slab_at = |configuration| {
                let slab = layout.slab_of(configuration);
                let codes = restored.slabs.get(&slab)?;
                Some((codes, layout.slab_rows(slab).start * width))
            };
            let mut slab = slab_at(place.0);
            for (square, value) in run.plane.into_iter().zip(values) {
                let mut plane = square;
                if !is_plane {
                    let sets = run.with(square);
                    plane = sets[layout.plane.group].first().expect("the plane piece stands somewhere");
                    place = self.locate(&sets, plane.set());
                    slab = slab_at(place.0);
                }
                let (configuration, flip) = place;
                let lane = if flip { plane.mirror() } else { plane }.index();
                *value = match slab {
                    Some((codes, first)) => codes.value((configuration - first) * 64 + lane),
                    None if own.win[configuration] >> lane & 1 != 0 => Value::decided(1),
                    None if own.loss[configuration] >> lane & 1 != 0 => Value::decided(0),
                    None => Value::DRAW,
                };
            }
        }
        Ok(())
    }

    fn written(&self, positions: u64) {
        let task = self.analysis.task;
        task.progress.written(task.class, positions);
    }
}
