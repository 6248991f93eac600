//! The proof table: results for positions searched before, shared by all threads without locks.
//!
//! An entry is two words. The second holds the data, the first a check of the position XOR the data: two threads that
//! write one entry concurrently leave words that do not match, and those match no position (R. Hyatt & T. Mann, *A
//! lock-less transposition table implementation for parallel search*, 2002). The location of an entry comes from one
//! 64-bit key of the position, the check from a second, independent one.

use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering};

/// Never: the distance of a win that a side cannot force. As an upper bound: unknown.
pub const NEVER: u16 = u16::MAX;

/// Bounds on the distance of one side's win: at least `low` and at most `high` plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub low: u16,
    pub high: u16,
}

impl Span {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { low: 0, high: NEVER };

    /// The combination of two bounds on the same distance.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// The known facts about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// By color: the win of that side.
    pub spans: [Span; 2],
    /// The best move of the side to move as attacker, and as defender; 0 if there is none.
    pub moves: [u16; 2],
}

impl Entry {
    pub const UNKNOWN: Self = Self { spans: [Span::UNKNOWN; 2], moves: [0; 2] };
}

/// Entries per cache line of the processor; a position may be in any of them.
const WAYS: usize = 4;

#[derive(Default)]
#[repr(C, align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

// SAFETY: a bucket is eight 64-bit atomic integers, for which every bit pattern is valid, including zeros.
unsafe impl Zeroable for Bucket {}

/// A table with a fixed number of entries.
pub struct ProofTable {
    buckets: Box<[Bucket]>,
}

