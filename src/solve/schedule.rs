//! Going through the classes: what is there already, what another rule set's tables give, what must be solved.

use super::SolveError;
use super::cell::Cell;
use super::lock::Lock;
use super::memory::memory_need;
use super::progress::Progress;
use super::solver::{Solved, Task};
use crate::game::Rules;
use crate::material::graph::conversions;
use crate::material::{Class, Classes, Material};
use crate::table::{Encoding, Metric, State, Store, Summary, Table, TableError, adopt, write};
use bitvec::prelude::*;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Generates the tables of one rule set into a folder.
pub struct Generator<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Their classes.
    pub classes: &'a Classes,
    /// Where the tables go.
    pub store: &'a Store,
    /// Whether tables of distances are wanted besides those of results.
    pub distances: bool,
    /// Bytes a class may need at most.
    pub memory: u64,
    /// Least time between two checkpoints of a class.
    pub checkpoint_interval: Duration,
    /// Who listens.
    pub progress: &'a dyn Progress,
    siblings: OnceLock<HashMap<(u64, Metric), PathBuf>>,
}

/// How a class came by its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// They were there and are good.
    Kept,
    /// They were those of another rule set in which the class is the same game.
    Adopted,
    /// They were solved.
    Solved,
}

/// What was done for a class.
#[derive(Clone, Debug)]
pub struct Report {
    /// The class.
    pub class: Arc<Class>,
    /// How it came by its tables.
    pub origin: Origin,
    /// Bytes of its files.
    pub bytes: u64,
    /// Counts of its positions.
    pub summary: Summary,
}

/// Classes of fewer stored positions are solved side by side.
const SMALL: u64 = 3_000_000;

impl<'a> Generator<'a> {
    /// A generator of tables of distances and results that may use all memory.
    pub fn new(rules: &'a Rules, classes: &'a Classes, store: &'a Store, progress: &'a dyn Progress) -> Self {
        Self {
            rules,
            classes,
            store,
            distances: true,
            memory: u64::MAX,
            checkpoint_interval: Duration::from_mins(2),
            progress,
            siblings: OnceLock::new(),
        }
    }

    /// Sees to it that these classes have their tables. They must come in an order in which no class depends on a
    /// later one, as [`crate::material::graph`] gives them; other classes that they depend on must have theirs.
    ///
    /// # Errors
    /// A table that is needed and missing, that is of another game or cannot be read or written; too little memory;
    /// interruption. Tables that are finished by then are kept.
    pub fn run(&self, classes: &[Arc<Class>]) -> Result<Vec<Report>, SolveError> {
        self.check_dependencies(classes)?;
        self.check_memory(classes)?;
        let mut reports: Vec<Report> = Vec::new();
        for level in classes.chunk_by(|a, b| a.pieces() == b.pieces()) {
            let (small, large): (Vec<_>, Vec<_>) = level.iter().partition(|class| class.stored_positions() < SMALL);
            let small: Vec<_> = small.into_par_iter().map(|class| (class, self.class(class))).collect();
            let large = large.into_iter().map(|class| (class, self.class(class)));
            // Classes that another process works on come last.
            let mut busy = Vec::new();
            for (class, report) in small.into_iter().chain(large) {
                match report? {
                    Some(report) => reports.push(report),
                    None => busy.push(class),
                }
            }
            for class in busy {
                reports.push(self.wait_for(class)?);
            }
        }
        reports.sort_by_key(|report| classes.iter().position(|class| *class == report.class));
        Ok(reports)
    }

    /// Refuses a run in which some class would not fit, before anything is solved.
    fn check_memory(&self, classes: &[Arc<Class>]) -> Result<(), SolveError> {
        let width = usize::from(self.distances);
        let needs = classes.iter().map(|class| (memory_need(class, width), class));
        let mut too_much: Vec<_> = needs.filter(|(need, _)| *need > self.memory).collect();
        too_much.sort_by_key(|(need, _)| std::cmp::Reverse(*need));
        for (need, class) in too_much {
            if !self.is_there(class)? && self.sibling(class).is_none() {
                return Err(SolveError::NeedsMemory { class: class.name(), need, limit: self.memory });
            }
        }
        Ok(())
    }

