//! Probing: the value of a position, its moves ranked, its best line.

mod answer;

pub use answer::{Answer, RankedMove};

use crate::game::{Category, Move, Over, Position, PositionError, Rules};
use crate::material::{Class, Classes, MAX_PIECES, Material, Place};
use crate::table::{Access, Metric, Store, Table, TableError, Value};
use crate::text::quote;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// Why a position has no answer. The first two are the caller's, the third is a missing table, the last a bad one.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The position cannot occur under these rules.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// There are more pieces than any table has.
    #[error("{pieces} pieces: no table has more than {max}", max = MAX_PIECES)]
    TooManyPieces {
        /// Pieces on the board.
        pieces: usize,
    },
    /// The table was not generated.
    #[error("no table for {material} (class {class}) in {folder}: make it with `{command}`")]
    MissingTable {
        /// The material of the position.
        material: String,
        /// The class that it belongs to.
        class: String,
        /// Where the table should be: the folder, or all that were searched.
        folder: String,
        /// What makes it.
        command: String,
    },
    /// A table is there and cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of one rule set in a folder, open for probing from any number of threads.
///
/// Opening is cheap: a table file is opened when a position first needs it.
///
/// ```
/// use jungletb::game::{Category, Position, Rules};
/// use jungletb::probe::Tablebase;
///
/// let rules = Rules::standard();
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
/// let position = Position::parse(&rules, "7/3L3/7/7/7/7/7/7/c6 w")?;
/// let answer = tables.value(&position)?;
/// assert_eq!((answer.category, answer.dtw), (Category::Win, Some(1)));
/// assert_eq!(tables.moves(&position)?[0].mv.to_string(), "d8d9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    rules: Rules,
    classes: Classes,
    store: Store,
    counters: Counters,
    blocks: Cache<BlockKey, Arc<[u8]>, ByBytes>,
}

/// Class, metric and number of a block.
type BlockKey = (Material, Metric, usize);

#[derive(Clone)]
struct ByBytes;

impl Weighter<BlockKey, Arc<[u8]>> for ByBytes {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        block.len() as u64 + 64
    }
}

/// How tables are opened for probing.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How files are read.
    pub access: Access,
    /// Bytes of unpacked blocks to keep, at most. All results of one class of five pieces are some 72 MiB.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { access: Access::Map, cache_bytes: 128 << 20 }
    }
}

/// What probing has cost since the tables were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Probes that found their block unpacked.
    pub hits: u64,
    /// Probes that had to read and unpack a block.
    pub misses: u64,
    /// Bytes of the blocks that were unpacked.
    pub bytes_unpacked: u64,
    /// Bytes of unpacked blocks that are kept now.
    pub bytes_kept: u64,
}

#[derive(Default)]
struct Counters {
    probes: AtomicU64,
    misses: AtomicU64,
    bytes: AtomicU64,
}

/// A usual unpacked block, to size the cache by.
const USUAL_BLOCK: usize = 8 << 10;

impl Tablebase {
    /// Opens the tables of `rules` below a folder. Which tables there are shows when they are needed.
    ///
    /// # Errors
    /// A path at which there is something else than a folder.
    pub fn open(folder: impl AsRef<Path>, rules: &Rules) -> Result<Self, ProbeError> {
        Self::open_with(folder, rules, Options::default())
    }

