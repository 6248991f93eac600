//! Verification of a table: every position is checked against its successors, using the move generator of `game`.
//!
//! A position is won in `n + 1` plies if the fastest of its moves to lost positions leads to one lost in `n`; it is
//! lost in `n + 1` if all its moves lead to won positions, the slowest won in `n`; otherwise it is drawn. A DTW table
//! in which this holds everywhere is *proven*: a decided position rests on shorter ones, and if a drawn position were
//! really decided, the one with the shortest distance would contradict its successors.
//!
//! A WDL table in which every result follows from those of its successors is *consistent*. This is weaker: positions
//! may be marked won because of each other, in a cycle. Where a smaller class has only WDL, the distances of positions
//! with captures into it are bounded, not known: the class's DTW table is compared with the bounds, and is then
//! consistent as well, not proven.

use crate::game::{Category, Color, NoLegalMove, Piece, Position, Rules, SquareSet, Successor};
use crate::material::{Class, Material, Place, Side};
use crate::probe::{ProbeError, Tablebase};
use crate::system::{Cancel, filled};
use crate::table::{Checksums, Metric, SideSummary, State, Summary, Table, TableError, Value};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use thiserror::Error;

/// The outcome of a check that found no error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// How much the check established.
    pub standing: Standing,
    /// Stored positions whose distance could only be bounded, because a smaller class has no distances.
    pub bounded: u64,
    /// The names of the smaller classes that have only WDL.
    pub without_distances: Vec<String>,
}

/// How much a check established.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Standing {
    /// Every value follows from its successors. For WDL this is no proof: positions may be marked won in a cycle.
    Consistent,
    /// In addition, nothing rests on a cycle: each decided position rests on shorter ones, down to the end of the game,
    /// provided that the smaller classes are right.
    Proven,
}

impl Standing {
    /// `consistent` or `proven`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Proven => "proven",
        }
    }
}

/// Why verification failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A position's value differs from the one given by its successors.
    #[error("{class}: {position} is {found:?} in the table, but its moves make it {expected:?}; generate it again")]
    Wrong {
        /// The class.
        class: String,
        /// The position.
        position: String,
        /// Its value in the table.
        found: Value,
        /// Its value according to its successors.
        expected: Value,
    },
    /// The two tables of a class disagree.
    #[error("{class}: {position} differs between the WDL and the DTW table; generate it again")]
    Disagree {
        /// The class.
        class: String,
        /// The position.
        position: String,
    },
    /// The counts in a table are not those of its positions.
    #[error("{class}: the counts in its header do not match its positions; generate it again")]
    Counts {
        /// The class.
        class: String,
    },
    /// A required table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A required table is missing.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// Verifies the tables of a tablebase. Keeps smaller tables in memory between classes.
pub struct Verifier<'a> {
    tables: &'a Tablebase,
    known: Checksums,
    loaded: HashMap<Material, Arc<Loaded>>,
    cancel: Cancel,
    /// Differences from the list of checksums of tables whose values are right.
    unlisted: Vec<TableError>,
}

/// A whole table in memory.
struct Loaded {
    /// By stored side.
    values: Vec<Vec<Value>>,
    metric: Metric,
}

/// The tables that captures lead to, with the locations of their materials' positions.
type Smaller = HashMap<Material, (Arc<Place>, Arc<Loaded>)>;

/// Positions checked at a time by a thread.
const STRETCH: usize = 1 << 14;

impl<'a> Verifier<'a> {
    /// A verifier that stops on cancellation.
    ///
    /// # Errors
    /// Returns an error if a list of checksums next to the tables cannot be read.
    pub fn new(tables: &'a Tablebase, cancel: &Cancel) -> Result<Self, VerifyError> {
        let known = Checksums::read_all(tables.registry().roots())?;
        Ok(Self { tables, known, loaded: HashMap::new(), cancel: cancel.clone(), unlisted: Vec::new() })
    }

    /// Checks the checksums of all tables of a class, and compares them with the list next to the tables.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or differs from the list, or if the class has no table.
    pub fn checksums(&self, class: &Class) -> Result<(), VerifyError> {
        self.blocks(class)?.map_or(Ok(()), |unlisted| Err(unlisted.into()))
    }

    /// Tables checked by [`Verifier::class`] that differ from the list of checksums next to them.
    pub fn unlisted(&self) -> &[TableError] {
        &self.unlisted
    }

    /// Checks the checksums of all tables of a class; returns a difference from the list next to the tables.
    fn blocks(&self, class: &Class) -> Result<Option<TableError>, VerifyError> {
        let (mut found, mut unlisted) = (false, None);
        for metric in Metric::ALL {
            if self.cancel.is_cancelled() {
                return Err(VerifyError::Interrupted);
            }
            match self.tables.registry().examine(class, metric) {
                State::Ok(table) => {
                    let known = self.known.check(self.tables.rules(), class, metric, &table);
                    unlisted = unlisted.or(known.err());
                    found = true;
                }
                State::Missing => {}
                State::Damaged(error) => return Err(error.into()),
            }
        }
        if !found {
            self.tables.table(class.representative)?;
        }
        Ok(unlisted)
    }

