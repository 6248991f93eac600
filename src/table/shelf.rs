//! The unpacked blocks of an open table that are kept. They belong to the table as it was opened: when its file is
//! replaced, a new table is opened, and no block of the old one can be taken for one of the new.

use super::cell::Cell;
use crossbeam_epoch::Guard;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Room for each block of a table.
#[derive(Debug)]
pub struct Shelf {
    /// Made when the first block is kept: most open tables are read from end to end and keep none.
    cells: OnceLock<Box<[Cell<Kept>]>>,
    blocks: usize,
}

/// A block that is kept.
#[derive(Debug)]
pub struct Kept {
    bytes: Box<[u8]>,
    /// Whether it was looked at since it was last asked.
    is_used: AtomicBool,
}

impl Shelf {
    /// Room for so many blocks.
    pub const fn new(blocks: usize) -> Self {
        Self { cells: OnceLock::new(), blocks }
    }

    /// A block that is kept.
    #[inline]
    pub fn get<'g>(&'g self, block: usize, guard: &'g Guard) -> Option<&'g [u8]> {
        let kept = self.cells.get()?.get(block)?.get(guard)?;
        // Written only where it changes something: threads that look at the same block must not write to it in turn.
        if !kept.is_used.load(Ordering::Relaxed) {
            kept.is_used.store(true, Ordering::Relaxed);
        }
        Some(&kept.bytes)
    }

    /// Keeps a block; false if it is kept already.
    pub fn put(&self, block: usize, bytes: Box<[u8]>, guard: &Guard) -> bool {
        let cells = self.cells.get_or_init(|| std::iter::repeat_with(Cell::empty).take(self.blocks).collect());
        let Some(cell) = cells.get(block) else { return false };
        let address = bytes.as_ptr();
        let kept = cell.put(Kept { bytes, is_used: AtomicBool::new(false) }, guard);
        kept.bytes.as_ptr() == address
    }

    /// Gives up a block that was not looked at since it was last asked; false if it was.
    pub fn give_up(&self, block: usize, guard: &Guard) -> bool {
        let Some(cell) = self.cells.get().and_then(|cells| cells.get(block)) else { return true };
        let Some(kept) = cell.get(guard) else { return true };
        if kept.is_used.swap(false, Ordering::Relaxed) {
            return false;
        }
        cell.take(kept, guard);
        true
    }
}
