//! The list of known tables: `CHECKSUMS` in a folder of tables, a line a file, as
//! `0123456789abcdef standard/ERvL.wdl`: the checksum at the end of the header, which stands for the whole file.

use super::error::TableError;
use super::header::Metric;
use super::reader::Table;
use crate::game::Rules;
use crate::material::Class;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the list within a folder of tables.
pub const FILE_NAME: &str = "CHECKSUMS";

/// Lists of tables with their checksums, one for each folder of tables that has one.
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
    /// Reads the list of a folder of tables; an empty one if there is none.
    ///
    /// # Errors
    /// A list that cannot be read, or a line of it.
    pub fn read(tables: &Path) -> Result<Self, TableError> {
        let path = tables.join(FILE_NAME);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(TableError::io(&path, "read"))?,
        };
        Self::parse(path, &text)
    }

    /// Reads the lists of several folders of tables. Each is good for the tables of its own folder.
    ///
    /// # Errors
    /// A list that cannot be read, or a line of it.
    pub fn read_all(folders: &[PathBuf]) -> Result<Self, TableError> {
        let lists = folders.iter().map(|tables| Ok(Self::read(tables)?.lists)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { lists: lists.into_iter().flatten().collect() })
    }

    /// Reads a list from its text; `path` is what errors call it.
    ///
    /// # Errors
    /// A line that is none.
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, TableError> {
        let mut checksums = HashMap::new();
        for (line, number) in text.lines().zip(1..) {
            let fields = line.split_once(' ').and_then(|(checksum, name)| {
                let checksum = (checksum.len() == 16).then(|| u64::from_str_radix(checksum, 16).ok());
                Some((checksum??, name.to_owned()))
            });
            let Some((checksum, name)) = fields else {
                let what =
                    format!("line {number} is not a checksum of 16 digits, a space and a file; make the list anew");
                return Err(TableError::Unreadable { path, what });
            };
            checksums.insert(name, checksum);
        }
        Ok(Self { lists: vec![List { path, checksums }] })
    }

    /// Whether a table is the listed one; true if it is not listed.
    ///
    /// # Errors
    /// A table that is listed with another checksum.
    pub fn check(&self, rules: &Rules, class: &Class, metric: Metric, table: &Table) -> Result<(), TableError> {
        let name = name(rules, class, metric);
        let folder_of = |path: &Path| path.parent().map(|folder| folder.join(&name));
        let own = self.lists.iter().find(|list| folder_of(&list.path).is_some_and(|path| path == table.path()));
        let Some(List { path, checksums }) = own else { return Ok(()) };
        match checksums.get(&name) {
            Some(&listed) if listed != table.checksum() => {
                let what = format!(
                    "its checksum is {:016x}, but {} lists {listed:016x}: it is another encoding, or not the table it \
                     should be; verify it, or generate it again",
                    table.checksum(),
                    path.display()
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

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The line of a table.
pub fn line(rules: &Rules, class: &Class, metric: Metric, table: &Table) -> String {
    format!("{:016x} {}\n", table.checksum(), name(rules, class, metric))
}

fn name(rules: &Rules, class: &Class, metric: Metric) -> String {
    format!("{}/{}.{}", rules.name(), class.name(), metric.name())
}
