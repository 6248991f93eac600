//! The registry: the tables of a rule set in one or more folders, and the open ones among them.
//!
//! Tables are files, `<folder>/<rules>/<class>.<metric>`. One of the folders is for writing; the others are read-only.
//! Lookup goes through all folders in order, and the first match counts, as with `PATH` ([`SearchPath`]).
//!
//! Each class and metric has a slot, which is empty until the table is first requested. Then the file is opened, and
//! the outcome stays in the slot: the open table, its absence, or an error. From then on a lookup costs two memory
//! loads: no lock, no system call, no write that another thread could wait for. Errors that may be gone at the next try
//! (too many open files, a failing device) are reported and not stored.
//!
//! The folders may change while in use. [`Registry::refresh`] compares each nonempty slot with the files and empties
//! stale ones; long-running programs call it from time to time. A program that has just written a table calls
//! [`Registry::forget`]. A read that fails checks whether the file is still the one that was opened
//! ([`Registry::renew`]). A reader of an open table that is replaced continues on the old one, which has its own
//! blocks.
//!
//! Tables may also be in stores ([`Store`]), which are searched after the folders.
//!
//! [`Registry::listing`] lists the contents of the folders without opening anything; the list is kept until a refresh
//! finds that the folders changed.

use super::cell::Cell;
use super::error::TableError;
use super::files::FileId;
use super::folders::Folders;
use super::header::{Header, Metric};
use super::pending::Pending;
use super::reader::Table;
use super::search_path::SearchPath;
use super::source::{Access, ByteSource};
use super::store::Store;
use crate::game::Rules;
use crate::material::{Class, Material};
use crate::system::is_live;
use crossbeam_epoch::{self as epoch, Guard};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// The tables of one rule set in one or more folders and stores.
#[derive(Debug)]
pub struct Registry {
    rules: Rules,
    path: SearchPath,
    places: Arc<Folders>,
    access: Access,
    slots: Slots,
    listing: Mutex<Option<Arc<[Listed]>>>,
    /// Modification times of the folders as of the last refresh; they show when files are added or removed.
    written: Mutex<Vec<Option<SystemTime>>>,
    /// Number of pieces of the largest listed table; `UNLISTED` before the first listing.
    most_pieces: AtomicUsize,
    generation: AtomicU64,
}

const UNLISTED: usize = usize::MAX;

/// A table identified by its file name: class and metric.
pub type Listed = (Material, Metric);

/// The outcome of a lookup.
#[derive(Debug)]
enum Known {
    Missing,
    Ready(Arc<Table>),
    /// The error and the file.
    Faulty(Box<TableError>, Option<Box<FoundFile>>),
}

/// A table file as it was found.
#[derive(Debug, PartialEq, Eq)]
struct FoundFile {
    path: PathBuf,
    id: FileId,
    /// Of a DTW table, the identity of the WDL table beside it, which it may need.
    beside: Option<FileId>,
}

type Slot = Cell<Known>;

/// State of a table file after a full check.
#[derive(Debug)]
pub enum State {
    /// Present, of the right game, with valid checksums.
    Ok(Arc<Table>),
    /// There is no such file.
    Missing,
    /// Unusable.
    Damaged(TableError),
}

impl Registry {
    /// A registry of the tables of `rules` in a folder of tables. Opens nothing; the folder need not contain any.
    pub fn new(tables: &Path, rules: &Rules) -> Self {
        Self::over(&SearchPath::new([tables]), rules, Access::default())
    }

    /// A registry of the tables of `rules` on a search path.
    pub fn over(path: &SearchPath, rules: &Rules, access: Access) -> Self {
        let path = path.of_rules(rules);
        let places = Arc::new(Folders::new(&path, rules));
        let written = Mutex::new(places.times());
        Self {
            rules: rules.clone(),
            path,
            places,
            access,
            slots: Slots::new(),
            listing: Mutex::default(),
            written,
            most_pieces: AtomicUsize::new(UNLISTED),
            generation: AtomicU64::new(0),
        }
    }

    /// The search path: folders with a subfolder per rule set, and the stores that may have tables of these rules.
    pub const fn search_path(&self) -> &SearchPath {
        &self.path
    }

