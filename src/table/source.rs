//! Where the bytes of a table come from.

use memmap2::Mmap;
use std::borrow::Cow;
use std::fmt::Debug;
use std::fs::File;
use std::io;

/// The bytes of a table: a mapped file, a file that is read piece by piece, or memory.
pub trait ByteSource: Debug + Send + Sync {
    /// Number of bytes when it was opened.
    fn size(&self) -> u64;

    /// `len` bytes from `start` on.
    ///
    /// # Errors
    /// Bytes that are not there, or not any more; a device that fails.
    fn read(&self, start: u64, len: usize) -> io::Result<Cow<'_, [u8]>>;
}

/// How table files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Mapped into memory: fastest.
    ///
    /// A file that is replaced goes on with its old contents. One that is cut is an error at the next read; if it is
    /// cut in the very moment of a read, the operating system ends the process (SIGBUS on Unix). It never gives a
    /// wrong value.
    #[default]
    Map,
    /// Read where and when needed, without a map: for file systems on which maps are slow or fail, and for processes
    /// that must not be ended by a file that is cut.
    Read,
}

/// A mapped file.
#[derive(Debug)]
pub(super) struct Mapped {
    file: File,
    map: Mmap,
}

impl Mapped {
    pub fn new(file: File) -> io::Result<Self> {
        // SAFETY: the map is only read, and as bytes, which may have any value. This program never changes a table in
        // place; `read` asks for the length of the file first, so that one that somebody else has cut is not touched.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self { file, map })
    }
}

impl ByteSource for Mapped {
    fn size(&self) -> u64 {
        self.map.len() as u64
    }

    fn read(&self, start: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        if self.file.metadata()?.len() < self.size() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file was cut while it was open"));
        }
        part(&self.map, start, len)
    }
}

/// A file that is read piece by piece.
#[derive(Debug)]
pub(super) struct Positioned {
    file: File,
    len: u64,
}

impl Positioned {
    pub fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file, len })
    }
}

impl ByteSource for Positioned {
    fn size(&self) -> u64 {
        self.len
    }

    fn read(&self, start: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        if start.checked_add(len as u64).is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; len];
        read_at(&self.file, &mut bytes, start)?;
        Ok(bytes.into())
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

    fn read(&self, start: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        part(self, start, len)
    }
}

fn part(bytes: &[u8], start: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
    let start = usize::try_from(start).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(len)?));
    let part = range.and_then(|range| bytes.get(range));
    part.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
