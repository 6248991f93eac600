//! Batches of positions, without a Python loop and without the interpreter lock.
//!
//! The distance of a won position takes a ply of moves, unless it is read together with those of all other positions of
//! its class. So a class that has many positions in a batch is unpacked as a whole, for the time of the batch.

use crate::errors::{self, PositionError};
use crate::game::Rows;
use crate::values::{Distance, NO_CATEGORY, category};
use jungletb::game::Position;
use jungletb::material::{Class, Material, Side};
use jungletb::probe::{Fault, ProbeError, Tablebase};
use jungletb::system::fallibly;
use jungletb::table::Value;
use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Number of positions between two checks for an interrupt.
const STRETCH: usize = 1 << 18;
/// Placements that are unpacked in the time of a probe with distance.
const UNPACKED_PER_PROBE: u64 = 8;
/// Maximum number of placements that are unpacked at once; each takes two bytes.
const MOST_UNPACKED: u64 = 1 << 27;

/// Categories, distances (unless only results are wanted), numbers of positions whose table is missing.
pub type AnswersTuple<'py> = (Bound<'py, PyArray1<i8>>, Option<Bound<'py, PyArray1<i32>>>, Bound<'py, PyArray1<i64>>);

/// What is asked for a batch.
#[derive(Clone, Copy)]
pub struct Wish<'a> {
    /// Distances besides categories.
    pub distances: bool,
    /// Go on where a table is missing.
    pub skip_missing: bool,
    /// Positions to leave out; empty for none.
    pub masked: &'a [bool],
}

/// The values of a batch.
#[derive(Default)]
pub struct Answers {
    categories: Vec<i8>,
    distances: Vec<i32>,
    missing: Vec<i64>,
}

impl Answers {
    /// Makes room for this number of positions; false if memory is exhausted.
    fn reserve(&mut self, count: usize, wish: &Wish<'_>) -> bool {
        fallibly(|| {
            self.categories.try_reserve_exact(count).is_ok()
                && (!wish.distances || self.distances.try_reserve_exact(count).is_ok())
        })
    }

    fn push(&mut self, category: i8, distance: Distance, wish: &Wish<'_>) {
        self.categories.push(category);
        if wish.distances {
            self.distances.push(distance.0);
        }
    }

    /// Converts to `NumPy` arrays.
    pub fn into_arrays<'py>(self, py: Python<'py>, wish: &Wish<'_>) -> AnswersTuple<'py> {
        (
            PyArray1::from_vec(py, self.categories),
            wish.distances.then(|| PyArray1::from_vec(py, self.distances)),
            PyArray1::from_vec(py, self.missing),
        )
    }
}

/// An error with the number of its position.
enum Bad {
    Position(usize, String),
    Probe(usize, Material, Box<ProbeError>),
}

impl Bad {
    fn exception(&self, what: &str) -> PyErr {
        match self {
            Self::Position(n, message) => PositionError::new_err(format!("{what} {n}: bad position: {message}")),
            Self::Probe(n, material, error) => errors::probe(error, &format!("{what} {n}: "), Some(*material)),
        }
    }
}

/// Where a position is in its table.
#[derive(Clone, Copy)]
struct Spot {
    /// Index of its [`Part`].
    part: usize,
    number: u64,
}

/// The positions of a class with a side to move.
struct Part {
    material: Material,
    class: Arc<Class>,
    side: Side,
    /// Number of positions in the current stretch.
    count: u64,
    /// All values, once unpacked.
    values: Option<Vec<Value>>,
}

impl Part {
    /// Unpacks all values if that takes less time than probing the expected number of positions. Errors are left to the
    /// probes, which tell whether they concern a position.
    fn unpack(&mut self, tables: &Tablebase, expected: u64) {
        let len = self.class.index().len();
        if self.values.is_some() || expected * UNPACKED_PER_PROBE < len || len > MOST_UNPACKED {
            return;
        }
        // Other tables give distances at once.
        if !tables.table(self.material).is_ok_and(|table| table.header().is_losses()) {
            return;
        }
        let Ok(source) = tables.values(self.material, self.side) else { return };
        let mut values = Vec::new();
        if fallibly(|| values.try_reserve_exact(len as usize)).is_err() {
            return;
        }
        values.resize(len as usize, Value::DRAW);
        self.values = source.read(0, &mut values).is_ok().then_some(values);
    }
}

/// The classes of a batch.
struct Parts<'a> {
    tables: &'a Tablebase,
    parts: Vec<Part>,
    /// By address of the class, which `parts` keeps alive, and side.
    found: HashMap<(usize, Side), usize>,
    /// The part of the previous position.
    last: usize,
}

