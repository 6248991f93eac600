//! Probing: the value of a position, its ranked moves, its best line.
//!
//! A probe finds the table of the position's material in the registry, computes the position's number, and reads its
//! value from a cached unpacked block, or unpacks one. Where the tables leave the distance of a won position out, one ply
//! of moves gives it. While everything is in memory it takes no lock, makes no system
//! call and writes to no shared memory (except a mark on a block that was not used recently).

mod ahead;
mod answer;
mod cache;
mod conclude;
mod error;
pub mod fault;
mod won;

pub use answer::{Answer, RankedMove};
pub use cache::Statistics;
pub use error::{MissingTable, ProbeError};
pub use fault::Fault;

use crate::distances::{SideValues, Source};
use crate::game::{Category, Move, Over, Position, PositionError, Rules};
use crate::material::{Class, Classes, MAX_PIECES, Material, Place, Side};
use crate::system::memory_limit;
use crate::table::{Access, Folders, Metric, Pending, Registry, SearchPath, Store, Table, TableError, Value};
use cache::{BlockCache, Stored};
use conclude::Glance;
use crossbeam_epoch::{self as epoch, Guard};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thread_local::ThreadLocal;

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
    registry: Registry,
    blocks: BlockCache,
    /// The folders for errors, a copy for each thread: counting references to a common one would make threads that
    /// probe missing tables wait for each other.
    folders: ThreadLocal<Arc<Folders>>,
}

/// Options for opening tables.
///
/// ```
/// use jungletb::probe::Options;
/// use jungletb::table::Access;
///
/// let options = Options::default().access(Access::Read).cache_bytes(256 << 20);
/// assert_eq!(options.cache_bytes, 268_435_456);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How files are read.
    pub access: Access,
    /// Maximum bytes of cached unpacked blocks. The default is a sixteenth of the memory available to the process, at
    /// least 128 MiB and at most 1 GiB: random DTW probes of five pieces took 7.1 µs with 128 MiB and 0.42 µs with 256
    /// MiB, which hold their blocks.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        let cache_bytes = memory_limit().map_or(256 << 20, |bytes| (bytes / 16).clamp(128 << 20, 1 << 30));
        Self { access: Access::Map, cache_bytes }
    }
}

impl Options {
    /// Sets the access method.
    #[must_use]
    pub const fn access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// Sets the maximum bytes of cached unpacked blocks.
    #[must_use]
    pub const fn cache_bytes(self, cache_bytes: u64) -> Self {
        Self { cache_bytes, ..self }
    }
}

/// A class whose tables are in the folders, by file name.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Available {
    /// The class.
    pub class: Arc<Class>,
    /// The metrics of its tables.
    pub metrics: Vec<Metric>,
}

impl Tablebase {
    /// Opens the tables of `rules` in a folder. Each table is looked up when first needed.
    ///
    /// # Errors
    /// Returns an error if the path exists and is not a folder.
    pub fn open(folder: impl AsRef<Path>, rules: &Rules) -> Result<Self, ProbeError> {
        Self::open_with(folder, rules, Options::default())
    }

