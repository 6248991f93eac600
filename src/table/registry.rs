//! The registry: which tables of a rule set there are, in one or more folders, and those of them that are open.
//!
//! Tables are files, `<folder>/<rules>/<class>.<metric>`. The first folder is the one that is written to; the others are
//! read only. A table is looked for in all of them, in order, and the first that is there counts, as a program does in
//! `PATH`.
//!
//! There is a slot for each class and metric. It is empty until somebody asks for the table. Then the file is opened, and
//! what came of it stays in the slot: the open table, or that there is none, or what is wrong with it. From then on a
//! question costs two loads of memory: no lock, no system call, no write that another thread could wait for. What may be
//! otherwise at the next try (too many open files, a device that fails) is told and not kept.
//!
//! The folders may change while they are in use. [`Registry::refresh`] compares each slot that is not empty with the
//! files and empties those that are not up to date; whoever runs for long calls it now and then. A program that has
//! just written a table calls [`Registry::forget`]. A read that fails looks by itself whether the file is still the one
//! that was opened ([`Registry::renew`]). Whoever reads from an open table while it is replaced reads on from the old one,
//! whose blocks are its own.
//!
//! What is in the folders can be listed without opening anything ([`Registry::listing`]); the list is kept until a
//! refresh finds the folders changed.

use super::cell::Cell;
use super::error::TableError;
use super::files::FileId;
use super::header::{Header, Metric};
use super::reader::Table;
use super::source::Access;
use crate::game::Rules;
use crate::material::{Class, Material};
use crate::system::is_live;
use crate::text::quote;
use crossbeam_epoch::{self as epoch, Guard};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// The tables of one rule set in one or more folders.
#[derive(Debug)]
pub struct Registry {
    rules: Rules,
    places: Arc<Folders>,
    access: Access,
    slots: Slots,
    listing: Mutex<Option<Arc<[Listed]>>>,
    /// When the folders were last written to, as of the last refresh: files come and go by that.
    written: Mutex<Vec<Option<SystemTime>>>,
    /// Pieces of the largest table that is listed; `UNLISTED` before the folders were looked at.
    most_pieces: AtomicUsize,
    generation: AtomicU64,
}

const UNLISTED: usize = usize::MAX;

/// Where tables of one rule set are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// The one to write to, then those to read only. Each has a folder for each rule set.
    roots: Vec<PathBuf>,
    /// The folder of the rule set in each of them.
    of_rules: Vec<PathBuf>,
    /// What to give `--rules`.
    rules: OsString,
}

/// A table by the name of its file: class and metric.
pub type Listed = (Material, Metric);

/// What was found when a table was looked for.
#[derive(Debug)]
enum Known {
    Missing,
    Ready(Arc<Table>),
    /// What is wrong with the file, and which it was.
    Faulty(TableError, Option<FileId>),
}

type Slot = Cell<Known>;

/// What is known of a table file after all of it was checked.
#[derive(Debug)]
pub enum State {
    /// It is there, of the right game, and its checksums hold.
    Ok(Arc<Table>),
    /// There is no such file.
    Missing,
    /// It cannot be used.
    Damaged(TableError),
}

impl Registry {
    /// The tables of `rules` in a folder of tables. Nothing is opened yet; there need not be any.
    pub fn new(tables: &Path, rules: &Rules) -> Self {
        Self::with_access(tables, &[], rules, Access::default())
    }

    /// The same, with more folders that are never written to, and files read in a way of one's choice.
    pub fn with_access(tables: &Path, read_only: &[PathBuf], rules: &Rules, access: Access) -> Self {
        let roots: Vec<PathBuf> = std::iter::once(tables.to_owned()).chain(read_only.iter().cloned()).collect();
        let of_rules = roots.iter().map(|root| root.join(rules.name())).collect();
        let places = Arc::new(Folders { roots, of_rules, rules: rules.argument().to_owned() });
        let written = Mutex::new(places.written());
        Self {
            rules: rules.clone(),
            places,
            access,
            slots: Slots::new(),
            listing: Mutex::default(),
            written,
            most_pieces: AtomicUsize::new(UNLISTED),
            generation: AtomicU64::new(0),
        }
    }

