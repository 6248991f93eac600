//! Proving a table: every position against its successors, by the move generator of `game`.
//!
//! A position is won in `n + 1` plies if the quickest of its moves into lost positions leads to one lost in `n`; it
//! is lost in `n + 1` if all its moves lead to won positions, the slowest won in `n`; otherwise it is drawn. A table
//! in which this holds everywhere is right: a decided position rests on shorter ones, and were a drawn one truly
//! decided, the shortest such would contradict its successors.

use crate::game::{Category, Color, NoLegalMove, Piece, Position, Rules, SquareSet, Successor};
use crate::material::{Class, Material, Place, Side};
use crate::probe::{ProbeError, Tablebase};
use crate::system::{Cancel, filled};
use crate::table::{Checksums, Metric, SideSummary, State, Summary, Table, TableError, Value};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// Why a table is not proven.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A position has another value than its successors give it.
    #[error("{class}: {position} is {found:?} in the table, but its moves make it {expected:?}; generate it again")]
    Wrong {
        /// The class.
        class: String,
        /// The position.
        position: String,
        /// Its value in the table.
        found: Value,
        /// Its value by its successors.
        expected: Value,
    },
    /// The two tables of a class disagree.
    #[error("{class}: {position} differs between the tables of results and of distances; generate it again")]
    Disagree {
        /// The class.
        class: String,
        /// The position.
        position: String,
    },
    /// The counts in a table are not those of its positions.
    #[error("{class}: the counts in its header are not those of its positions; generate it again")]
    Counts {
        /// The class.
        class: String,
    },
    /// A table that is needed cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table that is needed is missing.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// Checks the tables of a tablebase. Keeps smaller tables in memory between classes.
pub struct Verifier<'a> {
    tables: &'a Tablebase,
    known: Checksums,
    loaded: HashMap<Material, Arc<Loaded>>,
    cancel: Cancel,
    /// Why tables whose values hold are not the listed ones.
    unlisted: Vec<TableError>,
}

/// A whole table in memory.
struct Loaded {
    /// By stored side.
    values: Vec<Vec<Value>>,
    has_distances: bool,
}

/// The tables that captures lead to, with where their materials' positions are.
type Smaller = HashMap<Material, (Arc<Place>, Arc<Loaded>)>;

/// Positions checked at a time by a thread.
const STRETCH: usize = 1 << 14;

impl<'a> Verifier<'a> {
    /// A verifier that stops when it is told to.
    ///
    /// # Errors
    /// A list of checksums beside the tables that cannot be read.
    pub fn new(tables: &'a Tablebase, cancel: &Cancel) -> Result<Self, VerifyError> {
        let known = Checksums::read_all(tables.store().roots())?;
        Ok(Self { tables, known, loaded: HashMap::new(), cancel: cancel.clone(), unlisted: Vec::new() })
    }

    /// Checks the checksums of all tables of a class, and compares them with the list beside the tables.
    ///
    /// # Errors
    /// A damaged table; none at all.
    pub fn checksums(&self, class: &Class) -> Result<(), VerifyError> {
        self.blocks(class)?.map_or(Ok(()), |unlisted| Err(unlisted.into()))
    }

    /// Tables proven by [`Verifier::class`] that are not the files which the list beside them names.
    pub fn unlisted(&self) -> &[TableError] {
        &self.unlisted
    }

