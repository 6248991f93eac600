//! Batches of positions, without a Python loop and without the interpreter lock.
//!
//! The distance of a won position takes a ply of moves, unless it is read together with those of all other positions of
//! its class. So a class that has many positions in a batch is unpacked as a whole, for the time of the batch.

use crate::errors::{self, PositionError};
use crate::game::Rows;
use crate::values::{Distance, NO_CATEGORY, category};
use jungletb::game::{Animal, Category, Color, Position, Square, SquareSet};
use jungletb::material::{Class, Group, MAX_PIECES, Material, Side};
use jungletb::probe::{Fault, ProbeError, Tablebase};
use jungletb::system::fallibly;
use jungletb::table::{Metric, Value};
use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Number of positions between two checks for an interrupt.
const STRETCH: usize = 1 << 18;
/// Placements that are unpacked in the time of a probe, with the distances of won positions.
const UNPACKED_PER_DISTANCE: u64 = 8;
/// The same where a table has all that is asked for.
const UNPACKED_PER_PROBE: u64 = 16;
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
    /// Whether they have distances.
    has_distances: bool,
}

impl Part {
    /// The value of a placement, if unpacked.
    fn value(&self, number: u64) -> Option<(Category, Option<u16>)> {
        let value = self.values.as_ref()?[number as usize];
        Some((value.category(), value.plies().filter(|_| self.has_distances)))
    }

    /// Unpacks all values if that takes less time than probing the expected number of positions. Errors are left to the
    /// probes, which tell whether they concern a position.
    fn unpack(&mut self, tables: &Tablebase, distances: bool, expected: u64) {
        let len = self.class.index().len();
        if self.values.is_some() || expected * UNPACKED_PER_PROBE < len || len > MOST_UNPACKED {
            return;
        }
        let is_slow = distances && tables.table(self.material).is_ok_and(|table| table.header().is_losses());
        if is_slow && expected * UNPACKED_PER_DISTANCE < len {
            return;
        }
        let source =
            if distances { tables.values(self.material, self.side) } else { tables.results(self.material, self.side) };
        let Ok(source) = source else { return };
        let mut values = Vec::new();
        if fallibly(|| values.try_reserve_exact(len as usize)).is_err() {
            return;
        }
        values.resize(len as usize, Value::DRAW);
        self.has_distances = source.table().header().metric == Metric::Dtw;
        self.values = source.read(0, &mut values).is_ok().then_some(values);
    }
}

/// The classes of a batch.
struct Parts<'a> {
    tables: &'a Tablebase,
    all: Vec<Part>,
    /// By address of the class, which `all` keeps alive, and side.
    found: HashMap<(usize, Side), usize>,
}

impl Parts<'_> {
    /// The part of a class with a side to move.
    fn part(&mut self, material: Material, class: &Arc<Class>, side: Side) -> usize {
        match self.found.entry((Arc::as_ptr(class) as usize, side)) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let class = Arc::clone(class);
                self.all.push(Part { material, class, side, count: 0, has_distances: false, values: None });
                *free.insert(self.all.len() - 1)
            }
        }
    }

    /// Where a position is; `None` if it is over or invalid, or has more pieces than any table.
    fn spot(&mut self, position: &Position) -> Option<Spot> {
        let rules = self.tables.rules();
        if position.conversion(rules).is_some() {
            return None;
        }
        let material = Material::of(position);
        let place = self.tables.place(material).ok()?;
        let (sets, side) = place.sets(rules, position);
        let part = self.part(material, &place.class, side);
        Some(Spot { part, number: place.class.index().encode(&sets) })
    }
}

/// Rows of squares of one material and one side to move.
struct Seats {
    part: usize,
    class: Arc<Class>,
    /// For each piece: where it may stand while the game goes on, and its group.
    pieces: Vec<(SquareSet, usize)>,
    /// By square, that in the class.
    squares: [SquareSet; Square::COUNT],
}

impl Seats {
    /// Finds the groups of the pieces; `None` if there are more pieces than any table has.
    fn new(parts: &mut Parts<'_>, material: Material, to_move: Color) -> Option<Self> {
        let rules = parts.tables.rules();
        let place = parts.tables.place(material).ok()?;
        let (casting, side) = place.casting(to_move);
        let pieces = material.pieces().map(|piece| {
            let mut groups = place.class.groups.iter().zip(&casting.animals);
            let is_its = |group: &Group, animals: &[Animal]| {
                casting.color(group.side) == piece.color && animals.contains(&piece.animal)
            };
            let group = groups.position(|(group, animals)| is_its(group, animals))?;
            let domain = rules.movement(piece.color, piece.animal).domain;
            Some((domain.without(rules.board().both_dens()), group))
        });
        let pieces = pieces.collect::<Option<Vec<_>>>()?;
        let mut squares = [SquareSet::EMPTY; Square::COUNT];
        for number in 0..rules.board().ranks * Square::FILES {
            let square = Square::new(number);
            let there = if casting.swapped { rules.board().turn(square) } else { square };
            squares[square.index()] = there.set();
        }
        Some(Self { part: parts.part(material, &place.class, side), class: Arc::clone(&place.class), pieces, squares })
    }

