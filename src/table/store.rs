//! Folders of tables: `<folder>/<rules>/<class>.<metric>`.
//!
//! The first folder is the one that is written to; the others are read only. A table is looked for in all of them, in
//! order, and the first that is there counts, as a program does in `PATH`.

use super::error::TableError;
use super::header::{Header, Metric};
use super::reader::Table;
use super::source::Access;
use crate::game::Rules;
use crate::material::{Class, Material};
use crate::system::is_live;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The tables of one rule set in one or more folders. Tables are opened when first asked for and stay open.
#[derive(Debug)]
pub struct Store {
    tables: PathBuf,
    folder: PathBuf,
    /// The one to write to, then those to read only.
    roots: Vec<PathBuf>,
    /// The folder of the rule set in each of them.
    folders: Vec<PathBuf>,
    access: Access,
    open: RwLock<HashMap<(Material, Metric), Arc<Table>>>,
}

/// What is known of a table file.
#[derive(Debug)]
pub enum State {
    /// It is there, of the right game, and its checksums hold.
    Ok(Arc<Table>),
    /// There is no such file.
    Missing,
    /// It cannot be used.
    Damaged(TableError),
}

impl Store {
    /// The tables of `rules` in a folder of tables. Nothing is opened yet; there need not be any.
    pub fn new(tables: &Path, rules: &Rules) -> Self {
        Self::with_access(tables, &[], rules, Access::default())
    }

    /// The same, with more folders that are never written to, and files read in a way of one's choice.
    pub fn with_access(tables: &Path, read_only: &[PathBuf], rules: &Rules, access: Access) -> Self {
        let roots: Vec<PathBuf> = std::iter::once(tables.to_owned()).chain(read_only.iter().cloned()).collect();
        let folders = roots.iter().map(|root| root.join(rules.name())).collect();
        let (tables, folder) = (tables.to_owned(), tables.join(rules.name()));
        Self { tables, folder, roots, folders, access, open: RwLock::default() }
    }

    /// The folder to write to that has a folder for each rule set.
    pub fn tables(&self) -> &Path {
        &self.tables
    }

    /// The folder to write tables of these rules to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All folders that have a folder for each rule set, in the order in which they are searched.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// All folders with tables of these rules, in the order in which they are searched.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Where a table would be written.
    pub fn path(&self, class: &Class, metric: Metric) -> PathBuf {
        self.folder().join(file_name(class, metric))
    }

    /// Where a table is; where it would be written, if it is nowhere.
    pub fn find(&self, class: &Class, metric: Metric) -> PathBuf {
        let name = file_name(class, metric);
        let found = self.folders.iter().map(|folder| folder.join(&name)).find(|path| path.try_exists().unwrap_or(true));
        found.unwrap_or_else(|| self.folder().join(name))
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
    /// A table that is missing, damaged, or of another game.
    pub fn table(&self, rules: &Rules, class: &Class, metric: Metric) -> Result<Arc<Table>, TableError> {
        if let Some(table) = self.opened(class, metric) {
            return Ok(table);
        }
        let table = Table::open_with(&self.find(class, metric), self.access)?;
        table.check_game(rules, class)?;
        if table.header().metric != metric {
            return Err(TableError::damaged(table.path(), "it is a table of the other kind, renamed"));
        }
        let table = Arc::new(table);
        self.open
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert((class.representative, metric), Arc::clone(&table));
        Ok(table)
    }

    /// Reads the header of a table, the file's length with it, without opening the table.
    ///
    /// # Errors
    /// A table that is missing or of another game; damage of its header or of its length.
    pub fn header(&self, rules: &Rules, class: &Class, metric: Metric) -> Result<(Header, u64), TableError> {
        let path = self.path(class, metric);
        let (header, len) = Table::read_header(&path)?;
        header.check_game(&path, rules, class)?;
        Ok((header, len))
    }

    /// Bytes of the files of a class.
    pub fn bytes(&self, class: &Class) -> u64 {
        let files = [Metric::Wdl, Metric::Dtw].map(|metric| self.find(class, metric).metadata());
        files.into_iter().flatten().map(|metadata| metadata.len()).sum()
    }

    /// Forgets the open tables of a class: their files have been replaced.
    pub fn close(&self, class: &Class) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(material, _), _| *material != class.representative);
    }

    /// A table if it is open already.
    pub fn opened(&self, class: &Class, metric: Metric) -> Option<Arc<Table>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.get(&(class.representative, metric)).map(Arc::clone)
    }

    /// The best table there is of a class: of distances, or else of results.
    ///
    /// # Errors
    /// As [`Store::table`]; a missing table of results if there is neither.
    pub fn best(&self, rules: &Rules, class: &Class) -> Result<Arc<Table>, TableError> {
        match self.table(rules, class, Metric::Dtw) {
            Err(TableError::Missing { .. }) => self.table(rules, class, Metric::Wdl),
            table => table,
        }
    }

    /// Opens a table afresh and checks every block of it.
    pub fn state(&self, rules: &Rules, class: &Class, metric: Metric) -> State {
        self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&(class.representative, metric));
        let table = self.table(rules, class, metric);
        match table.and_then(|table| table.check_blocks().map(|()| table)) {
            Ok(table) => State::Ok(table),
            Err(TableError::Missing { .. }) => State::Missing,
            Err(error) => State::Damaged(error),
        }
    }
}

fn file_name(class: &Class, metric: Metric) -> String {
    format!("{}.{}", class.name(), metric.name())
}