    /// Checks the checksums of all tables of a class; tells how one differs from the list beside the tables.
    fn blocks(&self, class: &Class) -> Result<Option<TableError>, VerifyError> {
        let (mut found, mut unlisted) = (false, None);
        for metric in [Metric::Wdl, Metric::Dtw] {
            if self.cancel.is_cancelled() {
                return Err(VerifyError::Interrupted);
            }
            match self.tables.store().state(self.tables.rules(), class, metric) {
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

    /// Checks a class wholly: checksums, every value, both tables against each other, the counts. `progress` is
    /// called with numbers of positions done.
    ///
    /// # Errors
    /// The first fault found.
    pub fn class(&mut self, class: &Arc<Class>, progress: &(dyn Fn(u64) + Sync)) -> Result<(), VerifyError> {
        let unlisted = self.blocks(class)?;
        let rules = self.tables.rules();
        let own = self.load(class.material())?;
        let places = self.places(class)?;
        let place = Arc::clone(self.tables.place(class.material())?);
        let table = self.tables.table(class.representative)?;
        let results = match self.tables.store().table(rules, class, Metric::Wdl) {
            Err(TableError::Missing { .. }) => None,
            table => Some(table?),
        };
        let check = Check { rules, class, place: &place, own: &own, places: &places, results: results.as_deref() };
        let mut summary = Summary::default();
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
            let merge = |mut sum: SideSummary, counts: &SideSummary| {
                sum.merge(counts);
                sum
            };
            summary.sides.push(counts.iter().fold(SideSummary::default(), merge));
        }
        let counts = || VerifyError::Counts { class: class.name() };
        if !own.has_distances {
            summary = summary.results_only();
        }
        if *table.summary() != summary || results.is_some_and(|table| *table.summary() != summary.results_only()) {
            return Err(counts());
        }
        self.forget(class.pieces());
        self.unlisted.extend(unlisted);
        Ok(())
    }

    /// The tables that captures lead to, by material of the class's own orientation.
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
            let mut side_values = filled(class.index().len() as usize, Value::DRAW).map_err(|_| TableError::Io {
                path: table.path().to_owned(),
                action: "load",
                source: std::io::ErrorKind::OutOfMemory.into(),
            })?;
            let step = table.header().block_len as usize;
            side_values.par_chunks_mut(step).enumerate().try_for_each(|(n, out)| {
                if self.cancel.is_cancelled() {
                    return Err(VerifyError::Interrupted);
                }
                Ok(table.read(side, (n * step) as u64, out)?)
            })?;
            values.push(side_values);
        }
        let loaded = Arc::new(Loaded { values, has_distances: table.header().metric == Metric::Dtw });
        self.loaded.insert(class.representative, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// Drops what the classes of this size needed no more: the class itself, and all much smaller ones.
    fn forget(&mut self, pieces: usize) {
        self.loaded.retain(|material, _| material.len() + 1 == pieces);
    }
}

/// One class under check.
struct Check<'a> {
    rules: &'a Rules,
    class: &'a Class,
    place: &'a Place,
    own: &'a Loaded,
    places: &'a Smaller,
    results: Option<&'a Table>,
}

impl Check<'_> {
    fn stretch(&self, side: Side, numbers: std::ops::Range<u64>) -> Result<SideSummary, VerifyError> {
        let index = self.class.index();
        let mut results = vec![Value::DRAW; (numbers.end - numbers.start) as usize];
        if let Some(table) = self.results {
            table.read(side, numbers.start, &mut results)?;
        }
        let orders = self.class.like_orders();
        let mut counts = SideSummary::default();
        let start = numbers.start;
        let end = numbers.end;
        let runs = std::iter::successors(Some(index.run_at(start)), |run| {
            let next = run.start + run.plane.len() as u64;
            (next < end).then(|| index.run_at(next))
        });
        let placements = runs.flat_map(|run| run.plane.into_iter().map(move |square| run.with(square)));
        for (number, sets) in numbers.zip(placements) {
            let position = self.place.position(self.rules, &sets, side.color());
            let found = self.own.values[side.index()][number as usize];
            let expected = self.expected(&position);
            let text = || position.to_text(self.rules);
            let same = if self.own.has_distances { found == expected } else { found.category() == expected.category() };
            if !same {
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
        Ok(counts)
    }

    /// The value that a position's successors give it.
    fn expected(&self, position: &Position) -> Value {
        let mut quickest: Option<u16> = None;
        let mut slowest = 0;
        let (mut any, mut all_lose) = (false, true);
        for successor in position.successors(self.rules) {
            any = true;
            let value = self.known(&successor);
            match (value.category(), value.plies()) {
                (Category::Loss, Some(plies)) => {
                    quickest = Some(quickest.map_or(plies, |least| least.min(plies)));
                }
                (Category::Win, Some(plies)) => slowest = slowest.max(plies),
                _ => all_lose = false,
            }
        }
        match (quickest, self.rules.keys().no_legal_move) {
            (Some(plies), _) => Value::decided(plies + 1),
            (None, NoLegalMove::Loss) if !any => Value::decided(0),
            (None, NoLegalMove::Draw) if !any => Value::DRAW,
            (None, _) if all_lose => Value::decided(slowest + 1),
            (None, _) => Value::DRAW,
        }
    }

    /// The value of the position after a move, for the side then to move.
    fn known(&self, successor: &Successor) -> Value {
        let position = &successor.position;
        if successor.den {
            return Value::decided(0);
        }
        let (place, loaded) = match successor.capture {
            None => (self.place, self.own),
            Some(_) => match self.places.get(&Material::of(position)) {
                Some((place, loaded)) => (&**place, &**loaded),
                // It was the last piece.
                None => return Value::decided(0),
            },
        };
        let (sets, side) = place.sets(self.rules, position);
        loaded.values[side.index()][place.class.index().encode(&sets) as usize]
    }
}
