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

/// A list of tables with their checksums.
#[derive(Debug, Default)]
pub struct Checksums {
    path: PathBuf,
    list: HashMap<String, u64>,
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

    /// Reads a list from its text; `path` is what errors call it.
    ///
    /// # Errors
    /// A line that is none.
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, TableError> {
        let mut list = HashMap::new();
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
            list.insert(name, checksum);
        }
        Ok(Self { path, list })
    }

    /// Whether a table is the listed one; true if it is not listed.
    ///
    /// # Errors
    /// A table that is listed with another checksum.
    pub fn check(&self, rules: &Rules, class: &Class, metric: Metric, table: &Table) -> Result<(), TableError> {
        match self.list.get(&name(rules, class, metric)) {
            Some(&listed) if listed != table.checksum() => {
                let what = format!(
                    "its checksum is {:016x}, but {} lists {listed:016x}: it is another encoding, or not the table it \
                     should be; verify it, or generate it again",
                    table.checksum(),
                    self.path.display()
                );
                Err(TableError::Unreadable { path: table.path().to_owned(), what })
            }
            _ => Ok(()),
        }
    }

    /// Number of tables listed.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The line of a table.
pub fn line(rules: &Rules, class: &Class, metric: Metric, table: &Table) -> String {
    format!("{:016x} {}\n", table.checksum(), name(rules, class, metric))
}

fn name(rules: &Rules, class: &Class, metric: Metric) -> String {
    format!("{}/{}.{}", rules.name(), class.name(), metric.name())
}
