//! Sources of table bytes.

use super::files::{FileId, PooledFile, REPLACED};
use crate::system::read_at;
use memmap2::{MmapOptions, MmapRaw};
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of a table: a mapped file, a file read with positioned reads, or memory.
pub trait ByteSource: Debug + Send + Sync {
    /// Size in bytes when opened.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `start` on.
    ///
    /// # Errors
    /// Returns an error if the bytes do not exist or no longer exist ([`io::ErrorKind::UnexpectedEof`]), or if the
    /// device fails.
    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()>;

    /// Advises the system that all of it will be read soon.
    fn prefetch(&self) {}
}

/// How table files are read. Neither method keeps files open: a process may use any number of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// Memory-mapped: fastest.
    ///
    /// A replaced file keeps its old contents until the tables are refreshed. A file truncated in place gives an error
    /// at the next read; if it is truncated during a read, or after it was moved away from its path, the operating
    /// system may end the process (SIGBUS on Unix). It never gives a wrong value.
    #[default]
    Map,
    /// Positioned reads: for file systems on which maps are slow or fail, and for processes that must survive a
    /// truncated file. A few files stay open, independent of the number of tables.
    Read,
}

/// A mapped file. The map needs no descriptor.
#[derive(Debug)]
pub(super) struct Mapped {
    map: MmapRaw,
    /// Path when opened, to detect truncation.
    path: PathBuf,
    id: FileId,
}

impl Mapped {
    pub fn new(path: &Path, file: &File, id: FileId) -> io::Result<Self> {
        let map = MmapOptions::new().map_raw_read_only(file)?;
        // The current directory may change.
        Ok(Self { map, path: std::path::absolute(path)?, id })
    }
}

impl ByteSource for Mapped {
    fn size(&self) -> u64 {
        self.map.len() as u64
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(start).ok().filter(|start| {
            let end = start.checked_add(into.len());
            end.is_some_and(|end| end <= self.map.len())
        });
        let start = start.ok_or(io::ErrorKind::UnexpectedEof)?;
        // A replaced or deleted file is held only by the map, and cannot be truncated by its path.
        if FileId::at(&self.path).is_ok_and(|now| now.is_same_file(&self.id) && now.len < self.size()) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file was truncated while it was open"));
        }
        // SAFETY: the range lies within the map, which lives as long as `self`, and does not overlap `into`. The bytes
        // are copied through a raw pointer and no reference to them is ever made: another process may write to the file
        // meanwhile, and the caller checks the copy. The file length was checked just now.
        unsafe { std::ptr::copy_nonoverlapping(self.map.as_ptr().add(start), into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    fn prefetch(&self) {
        #[cfg(unix)]
        let _ = self.map.advise(memmap2::Advice::WillNeed);
    }
}

/// A file read with positioned reads.
#[derive(Debug)]
pub(super) struct Positioned {
    file: PooledFile,
    len: u64,
}

impl Positioned {
    pub fn new(path: &Path, file: File, id: FileId) -> io::Result<Self> {
        Ok(Self { file: PooledFile::new(std::path::absolute(path)?, file, id), len: id.len })
    }
}

impl ByteSource for Positioned {
    fn size(&self) -> u64 {
        self.len
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        if start.checked_add(into.len() as u64).is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let file = self.file.get().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(io::ErrorKind::UnexpectedEof, REPLACED),
            _ => error,
        })?;
        read_at(&file, into, start)
    }
}

/// A table in memory.
impl ByteSource for Vec<u8> {
    fn size(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        copy(self, start, into)
    }
}

/// A table that is part of the program.
impl ByteSource for &'static [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        copy(self, start, into)
    }
}

fn copy(bytes: &[u8], start: u64, into: &mut [u8]) -> io::Result<()> {
    let start = usize::try_from(start).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(into.len())?));
    let part = range.and_then(|range| bytes.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?;
    into.copy_from_slice(part);
    Ok(())
}