    /// The folder to write to that has a folder for each rule set.
    pub fn tables(&self) -> &Path {
        self.places.roots.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// The folder to write tables of these rules to.
    pub fn folder(&self) -> &Path {
        self.places.of_rules.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// All folders that have a folder for each rule set, in the order in which they are searched.
    pub fn roots(&self) -> &[PathBuf] {
        &self.places.roots
    }

    /// All folders with tables of these rules, in the order in which they are searched.
    pub fn folders(&self) -> &[PathBuf] {
        &self.places.of_rules
    }

    /// The same as a value of its own.
    pub(crate) const fn places(&self) -> &Arc<Folders> {
        &self.places
    }

    /// Where a table would be written.
    pub fn path(&self, class: &Class, metric: Metric) -> PathBuf {
        self.folder().join(file_name(class.representative, metric))
    }

    /// Where a table is; where it would be written, if it is nowhere.
    pub fn find(&self, class: &Class, metric: Metric) -> PathBuf {
        let found = self.paths(class.representative, metric).find(|path| path.try_exists().unwrap_or(true));
        found.unwrap_or_else(|| self.path(class, metric))
    }

    fn paths(&self, class: Material, metric: Metric) -> impl Iterator<Item = PathBuf> {
        let name = file_name(class, metric);
        self.folders().iter().map(move |folder| folder.join(&name))
    }

    /// The file of the lock that is held while the tables of a class are written.
    pub fn lock_path(&self, class: &Class) -> PathBuf {
        self.folder().join(format!("{}.lock", class.name()))
    }

    /// Removes what a killed run has left of unfinished files of a class. A file that a live process writes is left
    /// alone where the file system has locks; where it has none, nobody else may be at work on the class.
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

    /// Opens a table, or hands out the open one.
    ///
    /// # Errors
    /// A table that is missing, damaged, or of another game; a limit or failure of the system.
    pub fn table(&self, class: &Class, metric: Metric) -> Result<Arc<Table>, TableError> {
        let guard = epoch::pin();
        match self.look(class, metric, &guard)? {
            Some(table) => Ok(Arc::clone(table)),
            None => Err(TableError::Missing { path: self.path(class, metric) }),
        }
    }

    /// The open table, opened now if nobody asked before; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`Registry::table`], but for a missing one.
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
            None => slot.put(self.open(class, metric)?, guard),
        };
        match known {
            Known::Ready(table) => Ok(Some(table)),
            Known::Missing => Ok(None),
            Known::Faulty(error, _) => Err(error.clone()),
        }
    }

    /// A table if it is open already.
    #[inline]
    pub(crate) fn opened<'g>(&'g self, class: &Class, metric: Metric, guard: &'g Guard) -> Option<&'g Arc<Table>> {
        match self.slots.of(class.representative, metric).get(guard)? {
            Known::Ready(table) => Some(table),
            _ => None,
        }
    }

    /// The best table there is of a class: of distances, or else of results.
    ///
    /// # Errors
    /// As [`Registry::table`]; a missing table of results if there is neither.
    pub fn best(&self, class: &Class) -> Result<Arc<Table>, TableError> {
        match self.table(class, Metric::Dtw) {
            Err(TableError::Missing { .. }) => self.table(class, Metric::Wdl),
            table => table,
        }
    }

    /// Whether there is a table that can be used. It is opened if nobody asked before.
    pub fn has(&self, class: &Class, metric: Metric) -> bool {
        matches!(self.look(class, metric, &epoch::pin()), Ok(Some(_)))
    }

    /// Looks for a table: an error is one that may be gone at the next try.
    #[cold]
    fn open(&self, class: &Class, metric: Metric) -> Result<Known, TableError> {
        match self.open_now(class, metric) {
            Ok(table) => Ok(Known::Ready(Arc::new(table))),
            Err(TableError::Missing { .. }) => Ok(Known::Missing),
            Err(error) if error.is_transient() => Err(error),
            Err(error) => {
                let id = FileId::at(error.path()).ok();
                Ok(Known::Faulty(error, id))
            }
        }
    }

    /// Opens the first file there is of a table.
    fn open_now(&self, class: &Class, metric: Metric) -> Result<Table, TableError> {
        for path in self.paths(class.representative, metric) {
            let table = match Table::open_with(&path, self.access) {
                Err(TableError::Missing { .. }) => continue,
                table => table?,
            };
            table.check_game(&self.rules, class)?;
            if table.header().metric != metric {
                return Err(TableError::damaged(table.path(), "it is a table of the other metric, renamed"));
            }
            return Ok(table);
        }
        Err(TableError::Missing { path: self.path(class, metric) })
    }

    /// Reads the header of a table, the file's length with it, without opening the table.
    ///
    /// # Errors
    /// A table that is missing or of another game; damage of its header or of its length.
    pub fn header(&self, class: &Class, metric: Metric) -> Result<(Header, u64), TableError> {
        for path in self.paths(class.representative, metric) {
            let (header, len) = match Table::read_header(&path) {
                Err(TableError::Missing { .. }) => continue,
                found => found?,
            };
            header.check_game(&path, &self.rules, class)?;
            return Ok((header, len));
        }
        Err(TableError::Missing { path: self.path(class, metric) })
    }

    /// Opens a table afresh, apart from the one that may be open, and checks every block of it.
    pub fn examine(&self, class: &Class, metric: Metric) -> State {
        match self.open_now(class, metric).and_then(|table| table.check_blocks().map(|()| table)) {
            Ok(table) => State::Ok(Arc::new(table)),
            Err(TableError::Missing { .. }) => State::Missing,
            Err(error) => State::Damaged(error),
        }
    }

