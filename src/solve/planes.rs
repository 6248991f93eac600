//! Bit planes: what is known about the positions of a class with one side to move, a word per configuration.
//!
//! Each pass reads and writes them in the order of slabs, and beyond a slab only those that a move of the lead reaches.
//! So planes that do not fit in memory are mapped from scratch files, and the system keeps the slabs at hand in memory.

use super::layout::Layout;
use crate::system::{reserve, zeroed};
use memmap2::MmapMut;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// Known facts about the positions with one side to move.
pub struct Planes {
    /// Won positions; also set for squares the plane piece cannot take.
    pub win: Words,
    /// Lost positions.
    pub loss: Words,
    /// Positions that are not lost by now, whatever the quiet moves: a capture saves them, or prevents the loss until a
    /// later ply, or having no move is a draw there.
    pub saved: Words,
    /// By row: the [`mark`] of the last ply at which a position was won.
    pub won_at: Vec<u16>,
    /// By row: the [`mark`] of the last ply at which a position was lost.
    pub lost_at: Vec<u16>,
}

/// A word per configuration, in memory or in a file.
pub enum Words {
    /// In memory.
    Memory(Vec<u64>),
    /// Mapped from a file without a name.
    File(MmapMut),
}

/// Stands for a ply; 0 for none.
#[inline]
pub const fn mark(ply: u16) -> u16 {
    ply + 1
}

impl Planes {
    /// The planes of one side to move, with nothing known; in files in `folder` if there is one.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is insufficient.
    pub fn new(layout: &Layout, folder: Option<&Path>) -> io::Result<Self> {
        let out_of_memory = |()| io::Error::from(io::ErrorKind::OutOfMemory);
        let words = || match folder {
            Some(folder) => Words::in_file(layout.configurations(), folder),
            None => Ok(Words::Memory(zeroed(layout.configurations()).map_err(out_of_memory)?)),
        };
        let marks = || zeroed(layout.rows).map_err(out_of_memory);
        Ok(Self { win: words()?, loss: words()?, saved: words()?, won_at: marks()?, lost_at: marks()? })
    }
}

impl Words {
    /// Zeros in a new file, which disappears with them. All its space is reserved: later writes cannot fail.
    fn in_file(len: usize, folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        reserve(&file, len as u64 * size_of::<u64>() as u64)?;
        // SAFETY: the file has no name, so no other process can change or cut it.
        Ok(Self::File(unsafe { MmapMut::map_mut(&file)? }))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::Memory(words) => words,
            Self::File(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Memory(words) => words,
            Self::File(map) => bytemuck::cast_slice_mut(map),
        }
    }
}
