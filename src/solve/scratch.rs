//! Scratch space of a class: pieces of bytes that are written once and read later, in memory or in a file.

use crate::system::{open_at_once, read_at};
use rayon::prelude::*;
use std::borrow::Cow;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Where the pieces are.
pub enum Scratch {
    /// In memory, as they are.
    Memory(Vec<Vec<u8>>),
    /// In a file.
    File {
        /// Its path.
        path: PathBuf,
        /// The file, open for reading and appending.
        file: File,
        /// Its length in bytes, as far as its contents count.
        len: u64,
        /// Whether pieces are compressed.
        is_compressed: bool,
    },
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Number of the piece in memory, or its start in the file.
    pub at: u64,
    /// Length as stored.
    pub len: u32,
    /// Length of the contents.
    pub contents: u32,
    /// Checksum of the stored bytes.
    pub checksum: u64,
}

/// Blocks are joined to pieces of at least this many bytes, which are compressed in parallel.
const PIECE: usize = 1 << 18;

impl Scratch {
    /// Opens a scratch file, keeping its first `len` bytes; new pieces are compressed or not.
    ///
    /// # Errors
    /// Returns an error if the file system fails, another process uses the file, or it is shorter.
    pub fn open(path: &Path, len: u64, is_compressed: bool) -> io::Result<Self> {
        let file = open_at_once(path, File::options().read(true).append(true).create(true))?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process uses it"));
        }
        if file.metadata()?.len() < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.set_len(len)?;
        Ok(Self::File { path: path.to_owned(), file, len, is_compressed })
    }

    /// Makes sure that everything appended is on the disk, and nothing else; returns its length.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn sync(&self) -> io::Result<u64> {
        match self {
            Self::Memory(_) => Ok(0),
            Self::File { file, len, .. } => {
                // After an error, part of a piece may follow.
                file.set_len(*len)?;
                file.sync_data()?;
                Ok(*len)
            }
        }
    }

    /// The file; `None` if everything is in memory.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Memory(_) => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// Appends blocks in order, joined to pieces.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn append(&mut self, blocks: Vec<Vec<u8>>) -> io::Result<Vec<Piece>> {
        let pieces = join(blocks);
        match self {
            Self::Memory(all) => Ok(pieces
                .into_iter()
                .map(|piece| {
                    let len = piece.len() as u32;
                    all.push(piece);
                    Piece { at: all.len() as u64 - 1, len, contents: len, checksum: 0 }
                })
                .collect()),
            Self::File { file, len, is_compressed, .. } => {
                let pack = |piece: Vec<u8>| {
                    let packed = if *is_compressed { zstd::bulk::compress(&piece, 1)? } else { Vec::new() };
                    let is_shorter = !packed.is_empty() && packed.len() < piece.len();
                    Ok((piece.len() as u32, if is_shorter { packed } else { piece }))
                };
                let packed: Vec<(u32, Vec<u8>)> = pieces.into_par_iter().map(pack).collect::<io::Result<_>>()?;
                let mut written = Vec::with_capacity(packed.len());
                for (contents, bytes) in packed {
                    file.write_all(&bytes)?;
                    let checksum = xxh3_64(&bytes);
                    written.push(Piece { at: *len, len: bytes.len() as u32, contents, checksum });
                    *len += bytes.len() as u64;
                }
                Ok(written)
            }
        }
    }

    /// The contents of a piece.
    ///
    /// # Errors
    /// Returns an error if the file system fails or the file was damaged.
    pub fn read(&self, piece: &Piece) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(all) => Ok(Cow::Borrowed(&all[piece.at as usize])),
            Self::File { file, .. } => {
                let mut bytes = vec![0; piece.len as usize];
                read_at(file, &mut bytes, piece.at)?;
                if xxh3_64(&bytes) != piece.checksum {
                    return Err(damaged());
                }
                if piece.len == piece.contents {
                    return Ok(Cow::Owned(bytes));
                }
                let contents = zstd::bulk::decompress(&bytes, piece.contents as usize)?;
                if contents.len() == piece.contents as usize { Ok(Cow::Owned(contents)) } else { Err(damaged()) }
            }
        }
    }
}

/// The error for contents that were changed by another program.
pub fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it was changed while in use")
}

fn join(blocks: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for block in blocks.into_iter().filter(|block| !block.is_empty()) {
        match pieces.last_mut() {
            Some(last) if last.len() < PIECE => last.extend_from_slice(&block),
            _ => pieces.push(block),
        }
    }
    pieces.iter_mut().for_each(Vec::shrink_to_fit);
    pieces
}