impl ProofTable {
    /// A table of at most this many bytes, and at least one bucket; `None` if the memory is not available.
    pub fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let buckets: Box<[Bucket]> = bytemuck::allocation::try_zeroed_slice_box(count).ok()?;
        ask_for_large_pages(&buckets);
        Some(Self { buckets })
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for word in self.buckets.iter().flat_map(|bucket| bucket.0.as_flattened()) {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Prefetches the entry of a position, which is seldom in the processor's caches.
    #[inline]
    pub fn prefetch(&self, key: [u64; 2]) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = &raw const self.buckets[self.bucket(key[0])];
            // SAFETY: a hint to the processor at the address of a bucket, with no effect visible to the program.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of a position; `side` is the side to move.
    #[inline]
    pub fn get(&self, key: [u64; 2], side: usize) -> Option<Entry> {
        let bucket = &self.buckets[self.bucket(key[0])];
        let data = bucket.0.iter().find_map(|slot| read(slot, key[1]))?;
        Some(unpack(data, side))
    }

    /// Adds results for a position. `work` is the logarithm to base 2 of the effort.
    pub fn put(&self, key: [u64; 2], side: usize, mut entry: Entry, work: u32) {
        let bucket = &self.buckets[self.bucket(key[0])];
        let same = bucket.0.iter().find_map(|slot| Some((slot, read(slot, key[1])?)));
        let mut work = work.min(63);
        let slot = if let Some((slot, old)) = same {
            let known = unpack(old, side);
            for color in 0..2 {
                entry.spans[color] = entry.spans[color].and(known.spans[color]);
                if entry.moves[color] == 0 {
                    entry.moves[color] = known.moves[color];
                }
            }
            work = work.max(work_of(old));
            slot
        } else {
            let cheapest = bucket.0.iter().min_by_key(|slot| work_of(slot[1].load(Ordering::Relaxed)));
            cheapest.unwrap_or(&bucket.0[0])
        };
        let data = pack(&entry, work);
        slot[0].store(key[1] ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }

    /// Maps keys uniformly to any number of buckets.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// Requests large pages: accesses are spread over the table, and translating small pages takes longer than the
/// accesses.
fn ask_for_large_pages(buckets: &[Bucket]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let start: *const Bucket = buckets.as_ptr();
        let skipped = start.cast::<u8>().align_offset(page);
        if let Some(len) = size_of_val(buckets).checked_sub(skipped) {
            // SAFETY: the range is within the table, and the advice has no effect visible to the program. A refusal
            // does not matter.
            let _ = unsafe { madvise(start.cast::<u8>().add(skipped).cast_mut().cast(), len, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = buckets;
}

#[inline]
fn read(slot: &[AtomicU64; 2], check: u64) -> Option<u64> {
    let data = slot[1].load(Ordering::Relaxed);
    (slot[0].load(Ordering::Relaxed) ^ data == check).then_some(data)
}

const fn work_of(data: u64) -> u32 {
    (data >> 56 & 63) as u32
}

/// Data of an entry, from the lowest bit: for each color 8 bits of low and 8 of high, as winner's moves, with high
/// counted from the top so that a zero word means unknown; two moves of 12 bits; 6 bits of work.
fn pack(entry: &Entry, work: u32) -> u64 {
    let mut data = u64::from(entry.moves[0]) << 32 | u64::from(entry.moves[1]) << 44 | u64::from(work) << 56;
    for (color, span) in entry.spans.iter().enumerate() {
        let low = if span.low == NEVER { 255 } else { span.low.div_ceil(2).min(254) };
        let high = if span.high == NEVER { 255 } else { span.high.div_ceil(2).min(255) };
        data |= u64::from(low | (255 - high) << 8) << (16 * color);
    }
    data
}

#[inline]
fn unpack(data: u64, side: usize) -> Entry {
    let span = |color: usize| {
        let odd = u16::from(color == side);
        let low = (data >> (16 * color) & 255) as u16;
        let high = 255 - (data >> (16 * color + 8) & 255) as u16;
        let plies = |moves: u16| if moves == 255 { NEVER } else { (2 * moves).saturating_sub(odd) };
        Span { low: plies(low), high: plies(high) }
    };
    Entry { spans: [span(0), span(1)], moves: [(data >> 32 & 0xfff) as u16, (data >> 44 & 0xfff) as u16] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_comes_back_and_adds_up() {
        let table = ProofTable::new(1 << 12).unwrap();
        let key = [u64::MAX, 77];
        let first = Entry { spans: [Span { low: 7, high: NEVER }, Span { low: NEVER, high: NEVER }], moves: [5, 0] };
        table.put(key, 0, first, 3);
        assert_eq!(table.get(key, 0), Some(first));
        let second = Entry { spans: [Span { low: 3, high: 9 }, Span::UNKNOWN], moves: [0, 0xfff] };
        table.put(key, 0, second, 1);
        let sum = Entry { spans: [Span { low: 7, high: 9 }, Span { low: NEVER, high: NEVER }], moves: [5, 0xfff] };
        assert_eq!(table.get(key, 0), Some(sum));
        assert_eq!(table.get([u64::MAX, 78], 0), None);
        // Every distance that fits, with each side to move; the side to move wins after an odd number of plies.
        for (side, moves) in (0..2).flat_map(|side| (1..250).map(move |moves| (side, moves))) {
            let span = |color| {
                let low = 2 * moves - u16::from(color == side);
                Span { low, high: low + 2 }
            };
            let entry = Entry { spans: [span(0), span(1)], moves: [0, 0] };
            let key = [u64::from(moves) << 50, 1000 * side as u64];
            table.clear();
            table.put(key, side, entry, 63);
            assert_eq!(table.get(key, side), Some(entry));
        }
        // Values that do not fit give weaker bounds, never stronger ones.
        let entry = Entry { spans: [Span { low: 601, high: 701 }, Span::UNKNOWN], moves: [0, 0] };
        table.clear();
        table.put(key, 0, entry, 0);
        assert_eq!(table.get(key, 0).unwrap().spans[0], Span { low: 507, high: NEVER });
    }

    #[test]
    fn a_table_larger_than_all_memory_is_refused() {
        assert!(ProofTable::new(usize::MAX / 2).is_none());
    }
}
