//! The distances of won positions that tables of format version 2 leave out: one more than the least distance of the
//! lost positions that their moves lead to.

use super::captures::{Bound, Captures, Smaller};
use super::gather::Source;
use super::lanes::{Code, Distances};
use super::layout::{Config, DimSets, Layout};
use super::mapping::Mapping;
use super::moves::Moves;
use super::successors::{Slabs, Successors};
use super::{CHUNK, Failure, Verifier, VerifyError};
use crate::game::Category;
use crate::material::Class;
use crate::system::filled;
use crate::table::{Metric, Table, TableError};
use rayon::prelude::*;

/// Values restored at a time by a thread.
const STEP: usize = 1 << 16;

/// Checks that the tables after captures, without which the distances of a class cannot be restored, have distances.
pub fn require(verifier: &Verifier<'_>, table: &Table, smaller: &Smaller) -> Result<(), VerifyError> {
    let Some((place, _)) = smaller.iter().find(|(_, table)| table.header().metric == Metric::Wdl) else {
        return Ok(());
    };
    let needs = verifier.tables.registry().path(&place.class, Metric::Dtw);
    Err(TableError::Incomplete { path: table.path().to_owned(), needs }.into())
}

/// Restores the distances of consecutive rows, from number `first` on; false if the result of some position does not
/// follow from its successors. Of these, only the distances of lost ones matter.
pub fn restore<R: Distances>(
    verifier: &Verifier<'_>,
    successors: &Successors<'_, R>,
    first: usize,
    others: &Slabs<'_, R>,
    rows: &mut [R],
) -> Result<bool, Failure> {
    let layout = successors.layout;
    let chunks = rows.par_chunks_mut(CHUNK).enumerate().map(|(n, rows)| {
        if verifier.cancel.is_cancelled() {
            return Err(Failure::from(VerifyError::Interrupted));
        }
        let mut config = Config::at(layout, first + n * CHUNK);
        let mut agree = true;
        for row in rows {
            if config.occupied(layout).is_some() {
                let value = successors.value(&config, others);
                agree &= row.agrees(&value);
                *row = row.with_wins(&value);
            }
            config.advance(layout);
        }
        Ok(agree)
    });
    chunks.try_reduce(|| true, |one, other| Ok(one & other))
}

/// All values of one side of a table, with the distances that it leaves out. A table without distances has bounds.
pub fn whole<R: Distances>(verifier: &Verifier<'_>, mapping: &Mapping, bound: Bound) -> Result<Vec<R::Code>, Failure> {
    let (class, side, rules) = (&mapping.class, mapping.side, verifier.tables.rules());
    let table = verifier.tables.table(class.representative)?;
    if !table.header().is_losses() {
        return verifier.whole::<R>(mapping, bound);
    }
    let layout = Layout::new(class);
    let smaller = Smaller::new(verifier, class, &layout, &[side.other()])?;
    require(verifier, &table, &smaller)?;
    let losses = |mapping: &Mapping| verifier.whole::<R>(mapping, bound);
    let captures = Captures::read(verifier, class, &layout, &smaller, side, &losses)?;
    let moves = Moves::new(rules, class, &layout);
    let successors = Successors::new(rules, &layout, &moves, &captures, side);
    let place = verifier.tables.place(class.representative)?;
    let other = Mapping::of_side(class, &layout, side.other(), place);
    let values = losses(&other)?;
    let mut rows = filled(layout.rows, R::ABSENT).map_err(|_| VerifyError::OutOfMemory(class.name()))?;
    Source::new(rules, &other, &values, 0).fill(&layout, 0, &mut rows);
    drop(values);
    let others: Vec<&[R]> = rows.chunks(layout.slab_rows()).collect();
    let mut values = losses(mapping)?;
    values.par_chunks_mut(STEP).enumerate().try_for_each(|(n, values)| {
        if verifier.cancel.is_cancelled() {
            return Err(Failure::from(VerifyError::Interrupted));
        }
        restore_numbers(class, &successors, &others, (n * STEP) as u64, values).map_err(|number| {
            let what = format!("position {number} is won, but no move leads to a lost one");
            TableError::damaged(table.path(), what).into()
        })
    })?;
    Ok(values)
}

/// Restores the distances of consecutive placements, from number `start` on; fails with the number of one that is not
/// won.
fn restore_numbers<R: Distances>(
    class: &Class,
    successors: &Successors<'_, R>,
    others: &Slabs<'_, R>,
    start: u64,
    values: &mut [R::Code],
) -> Result<(), u64> {
    let layout = successors.layout;
    let unknown = R::Code::latest(Category::Win);
    let mut rest = values;
    for run in class.index().runs(start..start + rest.len() as u64) {
        let (values, later) = std::mem::take(&mut rest).split_at_mut(run.plane.len());
        rest = later;
        if !values.contains(&unknown) {
            continue;
        }
        let lane_group = layout.lane.group;
        let value = |sets: &DimSets| {
            let (config, flip) = Config::of(layout, sets);
            let value = successors.value(&config, others);
            if flip { value.mirrored() } else { value }
        };
        let mut row = if run.plane_group == lane_group { value(&run.sets) } else { R::ABSENT };
        for ((square, code), number) in run.plane.into_iter().zip(values).zip(run.start..) {
            if *code != unknown {
                continue;
            }
            let mut lane = square;
            if run.plane_group != lane_group {
                let mut sets = run.with(square);
                lane = sets[lane_group].first().unwrap_or(square);
                sets[lane_group] = sets[lane_group].without(lane.set());
                row = value(&sets);
            }
            let found = row.lane(lane.index());
            if found.value().category() != Category::Win {
                return Err(number);
            }
            *code = found;
        }
    }
    Ok(())
}
