//! The journal of a class: what each ply decided, and which captures take effect later.
//!
//! The planes in memory hold who wins; the journal holds when. It is written once, slab by slab and ply by ply, and read
//! when the distances of a slab are restored for the tables. The captures that take effect at a later ply are sorted by
//! that ply when the class is seeded, and read when it comes.

use super::records::for_each_record;
use super::scratch::{Piece, Scratch, damaged};
use crate::material::Side;
use std::collections::BTreeMap;
use std::io;

/// The journal of a class.
pub struct Journal {
    scratch: Scratch,
    /// By side to move and slab: the positions decided, with their ply.
    decided: [Vec<Vec<(u16, Piece)>>; 2],
    /// By side to move and slab: positions that a capture saves, or saves until a later ply.
    saved: [Vec<Vec<Piece>>; 2],
    /// By side to move, then ply and slab: captures that win (odd plies) or no longer prevent a loss (even plies).
    captures: [BTreeMap<(u16, usize), Vec<Piece>>; 2],
}

impl Journal {
    /// An empty journal of a class with this number of slabs.
    pub fn new(scratch: Scratch, slabs: usize) -> Self {
        let decided = [(); 2].map(|()| vec![Vec::new(); slabs]);
        let saved = [(); 2].map(|()| vec![Vec::new(); slabs]);
        Self { scratch, decided, saved, captures: Default::default() }
    }

    /// The scratch space.
    pub const fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// Forgets what a ply decided, if it was interrupted.
    pub fn forget_ply(&mut self, ply: u16) {
        for pieces in self.decided.iter_mut().flatten() {
            let kept = pieces.iter().take_while(|(decided, _)| *decided != ply).count();
            pieces.truncate(kept);
        }
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

    /// Adds positions of a slab that captures save.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn save(&mut self, side: Side, slab: usize, blocks: Vec<Vec<u8>>) -> io::Result<()> {
        let pieces = self.scratch.append(blocks)?;
        self.saved[side.index()][slab].extend(pieces);
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

    /// The pieces with the positions of a slab that captures saved at first.
    pub fn saved(&self, side: Side, slab: usize) -> &[Piece] {
        &self.saved[side.index()][slab]
    }

    /// The plies before this one with captures that no longer prevent losses in a slab.
    pub fn gates_before(&self, side: Side, slab: usize, ply: u16) -> Vec<u16> {
        let plies = self.captures[side.index()].keys().filter(|(at, of)| *of == slab && *at < ply && *at % 2 == 0);
        plies.map(|(at, _)| *at).collect()
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

/// Serialization, for checkpoints: as numbers.
impl Journal {
    /// The list of pieces.
    pub fn to_numbers(&self) -> Vec<u64> {
        let mut numbers = Vec::new();
        let mut put = |heads: &[u64], pieces: Option<&mut dyn ExactSizeIterator<Item = (u16, Piece)>>| {
            numbers.extend_from_slice(heads);
            let Some(pieces) = pieces else { return };
            numbers.push(pieces.len() as u64);
            for (ply, piece) in pieces {
                let lens = u64::from(piece.len) << 32 | u64::from(piece.contents);
                numbers.extend([ply.into(), piece.at, lens, piece.checksum]);
            }
        };
        for pieces in self.decided.iter().flatten() {
            put(&[], Some(&mut pieces.iter().copied()));
        }
        for pieces in self.saved.iter().flatten() {
            put(&[], Some(&mut pieces.iter().map(|piece| (0, *piece))));
        }
        for captures in &self.captures {
            put(&[captures.len() as u64], None);
            for ((ply, slab), pieces) in captures {
                put(&[u64::from(*ply), *slab as u64], Some(&mut pieces.iter().map(|piece| (0, *piece))));
            }
        }
        numbers
    }

    /// The inverse of [`Journal::to_numbers`]; `None` for other numbers.
    pub fn from_numbers(scratch: Scratch, slabs: usize, numbers: &[u64]) -> Option<Self> {
        let mut journal = Self::new(scratch, slabs);
        let mut rest = numbers;
        let mut number = || {
            let (&first, later) = rest.split_first()?;
            rest = later;
            Some(first)
        };
        let pieces = |number: &mut dyn FnMut() -> Option<u64>| {
            let count = number()?;
            let piece = |_| {
                let (ply, at, lens, checksum) = (number()?, number()?, number()?, number()?);
                Some((ply as u16, Piece { at, len: (lens >> 32) as u32, contents: lens as u32, checksum }))
            };
            (0..count).map(piece).collect::<Option<Vec<_>>>()
        };
        for decided in journal.decided.iter_mut().flatten() {
            *decided = pieces(&mut number)?;
        }
        let only = |pieces: Vec<(u16, Piece)>| pieces.into_iter().map(|(_, piece)| piece).collect::<Vec<_>>();
        for saved in journal.saved.iter_mut().flatten() {
            *saved = only(pieces(&mut number)?);
        }
        for captures in &mut journal.captures {
            let count = number()?;
            for _ in 0..count {
                let key = (number()? as u16, number()? as usize);
                captures.insert(key, only(pieces(&mut number)?));
            }
        }
        rest.is_empty().then_some(journal)
    }
}