    /// Opens tables with options of one's own.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_with(folder: impl AsRef<Path>, rules: &Rules, options: Options) -> Result<Self, ProbeError> {
        Self::open_all(folder, &[], rules, options)
    }

    /// Opens the tables of several folders: each is looked for in `folder`, then in the others in their order.
    /// Whoever writes tables writes them to `folder`; the others are only read.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_all(
        folder: impl AsRef<Path>,
        read_only: &[PathBuf],
        rules: &Rules,
        options: Options,
    ) -> Result<Self, ProbeError> {
        let store = Store::with_access(folder.as_ref(), read_only, rules, options.access);
        if let Some(root) = store.roots().iter().find(|root| root.exists() && !root.is_dir()) {
            let source = std::io::ErrorKind::NotADirectory.into();
            return Err(TableError::Io { path: root.clone(), action: "look for tables in", source }.into());
        }
        Ok(Self {
            rules: rules.clone(),
            classes: Classes::new(rules),
            store,
            counters: Counters::default(),
            blocks: Cache::with_weighter(options.cache_bytes as usize / USUAL_BLOCK, options.cache_bytes, ByBytes),
        })
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The classes of the rules.
    pub const fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The tables.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Win, draw or loss for the side to move.
    ///
    /// # Errors
    /// A bad position; a missing or damaged table.
    pub fn wdl(&self, position: &Position) -> Result<Category, ProbeError> {
        let found = self.probe(position, &[Metric::Wdl, Metric::Dtw])?;
        Ok(found.category())
    }

    /// Win, draw or loss for the side to move if that is in memory: for a search that cannot wait for a disk. `None`
    /// if its table was not opened yet, or its block is not among the unpacked ones.
    ///
    /// # Errors
    /// A bad position.
    pub fn wdl_in_memory(&self, position: &Position) -> Result<Option<Category>, PositionError> {
        position.check(&self.rules)?;
        if let Some(over) = self.conversion(position) {
            return Ok(Some(over.category()));
        }
        let Some(place) = self.classes.place(&self.rules, Material::of(position)) else { return Ok(None) };
        let tables = [Metric::Wdl, Metric::Dtw].iter().filter_map(|&metric| self.store.opened(&place.class, metric));
        let mut values = tables.filter_map(|table| {
            let (key, at) = self.locate(&table, place, position);
            table.pick(key.2, &self.blocks.get(&key)?, at).ok()
        });
        Ok(values.next().map(Value::category))
    }

    /// What probing has cost so far.
    pub fn statistics(&self) -> Statistics {
        let probes = self.counters.probes.load(Ordering::Relaxed);
        let misses = self.counters.misses.load(Ordering::Relaxed);
        Statistics {
            hits: probes.saturating_sub(misses),
            misses,
            bytes_unpacked: self.counters.bytes.load(Ordering::Relaxed),
            bytes_kept: self.blocks.weight(),
        }
    }

    /// Category and distance for the side to move.
    ///
    /// # Errors
    /// A bad position; a missing or damaged table.
    pub fn value(&self, position: &Position) -> Result<Answer, ProbeError> {
        let (category, dtw, over) = match self.probe(position, &[Metric::Dtw, Metric::Wdl])? {
            Found::Over(over, category) => (category, (category != Category::Draw).then_some(0), Some(over)),
            Found::Value(metric, value) => {
                let dtw = value.plies().filter(|_| metric == Metric::Dtw);
                // Distance 0 before any den is entered and with pieces on both sides: no legal move.
                let over = if metric == Metric::Dtw && dtw.is_some_and(|plies| plies > 0) {
                    None
                } else {
                    position.over(&self.rules)
                };
                (value.category(), dtw, over.map(|(over, _)| over))
            }
        };
        Ok(Answer { category, dtw, over })
    }

    /// The legal moves, best first: the quickest win, then draws, then the slowest loss, then those that lead to a
    /// missing table. Equal moves keep the order of their squares. None if the game is over.
    ///
    /// # Errors
    /// A bad position; a damaged table.
    pub fn moves(&self, position: &Position) -> Result<Vec<RankedMove>, ProbeError> {
        position.check(&self.rules)?;
        let mut moves = Vec::new();
        for successor in position.successors(&self.rules) {
            moves.push(RankedMove {
                mv: successor.mv,
                capture: successor.capture,
                den: successor.den,
                position: successor.position,
                answer: self.known(&successor.position)?,
            });
        }
        moves.sort_by_key(|mv| (mv.answer.map_or(i32::MAX, |answer| answer.merit()), mv.mv));
        Ok(moves)
    }

    /// The best line: best moves of both sides to the end of the game. Empty for a draw, for a game that is over, and
    /// where there is no table of distances.
    ///
    /// # Errors
    /// A bad position; a missing or damaged table.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut left = self.value(&position)?.dtw.unwrap_or(0);
        while left > 0 {
            // The first of the best moves in the order of their squares; those after it need not be looked up.
            let mut successors: Vec<_> = position.successors(&self.rules).collect();
            successors.sort_unstable_by_key(|successor| successor.mv);
            let mut best = None;
            for successor in successors {
                if self.known(&successor.position)?.and_then(|answer| answer.dtw) == Some(left - 1) {
                    best = Some(successor);
                    break;
                }
            }
            let Some(best) = best else { break };
            line.push(best.mv);
            position = best.position;
            left -= 1;
        }
        Ok(line)
    }

    /// The value of a position, `None` if its table is missing.
    fn known(&self, position: &Position) -> Result<Option<Answer>, ProbeError> {
        match self.value(position) {
            Ok(answer) => Ok(Some(answer)),
            Err(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Where a material's positions are, and the command that makes its table.
    ///
    /// # Errors
    /// More pieces than any table has.
    pub fn place(&self, material: Material) -> Result<&Arc<Place>, ProbeError> {
        self.classes.place(&self.rules, material).ok_or_else(|| ProbeError::TooManyPieces { pieces: material.len() })
    }

    /// The table of a material that tells most: of distances, or else of results.
    ///
    /// # Errors
    /// A missing or damaged table.
    pub fn table(&self, material: Material) -> Result<Arc<Table>, ProbeError> {
        let place = self.place(material)?;
        match self.store.best(&self.rules, &place.class) {
            Err(TableError::Missing { .. }) => Err(self.missing(material, &place.class)),
            table => Ok(table?),
        }
    }

    fn probe(&self, position: &Position, metrics: &[Metric]) -> Result<Found, ProbeError> {
        position.check(&self.rules)?;
        if let Some(over) = self.conversion(position) {
            return Ok(over);
        }
        let material = Material::of(position);
        let place = self.place(material)?;
        for &metric in metrics {
            match self.store.table(&self.rules, &place.class, metric) {
                Ok(table) => return Ok(Found::Value(metric, self.look_up(&table, place, position)?)),
                Err(TableError::Missing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(self.missing(material, &place.class))
    }

    /// The answer for a position in which a den has been entered or a side has no piece.
    fn conversion(&self, position: &Position) -> Option<Found> {
        let (over, winner) = position.conversion(&self.rules)?;
        Some(Found::Over(over, if winner == position.to_move() { Category::Win } else { Category::Loss }))
    }

    fn look_up(&self, table: &Table, place: &Place, position: &Position) -> Result<Value, TableError> {
        let (key, at) = self.locate(table, place, position);
        self.counters.probes.fetch_add(1, Ordering::Relaxed);
        let unpacked = self.blocks.get_or_insert_with(&key, || {
            let unpacked = table.block(key.2)?;
            self.counters.misses.fetch_add(1, Ordering::Relaxed);
            self.counters.bytes.fetch_add(unpacked.len() as u64, Ordering::Relaxed);
            Ok::<_, TableError>(Arc::from(unpacked))
        })?;
        table.pick(key.2, &unpacked, at)
    }

    /// The block of a position and where in it the position is.
    #[inline]
    fn locate(&self, table: &Table, place: &Place, position: &Position) -> (BlockKey, usize) {
        let (sets, side) = place.sets(&self.rules, position);
        let (block, at) = table.locate(side, place.class.index().encode(&sets));
        ((place.class.representative, table.header().metric, block), at)
    }

    fn missing(&self, material: Material, class: &Class) -> ProbeError {
        let rules = quote(self.rules.argument());
        let tables: Vec<String> = self.store.roots().iter().map(|root| quote(root.as_ref())).collect();
        let tables = tables.join(" --tables ");
        let folders: Vec<String> = self.store.folders().iter().map(|path| path.display().to_string()).collect();
        ProbeError::MissingTable {
            material: material.to_string(),
            class: class.name(),
            folder: folders.join(", "),
            command: format!("jungletb generate {material} --rules {rules} --tables {tables}"),
        }
    }
}

/// What a probe found.
enum Found {
    Over(Over, Category),
    Value(Metric, Value),
}

impl Found {
    const fn category(&self) -> Category {
        match self {
            Self::Over(_, category) => *category,
            Self::Value(_, value) => value.category(),
        }
    }
}