    /// Where a row is; `None` if it needs a closer look.
    fn spot(&self, row: &[u8]) -> Option<Spot> {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        let mut taken = SquareSet::EMPTY;
        for (&(domain, group), &number) in self.pieces.iter().zip(row) {
            let there = *self.squares.get(usize::from(number))?;
            let square = SquareSet(1 << number);
            if !square.is_within(domain) || there.meets(taken) {
                return None;
            }
            taken |= there;
            sets[group] |= there;
        }
        Some(Spot { part: self.part, number: self.class.index().encode(&sets) })
    }
}

/// Probes `count` positions in stretches. `spot` finds a position in its table, as far as that is simple.
fn ask(
    py: Python<'_>,
    tables: &Tablebase,
    count: usize,
    what: &str,
    wish: &Wish<'_>,
    position: impl Fn(usize) -> Result<Position, String> + Sync,
    mut spot: impl FnMut(&mut Parts<'_>, usize) -> Option<Spot> + Send,
) -> PyResult<Answers> {
    let mut answers = Answers::default();
    if !answers.reserve(count, wish) {
        return Err(PyMemoryError::new_err(format!("not enough memory for the answers to {count} positions")));
    }
    let mut parts = Parts { tables, all: Vec::new(), found: HashMap::new() };
    let mut spots = Vec::new();
    for start in (0..count).step_by(STRETCH) {
        let numbers = start..count.min(start + STRETCH);
        let is_masked = |n: usize| wish.masked.get(n).is_some_and(|&masked| masked);
        let stretch = || {
            spots.clear();
            parts.all.iter_mut().for_each(|part| part.count = 0);
            for n in numbers.clone() {
                let found = if is_masked(n) { None } else { spot(&mut parts, n) };
                if let Some(found) = found {
                    parts.all[found.part].count += 1;
                }
                spots.push(found);
            }
            let stretches = (count - start).div_ceil(STRETCH) as u64;
            parts.all.iter_mut().for_each(|part| part.unpack(tables, wish.distances, part.count * stretches));
            for (n, spot) in numbers.zip(&spots) {
                if let Some((found, plies)) = spot.and_then(|spot| parts.all[spot.part].value(spot.number)) {
                    answers.push(category(found), Distance::of(found, plies), wish);
                    continue;
                }
                if is_masked(n) {
                    answers.push(NO_CATEGORY, Distance::UNKNOWN, wish);
                    continue;
                }
                let position = position(n).map_err(|message| Bad::Position(n, message))?;
                let value = if wish.distances {
                    tables.value(&position).map(|answer| (answer.category, answer.dtw))
                } else {
                    tables.wdl(&position).map(|category| (category, None))
                };
                match value {
                    Ok((found, plies)) => answers.push(category(found), Distance::of(found, plies), wish),
                    Err(error) if wish.skip_missing && error.fault() == Fault::Missing => {
                        answers.missing.push(n as i64);
                        answers.push(NO_CATEGORY, Distance::UNKNOWN, wish);
                    }
                    Err(error) => return Err(Bad::Probe(n, Material::of(&position), Box::new(error))),
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
    let read = |n: usize| Position::parse(tables.rules(), texts[n]);
    let position = |n| read(n).map_err(|error| error.to_string());
    ask(py, tables, texts.len(), "position", wish, position, |parts, n| parts.spot(&read(n).ok()?))
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
    let row = |n: usize| &rows[n * len..][..len];
    let position = |n| order.position(tables.rules(), row(n), to_move[n]);
    let mut seats: Option<[Option<Seats>; 2]> = None;
    ask(py, tables, to_move.len(), "row", wish, position, |parts, n| {
        let seats = seats.get_or_insert_with(|| Color::BOTH.map(|color| Seats::new(parts, material, color)));
        match seats.get(usize::from(to_move[n]))? {
            Some(seats) => seats.spot(row(n)),
            // The position may have fewer pieces than the material.
            None => parts.spot(&position(n).ok().filter(|position| position.check(tables.rules()).is_ok())?),
        }
    })
}
