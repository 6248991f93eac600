//! Cache of unpacked blocks, bounded in bytes.
//!
//! The blocks are stored with their tables ([`Table`]), where a probe finds them without a lock. This file holds the
//! list of cached blocks, managed by the clock algorithm (Corbató, *A paging experiment with the Multics system*,
//! 1968). When the bytes exceed the bound, the hand advances and evicts each block that was not used since its last
//! pass. Only a probe that has to unpack a block touches the list.

use crate::game::Category;
use crate::material::Side;
use crate::table::{Table, TableError, Value};
use crossbeam_epoch::Guard;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use thread_local::ThreadLocal;

/// The cached blocks of all tables of a tablebase.
#[derive(Debug)]
pub struct BlockCache {
    limit: u64,
    clock: Mutex<Clock>,
    counters: ThreadLocal<Counters>,
}

#[derive(Debug, Default)]
struct Clock {
    /// The hand is at the front.
    kept: VecDeque<KeptBlock>,
    bytes: u64,
}

#[derive(Debug)]
struct KeptBlock {
    table: Weak<Table>,
    block: usize,
    bytes: u64,
}

/// Counters of one thread, on cache lines of their own, so that counting does not slow down other threads.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    bytes: AtomicU64,
}

/// The value of a placement as far as a table stores it.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    /// All that the metric of the table tells.
    Exact(Value),
    /// A win, without the distance, of a table of distances.
    Win,
}

/// Cost of probing since the tables were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Probes whose block was cached or constant.
    pub hits: u64,
    /// Probes that had to read and unpack a block.
    pub misses: u64,
    /// Total bytes of unpacked blocks.
    pub bytes_unpacked: u64,
    /// Bytes of blocks in the cache now.
    pub bytes_kept: u64,
}

/// Approximate overhead of a cached block in bytes.
const OVERHEAD: u64 = 96;

impl BlockCache {
    /// An empty cache with this limit in bytes.
    pub fn new(limit: u64) -> Self {
        Self { limit, clock: Mutex::default(), counters: ThreadLocal::new() }
    }

    /// The value of a placement as far as a table stores it.
    #[inline]
    pub fn stored(&self, table: &Arc<Table>, side: Side, number: u64, guard: &Guard) -> Result<Stored, TableError> {
        let Some(results) = table.results() else { return self.value(table, side, number, guard).map(Stored::Exact) };
        let result = self.value(results, side, number, guard)?;
        match result.category() {
            Category::Win => Ok(Stored::Win),
            Category::Draw => Ok(Stored::Exact(result)),
            Category::Loss => self.value(table, side, number, guard).map(Stored::Exact),
        }
    }

    /// The value of a placement in one table alone.
    #[inline]
    fn value(&self, table: &Arc<Table>, side: Side, number: u64, guard: &Guard) -> Result<Value, TableError> {
        if let Some(value) = Self::in_memory(table, side, number, guard)? {
            add(&self.counters.get_or_default().hits, 1);
            return Ok(value);
        }
        self.unpack(table, side, number, guard)
    }

    /// The value of a placement if it can be found without reading a file.
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
            self.keep(KeptBlock { table: Arc::downgrade(table), block, bytes: len }, guard);
        }
        Ok(value)
    }

    /// Adds a block to the list, evicting others if necessary.
    fn keep(&self, entry: KeptBlock, guard: &Guard) {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.bytes += entry.bytes;
        clock.kept.push_back(entry);
        // Bounded: blocks that other threads keep using must not turn the hand forever.
        for _ in 0..2 * clock.kept.len() {
            if clock.bytes <= self.limit {
                break;
            }
            let Some(entry) = clock.kept.pop_front() else { break };
            match entry.table.upgrade() {
                Some(table) if !table.shelf().give_up(entry.block, guard) => clock.kept.push_back(entry),
                // The table was closed, and its blocks were freed with it.
                _ => clock.bytes -= entry.bytes,
            }
        }
    }

    /// Removes the blocks of closed tables from the list.
    pub fn sweep(&self) {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        clock.kept.retain(|entry| entry.table.strong_count() > 0);
        clock.bytes = clock.kept.iter().map(|entry| entry.bytes).sum();
    }

    /// The counts so far.
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

/// Adds to a counter that no other thread writes.
#[inline]
fn add(counter: &AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}
