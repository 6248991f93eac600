//! The certificate file: its checksum, its head, the tables it depends on.

use super::super::wire::{CHECKSUM_LEN, Head, MAGIC, MAX_HEAD_LEN, START_LEN, VERSION};
use super::error::CheckError;
use crate::material::Material;
use crate::probe::Tablebase;
use crate::system::Cancel;
use crate::table::wire::Fields;
use crate::table::{Metric, TableError};
use std::collections::HashSet;
use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The file name, for errors.
pub struct Source<'a> {
    pub path: &'a Path,
    pub cancel: &'a Cancel,
}

impl Source<'_> {
    pub fn io(&self, source: io::Error) -> CheckError {
        CheckError::Io { path: self.path.to_owned(), cause: source }
    }

    pub fn damaged(&self, what: impl Into<String>) -> CheckError {
        CheckError::Damaged { path: self.path.to_owned(), what: what.into() }
    }

    /// Checks magic, version, and the checksum of the whole file; returns the length and seeks to the start.
    pub fn check_sum(&self, source: &mut (impl BufRead + Seek)) -> Result<u64, CheckError> {
        let len = source.seek(SeekFrom::End(0)).map_err(|error| self.io(error))?;
        source.rewind().map_err(|error| self.io(error))?;
        let mut start = Vec::new();
        source.by_ref().take(START_LEN as u64).read_to_end(&mut start).map_err(|error| self.io(error))?;
        let Some(after_magic) = start.strip_prefix(&MAGIC) else {
            return Err(CheckError::NotACertificate { path: self.path.to_owned() });
        };
        let version = Fields(after_magic).u16().unwrap_or(VERSION);
        if version != VERSION {
            return Err(CheckError::Version { path: self.path.to_owned(), found: version });
        }
        if len < START_LEN as u64 + CHECKSUM_LEN {
            return Err(self.damaged(format!("{len} bytes are too few")));
        }
        let mut hash = Xxh3::new();
        hash.update(&start);
        let mut left = len - CHECKSUM_LEN - START_LEN as u64;
        while left > 0 {
            if self.cancel.is_cancelled() {
                return Err(CheckError::Interrupted);
            }
            let buffer = source.fill_buf().map_err(|error| self.io(error))?;
            let part = buffer.get(..left.min(buffer.len() as u64) as usize).unwrap_or(buffer);
            if part.is_empty() {
                return Err(self.io(ErrorKind::UnexpectedEof.into()));
            }
            hash.update(part);
            let read = part.len();
            source.consume(read);
            left -= read as u64;
        }
        let mut stored = [0; CHECKSUM_LEN as usize];
        source.read_exact(&mut stored).map_err(|error| self.io(error))?;
        if u64::from_le_bytes(stored) != hash.digest() {
            return Err(self.damaged("it fails its checksum"));
        }
        source.rewind().map_err(|error| self.io(error))?;
        Ok(len)
    }

    /// Reads the head of a file of this length.
    pub fn head(&self, source: &mut impl Read, len: u64) -> Result<Head, CheckError> {
        let mut start = [0; START_LEN];
        source.read_exact(&mut start).map_err(|error| self.io(error))?;
        let [.., a, b, c, d] = start;
        let head_len = u32::from_le_bytes([a, b, c, d]);
        let fits = (START_LEN as u32..=MAX_HEAD_LEN).contains(&head_len) && u64::from(head_len) + CHECKSUM_LEN <= len;
        if !fits {
            return Err(self.damaged("the length of its head does not fit"));
        }
        let mut rest = vec![0; head_len as usize - START_LEN];
        source.read_exact(&mut rest).map_err(|error| self.io(error))?;
        Head::from_bytes(&rest).ok_or_else(|| self.damaged("its head cannot be read"))
    }

    /// The tables listed in the head, found with the same checksums, by the representatives of their classes.
    pub fn tables(&self, head: &Head, tables: &Tablebase) -> Result<HashSet<Material>, CheckError> {
        let mut listed = HashSet::new();
        let rules = tables.rules();
        for table in &head.tables {
            let material = Material::parse(rules, &table.class).ok();
            let place = material.and_then(|material| tables.place(material).ok());
            let class = place.map(|place| &place.class).filter(|class| class.name() == table.class);
            let class = class.ok_or_else(|| self.damaged("it names a class of tables that does not exist"))?;
            let found = match tables.registry().table(class, Metric::Dtw) {
                Err(TableError::Missing { .. }) => {
                    let folders = tables.registry().folders().iter().map(|folder| folder.display().to_string());
                    return Err(CheckError::MissingTable {
                        path: self.path.to_owned(),
                        class: table.class.clone(),
                        folders: folders.collect::<Vec<_>>().join(", "),
                        argument: crate::text::quote(rules.argument()),
                    });
                }
                found => found?,
            };
            if found.checksum() != table.checksum {
                return Err(CheckError::OtherTable {
                    path: self.path.to_owned(),
                    class: table.class.clone(),
                    table: found.path().to_owned(),
                    found: found.checksum(),
                    expected: table.checksum,
                });
            }
            if !listed.insert(class.representative) {
                return Err(self.damaged(format!("it lists the table {} twice", table.class)));
            }
        }
        Ok(listed)
    }
}
