//! The check of a DTW table: every value against those of its successors, slab by slab.

use super::captures::{Bound, Captures, Smaller};
use super::lanes::{Code, LANES, Row};
use super::layout::Config;
use super::mapping::Mapping;
use super::moves::Moves;
use super::need::Need;
use super::slabs::{Slab, Slabs};
use super::stored::Stored;
use super::successors::Successors;
use super::tally::Tally;
use super::{CHUNK, Checked, Failure, Task, VerifyError};
use crate::game::{Category, SquareSet};
use crate::material::Side;
use crate::table::{SideSummary, Summary, Value};
use rayon::prelude::*;

/// The values of one side by its successors. If a smaller class has only WDL, they are bounds.
struct Bounds<'a, R: Row> {
    least: Successors<'a, R>,
    most: Option<Successors<'a, R>>,
}

/// Checks every value of a DTW table.
pub fn check<R: Row>(task: &Task<'_>, smaller: &Smaller, is_vague: bool) -> Result<Checked, Failure> {
    let (class, layout) = (task.class, task.layout);
    let (verifier, rules) = (task.verifier, task.verifier.tables.rules());
    let moves: Moves<'_, R> = Moves::new(rules, class, layout);
    let room = Need::of_distances::<R>(rules, class, layout, smaller, is_vague).room(class, verifier.memory)?;
    let read = |bound| {
        let sides = class.stored_sides().iter();
        sides.map(|&side| Captures::read(verifier, class, layout, smaller, side, bound)).collect::<Result<Vec<_>, _>>()
    };
    let least = read(Bound::Least)?;
    let most = if is_vague { read(Bound::Most)? } else { Vec::new() };
    let bounds = class.stored_sides().iter().map(|&side| {
        let of = |captures| Successors::new(rules, layout, &moves, captures, side);
        Bounds { least: of(&least[side.index()]), most: most.get(side.index()).map(of) }
    });
    let bounds: Vec<Bounds<'_, R>> = bounds.collect();

    let stored = Stored::new(verifier.tables, task.class, task.results.clone(), Bound::Least, &verifier.cancel)?;
    let second = if class.symmetric {
        Mapping::swapped(class, layout, task.place)
    } else {
        Mapping::own(class, layout, Side::Second)
    };
    let mut slabs = Slabs::new(rules, layout, &stored, [Mapping::own(class, layout, Side::First), second], room);
    // In the order of the ranks of the board, so that successive slabs need many of the same; and both sides of a slab
    // one after the other, since each reads the other.
    let mut order: Vec<usize> = (0..layout.slabs()).collect();
    order.sort_by_key(|&slab| layout.dims[0].states[layout.leads(slab).start]);
    let sides = |slab: usize| class.stored_sides().iter().map(move |&side| (side, slab));
    let steps: Vec<Slab> = order.into_iter().flat_map(sides).collect();
    let needs = |&(side, slab): &Slab| {
        let near = if layout.dims[0].side == side { moves.slabs_near(layout, slab) } else { Vec::new() };
        let others = std::iter::once(slab).chain(near).map(|slab| (side.other(), slab));
        std::iter::once((side, slab)).chain(others).collect::<Vec<_>>()
    };
    let longest = |side: Side| task.table.summary().sides.get(side.index()).and_then(|summary| summary.longest);
    let mut summary = Summary { sides: vec![SideSummary::default(); class.stored_sides().len()] };
    let mut bounded = 0;
    for (n, step) in steps.iter().enumerate() {
        let side = step.0;
        slabs.ensure(&needs(step), steps[n + 1..].iter().flat_map(needs))?;
        let watched = longest(side).and_then(|(plies, _)| R::Code::of(Value::decided(plies.min(Value::MAX_PLIES))));
        let tally = check_slab(task, &bounds[side.index()], &slabs, *step, watched)?;
        if !tally.is_whole::<R>() {
            return Err(VerifyError::Counts { class: class.name() }.into());
        }
        let counts = &mut summary.sides[side.index()];
        tally.summarize::<R>(counts, class, layout);
        if let (Some((plies, _)), Some(first)) = (longest(side), tally.first()) {
            counts.longest = Some((plies, counts.longest.map_or(first, |(_, known)| known.min(first))));
        }
        bounded += tally.bounded();
        task.advance(n, steps.len());
    }
    if let Some((side, number)) = stored.dissent() {
        let position = task.position(&class.index().decode(number), side);
        return Err(VerifyError::Disagree { class: class.name(), position }.into());
    }
    Ok(Checked { summary, bounded: bounded / (2 * layout.lane.alike) })
}

/// Checks and counts the rows of a slab.
fn check_slab<R: Row>(
    task: &Task<'_>,
    bounds: &Bounds<'_, R>,
    slabs: &Slabs<'_, R>,
    (side, slab): Slab,
    longest: Option<R::Code>,
) -> Result<Tally, Failure> {
    let layout = task.layout;
    let others: Vec<&[R]> = (0..layout.slabs()).map(|slab| slabs.rows((side.other(), slab))).collect();
    let rows = slabs.rows((side, slab)).par_chunks(CHUNK).enumerate();
    let check = |mut tally: Tally, (n, rows): (usize, &[R])| {
        if task.verifier.cancel.is_cancelled() {
            return Err(Failure::from(VerifyError::Interrupted));
        }
        let mut config = Config::at(layout, layout.rows_of(slab).start + n * CHUNK);
        for found in rows {
            if let Some(occupied) = config.occupied(layout) {
                let lanes = layout.lane.domain.without(occupied);
                let least = bounds.least.value(&config, &others);
                let most = bounds.most.as_ref().map_or(least, |most| most.value(&config, &others));
                if !found.is_within(&least, &most) {
                    return Err(wrong(task, side, &config, found, (&least, &most)).into());
                }
                tally.add(task.class, layout, &config, lanes, found, longest);
                if bounds.most.is_some() {
                    tally.add_bounded(layout, &config, lanes, (&least, &most));
                }
            }
            config.advance(layout);
        }
        Ok(tally)
    };
    let tallies = rows.try_fold(Tally::new::<R>, check);
    tallies.try_reduce(Tally::new::<R>, |one, other| Ok(one.merge(&other)))
}

/// The first wrong value of a row.
pub fn wrong<R: Row>(task: &Task<'_>, side: Side, config: &Config, found: &R, (least, most): (&R, &R)) -> VerifyError {
    let is_wrong = |&lane: &usize| {
        let code = found.lane(lane);
        code != R::Code::ABSENT && !(least.lane(lane)..=most.lane(lane)).contains(&code)
    };
    let lane = (0..LANES).find(is_wrong).unwrap_or_default();
    // Of a won position the quickest win that the bounds allow, of a lost one the quickest loss.
    let least = least.lane(lane).value();
    let expected = if least.category() == Category::Win { most.lane(lane).value() } else { least };
    let position = task.position(&config.placement(task.layout, SquareSet(1 << lane)), side);
    VerifyError::Wrong { class: task.class.name(), position, found: found.lane(lane).value(), expected }
}