    /// The folder for writing, with a subfolder per rule set.
    pub fn tables(&self) -> &Path {
        let [root, _] = self.places.written();
        root
    }

    /// The folder for writing tables of these rules.
    pub fn folder(&self) -> &Path {
        let [_, folder] = self.places.written();
        folder
    }

    /// All folders with a subfolder per rule set, in search order.
    pub fn roots(&self) -> &[PathBuf] {
        self.places.roots()
    }

    /// All folders with tables of these rules, in search order.
    pub fn folders(&self) -> &[PathBuf] {
        self.places.of_rules()
    }

    /// The folders and stores as a shared value.
    pub const fn places(&self) -> &Arc<Folders> {
        &self.places
    }

    /// The path to write a table to.
    pub fn path(&self, class: &Class, metric: Metric) -> PathBuf {
        self.folder().join(file_name(class.representative, metric))
    }

    /// The path of a table; the path to write it to if it does not exist.
    pub fn find(&self, class: &Class, metric: Metric) -> PathBuf {
        let found = self.paths(class.representative, metric).find(|path| path.try_exists().unwrap_or(true));
        let stored = || {
            let mut stored = self.stored(class.representative, metric);
            stored.find(|(store, path)| bytes(store.as_ref(), path).is_ok()).map(|(_, path)| path)
        };
        found.or_else(stored).unwrap_or_else(|| self.path(class, metric))
    }

    fn paths(&self, class: Material, metric: Metric) -> impl Iterator<Item = PathBuf> {
        let name = file_name(class, metric);
        self.folders().iter().map(move |folder| folder.join(&name))
    }

    /// The stores, each with the path of a table in messages.
    fn stored(&self, class: Material, metric: Metric) -> impl Iterator<Item = (&Arc<dyn Store>, PathBuf)> {
        let name = file_name(class, metric);
        self.path.stores().iter().zip(self.places.of_stores()).map(move |(store, folder)| (store, folder.join(&name)))
    }

    /// The lock file held while the tables of a class are written.
    pub fn lock_path(&self, class: &Class) -> PathBuf {
        self.folder().join(format!("{}.lock", class.name()))
    }

    /// Removes unfinished files of a class that a killed run left behind. A file that a live process is writing is kept
    /// where the file system has locks; where it has none, no other process may be working on the class.
    pub fn sweep(&self, class: &Class) {
        let prefix = format!("{}.", class.name());
        for entry in self.folder().read_dir().into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&prefix) && name.ends_with(".tmp") && !is_live(&entry.path()) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Returns a table, opening it if necessary.
    ///
    /// # Errors
    /// Returns an error if the table is missing, damaged or of another game, or if a system limit or failure prevents
    /// opening it.
    pub fn table(&self, class: &Class, metric: Metric) -> Result<Arc<Table>, TableError> {
        let guard = epoch::pin();
        match self.look(class, metric, &guard)? {
            Some(table) => Ok(Arc::clone(table)),
            None => Err(TableError::Missing { path: self.path(class, metric) }),
        }
    }

