//! Squares and sets of squares: 63 squares fit one machine word.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A square, numbered by rank from a1: `rank * 7 + file`, 0 to 62.
///
/// The 7x7 board uses the first 49 numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Files of every board: a to g.
    pub const FILES: u8 = 7;
    /// Squares of the largest board.
    pub const COUNT: usize = 63;

    /// The square with this number.
    ///
    /// # Panics
    /// Panics if `index` is 63 or more.
    pub const fn new(index: u8) -> Self {
        assert!(index < Self::COUNT as u8);
        Self(index)
    }

    /// The square on a file (0 = a) and a rank (0 = rank 1).
    ///
    /// # Panics
    /// Panics if there is no such square on the largest board.
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < Self::FILES);
        Self::new(rank * Self::FILES + file)
    }

    /// The number of this square, 0 to 62.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File, 0 = a.
    pub const fn file(self) -> u8 {
        self.0 % Self::FILES
    }

    /// Rank, 0 = rank 1.
    pub const fn rank(self) -> u8 {
        self.0 / Self::FILES
    }

    /// The set with only this square.
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.0)
    }

    /// The square with files a and g, b and f, c and e exchanged.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self(self.0 - self.file() + (Self::FILES - 1 - self.file()))
    }

    /// Parses `a1` to `g9`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let &[file @ b'a'..=b'g', rank @ b'1'..=b'9'] = text.as_bytes() else { return None };
        Some(Self::at(file - b'a', rank - b'1'))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, bit `n` standing for square `n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(pub u64);

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Files a, b and c of the largest board.
    pub const LEFT: Self = Self(0x0102_0408_1020_4081 * 0b000_0111);
    /// File d, which mirroring maps to itself.
    pub const MIDDLE: Self = Self(0x0102_0408_1020_4081 * 0b000_1000);

    /// Whether the square is in the set.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Number of squares.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a square.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in the other.
    pub const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The squares of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest-numbered square.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The number of squares in the set with a lower number than `square`.
    pub const fn rank_of(self, square: Square) -> usize {
        (self.0 & ((1 << square.0) - 1)).count_ones() as usize
    }

    /// The square with exactly `n` lower-numbered squares in the set: the inverse of [`Self::rank_of`].
    ///
    /// # Panics
    /// Panics if the set has at most `n` squares.
    pub fn nth(self, n: usize) -> Square {
        let (mut word, mut left, mut shift) = (self.0, n as u32, 0);
        for width in [32, 16, 8, 4, 2, 1] {
            let low = (word & ((1 << width) - 1)).count_ones();
            if left >= low {
                left -= low;
                word >>= width;
                shift += width;
            }
        }
        assert!(word & 1 != 0 && shift < Square::COUNT as u32, "a set of {} has no square {n}", self.len());
        Square(shift as u8)
    }

    /// The mirror image: files a and g, b and f, c and e exchanged.
    #[must_use]
    pub const fn mirror(self) -> Self {
        const FILE_A: u64 = 0x0102_0408_1020_4081;
        let w = self.0;
        Self(
            (w & FILE_A) << 6
                | (w & FILE_A << 1) << 4
                | (w & FILE_A << 2) << 2
                | (w & FILE_A << 3)
                | (w & FILE_A << 4) >> 2
                | (w & FILE_A << 5) >> 4
                | (w & FILE_A << 6) >> 6,
        )
    }
}

impl BitOr for SquareSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SquareSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for SquareSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.set())
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The squares of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for index in 0..63 {
            let square = Square::new(index);
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.set().mirror(), square.mirror().set());
        }
        assert_eq!(Square::at(3, 8).to_string(), "d9");
        for text in ["", "a", "a0", "h1", "a10", "A1", "1a", "ä1"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
    }

    #[test]
    fn nth_undoes_rank_of() {
        for word in [1_u64, 0x7fff_ffff_ffff_ffff, 0x1234_5678_9abc_def1, 1 << 62] {
            let set = SquareSet(word);
            for (n, square) in set.into_iter().enumerate() {
                assert_eq!(set.rank_of(square), n);
                assert_eq!(set.nth(n), square);
            }
        }
    }
}
