//! Verification of tables: every position against its successors, by code that shares nothing with the solver.
//!
//! # What is shown
//!
//! A position is won in `n + 1` plies if the fastest of its moves to lost positions leads to one lost in `n`; it is
//! lost in `n + 1` if all its moves lead to won positions, the slowest won in `n`; otherwise it is drawn. A DTW table
//! in which this holds everywhere is *proven*: a decided position rests on shorter ones, and if a drawn position were
//! really decided, the one with the shortest distance would contradict its successors.
//!
//! Of a WDL table that would not suffice: positions may be marked won because of each other, in a cycle. A class that
//! has only WDL is therefore computed anew, from the captures and the ends of the game on, and is proven if its table
//! says the same (`results`).
//!
//! Where a smaller class has only WDL, the distances of positions with captures into it are bounded, not known: the
//! class's DTW table is compared with the bounds, and is only *consistent*.
//!
//! All of this rests on the tables of the smaller classes: a class is right if it and all classes that its captures
//! lead to are proven. `VERIFIED` lists them ([`record`]).
//!
//! # How it is done
//!
//! Positions that differ only in the square of one piece are the *lanes* of a row, one byte each, and codes are ordered
//! by merit for the side to move. The value of a row by its successors is then the maximum over the rows that moves of
//! the other pieces lead to, and over the row of the same squares shifted by the moves of the lane piece. Rows are read
//! from the tables a slab at a time (the positions with one state of the first group), so that a class with distances
//! needs memory for the slabs that one move leads to, and for the values after captures.
//!
//! A table of format version 2 stores distances of lost positions only. Those of the won positions of a slab are
//! restored when it is read, by the same maximum over the slabs of the other side, of which only the losses matter
//! (`wins`). This maximum also shows whether each position is won, drawn or lost as its successors require; what is
//! left to check then is the distance of the lost ones.
//!
//! # Modules
//!
//! `lanes` and `bits` have the rows and their codes, `layout` numbers the rows, `moves` lists the moves, and
//! `successors` puts them together. `stored` reads the values of a table, `mapping` says which of them is where, `gather` makes rows of them,
//! `slabs` keeps some of these rows, `wins` restores distances, and `captures` has the rows of the smaller classes.
//! `distances` checks a DTW table, `results` proves a WDL table, `tally` counts, `need` estimates the memory, and [`record`] keeps what was proven.

mod bits;
mod captures;
mod distances;
mod gather;
mod lanes;
mod layout;
mod mapping;
mod moves;
mod need;
pub mod record;
mod results;
mod slabs;
mod stored;
mod successors;
mod tally;
mod wins;

use crate::game::Position;
use crate::material::{Class, Place, Sets, Side};
use crate::probe::{ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::{Checksums, Metric, State, Summary, Table, TableError, Value};
use captures::{Bound, Smaller};
use lanes::{Bytes, Row, Wide};
use layout::Layout;
use mapping::Mapping;
use need::Need;
use serde::Serialize;
use std::sync::Arc;
use stored::Stored;
use thiserror::Error;

/// Rows processed at a time by a thread.
const CHUNK: usize = 1 << 10;

/// The greatest distance for which one byte per lane suffices, also of a position before one that has it.
const BYTE_PLIES: u16 = 250;

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
    /// The counts of positions, which are those of the table.
    pub summary: Summary,
}

/// How much a check established.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Standing {
    /// Every value follows from its successors, as far as these are known.
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
    /// A class needs more memory than allowed.
    #[error("{class}: verifying it needs {need_mib} MiB, but {limit_mib} MiB are allowed, by --memory or by \
         default; give --memory {need_mib}M",
        need_mib = need.div_ceil(1 << 20), limit_mib = limit >> 20)]
    NeedsMemory {
        /// The class.
        class: String,
        /// Required bytes.
        need: u64,
        /// Allowed bytes.
        limit: u64,
    },
    /// Memory is exhausted while verifying a class.
    #[error("{0}: not enough memory to verify it; free some, or give a smaller --memory")]
    OutOfMemory(String),
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

/// Why a check ended early.
enum Failure {
    /// A distance does not fit the lanes: larger ones are needed.
    TooLong,
    /// An error.
    Error(Box<VerifyError>),
}

impl<E: Into<VerifyError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Error(Box::new(error.into()))
    }
}

/// Verifies the tables of a tablebase.
pub struct Verifier<'a> {
    tables: &'a Tablebase,
    known: Checksums,
    cancel: Cancel,
    /// Maximum memory in bytes.
    memory: u64,
    /// Differences from the list of checksums of tables whose values are right.
    unlisted: Vec<TableError>,
}

/// What the verification of a class needs.
struct Plan {
    layout: Layout,
    smaller: Smaller,
    /// The table that is checked.
    table: Arc<Table>,
    /// The WDL table beside a DTW table.
    results: Option<Arc<Table>>,
    /// The smaller classes that have only WDL, of a class with distances.
    without_distances: Vec<String>,
    /// Whether distances take two bytes per lane.
    is_long: bool,
}