    /// Verifies a class completely: checksums, every value, both tables against each other, the counts. `progress` is
    /// called with numbers of further positions checked.
    ///
    /// # Errors
    /// Returns the first error found.
    pub fn class(&mut self, class: &Arc<Class>, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, VerifyError> {
        let unlisted = self.blocks(class)?;
        let rules = self.tables.rules();
        let own = self.load(class.material())?;
        let places = self.places(class)?;
        let place = Arc::clone(self.tables.place(class.material())?);
        let table = self.tables.table(class.representative)?;
        let results = match self.tables.registry().table(class, Metric::Wdl) {
            Err(TableError::Missing { .. }) => None,
            table => Some(table?),
        };
        let check = Check { rules, class, place: &place, own: &own, places: &places, results: results.as_deref() };
        let mut summary = Summary::default();
        let mut bounded = 0;
        for &side in class.stored_sides() {
            let len = class.index().len() as usize;
            let starts: Vec<usize> = (0..len).step_by(STRETCH).collect();
            let counts = starts
                .into_par_iter()
                .map(|start| {
                    if self.cancel.is_cancelled() {
                        return Err(VerifyError::Interrupted);
                    }
                    let end = len.min(start + STRETCH);
                    let counts = check.stretch(side, start as u64..end as u64)?;
                    progress((end - start) as u64);
                    Ok(counts)
                })
                .collect::<Result<Vec<_>, _>>()?;
            let mut sum = SideSummary::default();
            for (counts, stretch_bounded) in &counts {
                sum.merge(counts);
                bounded += stretch_bounded;
            }
            summary.sides.push(sum);
        }
        let counts = || VerifyError::Counts { class: class.name() };
        if own.metric == Metric::Wdl {
            summary = summary.results_only();
        }
        if *table.summary() != summary || results.is_some_and(|table| *table.summary() != summary.results_only()) {
            return Err(counts());
        }
        self.forget(class.pieces());
        self.unlisted.extend(unlisted);
        let smaller = places.values().filter(|(_, loaded)| own.metric == Metric::Dtw && loaded.metric == Metric::Wdl);
        let mut without_distances: Vec<String> = smaller.map(|(place, _)| place.class.name()).collect();
        without_distances.sort();
        without_distances.dedup();
        let is_proven = own.metric == Metric::Dtw && without_distances.is_empty();
        let standing = if is_proven { Standing::Proven } else { Standing::Consistent };
        Ok(Verified { standing, bounded, without_distances })
    }

    /// The tables that captures lead to, by material in the class's own orientation.
    fn places(&mut self, class: &Class) -> Result<Smaller, VerifyError> {
        let material = class.material();
        let mut places = HashMap::new();
        for color in Color::BOTH {
            for animal in material.animals(color) {
                let rest = material.without(Piece { color, animal });
                if !rest.is_one_sided() {
                    let place = Arc::clone(self.tables.place(rest)?);
                    places.insert(rest, (place, self.load(rest)?));
                }
            }
        }
        Ok(places)
    }

    fn load(&mut self, material: Material) -> Result<Arc<Loaded>, VerifyError> {
        let class = Arc::clone(&self.tables.place(material)?.class);
        if let Some(loaded) = self.loaded.get(&class.representative) {
            return Ok(Arc::clone(loaded));
        }
        let table = self.tables.table(class.representative)?;
        let mut values = Vec::new();
        for &side in class.stored_sides() {
            let mut side_values = filled(class.index().len() as usize, Value::DRAW)
                .map_err(|_| TableError::io(table.path(), "load")(std::io::ErrorKind::OutOfMemory.into()))?;
            let step = table.header().block_len as usize;
            side_values.par_chunks_mut(step).enumerate().try_for_each(|(n, out)| {
                if self.cancel.is_cancelled() {
                    return Err(VerifyError::Interrupted);
                }
                Ok(table.read(side, (n * step) as u64, out)?)
            })?;
            values.push(side_values);
        }
        let loaded = Arc::new(Loaded { values, metric: table.header().metric });
        self.loaded.insert(class.representative, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// Drops all loaded tables except those of `pieces - 1` pieces, which other classes of `pieces` pieces may need.
    fn forget(&mut self, pieces: usize) {
        self.loaded.retain(|material, _| material.len() + 1 == pieces);
    }
}

/// One class being verified.
struct Check<'a> {
    rules: &'a Rules,
    class: &'a Class,
    place: &'a Place,
    own: &'a Loaded,
    places: &'a Smaller,
    results: Option<&'a Table>,
}

impl Check<'_> {
    /// Checks and counts a stretch of positions, and those whose distance is only bounded.
    fn stretch(&self, side: Side, numbers: std::ops::Range<u64>) -> Result<(SideSummary, u64), VerifyError> {
        let index = self.class.index();
        let mut results = vec![Value::DRAW; (numbers.end - numbers.start) as usize];
        if let Some(table) = self.results {
            table.read(side, numbers.start, &mut results)?;
        }
        let orders = self.class.like_orders();
        let mut counts = SideSummary::default();
        let mut bounded = 0;
        let start = numbers.start;
        let runs = index.runs(numbers.clone());
        let placements = runs.flat_map(|run| run.plane.into_iter().map(move |square| run.with(square)));
        for (number, sets) in numbers.zip(placements) {
            let position = self.place.position(self.rules, &sets, side.color());
            let found = self.own.values[side.index()][number as usize];
            let expected = self.expected(&position);
            let text = || position.to_text(self.rules);
            let agrees = match self.own.metric {
                Metric::Wdl => found.category() == expected.category(),
                Metric::Dtw => {
                    bounded += u64::from(!expected.is_exact());
                    expected.holds(found)
                }
            };
            if !agrees {
                let expected = expected.nearest();
                return Err(VerifyError::Wrong { class: self.class.name(), position: text(), found, expected });
            }
            if self.results.is_some() && results[(number - start) as usize].category() != found.category() {
                return Err(VerifyError::Disagree { class: self.class.name(), position: text() });
            }
            let weight = orders * if sets.map(SquareSet::mirror) == sets { 1 } else { 2 };
            counts.add(found.category(), weight);
            if let Some(plies) = found.plies() {
                *counts.plies.entry(plies).or_default() += weight;
                if counts.longest.is_none_or(|(longest, _)| plies > longest) {
                    counts.longest = Some((plies, number));
                }
            }
        }
        Ok((counts, bounded))
    }

    /// The value of a position according to its successors.
    fn expected(&self, position: &Position) -> Expected {
        let mut quickest: Option<u16> = None;
        let mut slowest = 0;
        let (mut any, mut all_lose) = (false, true);
        // Won or lost positions without a distance among the successors.
        let (mut vague_win, mut vague_loss) = (false, false);
        for successor in position.successors(self.rules) {
            any = true;
            let (value, metric) = self.known(&successor);
            match (value.category(), value.plies(), metric) {
                (Category::Loss, Some(plies), Metric::Dtw) => {
                    quickest = Some(quickest.map_or(plies, |least| least.min(plies)));
                }
                (Category::Win, Some(plies), Metric::Dtw) => slowest = slowest.max(plies),
                (Category::Loss, ..) => vague_loss = true,
                (Category::Win, ..) => vague_win = true,
                _ => all_lose = false,
            }
        }
        match (quickest, vague_loss) {
            (Some(plies), false) => return Expected::exactly(Value::decided(plies + 1)),
            (quickest, true) => {
                let most = quickest.map_or(Value::MAX_PLIES, |plies| plies + 1);
                return Expected { category: Category::Win, plies: 1..=most };
            }
            (None, false) => {}
        }
        match self.rules.keys().no_legal_move {
            NoLegalMove::Loss if !any => Expected::exactly(Value::decided(0)),
            NoLegalMove::Draw if !any => Expected::exactly(Value::DRAW),
            _ if !all_lose => Expected::exactly(Value::DRAW),
            _ if vague_win => Expected { category: Category::Loss, plies: slowest + 1..=Value::MAX_PLIES },
            _ => Expected::exactly(Value::decided(slowest + 1)),
        }
    }

    /// The value of the position after a move, for the side then to move, and the metric it comes from.
    fn known(&self, successor: &Successor) -> (Value, Metric) {
        let position = &successor.position;
        if successor.den {
            return (Value::decided(0), Metric::Dtw);
        }
        let (place, loaded) = match successor.capture {
            None => (self.place, self.own),
            Some(_) => match self.places.get(&Material::of(position)) {
                Some((place, loaded)) => (&**place, &**loaded),
                // The last piece of a side was captured.
                None => return (Value::decided(0), Metric::Dtw),
            },
        };
        let (sets, side) = place.sets(self.rules, position);
        (loaded.values[side.index()][place.class.index().encode(&sets) as usize], loaded.metric)
    }
}

/// The value of a position according to its successors: its category, and its distance or bounds of it.
#[derive(Clone, Debug)]
struct Expected {
    category: Category,
    /// Empty for a draw.
    plies: RangeInclusive<u16>,
}

impl Expected {
    fn exactly(value: Value) -> Self {
        let plies = value.plies().unwrap_or(0);
        Self { category: value.category(), plies: plies..=plies }
    }

    fn is_exact(&self) -> bool {
        self.plies.start() == self.plies.end()
    }

    fn category(&self) -> Category {
        self.category
    }

    fn holds(&self, value: Value) -> bool {
        value.category() == self.category && value.plies().is_none_or(|plies| self.plies.contains(&plies))
    }

    /// The least of the possible values.
    fn nearest(&self) -> Value {
        match self.category {
            Category::Draw => Value::DRAW,
            Category::Win | Category::Loss => Value::decided(*self.plies.start()),
        }
    }
}