impl Parts<'_> {
    /// Where a position is; `None` if it is over or invalid, or has more pieces than any table.
    fn spot(&mut self, position: &Position) -> Option<Spot> {
        let rules = self.tables.rules();
        position.check(rules).ok()?;
        if position.conversion(rules).is_some() {
            return None;
        }
        let material = Material::of(position);
        let place = self.tables.place(material).ok()?;
        let (sets, side) = place.sets(rules, position);
        let is_last = |part: &Part| Arc::ptr_eq(&part.class, &place.class) && part.side == side;
        if !self.parts.get(self.last).is_some_and(is_last) {
            self.last = match self.found.entry((Arc::as_ptr(&place.class) as usize, side)) {
                Entry::Occupied(found) => *found.get(),
                Entry::Vacant(free) => {
                    let class = Arc::clone(&place.class);
                    self.parts.push(Part { material, class, side, count: 0, values: None });
                    *free.insert(self.parts.len() - 1)
                }
            };
        }
        self.parts[self.last].count += 1;
        Some(Spot { part: self.last, number: place.class.index().encode(&sets) })
    }
}

/// Probes `count` positions in stretches.
fn ask(
    py: Python<'_>,
    tables: &Tablebase,
    count: usize,
    what: &str,
    wish: &Wish<'_>,
    position: impl Fn(usize) -> Result<Position, String> + Sync,
) -> PyResult<Answers> {
    let mut answers = Answers::default();
    if !answers.reserve(count, wish) {
        return Err(PyMemoryError::new_err(format!("not enough memory for the answers to {count} positions")));
    }
    let mut parts = Parts { tables, parts: Vec::new(), found: HashMap::new(), last: 0 };
    for start in (0..count).step_by(STRETCH) {
        let numbers = start..count.min(start + STRETCH);
        let stretch = || {
            let read = |n: usize| match wish.masked.get(n) {
                Some(true) => Ok(None),
                _ => position(n).map(Some).map_err(|message| Bad::Position(n, message)),
            };
            let positions = numbers.clone().map(read).collect::<Result<Vec<_>, Bad>>()?;
            let mut spots = Vec::new();
            if wish.distances {
                parts.parts.iter_mut().for_each(|part| part.count = 0);
                spots.extend(positions.iter().map(|position| parts.spot(position.as_ref()?)));
                let stretches = (count - start).div_ceil(STRETCH) as u64;
                parts.parts.iter_mut().for_each(|part| part.unpack(tables, part.count * stretches));
            }
            for (n, position) in numbers.zip(&positions) {
                let Some(position) = position else {
                    answers.push(NO_CATEGORY, Distance::UNKNOWN, wish);
                    continue;
                };
                let spot = spots.get(n - start).copied().flatten();
                let unpacked = spot.and_then(|spot| Some((parts.parts[spot.part].values.as_ref()?, spot.number)));
                let value = match unpacked {
                    Some((values, number)) => {
                        let value = values[number as usize];
                        Ok((value.category(), value.plies()))
                    }
                    None if wish.distances => tables.value(position).map(|answer| (answer.category, answer.dtw)),
                    None => tables.wdl(position).map(|category| (category, None)),
                };
                match value {
                    Ok((found, plies)) => answers.push(category(found), Distance::of(found, plies), wish),
                    Err(error) if wish.skip_missing && error.fault() == Fault::Missing => {
                        answers.missing.push(n as i64);
                        answers.push(NO_CATEGORY, Distance::UNKNOWN, wish);
                    }
                    Err(error) => return Err(Bad::Probe(n, Material::of(position), Box::new(error))),
                }
            }
            Ok(())
        };
        py.detach(stretch).map_err(|bad: Bad| bad.exception(what))?;
        py.check_signals()?;
    }
    Ok(answers)
}

/// Probes positions given as text.
pub fn texts(py: Python<'_>, tables: &Tablebase, texts: &[&str], wish: &Wish<'_>) -> PyResult<Answers> {
    ask(py, tables, texts.len(), "position", wish, |n| {
        Position::parse(tables.rules(), texts[n]).map_err(|error| error.to_string())
    })
}

/// Probes positions given as rows of squares.
pub fn squares(
    py: Python<'_>,
    tables: &Tablebase,
    material: Material,
    rows: &[u8],
    to_move: &[u8],
    wish: &Wish<'_>,
) -> PyResult<Answers> {
    let (order, len) = (Rows::new(material), material.len());
    ask(py, tables, to_move.len(), "row", wish, |n| order.position(tables.rules(), &rows[n * len..][..len], to_move[n]))
}