impl Plan {
    fn new(verifier: &Verifier<'_>, class: &Class) -> Result<Self, VerifyError> {
        let tables = verifier.tables;
        let layout = Layout::new(class);
        let smaller = Smaller::new(verifier, class, &layout, &Side::BOTH)?;
        let table = tables.table(class.representative)?;
        let metric = table.header().metric;
        let results = match tables.registry().table(class, Metric::Wdl) {
            Err(TableError::Missing { .. }) => None,
            _ if metric == Metric::Wdl => None,
            table => Some(table?),
        };
        let mut without_distances = Vec::new();
        let mut longest = table.summary().longest_plies();
        if table.header().is_losses() {
            wins::require(verifier, &table, &smaller)?;
        }
        for (place, table) in smaller.iter() {
            longest = longest.max(table.summary().longest_plies());
            if metric == Metric::Dtw && table.header().metric == Metric::Wdl {
                without_distances.push(place.class.name());
            }
        }
        without_distances.sort();
        without_distances.dedup();
        Ok(Self { layout, smaller, table, results, without_distances, is_long: longest > BYTE_PLIES })
    }
}

/// A class being verified.
struct Task<'a> {
    verifier: &'a Verifier<'a>,
    class: &'a Arc<Class>,
    layout: &'a Layout,
    place: &'a Place,
    /// The table that is checked.
    table: Arc<Table>,
    /// The WDL table beside a DTW table.
    results: Option<Arc<Table>>,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// The outcome of the check of all values.
struct Checked {
    summary: Summary,
    /// Stored positions whose distance is only bounded.
    bounded: u64,
}

impl Task<'_> {
    /// A position as text.
    fn position(&self, sets: &Sets, side: Side) -> String {
        let rules = self.verifier.tables.rules();
        let position: Position = self.place.position(rules, sets, side.color());
        position.to_text(rules)
    }

    /// Reports that step `n` of several is done.
    fn advance(&self, n: usize, of: usize) {
        let positions = u128::from(self.class.stored_positions());
        let upto = |n: usize| (positions * n as u128 / of as u128) as u64;
        (self.progress)(upto(n + 1) - upto(n));
    }
}

impl<'a> Verifier<'a> {
    /// A verifier that stops on cancellation.
    ///
    /// # Errors
    /// Returns an error if a list of checksums next to the tables cannot be read.
    pub fn new(tables: &'a Tablebase, cancel: &Cancel) -> Result<Self, VerifyError> {
        let known = Checksums::read_all(tables.registry().roots())?;
        Ok(Self { tables, known, cancel: cancel.clone(), memory: u64::MAX, unlisted: Vec::new() })
    }

    /// Limits the memory in bytes. With less, slabs of a large class are read more often.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
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
        let verified = self.values(class, progress)?;
        self.unlisted.extend(unlisted);
        Ok(verified)
    }

    /// The least memory in bytes with which the values of a class can be verified. More lets it read less.
    ///
    /// # Errors
    /// Returns an error if the table of the class, or of one that its captures lead to, is missing or damaged.
    pub fn memory_need(&self, class: &Arc<Class>) -> Result<u64, VerifyError> {
        let Plan { layout, smaller, table, without_distances, is_long, .. } = Plan::new(self, class)?;
        let (header, is_vague) = (table.header(), !without_distances.is_empty());
        let rules = self.tables.rules();
        let need = match (header.metric, is_long) {
            (Metric::Wdl, _) => Need::of_results(class, &layout, &smaller),
            (Metric::Dtw, false) => Need::of_distances::<Bytes>(rules, class, &layout, &smaller, header, is_vague),
            (Metric::Dtw, true) => Need::of_distances::<Wide>(rules, class, &layout, &smaller, header, is_vague),
        };
        Ok(need.least())
    }

    fn values(&self, class: &Arc<Class>, progress: &(dyn Fn(u64) + Sync)) -> Result<Verified, VerifyError> {
        let Plan { layout, smaller, table, results, without_distances, is_long } = Plan::new(self, class)?;
        let metric = table.header().metric;
        let place = self.tables.place(class.material())?;
        let task = Task { verifier: self, class, layout: &layout, place, table, results, progress };
        let is_vague = !without_distances.is_empty();
        let checked = match metric {
            Metric::Wdl => results::prove(&task, &smaller),
            Metric::Dtw if is_long => distances::check::<Wide>(&task, &smaller, is_vague),
            Metric::Dtw => match distances::check::<Bytes>(&task, &smaller, is_vague) {
                Err(Failure::TooLong) => distances::check::<Wide>(&task, &smaller, is_vague),
                checked => checked,
            },
        };
        let Checked { summary, bounded } = checked.map_err(|failure| match failure {
            Failure::Error(error) => *error,
            // Two bytes hold every distance that a table can store.
            Failure::TooLong => VerifyError::Counts { class: class.name() },
        })?;
        let differs = |table: &Arc<Table>| *table.summary() != summary.results_only();
        if *task.table.summary() != summary || task.results.as_ref().is_some_and(differs) {
            return Err(VerifyError::Counts { class: class.name() });
        }
        let standing = if is_vague { Standing::Consistent } else { Standing::Proven };
        Ok(Verified { standing, bounded, without_distances, summary })
    }

    /// All values of one side of a table, without the distances that it leaves out.
    fn whole<R: Row>(&self, mapping: &Mapping, bound: Bound) -> Result<Vec<R::Code>, Failure> {
        let stored = Stored::new(self.tables, &mapping.class, None, bound, &self.cancel)?;
        stored.read(mapping.side, 0..mapping.class.index().len())
    }
}
