//! The record of what was verified: `VERIFIED` in a folder of tables.
//!
//! It has one line per class, such as
//!
//! ```text
//! proven standard/EvR 0123456789abcdef 0123456789abcdef 1784 0 982 982 0 1784
//! ```
//!
//! with the standing, the class, the checksums at the end of the headers of its WDL and its DTW file (`-` for a file
//! that does not exist), and the numbers of wins, draws and losses for each stored side to move. A line is appended
//! when a class is done; of several lines for a class the last counts. A line that is cut off, as by a power failure,
//! counts for nothing: the class is then verified again.

use super::{Standing, Verified};
use crate::game::Rules;
use crate::material::{Class, graph};
use crate::probe::Tablebase;
use crate::table::{Metric, SideSummary, TableError};
use crate::text::read_text;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Name of the record within a folder of tables.
pub const FILE_NAME: &str = "VERIFIED";

/// Maximum size of a record in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The classes that were verified.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    /// By rules and class.
    entries: HashMap<String, Entry>,
}

/// What is known of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    is_proven: bool,
    /// The checksums of its files, by [`Metric::ALL`].
    files: [Option<u64>; 2],
}

impl Entry {
    fn parse(line: &str) -> Option<(String, Self)> {
        let mut fields = line.split(' ');
        let standing = fields.next().filter(|word| !word.starts_with('#'))?;
        let name = fields.next()?.to_owned();
        let mut file = || match fields.next()? {
            "-" => Some(None),
            digits => Some(Some(u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16)?)),
        };
        let files = [file()?, file()?];
        let counts: Vec<u64> = fields.map(str::parse).collect::<Result<_, _>>().ok()?;
        let is_proven = standing == Standing::Proven.name();
        (matches!(counts.len(), 3 | 6)).then_some((name, Self { is_proven, files }))
    }
}

impl Record {
    /// Reads a record; empty if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let text = match read_text(path, MOST_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(TableError::io(path, "read"))?,
        };
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let entries = whole.filter_map(|line| Entry::parse(line.trim_end())).collect();
        Ok(Self { path: path.to_owned(), entries })
    }

    /// Whether a class and all classes that its captures lead to are recorded as proven, with the files that are there
    /// now.
    pub fn is_proven(&self, tables: &Tablebase, class: &Class) -> bool {
        let needed = graph::closure(tables.classes(), tables.rules(), &[class.representative]);
        needed.iter().all(|class| {
            let entry = self.entries.get(&name(tables.rules(), class));
            entry.is_some_and(|entry| entry.is_proven && entry.files == files(tables, class))
        })
    }

    /// Records a class, on the disk too.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add(&mut self, tables: &Tablebase, class: &Class, verified: &Verified) -> Result<(), TableError> {
        let line = line(tables, class, verified);
        let append = || {
            let existing = std::fs::read(&self.path).ok().and_then(|bytes| bytes.last().copied());
            let is_cut = existing.is_some_and(|last| last != b'\n');
            let mut file = File::options().create(true).append(true).open(&self.path)?;
            file.write_all(format!("{}{line}\n", if is_cut { "\n" } else { "" }).as_bytes())?;
            file.sync_data()
        };
        append().map_err(TableError::io(&self.path, "write"))?;
        self.entries.extend(Entry::parse(&line));
        Ok(())
    }
}

/// The line of a record for a class, without its end.
pub fn line(tables: &Tablebase, class: &Class, verified: &Verified) -> String {
    let mut line = format!("{} {}", verified.standing.name(), name(tables.rules(), class));
    for file in files(tables, class) {
        let _ = match file {
            Some(checksum) => write!(line, " {checksum:016x}"),
            None => write!(line, " -"),
        };
    }
    for SideSummary { wins, draws, losses, .. } in &verified.summary.sides {
        let _ = write!(line, " {wins} {draws} {losses}");
    }
    line
}

/// The checksums of the files of a class.
fn files(tables: &Tablebase, class: &Class) -> [Option<u64>; 2] {
    Metric::ALL.map(|metric| tables.registry().table(class, metric).ok().map(|table| table.checksum()))
}

fn name(rules: &Rules, class: &Class) -> String {
    format!("{}/{}", rules.name(), class.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        assert!(Record::read(&path).unwrap().entries.is_empty());
        let good = "proven standard/EvR 0123456789abcdef fedcba9876543210 1 2 3 4 5 6";
        let lines = [good, "# proven a/b - - 1 2 3", "consistent x/EvE 0123456789abcdef - 1 2 3", "proven x/EvR", good];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let record = Record::read(&path).unwrap();
        let entry = |name: &str| record.entries.get(name).copied();
        let files = [Some(0x0123_4567_89ab_cdef), Some(0xfedc_ba98_7654_3210)];
        assert_eq!(entry("standard/EvR"), Some(Entry { is_proven: true, files }));
        assert_eq!(entry("x/EvE"), Some(Entry { is_proven: false, files: [files[0], None] }));
        assert_eq!(record.entries.len(), 2);
        for cut in 1..good.len() - 10 {
            assert!(Entry::parse(&good[..cut]).is_none_or(|(name, _)| name == "standard/EvR"));
        }
        std::fs::write(&path, &good[..good.len()]).unwrap();
        assert!(Record::read(&path).unwrap().entries.is_empty());
    }
}
