//! The list of known tables: `CHECKSUMS` in a folder of tables.
//!
//! It has one line per file, such as `0123456789abcdef standard/ERvL.wdl`, with the checksum at the end of the header,
//! which covers the whole file.

use super::error::TableError;
use super::header::Metric;
use super::reader::Table;
use super::registry::Registry;
use crate::game::Rules;
use crate::material::Class;
use crate::system::WholeFile;
use crate::text::read_text;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Maximum size of a list in bytes: one line for each of a million files.
const MOST_BYTES: u64 = 64 << 20;

/// Name of the list within a folder of tables.
pub const FILE_NAME: &str = "CHECKSUMS";

/// Lists of tables with their checksums, one per folder of tables that has one.
#[derive(Debug, Default)]
pub struct Checksums {
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    path: PathBuf,
    checksums: HashMap<String, u64>,
}

impl Checksums {
    /// Reads the list of a folder of tables; empty if the folder has none.
    ///
    /// # Errors
    /// Returns an error if the list cannot be read or a line is malformed.
    pub fn read(tables: &Path) -> Result<Self, TableError> {
        let path = tables.join(FILE_NAME);
        let text = match read_text(&path, MOST_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(TableError::io(&path, "read"))?,
        };
        Self::parse(path, &text)
    }

    /// Reads the lists of several folders of tables. Each list applies to the tables of its own folder.
    ///
    /// # Errors
    /// Returns an error if a list cannot be read or a line is malformed.
    pub fn read_all(folders: &[PathBuf]) -> Result<Self, TableError> {
        let lists = folders.iter().map(|tables| Ok(Self::read(tables)?.lists)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { lists: lists.into_iter().flatten().collect() })
    }

    /// Parses a list; `path` is the name used in errors.
    ///
    /// # Errors
    /// Returns an error if a line is malformed.
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, TableError> {
        let mut checksums = HashMap::new();
        for (line, number) in text.lines().zip(1..) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fields = line.split_once(' ').and_then(|(checksum, name)| {
                let checksum = (checksum.len() == 16).then(|| u64::from_str_radix(checksum, 16).ok());
                Some((checksum??, name.to_owned()))
            });
            let Some((checksum, name)) = fields else {
                let what =
                    format!("line {number} is not a checksum of 16 digits, a space and a file; write the list again");
                return Err(TableError::Unreadable { path, what });
            };
            checksums.insert(name, checksum);
        }
        Ok(Self { lists: vec![List { path, checksums }] })
    }

    /// Checks a table against the list of its folder. Unlisted tables pass.
    ///
    /// # Errors
    /// Returns an error if the table is listed with another checksum.
    pub fn check(&self, rules: &Rules, class: &Class, metric: Metric, table: &Table) -> Result<(), TableError> {
        let name = name(rules, class, metric);
        let folder_of = |path: &Path| path.parent().map(|folder| folder.join(&name));
        let own = self.lists.iter().find(|list| folder_of(&list.path).is_some_and(|path| path == table.path()));
        let Some(List { path, checksums }) = own else { return Ok(()) };
        match checksums.get(&name) {
            Some(&listed) if listed != table.checksum() => {
                let what = format!(
                    "its checksum is {:016x}, but {} lists {listed:016x}: it is intact, but not the listed file; \
                     `jungletb verify {class}` proves its values, and `jungletb re-encode {class}` then writes it as \
                     `generate` does",
                    table.checksum(),
                    path.display(),
                    class = class.name(),
                );
                Err(TableError::Unreadable { path: table.path().to_owned(), what })
            }
            _ => Ok(()),
        }
    }

    /// Number of tables listed.
    pub fn len(&self) -> usize {
        self.lists.iter().map(|list| list.checksums.len()).sum()
    }

    /// Whether no table is listed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The tables of a class that match their list, before they are rewritten.
pub(super) struct Listed(Vec<(Metric, u64)>);

impl Listed {
    /// Compares the existing tables with the list of their folder.
    pub(super) fn new(store: &Registry, rules: &Rules, class: &Class) -> Result<Self, TableError> {
        let known = Checksums::read(store.tables())?;
        let mut listed = Vec::new();
        for metric in [Metric::Wdl, Metric::Dtw] {
            let checksum = known.lists.iter().find_map(|list| list.checksums.get(&name(rules, class, metric)));
            let Some(&checksum) = checksum else { continue };
            match Table::open(&store.path(class, metric)) {
                Ok(table) if table.checksum() == checksum => listed.push((metric, checksum)),
                _ => {}
            }
        }
        Ok(Self(listed))
    }

    /// Lists the rewritten tables. The values are unchanged, so the list stays as trustworthy as before.
    pub(super) fn update(self, store: &Registry, rules: &Rules, class: &Class) -> Result<(), TableError> {
        let mut lines = HashMap::new();
        for (metric, old) in self.0 {
            let table = Table::open(&store.path(class, metric))?;
            if table.checksum() != old {
                lines.insert(name(rules, class, metric), line(rules, class, metric, &table));
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        let path = store.tables().join(FILE_NAME);
        let text = read_text(&path, MOST_BYTES).map_err(TableError::io(&path, "read"))?;
        let new: String = text
            .split_inclusive('\n')
            .map(|old| old.trim_end().get(17..).and_then(|name| lines.get(name)).map_or(old, String::as_str))
            .collect();
        let write = |mut file: WholeFile| file.write_all(new.as_bytes()).and_then(|()| file.finish());
        WholeFile::create(&path).and_then(write).map_err(TableError::io(&path, "write"))
    }
}

/// The line of the list for a table.
pub fn line(rules: &Rules, class: &Class, metric: Metric, table: &Table) -> String {
    format!("{:016x} {}\n", table.checksum(), name(rules, class, metric))
}

fn name(rules: &Rules, class: &Class, metric: Metric) -> String {
    format!("{}/{}.{}", rules.name(), class.name(), metric.name())
}
