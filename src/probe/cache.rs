//! Unpacked blocks: which are kept, within a bound of bytes.
//!
//! The blocks lie on the shelves of their tables ([`Table`]), where a probe finds them without a lock. Here is the list of
//! those that are kept, a clock (Corbató, *A paging experiment with the Multics system*, 1968): when there are too many
//! bytes, the hand goes round and gives up each block that was not looked at since it last came by. Only a probe that has
//! to unpack a block touches the list.

use crate::material::Side;
use crate::table::{Table, TableError, Value};
use crossbeam_epoch::Guard;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use thread_local::ThreadLocal;

/// The blocks that are kept of all tables of a tablebase.
#[derive(Debug)]
pub struct BlockCache {
    limit: u64,
    clock: Mutex<Clock>,
    counters: ThreadLocal<Counters>,
}

#[derive(Debug, Default)]
struct Clock {
    /// The hand is at the front.
    kept: VecDeque<Entry>,
    bytes: u64,
}

#[derive(Debug)]
struct Entry {
    table: Weak<Table>,
    block: usize,
    bytes: u64,
}

/// What one thread has counted. Each has lines of memory of its own, so that counting does not slow down the others.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    bytes: AtomicU64,
}

/// What probing has cost since the tables were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Probes that found their block unpacked, or constant.
    pub hits: u64,
    /// Probes that had to read and unpack a block.
    pub misses: u64,
    /// Bytes of the blocks that were unpacked.
    pub bytes_unpacked: u64,
    /// Bytes of unpacked blocks that are kept now.
    pub bytes_kept: u64,
}

/// What a kept block takes beside its bytes, about.
const OVERHEAD: u64 = 96;

impl BlockCache {
    /// Room for so many bytes.
    pub fn new(limit: u64) -> Self {
        Self { limit, clock: Mutex::default(), counters: ThreadLocal::new() }
    }

    /// The value of a placement.
    #[inline]
    pub fn value(&self, table: &Arc<Table>, side: Side, number: u64, guard: &Guard) -> Result<Value, TableError> {
        if let Some(value) = Self::in_memory(table, side, number, guard)? {
            add(&self.counters.get_or_default().hits, 1);
            return Ok(value);
        }
        self.unpack(table, side, number, guard)
    }

    /// The value of a placement if no file must be read for it.
    #[inline]
    pub fn in_memory(table: &Table, side: Side, number: u64, guard: &Guard) -> Result<Option<Value>, TableError> {
        let (block, at) = table.locate(side, number);
        match table.shelf().get(block, guard) {
            Some(bytes) => table.pick(block, bytes, at).map(Some),
            None => Ok(table.constant_of(block)),
        }
    }

    #[cold]
    fn unpack(&self, table: &Arc<Table>, side: Side, number: u64, guard: &Guard) -> Result<Value, TableError> {
        let (block, at) = table.locate(side, number);
        let bytes = table.block(block)?;
        let value = table.pick(block, &bytes, at)?;
        let counters = self.counters.get_or_default();
        add(&counters.misses, 1);
        add(&counters.bytes, bytes.len() as u64);
        let len = bytes.len() as u64 + OVERHEAD;
        if len <= self.limit && table.shelf().put(block, bytes.into(), guard) {
            self.keep(Entry { table: Arc::downgrade(table), block, bytes: len }, guard);
        }
        Ok(value)
    }

    /// Puts a block on the list, and gives up others for it.
    fn keep(&self, entry: Entry, guard: &Guard) {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.bytes += entry.bytes;
        clock.kept.push_back(entry);
        // Blocks that other threads look at all the time must not turn the hand for ever.
        for _ in 0..2 * clock.kept.len() {
            if clock.bytes <= self.limit {
                break;
            }
            let Some(entry) = clock.kept.pop_front() else { break };
            match entry.table.upgrade() {
                Some(table) if !table.shelf().give_up(entry.block, guard) => clock.kept.push_back(entry),
                // A table that was closed has taken its blocks with it.
                _ => clock.bytes -= entry.bytes,
            }
        }
    }

    /// Takes blocks off the list whose tables have been closed.
    pub fn sweep(&self) {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.kept.retain(|entry| entry.table.strong_count() > 0);
        clock.bytes = clock.kept.iter().map(|entry| entry.bytes).sum();
    }

    /// What was counted so far.
    pub fn statistics(&self) -> Statistics {
        let bytes_kept = self.clock.lock().unwrap_or_else(PoisonError::into_inner).bytes;
        let mut sum = Statistics { bytes_kept, ..Statistics::default() };
        for counters in &self.counters {
            sum.hits += counters.hits.load(Ordering::Relaxed);
            sum.misses += counters.misses.load(Ordering::Relaxed);
            sum.bytes_unpacked += counters.bytes.load(Ordering::Relaxed);
        }
        sum
    }
}

/// Adds to a counter that no other thread writes to.
#[inline]
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}