    /// Returns a table, opening it on the first request; `None` if the file does not exist.
    ///
    /// # Errors
    /// As [`Registry::table`], except for a missing table.
    #[inline]
    pub(crate) fn look<'g>(
        &'g self,
        class: &Class,
        metric: Metric,
        guard: &'g Guard,
    ) -> Result<Option<&'g Arc<Table>>, TableError> {
        let slot = self.slots.of(class.representative, metric);
        let known = match slot.get(guard) {
            Some(known) => known,
            None => slot.put(self.open(class, metric, guard)?, guard),
        };
        match known {
            Known::Ready(table) => Ok(Some(table)),
            Known::Missing => Ok(None),
            Known::Faulty(error, _) => Err((**error).clone()),
        }
    }

    /// Returns a table that is already open.
    #[inline]
    pub(crate) fn opened<'g>(&'g self, class: &Class, metric: Metric, guard: &'g Guard) -> Option<&'g Arc<Table>> {
        match self.slots.of(class.representative, metric).get(guard)? {
            Known::Ready(table) => Some(table),
            _ => None,
        }
    }

    /// The best existing table of a class: DTW, else WDL.
    ///
    /// # Errors
    /// As [`Registry::table`]; the WDL table is reported missing if there is neither.
    pub fn best(&self, class: &Class) -> Result<Arc<Table>, TableError> {
        match self.table(class, Metric::Dtw) {
            Err(TableError::Missing { .. }) => self.table(class, Metric::Wdl),
            table => table,
        }
    }

    /// Whether a usable table exists. Opens it on the first request.
    pub fn has(&self, class: &Class, metric: Metric) -> bool {
        matches!(self.look(class, metric, &epoch::pin()), Ok(Some(_)))
    }

    /// Looks up a table; returns an error only if it may be gone at the next try.
    #[cold]
    fn open(&self, class: &Class, metric: Metric, guard: &Guard) -> Result<Known, TableError> {
        match self.open_now(class, metric, Some(guard)) {
            Ok(table) => Ok(Known::Ready(Arc::new(table))),
            Err(TableError::Missing { .. }) => Ok(Known::Missing),
            Err(error) if error.is_transient() => Err(error),
            Err(error) => Ok(Known::Faulty(error.into(), self.found(class.representative, metric).map(Box::new))),
        }
    }

    /// The first existing file of a table.
    fn found(&self, class: Material, metric: Metric) -> Option<FoundFile> {
        let (path, id) = self.paths(class, metric).find_map(|path| FileId::at(&path).ok().map(|id| (path, id)))?;
        let beside = (metric == Metric::Dtw).then(|| FileId::at(&path.with_extension(Metric::Wdl.name())).ok());
        Some(FoundFile { path, id, beside: beside.flatten() })
    }

    /// Opens the first existing file of a table. With a guard, a WDL table that it needs is shared with its slot.
    fn open_now(&self, class: &Class, metric: Metric, guard: Option<&Guard>) -> Result<Table, TableError> {
        for path in self.paths(class.representative, metric) {
            let opened = |path: &Path| {
                let results = self.look(class, Metric::Wdl, guard?).ok().flatten();
                results.filter(|results| results.path() == path).cloned()
            };
            let table = match Table::open_beside(&path, self.access, opened) {
                Err(TableError::Missing { .. }) => continue,
                Err(error) => {
                    // A table of another game is not damaged, even if the table beside it does not belong to it.
                    if let Ok((header, _)) = Table::read_header(&path) {
                        header.check_game(&path, &self.rules, class)?;
                    }
                    return Err(error);
                }
                Ok(table) => table,
            };
            return self.fits(table, class, metric);
        }
        for (store, path) in self.stored(class.representative, metric) {
            match self.open_stored(store.as_ref(), &path, class, metric, guard) {
                Err(TableError::Missing { .. }) => {}
                table => return self.fits(table?, class, metric),
            }
        }
        Err(TableError::Missing { path: self.path(class, metric) })
    }

    /// The table, if it is the requested one.
    fn fits(&self, table: Table, class: &Class, metric: Metric) -> Result<Table, TableError> {
        table.check_game(&self.rules, class)?;
        if table.header().metric != metric {
            return Err(TableError::damaged(table.path(), "it is a table of the other metric, renamed"));
        }
        Ok(table)
    }

    /// Opens a table of a store, and the WDL table that it needs.
    fn open_stored(
        &self,
        store: &dyn Store,
        path: &Path,
        class: &Class,
        metric: Metric,
        guard: Option<&Guard>,
    ) -> Result<Table, TableError> {
        let source = bytes(store, path);
        if metric == Metric::Wdl {
            return Table::from_source(path, source?, None);
        }
        let beside = path.with_extension(Metric::Wdl.name());
        let opened = || {
            let results = self.look(class, Metric::Wdl, guard?).ok().flatten();
            results.filter(|results| results.path() == beside).cloned()
        };
        let results = || Table::from_source(&beside, bytes(store, &beside)?, None).map(Arc::new);
        let mut pending = Pending::default();
        let source = pending.keep(source)?;
        let results = match pending.keep(opened().map_or_else(results, Ok)) {
            Err(TableError::Missing { .. }) => None,
            results => results?,
        };
        let source = match source {
            Some(source) => pending.keep(Table::from_source(path, source, results))?,
            None => None,
        };
        pending.end()?;
        source.ok_or_else(|| TableError::Missing { path: path.to_owned() })
    }

    /// Reads the header of a table and the file length, without opening the table.
    ///
    /// # Errors
    /// Returns an error if the table is missing or of another game, or if its header or length is damaged.
    pub fn header(&self, class: &Class, metric: Metric) -> Result<(Header, u64), TableError> {
        for path in self.paths(class.representative, metric) {
            let (header, len) = match Table::read_header(&path) {
                Err(TableError::Missing { .. }) => continue,
                found => found?,
            };
            header.check_game(&path, &self.rules, class)?;
            return Ok((header, len));
        }
        for (store, path) in self.stored(class.representative, metric) {
            let (header, len) = match bytes(store.as_ref(), &path) {
                Err(TableError::Missing { .. }) => continue,
                source => Table::header_of(&path, source?.as_ref())?,
            };
            header.check_game(&path, &self.rules, class)?;
            return Ok((header, len));
        }
        Err(TableError::Missing { path: self.path(class, metric) })
    }

    /// Opens a table again, independently of an open one, and checks every block.
    pub fn examine(&self, class: &Class, metric: Metric) -> State {
        match self.open_now(class, metric, None).and_then(|table| table.check_blocks().map(|()| table)) {
            Ok(table) => State::Ok(Arc::new(table)),
            Err(TableError::Missing { .. }) => State::Missing,
            Err(error) => State::Damaged(error),
        }
    }

    /// Total size in bytes of the files of a class.
    pub fn bytes(&self, class: &Class) -> u64 {
        let bytes_of = |metric| {
            let file = self.paths(class.representative, metric).find_map(|path| path.metadata().ok());
            let stored = || {
                let mut stored = self.stored(class.representative, metric);
                stored.find_map(|(store, path)| bytes(store.as_ref(), &path).ok()).map_or(0, |source| source.size())
            };
            file.map_or_else(stored, |metadata| metadata.len())
        };
        Metric::ALL.into_iter().map(bytes_of).sum()
    }

    /// Empties the slots of a class whose files have been written or removed.
    pub fn forget(&self, class: &Class) {
        let guard = epoch::pin();
        for metric in Metric::ALL {
            let slot = self.slots.of(class.representative, metric);
            if let Some(known) = slot.get(&guard) {
                slot.take(known, &guard);
            }
        }
        guard.flush();
    }

    /// Checks whether the file of an open table is still the one that was opened, and empties the slot if not. True if
    /// the next lookup gives another table.
    #[cold]
    pub(crate) fn renew(&self, class: &Class, metric: Metric, table: &Arc<Table>) -> bool {
        let guard = epoch::pin();
        self.check(class.representative, metric, &guard);
        !self.opened(class, metric, &guard).is_some_and(|now| Arc::ptr_eq(now, table))
    }

    /// Compares all slots with the files, so that tables created, replaced or removed since are noticed. True if
    /// anything changed. Costs one system call per table requested so far.
    pub fn refresh(&self) -> bool {
        // Changes from here on make the folders stale again.
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = self.places.times();
        let guard = epoch::pin();
        let mut changed = false;
        for (class, metric) in self.slots.used() {
            changed |= self.check(class, metric, &guard);
        }
        let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listed) = listing.as_mut() {
            let now = self.list();
            changed |= *listed != now;
            *listed = now;
        }
        drop(listing);
        if changed {
            self.generation.fetch_add(1, Ordering::Release);
            guard.flush();
        }
        changed
    }

    /// Whether files were added to or removed from the folders since the last refresh, by their times. Costs one system
    /// call per folder. A file modified in place is noticed only by a refresh.
    pub fn is_stale(&self) -> bool {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) != self.places.times()
    }

    /// Number of refreshes that found a change.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Empties a stale slot; true if it was stale.
    fn check(&self, class: Material, metric: Metric, guard: &Guard) -> bool {
        let slot = self.slots.of(class, metric);
        let Some(known) = slot.get(guard) else { return false };
        let now = self.found(class, metric);
        let is_current = match (known, &now) {
            (Known::Missing, None) => true,
            // Of a store, as long as no folder has the table.
            (Known::Ready(table), None) => table.id().is_none(),
            (Known::Ready(table), Some(now)) => {
                table.id() == Some(&now.id)
                    && table.path() == now.path
                    && table.results().is_none_or(|results| results.id() == now.beside.as_ref())
            }
            (Known::Faulty(_, then), now) => then.as_deref() == now.as_ref(),
            _ => false,
        };
        !is_current && slot.take(known, guard)
    }

    /// The tables in the folders, by file name, in no particular order. Opens nothing, so some may be damaged.
    pub fn listing(&self) -> Arc<[Listed]> {
        let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(listing.get_or_insert_with(|| self.list()))
    }

    /// Number of pieces of the largest listed table; 0 if there is none.
    #[inline]
    pub(crate) fn most_pieces(&self) -> usize {
        match self.most_pieces.load(Ordering::Relaxed) {
            UNLISTED => {
                self.listing();
                self.most_pieces.load(Ordering::Relaxed)
            }
            pieces => pieces,
        }
    }

    /// The places that hold tables, by file name, in search order: folders with a subfolder per rule set, and the names
    /// of stores.
    pub fn populated(&self) -> impl Iterator<Item = &Path> {
        let has_tables = |folder: &Path| names(folder).any(|name| self.listed(&name).is_some());
        let folders = self.roots().iter().zip(self.folders());
        let folders = folders.filter(move |(_, folder)| has_tables(folder)).map(|(root, _)| root.as_path());
        let stores = self.path.stores().iter().filter(|store| !store.list(self.rules.name()).is_empty());
        folders.chain(stores.map(|store| store.name()))
    }

    fn list(&self) -> Arc<[Listed]> {
        let stored = self.path.stores().iter().flat_map(|store| store.list(self.rules.name()));
        let names = self.folders().iter().flat_map(|folder| names(folder)).chain(stored);
        let mut listed: Vec<Listed> = names.filter_map(|name| self.listed(&name)).collect();
        listed.sort_unstable();
        listed.dedup();
        let most = listed.iter().map(|(class, _)| class.len()).max().unwrap_or(0);
        self.most_pieces.store(most, Ordering::Relaxed);
        listed.into()
    }

    /// The table that a file name stands for.
    fn listed(&self, name: &str) -> Option<Listed> {
        let (class, metric) = name.split_once('.')?;
        let metric = Metric::ALL.into_iter().find(|known| known.name() == metric)?;
        let class = Material::parse(&self.rules, class).ok().filter(|material| material.to_string() == class)?;
        Some((class, metric))
    }
}