    /// Refuses a run in which some class depends on one that has no table and will not get one.
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
                self.store.close(&place.class);
            }
        }
        Ok(())
    }

    /// Whether all tables of a class are there, as far as can be told without reading them.
    fn has_tables(&self, class: &Class) -> bool {
        self.metrics().iter().all(|&metric| self.store.table(self.rules, class, metric).is_ok())
    }

    fn wait_for(&self, class: &Arc<Class>) -> Result<Report, SolveError> {
        loop {
            if let Some(report) = self.class(class)? {
                return Ok(report);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn metrics(&self) -> &'static [Metric] {
        if self.distances { &[Metric::Wdl, Metric::Dtw] } else { &[Metric::Wdl] }
    }

    /// Sees to the tables of a class; `None` if another process is at it.
    fn class(&self, class: &Arc<Class>) -> Result<Option<Report>, SolveError> {
        if self.progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let origin = if self.is_there(class)? {
            Origin::Kept
        } else {
            let Some(_lock) = self.lock(class)? else { return Ok(None) };
            self.store.sweep(class);
            self.progress.started(class);
            // The process that held the lock before us may have made them.
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
        let tables: Result<Vec<_>, _> =
            self.metrics().iter().map(|&metric| self.store.table(self.rules, class, metric)).collect();
        let tables = tables?;
        let summary = tables.last().map(|table| table.summary().clone()).unwrap_or_default();
        let bytes = tables.iter().map(|table| table.file_len()).sum();
        // A long run goes through hundreds of classes; those that are needed again are opened again.
        self.store.close(class);
        Ok(Some(Report { class: Arc::clone(class), origin, bytes, summary }))
    }

    fn lock(&self, class: &Class) -> Result<Option<Lock>, SolveError> {
        let folder = self.store.folder();
        let path = folder.join(format!("{}.lock", class.name()));
        let lock = std::fs::create_dir_all(folder).and_then(|()| Lock::try_new(&path));
        lock.map_err(|source| TableError::Io { path, action: "lock", source }.into())
    }

    /// Whether all tables of a class are there and whole. Damaged ones are as good as missing; one of another game
    /// is somebody's, and an error.
    fn is_there(&self, class: &Class) -> Result<bool, SolveError> {
        for &metric in self.metrics() {
            match self.store.state(self.rules, class, metric) {
                State::Ok(_) => {}
                State::Missing | State::Damaged(TableError::Damaged { .. }) => return Ok(false),
                State::Damaged(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Takes the tables of a class over from another rule set's folder, if they are there and good.
    fn adopt(&self, class: &Class) -> Result<bool, SolveError> {
        let found = self.sibling(class);
        for path in found.iter().flatten() {
            match adopt(path, self.store.folder(), self.rules, class) {
                Ok(()) => {}
                Err(error @ TableError::Io { .. }) => return Err(error.into()),
                // A damaged table next door is no reason not to make a good one here.
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
        match self.solve_and_write::<u8>(&task) {
            Err(SolveError::Deeper) => self.solve_and_write::<u16>(&task),
            result => result,
        }
    }

    fn task<'b>(&'b self, class: &'b Class) -> Result<Task<'b>, SolveError> {
        let conversions = conversions(self.classes, self.rules, class).into_iter().map(|conversion| {
            let table = conversion.place.as_ref().map(|place| self.smaller(class, &place.class)).transpose()?;
            Ok::<_, SolveError>((conversion, table))
        });
        Ok(Task {
            rules: self.rules,
            class,
            conversions: conversions.collect::<Result<_, _>>()?,
            distances: self.distances,
            checkpoint: self.store.folder().join(format!("{}.checkpoint", class.name())),
            interval: self.checkpoint_interval,
            progress: self.progress,
        })
    }

    fn solve_and_write<C: Cell>(&self, task: &Task<'_>) -> Result<(), SolveError> {
        let need = memory_need(task.class, if self.distances { size_of::<C>() } else { 0 });
        if need > self.memory {
            return Err(SolveError::NeedsMemory { class: task.class.name(), need, limit: self.memory });
        }
        let solved = Solved::<C>::new(task)?;
        self.progress.stage(task.class, super::Stage::Writing);
        let longest = self.distances.then(|| solved.longest());
        write(self.store.folder(), self.rules, task.class, longest, Encoding::default(), &solved)?;
        solved.finish();
        Ok(())
    }

    /// The table that a class needs of one that captures lead to.
    fn smaller(&self, class: &Class, smaller: &Class) -> Result<Arc<Table>, SolveError> {
        let (metric, table) = if self.distances {
            (Metric::Dtw, self.store.table(self.rules, smaller, Metric::Dtw))
        } else {
            (Metric::Wdl, self.store.best(self.rules, smaller))
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

/// The tables in the folders beside these, by what game they are of.
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
mod tests {
    use super::*;
    use crate::material::graph;
    use crate::solve::Silent;

    /// Two bytes a cell serve wins of more than 250 plies, which no small class has: here they are made to.
    #[test]
    fn wide_cells_give_the_same_tables() {
        let rules = Rules::standard();
        let classes = Classes::new(&rules);
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path(), &rules);
        let generator = Generator::new(&rules, &classes, &store, &Silent);
        for name in ["EvR", "LRvR", "PWvC"] {
            let material = Material::parse(&rules, name).unwrap();
            generator.run(&graph::closure(&classes, &rules, &[material])).unwrap();
            let class = &classes.place(&rules, material).unwrap().class;
            let read = || [Metric::Wdl, Metric::Dtw].map(|metric| std::fs::read(store.path(class, metric)).unwrap());
            let narrow = read();
            for metric in [Metric::Wdl, Metric::Dtw] {
                std::fs::remove_file(store.path(class, metric)).unwrap();
            }
            generator.solve_and_write::<u16>(&generator.task(class).unwrap()).unwrap();
            assert!(read() == narrow, "{name}");
        }
    }
}
