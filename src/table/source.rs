//! Where the bytes of a table come from.

use super::files::{FileId, PooledFile, REPLACED};
use memmap2::{MmapOptions, MmapRaw};
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of a table: a mapped file, a file that is read piece by piece, or memory.
pub trait ByteSource: Debug + Send + Sync {
    /// Number of bytes when it was opened.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `start` on.
    ///
    /// # Errors
    /// Bytes that are not there, or not any more ([`io::ErrorKind::UnexpectedEof`]); a device that fails.
    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()>;

    /// Tells the system that all of it will be read soon.
    fn prefetch(&self) {}
}

/// How table files are read. Neither way keeps a file open: a process may use any number of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// Mapped into memory: fastest.
    ///
    /// A file that is replaced goes on with its old contents until the tables are refreshed. One that is cut where it is
    /// gives an error at the next read; if it is cut in the very moment of a read, or after it was moved away from its
    /// path, the operating system may end the process (SIGBUS on Unix). It never gives a wrong value.
    #[default]
    Map,
    /// Read where and when needed, without a map: for file systems on which maps are slow or fail, and for processes
    /// that must not be ended by a file that is cut. A few files are kept open, whatever the number of tables.
    Read,
}

/// A mapped file. The map needs no descriptor.
#[derive(Debug)]
pub(super) struct Mapped {
    map: MmapRaw,
    /// Where it was, to see whether it was cut.
    path: PathBuf,
    id: FileId,
}

impl Mapped {
    pub fn new(path: &Path, file: &File, id: FileId) -> io::Result<Self> {
        let map = MmapOptions::new().map_raw_read_only(file)?;
        // Another folder may become the current one.
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
        // A file that was replaced or deleted is the map's alone, and nobody can cut it by its path.
        if FileId::at(&self.path).is_ok_and(|now| now.is_same_file(&self.id) && now.len < self.size()) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file was truncated while it was open"));
        }
        // SAFETY: the range lies within the map, which lives as long as `self`, and `into` is apart from it. The bytes
        // are copied through a raw pointer and no reference to them is ever made: another process may write to the file
        // meanwhile, and whoever reads checks the copy. That the file still has its length was seen just now.
        unsafe { std::ptr::copy_nonoverlapping(self.map.as_ptr().add(start), into.as_mut_ptr(), into.len()) };
        Ok(())
    }

    fn prefetch(&self) {
        #[cfg(unix)]
        let _ = self.map.advise(memmap2::Advice::WillNeed);
    }
}

/// A file that is read piece by piece.
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

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = bytes.get_mut(read..).unwrap_or_default();
                start += read as u64;
            }
        }
    }
    Ok(())
}

/// Memory.
impl ByteSource for Vec<u8> {
    fn size(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(start).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(into.len())?));
        let part = range.and_then(|range| self.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(part);
        Ok(())
    }
}
