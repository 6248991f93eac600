//! The journal of a class: what each ply decided, and which captures take effect later.
//!
//! The planes in memory tell who wins; the journal tells when. It is written once, slab by slab and ply by ply, and read
//! when the distances of a slab are restored for the tables. The captures that take effect at a later ply are sorted by
//! that ply when the class is seeded, and read when it comes.

use super::records::for_each_record;
use super::scratch::{Piece, Scratch, damaged};
use crate::material::Side;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The journal of a class.
pub struct Journal {
    scratch: Scratch,
    /// By side to move and slab: the positions decided, with their ply.
    decided: [Vec<Vec<(u16, Piece)>>; 2],
    /// By side to move, then ply and slab: captures that win (odd plies) or no longer prevent a loss (even plies).
    captures: [BTreeMap<(u16, usize), Vec<Piece>>; 2],
}

impl Journal {
    /// An empty journal of a class with this number of slabs.
    pub fn new(scratch: Scratch, slabs: usize) -> Self {
        let decided = [(); 2].map(|()| vec![Vec::new(); slabs]);
        Self { scratch, decided, captures: Default::default() }
    }

    /// The scratch file; `None` if everything is in memory.
    pub fn path(&self) -> Option<&Path> {
        self.scratch.path()
    }

    /// Adds positions of a slab that were decided at a ply.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn decide(&mut self, side: Side, slab: usize, ply: u16, blocks: Vec<Vec<u8>>) -> io::Result<()> {
        let pieces = self.scratch.append(blocks)?;
        self.decided[side.index()][slab].extend(pieces.into_iter().map(|piece| (ply, piece)));
        Ok(())
    }

    /// Adds captures of a slab that take effect at a ply.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn await_capture(&mut self, side: Side, slab: usize, ply: u16, blocks: Vec<Vec<u8>>) -> io::Result<()> {
        let pieces = self.scratch.append(blocks)?;
        if !pieces.is_empty() {
            self.captures[side.index()].entry((ply, slab)).or_default().extend(pieces);
        }
        Ok(())
    }

    /// The captures of a slab that take effect at a ply: configurations, ascending, with their positions.
    ///
    /// # Errors
    /// Returns an error if the file system fails or scratch space was damaged.
    pub fn captures(&self, side: Side, slab: usize, ply: u16) -> io::Result<Vec<(u64, u64)>> {
        let mut records = Vec::new();
        for piece in self.captures[side.index()].get(&(ply, slab)).into_iter().flatten() {
            let blocks = self.scratch.read(piece)?;
            for_each_record(&blocks, |configuration, word| records.push((configuration, word))).ok_or_else(damaged)?;
        }
        Ok(records)
    }

    /// The next ply after this one at which a capture takes effect.
    pub fn next_capture(&self, ply: u16) -> Option<u16> {
        let next = |captures: &BTreeMap<(u16, usize), _>| Some(captures.range((ply + 1, 0)..).next()?.0.0);
        self.captures.iter().filter_map(next).min()
    }

    /// The pieces with the decided positions of a slab, each with its ply.
    pub fn decided(&self, side: Side, slab: usize) -> &[(u16, Piece)] {
        &self.decided[side.index()][slab]
    }

    /// Visits the records of a piece: configurations with their positions.
    ///
    /// # Errors
    /// Returns an error if the file system fails or scratch space was damaged.
    pub fn read(&self, piece: &Piece, f: impl FnMut(u64, u64)) -> io::Result<()> {
        for_each_record(&self.scratch.read(piece)?, f).ok_or_else(damaged)
    }
}