/// The names of the files in a folder.
fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// One slot per class and metric, allocated by Black's animals.
struct Slots([OnceLock<Chunk>; 256]);

type Chunk = Box<[[Slot; 2]; 256]>;

impl Slots {
    fn new() -> Self {
        Self([const { OnceLock::new() }; 256])
    }

    /// The slot of a class, given by its representative material.
    #[inline]
    fn of(&self, class: Material, metric: Metric) -> &Slot {
        let [white, black] = class.sides().map(usize::from);
        // Both are below 256: they come from bytes.
        #[allow(clippy::indexing_slicing)]
        &self.0[black].get_or_init(|| Box::new([const { [Cell::empty(), Cell::empty()] }; 256]))[white][metric as usize]
    }

    /// The tables that may have been requested.
    fn used(&self) -> impl Iterator<Item = Listed> {
        let chunks = (0..=u8::MAX).zip(&self.0).filter(|(_, chunk)| chunk.get().is_some());
        let classes = chunks.flat_map(|(black, _)| (0..=u8::MAX).map(move |white| Material::new(white, black)));
        classes.flat_map(|class| Metric::ALL.map(|metric| (class, metric)))
    }
}

impl std::fmt::Debug for Slots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Slots")
    }
}

/// The bytes of a table of a store.
fn bytes(store: &dyn Store, path: &Path) -> Result<Box<dyn ByteSource>, TableError> {
    let of_rules = path.strip_prefix(store.name()).unwrap_or(path);
    let file = of_rules.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
    let source = store.open(&file).map_err(TableError::io(path, "open"))?;
    source.ok_or_else(|| TableError::Missing { path: path.to_owned() })
}

fn file_name(class: Material, metric: Metric) -> String {
    format!("{class}.{}", metric.name())
}
