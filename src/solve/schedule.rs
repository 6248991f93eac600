//! Generation of many classes: keeps existing tables, adopts those of other rule sets, solves the rest.

use super::checkpoint::Files;
use super::error::SolveError;
use super::memory::{HUGE, LONG, Need, PlanesIn};
use super::progress::{Progress, Stage};
use super::solved::Solved;
use super::solver::{Analysis, Task, Tuning};
use crate::distances::Source;
use crate::game::Rules;
use crate::material::graph::conversions;
use crate::material::{Class, Classes, Material};
use crate::system::{Cancel, Lock, LockError};
use crate::table::{Encoding, Metric, Registry, State, Summary, Table, TableError, adopt, write};
use bitvec::prelude::*;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Once, OnceLock};
use std::time::{Duration, Instant};

/// Generates the tables of one rule set into a folder.
pub struct Generator<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The classes of the rules.
    pub classes: &'a Classes,
    /// The folders of the tables.
    pub store: &'a Registry,
    /// Whether DTW tables are wanted besides WDL.
    pub distances: bool,
    /// Maximum bytes of memory for a class.
    pub memory: u64,
    /// Minimum time between two checkpoints of a class. With none, every class keeps its journal in a file.
    pub checkpoint_interval: Duration,
    /// The folder for scratch files, with a subfolder per rule set; `None` for that of the tables.
    pub scratch: Option<PathBuf>,
    /// Receiver of progress reports.
    pub progress: &'a dyn Progress,
    /// Cancellation of the run.
    pub cancel: Cancel,
    /// Completed once the warning about missing file locks was given.
    said_no_locks: Once,
    tuning: Tuning,
    siblings: OnceLock<HashMap<(u64, Metric), PathBuf>>,
}

/// Origin of the tables of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// They existed and are intact.
    Kept,
    /// They were copied from another rule set in which the class is the same game.
    Adopted,
    /// They were solved.
    Solved,
}

/// The result for a class.
#[derive(Clone, Debug)]
pub struct ClassResult {
    /// The class.
    pub class: Arc<Class>,
    /// Origin of its tables.
    pub origin: Origin,
    /// Size of its files in bytes.
    pub bytes: u64,
    /// Counts of its positions.
    pub summary: Summary,
}

/// The process that is working on a class, in words.
#[derive(Debug)]
struct Owner(String);

/// Classes with fewer stored positions are solved in parallel.
const SMALL: u64 = 3_000_000;

impl<'a> Generator<'a> {
    /// A generator of WDL and DTW tables without a memory limit.
    pub fn new(rules: &'a Rules, classes: &'a Classes, store: &'a Registry, progress: &'a dyn Progress) -> Self {
        Self {
            rules,
            classes,
            store,
            distances: true,
            memory: u64::MAX,
            checkpoint_interval: Duration::from_mins(2),
            scratch: None,
            progress,
            cancel: Cancel::new(),
            said_no_locks: Once::new(),
            tuning: Tuning::DEFAULT,
            siblings: OnceLock::new(),
        }
    }

    /// Ensures that these classes have their tables. They must come in dependency order, as [`crate::material::graph`]
    /// returns them; tables of other classes that they depend on must exist.
    ///
    /// # Errors
    /// Returns an error if a required table is missing, of another game, or cannot be read or written, if memory is
    /// insufficient, or on interruption. Tables finished by then are kept.
    pub fn run(&self, classes: &[Arc<Class>]) -> Result<Vec<ClassResult>, SolveError> {
        self.check_dependencies(classes)?;
        self.check_memory(classes)?;
        self.sweep(classes);
        let mut reports: Vec<ClassResult> = Vec::new();
        for level in classes.chunk_by(|a, b| a.pieces() == b.pieces()) {
            let (small, large): (Vec<_>, Vec<_>) = level.iter().partition(|class| class.stored_positions() < SMALL);
            let work = |class| (class, self.class(class));
            let small: Vec<_> = if self.fit_side_by_side(&small) {
                small.into_par_iter().map(work).collect()
            } else {
                small.into_iter().map(work).collect()
            };
            let large = large.into_iter().map(|class| (class, self.class(class)));
            // Classes that another process is working on come last.
            let mut busy = Vec::new();
            for (class, report) in small.into_iter().chain(large) {
                match report? {
                    Ok(report) => reports.push(report),
                    Err(_) => busy.push(class),
                }
            }
            for class in busy {
                reports.push(self.wait_for(class)?);
            }
        }
        reports.sort_by_key(|report| classes.iter().position(|class| *class == report.class));
        Ok(reports)
    }

