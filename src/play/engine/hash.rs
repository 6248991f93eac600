//! Hash table of searched positions.

use crate::game::{Color, Move, Piece, Square};
use crate::system::fallibly;

/// Random numbers for the keys of positions (Zobrist hashing).
pub struct Keys {
    pieces: [[[u64; Square::COUNT]; 8]; 2],
    /// Part of the key when Black is to move.
    pub black_to_move: u64,
}

impl Keys {
    /// Generates the same numbers every time.
    pub fn new() -> Self {
        // The generator SplitMix64.
        let mut state = 0_u64;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let pieces = std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())));
        Self { pieces, black_to_move: next() }
    }

    /// The number of a piece on a square.
    #[inline]
    pub const fn of(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.color.index()][piece.animal.index()][square.index()]
    }

    /// The key component of a side to move.
    pub const fn to_move(&self, color: Color) -> u64 {
        match color {
            Color::White => 0,
            Color::Black => self.black_to_move,
        }
    }
}

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    /// The true score.
    Exact,
}

/// An entry for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The best move, if known.
    pub mv: Option<Move>,
    /// The score, relative to the position.
    pub score: i32,
    /// Plies searched below it.
    pub depth: u8,
    /// Type of the score.
    pub bound: Bound,
}

/// A depth greater than that of any search: the score is exact at every depth.
pub const FOREVER: u8 = u8::MAX;

/// Entries per cache line of the processor; a position may be in any of them.
const WAYS: usize = 4;

/// An entry in memory: the key, and from the lowest bit 32 bits of score, 8 of depth, 6 + 6 of squares, 2 of bound (0
/// if empty), 8 of age.
type Slot = [u64; 2];

/// A table with a fixed number of entries; new entries replace old and shallow ones.
pub struct HashTable {
    buckets: Vec<[Slot; WAYS]>,
    age: u8,
}

impl HashTable {
    /// A table of at most this many bytes; `None` if the memory is not available.
    pub fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<[Slot; WAYS]>()).max(1);
        // Reserves the memory without touching it: zeroed pages are allocated as they are used.
        fallibly(|| Vec::<[Slot; WAYS]>::new().try_reserve_exact(count)).ok()?;
        Some(Self { buckets: vec![[[0; 2]; WAYS]; count], age: 0 })
    }

    /// A table without entries.
    pub const fn none() -> Self {
        Self { buckets: Vec::new(), age: 0 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.buckets.fill([[0; 2]; WAYS]);
    }

    /// Starts a new age: entries stored from now on are newer than the existing ones.
    pub fn begin_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Stored> {
        let slot = self.buckets.get(self.bucket(key))?.iter().find(|slot| slot[0] == key)?;
        unpack(slot[1])
    }

    /// Stores an entry. If it has no move, the previously stored move is kept.
    pub fn put(&mut self, key: u64, mut entry: Stored) {
        let (at, age) = (self.bucket(key), self.age);
        let worth = |slot: &Slot| {
            let behind = age.wrapping_sub((slot[1] >> 54) as u8);
            if bound_of(slot[1]).is_none() { i32::MIN } else { depth_of(slot[1]) - 8 * i32::from(behind) }
        };
        let Some(bucket) = self.buckets.get_mut(at) else { return };
        let same = bucket.iter().position(|slot| slot[0] == key);
        let way = same.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| worth(&bucket[way])).unwrap_or(0));
        if same.is_some() && entry.mv.is_none() {
            entry.mv = unpack(bucket[way][1]).and_then(|old| old.mv);
        }
        bucket[way] = [key, pack(&entry, age)];
    }

    /// Permille of the table filled by the current search, estimated from a sample.
    pub fn permille(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let is_new = |slot: &&Slot| bound_of(slot[1]).is_some() && (slot[1] >> 54) as u8 == self.age;
        sample.iter().flatten().filter(is_new).count() * 1000 / (sample.len() * WAYS).max(1)
    }

    /// Maps keys uniformly to any number of buckets.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

fn depth_of(data: u64) -> i32 {
    (data >> 32 & 0xff) as i32
}

fn bound_of(data: u64) -> Option<Bound> {
    [None, Some(Bound::Lower), Some(Bound::Upper), Some(Bound::Exact)][(data >> 52 & 3) as usize]
}

fn pack(entry: &Stored, age: u8) -> u64 {
    let squares = entry.mv.map_or(0, |mv| mv.from.index() as u64 | (mv.to.index() as u64) << 6);
    let bound = entry.bound as u64 + 1;
    u64::from(entry.score.cast_unsigned())
        | u64::from(entry.depth) << 32
        | squares << 40
        | bound << 52
        | u64::from(age) << 54
}

#[inline]
fn unpack(data: u64) -> Option<Stored> {
    let [from, to] = [data >> 40 & 63, data >> 46 & 63];
    // No move goes from a1 to a1.
    let mv = (from != to).then(|| Move { from: Square::new(from as u8), to: Square::new(to as u8) });
    Some(Stored { mv, score: (data as u32).cast_signed(), depth: depth_of(data) as u8, bound: bound_of(data)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, score: i32, mv: Option<&str>) -> Stored {
        Stored { mv: mv.map(|text| Move::parse(text).unwrap()), score, depth, bound: Bound::Exact }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut table = HashTable::new(1 << 12).unwrap();
        for (key, bound) in [(u64::MAX, Bound::Lower), (1 << 60, Bound::Upper), (77, Bound::Exact)] {
            for (depth, score, mv) in [(0, -200_000, None), (3, 0, Some("a1a2")), (FOREVER, 199_999, Some("g9f9"))] {
                let stored = Stored { bound, ..entry(depth, score, mv) };
                table.put(key, stored);
                let found = table.get(key).unwrap();
                assert_eq!((found.score, found.depth, found.bound), (score, depth, bound));
                assert!(mv.is_none() || found.mv == stored.mv);
            }
        }
        assert_eq!(table.get(78), None);
        table.put(77, entry(9, 5, None));
        assert_eq!(table.get(77), Some(entry(9, 5, Some("g9f9"))), "the move is kept");
        table.clear();
        assert_eq!(table.get(77), None);
    }

    #[test]
    fn old_and_shallow_entries_make_way() {
        let mut table = HashTable::new(0).unwrap();
        for key in 1..=4 {
            table.put(key, entry(key as u8 * 2, 0, None));
        }
        assert_eq!(table.permille(), 1000);
        table.put(5, entry(1, 0, None));
        assert!(table.get(1).is_none() && (2..=5).all(|key| table.get(key).is_some()));
        table.begin_search();
        assert_eq!(table.permille(), 0);
        table.begin_search();
        for key in 11..=14 {
            table.put(key, entry(0, 0, None));
        }
        assert!((11..=14).all(|key| table.get(key).is_some()));
    }

    #[test]
    fn a_table_without_room_stores_nothing() {
        let mut table = HashTable::none();
        table.put(1, entry(1, 0, None));
        assert_eq!((table.get(1), table.permille()), (None, 0));
    }

    #[test]
    fn a_table_larger_than_all_memory_is_refused() {
        assert!(HashTable::new(usize::MAX / 2).is_none());
    }
}
