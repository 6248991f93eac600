//! Rows of results without distances: two bits per lane, in two machine words.

use super::lanes::{Code, LANES, Row};
use crate::game::{Category, SquareSet};
use crate::table::Value;

/// A result without distance: nothing, lost, drawn or won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outcome(u8);

impl Code for Outcome {
    const KINDS: usize = 4;
    const ABSENT: Self = Self(0);

    fn of(value: Value) -> Option<Self> {
        Some(Self(1 + value.category() as u8))
    }

    fn value(self) -> Value {
        match self.0 {
            1 => Value::least(Category::Loss),
            3 => Value::least(Category::Win),
            _ => Value::DRAW,
        }
    }

    fn aged(self) -> Self {
        Self(if self.0 == 0 { 0 } else { 4 - self.0 })
    }

    fn index(self) -> usize {
        self.0.into()
    }

    fn from_index(index: usize) -> Self {
        Self(index as u8)
    }

    fn latest(category: Category) -> Self {
        Self(1 + category as u8)
    }
}

/// Results only: two bits per lane, the high and the low ones of [`Outcome`] in a word each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bits {
    high: u64,
    low: u64,
}

impl Bits {
    /// Draws on these squares, no positions elsewhere.
    pub const fn draws(lanes: SquareSet) -> Self {
        Self { high: lanes.0, low: 0 }
    }

    /// The lanes that are drawn.
    pub const fn drawn(&self) -> SquareSet {
        SquareSet(self.high & !self.low)
    }

    /// These values, with those of the other row in some lanes.
    #[must_use]
    pub const fn with(self, lanes: SquareSet, other: Self) -> Self {
        Self { high: self.high & !lanes.0 | other.high & lanes.0, low: self.low & !lanes.0 | other.low & lanes.0 }
    }

    /// The values in some lanes, no positions in the others.
    #[must_use]
    pub const fn on(self, lanes: SquareSet) -> Self {
        Self { high: self.high & lanes.0, low: self.low & lanes.0 }
    }
}

impl Row for Bits {
    type Code = Outcome;
    type Mask = u64;
    const ABSENT: Self = Self { high: 0, low: 0 };
    const NOTHING: Self = Self::ABSENT;

    fn mask(lanes: SquareSet) -> u64 {
        lanes.0
    }

    #[inline]
    fn aged(self) -> Self {
        Self { high: self.high ^ self.low, low: self.low }
    }

    #[inline]
    fn best(self, other: Self) -> Self {
        // A low bit counts unless the other lane alone has the high one.
        let (ours, theirs) = (self.low & (self.high | !other.high), other.low & (other.high | !self.high));
        Self { high: self.high | other.high, low: ours | theirs }
    }

    #[inline]
    fn only(self, lanes: u64) -> Self {
        self.on(SquareSet(lanes))
    }

    #[inline]
    fn ahead(self, by: i8) -> Self {
        let shift = |word: u64| if by >= 0 { word >> by } else { word << -by };
        Self { high: shift(self.high), low: shift(self.low) }
    }

    #[inline]
    fn mirrored(self) -> Self {
        Self { high: SquareSet(self.high).mirror().0, low: SquareSet(self.low).mirror().0 }
    }

    #[inline]
    fn lane(&self, lane: usize) -> Outcome {
        Outcome((self.high >> lane & 1) as u8 * 2 + (self.low >> lane & 1) as u8)
    }

    #[inline]
    fn set(&mut self, lane: usize, code: Outcome) {
        let bit = 1 << lane;
        self.high = self.high & !bit | u64::from(code.0 >> 1) << lane;
        self.low = self.low & !bit | u64::from(code.0 & 1) << lane;
    }

    fn without_moves(self, code: Outcome) -> Self {
        let nothing = !(self.high | self.low);
        let fill = |bit: u8| if code.0 & bit == 0 { 0 } else { nothing };
        Self { high: self.high | fill(2), low: self.low | fill(1) }
    }

    fn is_within(&self, least: &Self, most: &Self) -> bool {
        let here = self.high | self.low;
        let differs = |other: &Self| (self.high ^ other.high | self.low ^ other.low) & here;
        if differs(least) | differs(most) == 0 {
            return true;
        }
        (0..LANES).all(|lane| {
            let found = self.lane(lane);
            found == Outcome::ABSENT || (least.lane(lane)..=most.lane(lane)).contains(&found)
        })
    }

    fn count(&self, counts: &mut [u64]) {
        let words = [!(self.high | self.low), self.low & !self.high, self.high & !self.low, self.high & self.low];
        for (count, word) in counts.iter_mut().zip(words) {
            *count += u64::from(word.count_ones());
        }
    }
}