    /// Fails before anything is solved if some class would not fit in memory.
    fn check_memory(&self, classes: &[Arc<Class>]) -> Result<(), SolveError> {
        let mut too_large: Vec<_> = classes.iter().map(|class| (self.need(class), class)).collect();
        too_large.retain(|(need, _)| need.within(self.memory).is_none());
        too_large.sort_by_key(|(need, _)| std::cmp::Reverse(need.streamed));
        for (need, class) in too_large {
            if !self.is_there(class)? && self.sibling(class).is_none() {
                return Err(self.too_large(class, need));
            }
        }
        Ok(())
    }

    fn need(&self, class: &Class) -> Need {
        Need::of(class, self.distances)
    }

    fn too_large(&self, class: &Class, need: Need) -> SolveError {
        SolveError::NeedsMemory { class: class.name(), need: need.streamed, limit: self.memory }
    }

    /// Whether memory suffices for one of these classes per thread at a time.
    fn fit_side_by_side(&self, classes: &[&Arc<Class>]) -> bool {
        let most = classes.iter().map(|class| self.need(class).memory).max().unwrap_or(0);
        most.saturating_mul(rayon::current_num_threads() as u64) <= self.memory
    }

    /// Removes files that killed runs left for these classes, except checkpoints.
    fn sweep(&self, classes: &[Arc<Class>]) {
        let names = self.store.folder().read_dir().into_iter().flatten().flatten().map(|entry| entry.file_name());
        let left: HashSet<String> = names
            .filter_map(|name| {
                let (class, rest) = name.to_str()?.split_once('.')?;
                matches!(rest.rsplit('.').next(), Some("lock" | "tmp")).then(|| class.to_owned())
            })
            .collect();
        for class in classes.iter().filter(|class| left.contains(&class.name())) {
            // A process that is working on the class cleans up itself.
            if let Ok(Ok(_lock)) = self.lock(class) {
                self.store.sweep(class);
            }
        }
    }

    /// Fails if some class depends on one that has no table and will not get one.
    fn check_dependencies(&self, classes: &[Arc<Class>]) -> Result<(), SolveError> {
        let mut given = bitvec![0; Material::KEYS];
        for class in classes {
            given.set(class.representative.key(), true);
        }
        for class in classes {
            let places = conversions(self.classes, self.rules, class).into_iter().filter_map(|found| found.place);
            for place in places.filter(|place| !given[place.class.representative.key()]) {
                let table = self.smaller(class, &place.class);
                if table.is_err() && !self.has_tables(class) {
                    table?;
                }
                self.store.forget(&place.class);
            }
        }
        Ok(())
    }

    /// Whether all tables of a class exist, judged without reading them.
    fn has_tables(&self, class: &Class) -> bool {
        self.metrics().iter().all(|&metric| self.store.table(class, metric).is_ok())
    }

