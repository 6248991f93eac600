//! The cached unpacked blocks of an open table. They belong to the table as opened: a replaced file is opened as a new
//! table, so blocks of the old and the new one cannot be confused.

use super::cell::Cell;
use crossbeam_epoch::Guard;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cache slots for the blocks of a table.
#[derive(Debug)]
pub struct Shelf {
    /// Allocated when the first block is cached: most open tables are read sequentially and cache none.
    cells: OnceLock<Box<[Cell<Kept>]>>,
    blocks: usize,
}

/// A cached block.
#[derive(Debug)]
pub struct Kept {
    bytes: Box<[u8]>,
    /// Whether the block was used since the last call of `give_up`.
    is_used: AtomicBool,
}

impl Shelf {
    /// Slots for this number of blocks.
    pub const fn new(blocks: usize) -> Self {
        Self { cells: OnceLock::new(), blocks }
    }

    /// A cached block.
    #[inline]
    pub fn get<'g>(&'g self, block: usize, guard: &'g Guard) -> Option<&'g [u8]> {
        let kept = self.cells.get()?.get(block)?.get(guard)?;
        // Written only on change, so that threads reading the same block do not contend for the cache line.
        if !kept.is_used.load(Ordering::Relaxed) {
            kept.is_used.store(true, Ordering::Relaxed);
        }
        Some(&kept.bytes)
    }

    /// Caches a block; false if it is cached already.
    pub fn put(&self, block: usize, bytes: Box<[u8]>, guard: &Guard) -> bool {
        let cells = self.cells.get_or_init(|| std::iter::repeat_with(Cell::empty).take(self.blocks).collect());
        let Some(cell) = cells.get(block) else { return false };
        let address = bytes.as_ptr();
        let kept = cell.put(Kept { bytes, is_used: AtomicBool::new(false) }, guard);
        kept.bytes.as_ptr() == address
    }

    /// Evicts a block that was not used since the last call; false if it was used.
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