    /// Opens tables with the given options.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_with(folder: impl AsRef<Path>, rules: &Rules, options: Options) -> Result<Self, ProbeError> {
        Self::open_all(folder, &[], rules, options)
    }

    /// Opens the tables of several folders: each table is looked up in `folder`, then in the others in order. New
    /// tables are written to `folder`; the others are only read.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_all(
        folder: impl AsRef<Path>,
        read_only: &[PathBuf],
        rules: &Rules,
        options: Options,
    ) -> Result<Self, ProbeError> {
        let folders = std::iter::once(folder.as_ref()).chain(read_only.iter().map(PathBuf::as_path));
        Self::open_path(&SearchPath::new(folders), rules, options)
    }

    /// Opens the tables of a search path.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_path(path: &SearchPath, rules: &Rules, options: Options) -> Result<Self, ProbeError> {
        let registry = Registry::over(path, rules, options.access);
        if let Some(root) = registry.roots().iter().find(|root| root.exists() && !root.is_dir()) {
            let not_a_folder = std::io::ErrorKind::NotADirectory.into();
            return Err(TableError::io(root, "look for tables in")(not_a_folder).into());
        }
        Ok(Self::of_registry(registry, rules, options))
    }

    /// Opens the tables of stores, which are searched in order.
    pub fn of_stores(stores: Vec<Arc<dyn Store>>, rules: &Rules, options: Options) -> Self {
        let path = stores.into_iter().fold(SearchPath::default(), SearchPath::with_store);
        Self::of_registry(Registry::over(&path, rules, options.access), rules, options)
    }

    /// The tables of up to three pieces that are part of the library: those of the standard rules, none of others.
    ///
    /// ```
    /// use jungletb::game::{Position, Rules};
    /// use jungletb::probe::Tablebase;
    ///
    /// let rules = Rules::standard();
    /// let position = Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
    /// assert_eq!(Tablebase::shipped(&rules).value(&position)?.dtw, Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "shipped")]
    pub fn shipped(rules: &Rules) -> Self {
        Self::of_stores(vec![Arc::new(crate::table::Shipped)], rules, Options::default())
    }

    fn of_registry(registry: Registry, rules: &Rules, options: Options) -> Self {
        let blocks = BlockCache::new(options.cache_bytes);
        let (classes, folders) = (Classes::new(rules), ThreadLocal::new());
        Self { rules: rules.clone(), classes, registry, blocks, folders }
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The classes of the rules.
    pub const fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Where the tables come from.
    const fn source(&self) -> Source<'_> {
        Source { rules: &self.rules, classes: &self.classes, registry: &self.registry }
    }

    /// The registry of the tables.
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether a usable table of either metric exists for a material. The first call opens it; later calls are answered
    /// from memory, until [`Tablebase::refresh`].
    #[inline]
    pub fn has(&self, material: Material) -> bool {
        let Some(place) = self.classes.place(&self.rules, material) else { return false };
        let guard = epoch::pin();
        Metric::ALL.into_iter().any(|metric| matches!(self.registry.look(&place.class, metric, &guard), Ok(Some(_))))
    }

    /// Whether no table, not even a damaged one, exists for a material, as of the last [`Tablebase::refresh`]. A cheap
    /// first test for a search: it skips finding the class of materials that have more pieces than any table.
    #[inline]
    pub(crate) fn is_missing(&self, material: Material) -> bool {
        if material.len() > self.registry.most_pieces() {
            return true;
        }
        let Some(place) = self.classes.place(&self.rules, material) else { return true };
        let guard = epoch::pin();
        Metric::ALL.into_iter().all(|metric| matches!(self.registry.look(&place.class, metric, &guard), Ok(None)))
    }

    /// The classes that have tables in the folders, by file name, ordered by number of pieces, then by name. Opens
    /// nothing, so some may be damaged. As of the last [`Tablebase::refresh`].
    pub fn available(&self) -> Vec<Available> {
        let listing = self.registry.listing();
        let mut available: Vec<Available> = Vec::new();
        for class in (2..=self.most_pieces()).flat_map(|pieces| self.classes.with_pieces(&self.rules, pieces)) {
            let is_there = |metric: &Metric| listing.binary_search(&(class.representative, *metric)).is_ok();
            let metrics: Vec<Metric> = Metric::ALL.into_iter().filter(is_there).collect();
            if !metrics.is_empty() {
                available.push(Available { class, metrics });
            }
        }
        available
    }

    /// The number of pieces of the largest table in the folders, by file name; 0 if there is none. As of the last
    /// [`Tablebase::refresh`].
    pub fn most_pieces(&self) -> usize {
        self.registry.most_pieces().min(MAX_PIECES)
    }

    /// Opens the tables of a material and asks the system to read them ahead, so that later probes need not wait.
    ///
    /// # Errors
    /// Returns an error if there are more pieces than any table has, or if the table is missing or damaged.
    pub fn prefetch(&self, material: Material) -> Result<(), ProbeError> {
        let place = self.place(material)?;
        let guard = epoch::pin();
        let mut found = false;
        for metric in Metric::ALL {
            if let Some(table) = self.registry.look(&place.class, metric, &guard)? {
                table.prefetch();
                found = true;
            }
        }
        if found { Ok(()) } else { Err(self.missing(material, &place.class)) }
    }

    /// Checks for tables that were created, replaced or removed since they were last looked up; true if there are any.
    /// Until then a missing table stays missing, and a replaced one is still read in its old version. Costs one system
    /// call per table looked up so far; other threads may probe meanwhile.
    pub fn refresh(&self) -> bool {
        self.blocks.sweep();
        self.registry.refresh()
    }

    /// Win, draw or loss for the side to move.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if the table is missing or damaged.
    pub fn wdl(&self, position: &Position) -> Result<Category, ProbeError> {
        Ok(self.find(position, [Metric::Wdl, Metric::Dtw])?.category())
    }

    /// Win, draw or loss for the side to move if that is in memory: for a search that cannot wait for a disk. `None` if
    /// the table is not open yet or the block is not cached.
    ///
    /// # Errors
    /// Returns an error if the position is invalid.
    pub fn wdl_in_memory(&self, position: &Position) -> Result<Option<Category>, PositionError> {
        position.check(&self.rules)?;
        if let Some(over) = self.conversion(position) {
            return Ok(Some(over.category()));
        }
        if let Some(place) = self.classes.place(&self.rules, Material::of(position)) {
            let guard = epoch::pin();
            let (sets, side) = place.sets(&self.rules, position);
            let number = place.class.index().encode(&sets);
            let tables = Metric::ALL.iter().filter_map(|&metric| self.registry.opened(&place.class, metric, &guard));
            // The results of a table that has them in another file.
            let tables = tables.map(|table| table.results().unwrap_or(table));
            let mut values =
                tables.filter_map(|table| BlockCache::in_memory(table, side, number, &guard).ok().flatten());
            if let Some(value) = values.next() {
                return Ok(Some(value.category()));
            }
        }
        Ok(Glance::new(&self.rules, position).decided.map(|answer| answer.category))
    }

    /// Cost of probing so far.
    pub fn statistics(&self) -> Statistics {
        self.blocks.statistics()
    }

    /// Category and distance for the side to move.
    ///
    /// Without a table, the value is derived where possible from an immediate end of the game and from the tables after
    /// captures: the category is always correct, but the distance may be unknown.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if the table is missing or damaged and no value follows without
    /// it.
    pub fn value(&self, position: &Position) -> Result<Answer, ProbeError> {
        let found = self.find(position, [Metric::Dtw, Metric::Wdl])?;
        Ok(self.answer(position, found))
    }

    /// As [`Tablebase::value`], but only from the position's own table or the end of the game, as grading needs;
    /// derives nothing from other positions.
    ///
    /// # Errors
    /// As [`Tablebase::value`].
    pub fn value_by_table(&self, position: &Position) -> Result<Answer, ProbeError> {
        position.check(&self.rules)?;
        let found = self.look(position, [Metric::Dtw, Metric::Wdl])?;
        found.map(|found| self.answer(position, found)).map_err(|missing| self.error(missing))
    }

    /// The legal moves, best first: wins, fastest first, then moves to a missing table, draws, and losses, slowest
    /// first. Equal moves stay in square order. Empty if the game is over.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn moves(&self, position: &Position) -> Result<Vec<RankedMove>, ProbeError> {
        position.check(&self.rules)?;
        let mut moves = Vec::new();
        let mut pending = Pending::default();
        for successor in position.successors(&self.rules) {
            let answer = keep(&mut pending, self.known(&successor.position))?.flatten();
            moves.push(RankedMove {
                mv: successor.mv,
                capture: successor.capture,
                den: successor.den,
                position: successor.position,
                missing: answer.is_none().then(|| Material::of(&successor.position)),
                answer,
            });
        }
        pending.end()?;
        moves.sort_by_key(|mv| (mv.rank(), mv.mv));
        Ok(moves)
    }

    /// The best line: best moves by both sides to the end of the game. Empty for a draw, for a finished game, and
    /// without a DTW table.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if a table is missing or damaged.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut left = self.value(&position)?.dtw.unwrap_or(0);
        while left > 0 {
            // The first of the best moves in square order; the moves after it need no lookup.
            let mut successors: Vec<_> = position.successors(&self.rules).collect();
            successors.sort_unstable_by_key(|successor| successor.mv);
            let mut best = None;
            let mut pending = Pending::default();
            for successor in successors {
                let after = &successor.position;
                // A win must lead to a loss, whose distance is stored; that of other moves takes longer to find.
                let is_candidate =
                    left % 2 == 0 || matches!(keep(&mut pending, self.wdl(after)), Ok(Some(Category::Loss)));
                if !is_candidate {
                    continue;
                }
                let answer = keep(&mut pending, self.known(after))?.flatten();
                if answer.and_then(|answer| answer.dtw) == Some(left - 1) {
                    best = Some(successor);
                    break;
                }
            }
            pending.end()?;
            let Some(best) = best else { break };
            line.push(best.mv);
            position = best.position;
            left -= 1;
        }
        Ok(line)
    }

    /// The value of a position; `None` if its table is missing.
    fn known(&self, position: &Position) -> Result<Option<Answer>, ProbeError> {
        match self.value(position) {
            Ok(answer) => Ok(Some(answer)),
            Err(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The location of a material's positions, and the command that generates its table.
    ///
    /// # Errors
    /// Returns an error if there are more pieces than any table has.
    pub fn place(&self, material: Material) -> Result<&Arc<Place>, ProbeError> {
        self.classes.place(&self.rules, material).ok_or_else(|| ProbeError::TooManyPieces { pieces: material.len() })
    }

    /// The best table of a material: DTW, else WDL.
    ///
    /// # Errors
    /// Returns an error if the table is missing or damaged.
    pub fn table(&self, material: Material) -> Result<Arc<Table>, ProbeError> {
        let place = self.place(material)?;
        match self.registry.best(&place.class) {
            Err(TableError::Missing { .. }) => Err(self.missing(material, &place.class)),
            table => Ok(table?),
        }
    }

    /// All values of the best table of a material, with a side of its class to move.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged, or if memory is exhausted.
    pub fn values(&self, material: Material, side: Side) -> Result<SideValues, ProbeError> {
        let place = self.place(material)?;
        Ok(SideValues::of_table(self.source(), &place.class, self.table(material)?, side)?)
    }

    /// As [`Tablebase::values`], but only categories count: of the WDL table, else of the DTW table.
    ///
    /// # Errors
    /// As [`Tablebase::values`].
    pub fn results(&self, material: Material, side: Side) -> Result<SideValues, ProbeError> {
        let place = self.place(material)?;
        let table = match self.registry.table(&place.class, Metric::Wdl) {
            Err(TableError::Missing { .. }) => self.table(material)?,
            table => table?,
        };
        Ok(SideValues::of_table(self.source(), &place.class, table, side)?)
    }

    /// The report of a missing table for a material.
    ///
    /// # Errors
    /// Returns an error if there are more pieces than any table has.
    pub fn missing_table(&self, material: Material) -> Result<MissingTable, ProbeError> {
        let class = self.place(material)?.class.representative;
        Ok(MissingTable::new(material, class, self.folders()))
    }

    /// The value of a position, or why it has none.
    #[inline]
    fn find(&self, position: &Position, metrics: [Metric; 2]) -> Result<Found, ProbeError> {
        position.check(&self.rules)?;
        match self.look(position, metrics)? {
            Ok(found) => Ok(found),
            Err(missing) => self.conclude(position, metrics)?.map(Found::Concluded).ok_or_else(|| self.error(missing)),
        }
    }

    /// The value of a position from its own table, or the fact that there is none.
    #[inline]
    fn look(&self, position: &Position, metrics: [Metric; 2]) -> Result<Result<Found, NoTable<'_>>, TableError> {
        if let Some(over) = self.conversion(position) {
            return Ok(Ok(over));
        }
        let material = Material::of(position);
        let Some(place) = self.classes.place(&self.rules, material) else {
            return Ok(Err(NoTable { material, place: None }));
        };
        let guard = epoch::pin();
        for metric in metrics {
            let found = match self.of_table(position, place, metric, &guard)? {
                None => continue,
                Some(Stored::Exact(value)) => Found::Value(metric, value),
                // Only the result counts.
                Some(Stored::Win) if metrics[0] == Metric::Wdl => Found::Value(Metric::Wdl, WIN),
                Some(Stored::Win) => match self.plies_of_win(position, place, &guard)? {
                    Some(plies) => Found::Value(metric, Value::decided(plies)),
                    None => Found::Value(Metric::Wdl, WIN),
                },
            };
            return Ok(Ok(found));
        }
        Ok(Err(NoTable { material, place: Some(place) }))
    }

    /// The value of a position as a table stores it; `None` if the table is missing.
    #[inline]
    fn of_table(
        &self,
        position: &Position,
        place: &Place,
        metric: Metric,
        guard: &Guard,
    ) -> Result<Option<Stored>, TableError> {
        let Some(table) = self.registry.look(&place.class, metric, guard)? else { return Ok(None) };
        let (sets, side) = place.sets(&self.rules, position);
        let number = place.class.index().encode(&sets);
        self.stored(&place.class, metric, table, side, number, guard)
    }

    /// The value of a placement as a table stores it; `None` if the table is missing by now.
    #[inline]
    fn stored(
        &self,
        class: &Class,
        metric: Metric,
        table: &Arc<Table>,
        side: Side,
        number: u64,
        guard: &Guard,
    ) -> Result<Option<Stored>, TableError> {
        match self.blocks.stored(table, side, number, guard) {
            // The file may have been replaced by an intact one.
            Err(_) if self.registry.renew(class, metric, table) => {
                let table = self.registry.look(class, metric, guard)?;
                table.map(|table| self.blocks.stored(table, side, number, guard)).transpose()
            }
            stored => stored.map(Some),
        }
    }

    /// Converts the finding to an answer.
    fn answer(&self, position: &Position, found: Found) -> Answer {
        let (metric, value) = match found {
            Found::Over(over, category) => return Answer { category, dtw: Some(0), over: Some(over) },
            Found::Concluded(answer) => return answer,
            Found::Value(metric, value) => (metric, value),
        };
        let category = value.category();
        let dtw = value.plies().filter(|_| metric == Metric::Dtw);
        // A side without a legal move has lost in 0 plies, unless the rules make it a draw.
        let may_be_over = match dtw {
            Some(plies) => plies == 0,
            None => category == conclude::without_moves(&self.rules).category,
        };
        let over = if may_be_over { position.over(&self.rules) } else { None };
        Answer { category, dtw, over: over.map(|(over, _)| over) }
    }

    /// The value of a position in which a den is entered or a side has no piece.
    #[inline]
    fn conversion(&self, position: &Position) -> Option<Found> {
        let (over, winner) = position.conversion(&self.rules)?;
        Some(Found::Over(over, if winner == position.to_move() { Category::Win } else { Category::Loss }))
    }

    fn error(&self, missing: NoTable<'_>) -> ProbeError {
        match missing.place {
            Some(place) => self.missing(missing.material, &place.class),
            None => ProbeError::TooManyPieces { pieces: missing.material.len() },
        }
    }

    fn missing(&self, material: Material, class: &Class) -> ProbeError {
        ProbeError::MissingTable(MissingTable::new(material, class.representative, self.folders()))
    }

    /// This thread's copy of the folders.
    fn folders(&self) -> Arc<Folders> {
        Arc::clone(self.folders.get_or(|| Arc::new(Folders::clone(self.registry.places()))))
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, registry, .. } = self;
        f.debug_struct("Tablebase")
            .field("rules", &rules.name())
            .field("folders", &registry.folders())
            .finish_non_exhaustive()
    }
}

/// A win of unknown distance.
const WIN: Value = Value::least(Category::Win);

/// As [`Pending::keep`], of a probe.
fn keep<T>(pending: &mut Pending, probed: Result<T, ProbeError>) -> Result<Option<T>, ProbeError> {
    match probed {
        Err(ProbeError::Table(error)) => Ok(pending.keep(Err(error))?),
        probed => probed.map(Some),
    }
}

/// The outcome of a probe.
#[derive(Clone, Copy, Debug)]
enum Found {
    Over(Over, Category),
    Value(Metric, Value),
    /// Derived from other tables.
    Concluded(Answer),
}

/// A position without a table of its own.
#[derive(Clone, Copy, Debug)]
struct NoTable<'a> {
    material: Material,
    /// `None` if there are more pieces than any table has.
    place: Option<&'a Arc<Place>>,
}

impl Found {
    const fn category(self) -> Category {
        match self {
            Self::Over(_, category) => category,
            Self::Value(_, value) => value.category(),
            Self::Concluded(answer) => answer.category,
        }
    }
}
