//! The check of a DTW table: every value against those of its successors, slab by slab.

use super::captures::{Bound, Captures, Smaller};
use super::lanes::{Code, Distances, LANES, Row};
use super::layout::Config;
use super::mapping::Mapping;
use super::moves::Moves;
use super::need::Need;
use super::slabs::{Slab, Slabs};
use super::stored::Stored;
use super::successors::Successors;
use super::tally::Tally;
use super::{CHUNK, Checked, Failure, Task, VerifyError, wins};
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
pub fn check<R: Distances>(task: &Task<'_>, smaller: &Smaller, is_vague: bool) -> Result<Checked, Failure> {
    let (class, layout) = (task.class, task.layout);
    let (verifier, rules) = (task.verifier, task.verifier.tables.rules());
    let moves: Moves<'_, R> = Moves::new(rules, class, layout);
    let header = task.table.header();
    let need = Need::of_distances::<R>(rules, class, layout, smaller, header, is_vague);
    let room = need.room(class, verifier.memory)?;
    let is_losses = header.is_losses();
    // Distances are restored with either side to move.
    let sides = if is_losses { &Side::BOTH[..] } else { class.stored_sides() };
    let read = |bound| {
        let whole = move |mapping: &Mapping| wins::whole::<R>(verifier, mapping, bound);
        let sides = sides.iter().map(|&side| Captures::read(verifier, class, layout, smaller, side, &whole));
        sides.collect::<Result<Vec<_>, _>>()
    };
    let least = read(Bound::Least)?;
    let most = if is_vague { read(Bound::Most)? } else { Vec::new() };
    let bounds = sides.iter().map(|&side| {
        let of = |captures| Successors::new(rules, layout, &moves, captures, side);
        Bounds { least: of(&least[side.index()]), most: most.get(side.index()).map(of) }
    });
    let bounds: Vec<Bounds<'_, R>> = bounds.collect();

    let stored = Stored::new(verifier.tables, task.class, task.results.clone(), Bound::Least, &verifier.cancel)?;
    let mappings = Side::BOTH.map(|side| Mapping::of_side(class, layout, side, task.place));
    let mut slabs = Slabs::new(rules, layout, &stored, mappings, room);
    // In the order of the ranks of the board, so that successive slabs need many of the same; and both sides of a slab
    // one after the other, since each reads the other.
    let mut order: Vec<usize> = (0..layout.slabs()).collect();
    order.sort_by_key(|&slab| layout.dims[0].states[layout.leads(slab).start]);
    let sides = |slab: usize| class.stored_sides().iter().map(move |&side| (side, slab));
    let steps: Vec<Slab> = order.into_iter().flat_map(sides).collect();
    // A slab, and those that its moves lead to.
    let around = |&(side, slab): &Slab| {
        let near = if layout.dims[0].side == side { moves.slabs_near(layout, slab) } else { Vec::new() };
        let others = std::iter::once(slab).chain(near).map(|slab| (side.other(), slab));
        std::iter::once((side, slab)).chain(others).collect::<Vec<_>>()
    };
    let needs = |step: &Slab| {
        let own = around(step);
        let all: Vec<Slab> = if is_losses { own.iter().flat_map(around).collect() } else { own };
        let mut needs = Vec::new();
        for slab in all {
            if !needs.contains(&slab) {
                needs.push(slab);
            }
        }
        needs
    };
    // Reads what a step needs; returns the first slab with a result that does not follow from its successors.
    let prepare = |slabs: &mut Slabs<'_, R>, step: &Slab, soon: &[Slab]| {
        slabs.ensure(&needs(step), soon.iter().flat_map(needs))?;
        let mut doubtful = None;
        for slab in around(step).into_iter().filter(|_| is_losses) {
            let (successors, first) = (&bounds[slab.0.index()].least, layout.rows_of(slab.1).start);
            let agrees =
                slabs.restore(slab, |others, rows| wins::restore(verifier, successors, first, others, rows))?;
            doubtful = doubtful.or((!agrees).then_some(slab));
        }
        Ok::<_, Failure>(doubtful)
    };
    let longest = |side: Side| task.table.summary().sides.get(side.index()).and_then(|summary| summary.longest);
    let mut summary = Summary { sides: vec![SideSummary::default(); class.stored_sides().len()] };
    let mut bounded = 0;
    for (n, step) in steps.iter().enumerate() {
        let doubtful = prepare(&mut slabs, step, &steps[n + 1..])?;
        if let Some(doubtful) = &doubtful {
            prepare(&mut slabs, doubtful, &[])?;
        }
        let (side, slab) = doubtful.unwrap_or(*step);
        let watched = longest(side).and_then(|(plies, _)| R::Code::of(Value::decided(plies.min(Value::MAX_PLIES))));
        // Restoring has shown the results, unless one is doubtful, and the distances of wins.
        let is_open = |row: &R| !is_losses || doubtful.is_some() || row.has_losses();
        let tally = check_slab(task, &bounds[side.index()], &slabs, (side, slab), is_open, watched)?;
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

/// Checks the open rows of a slab, and counts all of them.
fn check_slab<R: Row>(
    task: &Task<'_>,
    bounds: &Bounds<'_, R>,
    slabs: &Slabs<'_, R>,
    (side, slab): Slab,
    is_open: impl Fn(&R) -> bool + Sync,
    longest: Option<R::Code>,
) -> Result<Tally, Failure> {
    let layout = task.layout;
    let others = slabs.of_side(side.other());
    let rows = slabs.rows((side, slab)).par_chunks(CHUNK).enumerate();
    let check = |mut tally: Tally, (n, rows): (usize, &[R])| {
        if task.verifier.cancel.is_cancelled() {
            return Err(Failure::from(VerifyError::Interrupted));
        }
        let mut config = Config::at(layout, layout.rows_of(slab).start + n * CHUNK);
        for found in rows {
            if let Some(occupied) = config.occupied(layout) {
                let lanes = layout.lane.domain.without(occupied);
                tally.add(task.class, layout, &config, lanes, found, longest);
                if is_open(found) {
                    let least = bounds.least.value(&config, &others);
                    let most = bounds.most.as_ref().map_or(least, |most| most.value(&config, &others));
                    if !found.is_within(&least, &most) {
                        return Err(wrong(task, side, &config, found, (&least, &most)).into());
                    }
                    if bounds.most.is_some() {
                        tally.add_bounded(layout, &config, lanes, (&least, &most));
                    }
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
    let found = found.lane(lane).value();
    // A win that is stored without its distance, and has no lost successor that would tell it.
    let is_vague = task.table.header().is_losses() && found.category() == Category::Win;
    let found = if is_vague { Value::least(Category::Win) } else { found };
    VerifyError::Wrong { class: task.class.name(), position, found, expected }
}