    fn wait_for(&self, class: &Arc<Class>) -> Result<ClassResult, SolveError> {
        let start = Instant::now();
        let mut said = false;
        loop {
            let owner = match self.class(class)? {
                Ok(report) => return Ok(report),
                Err(owner) => owner,
            };
            if !said && start.elapsed() > Duration::from_secs(1) {
                self.progress.waiting(class, &owner.0);
                said = true;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn metrics(&self) -> &'static [Metric] {
        if self.distances { &[Metric::Wdl, Metric::Dtw] } else { &[Metric::Wdl] }
    }

    /// Ensures the tables of a class, unless another process is working on it.
    fn class(&self, class: &Arc<Class>) -> Result<Result<ClassResult, Owner>, SolveError> {
        if self.cancel.is_cancelled() {
            return Err(SolveError::Interrupted);
        }
        let origin = if self.is_there(class)? {
            self.forget_checkpoint(class)?;
            Origin::Kept
        } else {
            let _lock = match self.lock(class)? {
                Ok(lock) => lock,
                Err(owner) => return Ok(Err(owner)),
            };
            self.store.sweep(class);
            self.progress.started(class);
            // The previous holder of the lock may have generated them.
            if self.is_there(class)? {
                Origin::Kept
            } else if self.adopt(class)? {
                Origin::Adopted
            } else {
                self.solve(class)?;
                Origin::Solved
            }
        };
        self.progress.finished(class);
        // Earlier knowledge of the tables is stale.
        self.store.forget(class);
        let tables: Result<Vec<_>, _> = self.metrics().iter().map(|&metric| self.store.table(class, metric)).collect();
        let tables = tables?;
        let summary = tables.last().map(|table| table.summary().clone()).unwrap_or_default();
        let bytes = tables.iter().map(|table| table.file_len()).sum();
        // A long run covers hundreds of classes; tables needed again are reopened.
        self.store.forget(class);
        Ok(Ok(ClassResult { class: Arc::clone(class), origin, bytes, summary }))
    }

    /// Takes the lock of a class, unless another process holds it.
    fn lock(&self, class: &Class) -> Result<Result<Lock, Owner>, SolveError> {
        let path = self.store.lock_path(class);
        let folder = self.store.folder();
        std::fs::create_dir_all(folder).map_err(TableError::io(folder, "create"))?;
        match Lock::take(&path) {
            Ok(lock) => {
                if lock.is_by_name() {
                    self.said_no_locks.call_once(|| {
                        let folder = folder.display();
                        self.progress.warning(&format!(
                            "{folder}: this file system has no locks; .lock files exclude other runs instead"
                        ));
                    });
                }
                Ok(Ok(lock))
            }
            Err(LockError::Busy(owner)) => Ok(Err(Owner(owner))),
            Err(LockError::Io(cause)) => Err(SolveError::Lock { path, cause }),
        }
    }

    /// Deletes what was left by a run that was killed between finishing its tables and deleting its journal.
    fn forget_checkpoint(&self, class: &Class) -> Result<(), SolveError> {
        let files = self.all_files(class);
        if (files.checkpoint.exists() || files.scratch.exists())
            && let Ok(_lock) = self.lock(class)?
        {
            files.remove();
        }
        Ok(())
    }

    /// Whether all tables of a class exist and are intact. Damaged tables count as missing; a table of another game
    /// must not be overwritten, so it is an error.
    fn is_there(&self, class: &Class) -> Result<bool, SolveError> {
        for &metric in self.metrics() {
            match self.store.examine(class, metric) {
                State::Ok(_) => {}
                State::Missing | State::Damaged(TableError::Damaged { .. } | TableError::Incomplete { .. }) => {
                    return Ok(false);
                }
                State::Damaged(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Copies the tables of a class from the folder of another rule set, if they exist and are intact.
    fn adopt(&self, class: &Class) -> Result<bool, SolveError> {
        let found = self.sibling(class);
        for path in found.iter().flatten() {
            match adopt(path, self.store.folder(), self.rules, class) {
                Ok(_) => {}
                Err(error) if error.is_transient() => return Err(error.into()),
                // A damaged table of another rule set must not prevent generating an intact one here.
                Err(_) => return Ok(false),
            }
        }
        Ok(found.is_some())
    }

    /// The tables of another rule set that are of the same game as a class.
    fn sibling(&self, class: &Class) -> Option<Vec<&PathBuf>> {
        let siblings = self.siblings.get_or_init(|| siblings(self.store.folders()));
        self.metrics().iter().map(|&metric| siblings.get(&(class.fingerprint, metric))).collect()
    }

    fn solve(&self, class: &Class) -> Result<(), SolveError> {
        let task = self.task(class)?;
        let analysis = Analysis::new(&task).inspect_err(|error| {
            // What a damaged journal holds is lost: the next run must not read it again.
            if matches!(error, SolveError::Scratch { cause, .. } if cause.kind() == ErrorKind::InvalidData) {
                task.files.iter().for_each(Files::remove);
            }
        });
        let solved = Solved::new(analysis?);
        self.progress.stage(class, Stage::Writing);
        let longest = self.distances.then(|| solved.longest());
        match write(self.store.folder(), self.rules, class, longest, Encoding::default(), &solved) {
            Ok(_) => {
                drop(solved);
                self.all_files(class).remove();
                Ok(())
            }
            Err(TableError::Interrupted { .. }) => Err(SolveError::Interrupted),
            Err(error) => Err(error.into()),
        }
    }

    fn task<'b>(&'b self, class: &'b Class) -> Result<Task<'b>, SolveError> {
        let conversions = conversions(self.classes, self.rules, class).into_iter().map(|conversion| {
            let table = conversion.place.as_ref().map(|place| self.smaller(class, &place.class)).transpose()?;
            Ok::<_, SolveError>((conversion, table))
        });
        let need = self.need(class);
        let planes = need.within(self.memory).ok_or_else(|| self.too_large(class, need))?;
        let folder = self.scratch_folder();
        std::fs::create_dir_all(&folder).map_err(TableError::io(&folder, "create"))?;
        Ok(Task {
            rules: self.rules,
            class,
            source: Source { rules: self.rules, classes: self.classes, registry: self.store },
            conversions: conversions.collect::<Result<_, _>>()?,
            distances: self.distances,
            tuning: self.tuning,
            files: self.files(class),
            planes: (planes == PlanesIn::Files).then_some(folder),
            progress: self.progress,
            cancel: &self.cancel,
        })
    }

    /// Where the journal of a class is kept; `None` for one that is solved so fast that memory will do.
    fn files(&self, class: &Class) -> Option<Files> {
        let files = self.all_files(class);
        let is_long = class.stored_positions() >= LONG || self.checkpoint_interval.is_zero();
        (is_long || files.checkpoint.is_file()).then_some(files)
    }

    fn scratch_folder(&self) -> PathBuf {
        self.scratch.as_ref().map_or_else(|| self.store.folder().to_owned(), |folder| folder.join(self.rules.name()))
    }

    /// Where the journal of a class would be kept. WDL-only runs have one of their own, so that both can be resumed.
    fn all_files(&self, class: &Class) -> Files {
        let folder = self.scratch_folder();
        let name = if self.distances { class.name() } else { format!("{}.wdl", class.name()) };
        Files {
            scratch: folder.join(format!("{name}.scratch")),
            checkpoint: folder.join(format!("{name}.checkpoint")),
            is_compressed: class.stored_positions() >= HUGE,
            interval: self.checkpoint_interval,
        }
    }

    /// The table of a smaller class that the captures of a class lead to.
    fn smaller(&self, class: &Class, smaller: &Class) -> Result<Arc<Table>, SolveError> {
        let (metric, table) = if self.distances {
            (Metric::Dtw, self.store.table(smaller, Metric::Dtw))
        } else {
            let results = self.store.table(smaller, Metric::Wdl);
            (
                Metric::Wdl,
                if matches!(results, Err(TableError::Missing { .. })) { self.store.best(smaller) } else { results },
            )
        };
        match table {
            Err(TableError::Missing { .. }) => {
                let folders = self.store.folders().iter().map(|folder| folder.display().to_string());
                Err(SolveError::MissingDependency {
                    class: class.name(),
                    needs: format!("{}.{}", smaller.name(), metric.name()),
                    folders: folders.collect::<Vec<_>>().join(", "),
                })
            }
            table => Ok(table?),
        }
    }
}

/// The tables of other rule sets in these folders, by game.
fn siblings(own: &[PathBuf]) -> HashMap<(u64, Metric), PathBuf> {
    let beside = own.iter().filter_map(|folder| folder.parent()?.read_dir().ok()).flatten().flatten();
    let folders = beside.map(|entry| entry.path()).filter(|path| path.is_dir() && !own.contains(path));
    let files = folders.filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    let files = files.map(|entry| entry.path());
    let tables = files.filter(|path| path.extension().is_some_and(|end| end == "wdl" || end == "dtw"));
    let mut found: Vec<_> = tables
        .filter_map(|path| Table::open(&path).ok())
        .map(|table| ((table.header().fingerprint, table.header().metric), table.path().to_owned()))
        .collect();
    found.sort_by(|(_, a), (_, b)| b.cmp(a));
    found.into_iter().collect()
}

#[cfg(test)]
mod tests;