    /// Bytes of the files of a class.
    pub fn bytes(&self, class: &Class) -> u64 {
        let files = [Metric::Wdl, Metric::Dtw].map(|metric| self.find(class, metric).metadata());
        files.into_iter().flatten().map(|metadata| metadata.len()).sum()
    }

    /// Forgets what is known of the tables of a class: their files have been written or removed.
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

    /// Looks whether the file of a table that was open is still the one that was opened, and forgets it if not. True if
    /// the next question gives another table.
    #[cold]
    pub(crate) fn renew(&self, class: &Class, metric: Metric, table: &Arc<Table>) -> bool {
        let guard = epoch::pin();
        self.check(class.representative, metric, &guard);
        !self.opened(class, metric, &guard).is_some_and(|now| Arc::ptr_eq(now, table))
    }

    /// Compares all that is known with the files: tables that were made, replaced or removed since are seen from now on.
    /// True if anything has changed. It costs a system call for each table that was ever asked for.
    pub fn refresh(&self) -> bool {
        // Whatever is written from here on makes the folders stale again.
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = self.places.written();
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

    /// Whether a file has come into the folders or gone since the last refresh, by their times. It costs a system call for
    /// each folder. A file that was written to where it is shows only in a refresh.
    pub fn is_stale(&self) -> bool {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) != self.places.written()
    }

    /// How often a refresh has found something changed.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Empties a slot that is not up to date; true if so.
    fn check(&self, class: Material, metric: Metric, guard: &Guard) -> bool {
        let slot = self.slots.of(class, metric);
        let Some(known) = slot.get(guard) else { return false };
        let now = self.paths(class, metric).find_map(|path| Some((FileId::at(&path).ok()?, path)));
        let is_current = match (known, &now) {
            (Known::Missing, None) => true,
            (Known::Ready(table), Some((id, path))) => table.id() == Some(id) && table.path() == path,
            (Known::Faulty(error, then), Some((id, path))) => then.as_ref() == Some(id) && error.path() == path,
            _ => false,
        };
        !is_current && slot.take(known, guard)
    }

    /// The tables that are in the folders, by the names of the files, in no order that means anything. Nothing is opened:
    /// some may be damaged.
    pub fn listing(&self) -> Arc<[Listed]> {
        let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(listing.get_or_insert_with(|| self.list()))
    }

    /// The number of pieces of the largest table that is listed, 0 if there is none.
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

    fn list(&self) -> Arc<[Listed]> {
        let files = self.folders().iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
        let table = |name: &str| {
            let (class, metric) = name.split_once('.')?;
            let metric = Metric::ALL.into_iter().find(|known| known.name() == metric)?;
            let class = Material::parse(&self.rules, class).ok().filter(|material| material.to_string() == class)?;
            Some((class, metric))
        };
        let mut listed: Vec<Listed> = files.filter_map(|entry| table(entry.file_name().to_str()?)).collect();
        listed.sort_unstable();
        listed.dedup();
        let most = listed.iter().map(|(class, _)| class.len()).max().unwrap_or(0);
        self.most_pieces.store(most, Ordering::Relaxed);
        listed.into()
    }
}

impl Folders {
    /// All folders with tables of the rules, in the order in which they are searched.
    pub fn of_rules(&self) -> &[PathBuf] {
        &self.of_rules
    }

    fn written(&self) -> Vec<Option<SystemTime>> {
        let written = |folder: &PathBuf| folder.metadata().and_then(|metadata| metadata.modified()).ok();
        self.of_rules.iter().map(written).collect()
    }

    /// The command that makes a table where it is looked for first.
    pub fn command(&self, material: Material) -> String {
        let tables: Vec<String> = self.roots.iter().map(|root| quote(root.as_ref())).collect();
        format!("jungletb generate {material} --rules {} --tables {}", quote(&self.rules), tables.join(" --tables "))
    }
}

/// A slot for every class and metric, made by the side of Black's animals.
struct Slots([OnceLock<Chunk>; 256]);

type Chunk = Box<[[Slot; 2]; 256]>;

impl Slots {
    fn new() -> Self {
        Self([const { OnceLock::new() }; 256])
    }

    /// The slot of a class, by the material that names it.
    #[inline]
    fn of(&self, class: Material, metric: Metric) -> &Slot {
        let [white, black] = class.sides().map(usize::from);
        // Both are below 256: they come from bytes.
        #[allow(clippy::indexing_slicing)]
        &self.0[black].get_or_init(|| Box::new([const { [Cell::empty(), Cell::empty()] }; 256]))[white][metric as usize]
    }

    /// The tables that somebody may have asked for.
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

fn file_name(class: Material, metric: Metric) -> String {
    format!("{class}.{}", metric.name())
}
