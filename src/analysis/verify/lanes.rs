//! Rows: the values of 64 positions that differ only in the square of one piece, and what a move does to all of them.
//!
//! A lane holds a code, ordered by merit for the side to move: lost soonest, …, lost latest, drawn, won latest, …, won
//! soonest. So the best of several values is their maximum. With the largest code `M` of a lane:
//!
//! ```text
//! lost in n    n / 2
//! drawn        (M - 1) / 2
//! won in n     M - 1 - (n - 1) / 2
//! no position  M
//! ```
//!
//! [`Row::aged`] turns a value into what it is worth to the opponent who moves there: a loss in `n` is a win in `n + 1`
//! for them, `M - 1 - n / 2`; a win in `n` is a loss in `n + 1`, `(n + 1) / 2`. A lane without a position becomes 0,
//! which no legal move is worth, so a move that does not exist changes no maximum.
//!
//! [`Bytes`] holds distances up to 251 plies, [`Wide`] all distances; `bits` has rows of results only.

use crate::game::{Category, SquareSet};
use crate::table::Value;

/// Lanes of a row: one per square, and one more.
pub const LANES: usize = 64;

/// The value of one lane.
pub trait Code: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// Number of codes.
    const KINDS: usize;
    /// Bytes of a value in memory.
    const BYTES: u64 = size_of::<Self>() as u64;
    /// No position.
    const ABSENT: Self;
    /// The code of a value; `None` if it does not fit.
    fn of(value: Value) -> Option<Self>;
    /// The value of a code; a lane without a position counts as drawn.
    fn value(self) -> Value;
    /// The value for the opponent who moves to it.
    #[must_use]
    fn aged(self) -> Self;
    /// The code as a number below [`Code::KINDS`].
    fn index(self) -> usize;
    /// The code with this number.
    fn from_index(index: usize) -> Self;
    /// The decided value of this category with the greatest distance.
    fn latest(category: Category) -> Self;
}

/// The values of 64 positions.
pub trait Row: Copy + Eq + Send + Sync + 'static {
    /// The value of one lane.
    type Code: Code;
    /// A set of lanes.
    type Mask: Copy + Send + Sync;
    /// No positions.
    const ABSENT: Self;
    /// What no move is worth.
    const NOTHING: Self;
    /// A set of lanes.
    fn mask(lanes: SquareSet) -> Self::Mask;
    /// The values for the opponent who moves there.
    #[must_use]
    fn aged(self) -> Self;
    /// The better of the values in each lane.
    #[must_use]
    fn best(self, other: Self) -> Self;
    /// The values in some lanes, nothing in the others.
    #[must_use]
    fn only(self, lanes: Self::Mask) -> Self;
    /// Each lane takes the value `by` lanes ahead of it.
    #[must_use]
    fn ahead(self, by: i8) -> Self;
    /// Every lane takes the value of the mirror image of its square.
    #[must_use]
    fn mirrored(self) -> Self;
    /// The value of a lane.
    fn lane(&self, lane: usize) -> Self::Code;
    /// Sets the value of a lane.
    fn set(&mut self, lane: usize, code: Self::Code);
    /// Replaces a value that is nothing, where the side to move has no legal move.
    #[must_use]
    fn without_moves(self, code: Self::Code) -> Self;
    /// Whether every lane with a position in `self` has a value between those of the other two.
    fn is_within(&self, least: &Self, most: &Self) -> bool;
    /// Whether some lane has this value.
    fn has(&self, code: Self::Code) -> bool {
        (0..LANES).any(|lane| self.lane(lane) == code)
    }
    /// Counts the lanes by code.
    fn count(&self, counts: &mut [u64]) {
        for lane in 0..LANES {
            counts[self.lane(lane).index()] += 1;
        }
    }
}

/// Distances of 64 positions. Those of won positions may be unknown: [`Code::latest`] then stands for them.
pub trait Distances: Row {
    /// These values, but the distances of wins of the other row where both rows have a win.
    #[must_use]
    fn with_wins(self, of: &Self) -> Self;
    /// Whether every lane with a position in `self` has the same result in the other row.
    fn agrees(&self, with: &Self) -> bool;
    /// Whether some position is lost.
    fn has_losses(&self) -> bool;
}

/// The greatest distance in lanes of a move: a jump along a file.
const REACH: usize = 28;

macro_rules! row {
    ($name:ident, $code:ty, $doc:literal) => {
        impl Code for $code {
            const KINDS: usize = <$code>::MAX as usize + 1;
            const ABSENT: Self = <$code>::MAX;

            fn of(value: Value) -> Option<Self> {
                const DRAW: u16 = (<$code>::MAX / 2) as u16;
                let Some(plies) = value.plies() else { return Some(DRAW as $code) };
                let half = plies / 2;
                // The last win would age to a draw.
                let fits = half < DRAW - u16::from(value.category() == Category::Win);
                fits.then(|| match value.category() {
                    Category::Win => <$code>::MAX - 1 - half as $code,
                    _ => half as $code,
                })
            }

            fn value(self) -> Value {
                const DRAW: $code = <$code>::MAX / 2;
                match self {
                    DRAW | <$code>::MAX => Value::DRAW,
                    code if code < DRAW => Value::decided(2 * code as u16),
                    code => Value::decided(2 * (<$code>::MAX - 1 - code) as u16 + 1),
                }
            }

            #[inline]
            fn aged(self) -> Self {
                (<$code>::MAX - 1).wrapping_sub(self).wrapping_add(self >> (<$code>::BITS - 1))
            }

            #[inline]
            fn index(self) -> usize {
                self.into()
            }

            fn from_index(index: usize) -> Self {
                index as $code
            }

            fn latest(category: Category) -> Self {
                const DRAW: $code = <$code>::MAX / 2;
                match category {
                    Category::Loss => DRAW - 1,
                    Category::Draw => DRAW,
                    Category::Win => DRAW + 2,
                }
            }
        }

        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(align(64))]
        pub struct $name([$code; LANES]);

        impl $name {
            #[inline]
            fn lanes(with: impl Fn(usize) -> $code) -> Self {
                let mut lanes = [0; LANES];
                for (lane, code) in lanes.iter_mut().enumerate() {
                    *code = with(lane);
                }
                Self(lanes)
            }
        }

        impl Row for $name {
            type Code = $code;
            type Mask = [$code; LANES];
            const ABSENT: Self = Self([<$code>::MAX; LANES]);
            const NOTHING: Self = Self([0; LANES]);

            fn mask(lanes: SquareSet) -> Self::Mask {
                Self::lanes(|lane| if lanes.0 >> lane & 1 != 0 { <$code>::MAX } else { 0 }).0
            }

            #[inline]
            fn aged(self) -> Self {
                Self::lanes(|lane| self.0[lane].aged())
            }

            #[inline]
            fn best(self, other: Self) -> Self {
                Self::lanes(|lane| self.0[lane].max(other.0[lane]))
            }

            #[inline]
            fn only(self, lanes: Self::Mask) -> Self {
                Self::lanes(|lane| self.0[lane] & lanes[lane])
            }

            #[inline]
            fn ahead(self, by: i8) -> Self {
                let mut wide = [0; LANES + 2 * REACH];
                wide[REACH..REACH + LANES].copy_from_slice(&self.0);
                let start = REACH.wrapping_add_signed(by.into());
                let mut lanes = [0; LANES];
                lanes.copy_from_slice(&wide[start..start + LANES]);
                Self(lanes)
            }

            fn mirrored(self) -> Self {
                let mut lanes = self.0;
                for rank in lanes[..LANES - 1].chunks_exact_mut(7) {
                    rank.reverse();
                }
                Self(lanes)
            }

            #[inline]
            fn lane(&self, lane: usize) -> $code {
                self.0[lane]
            }

            #[inline]
            fn set(&mut self, lane: usize, code: $code) {
                self.0[lane] = code;
            }

            fn without_moves(self, code: $code) -> Self {
                Self::lanes(|lane| if self.0[lane] == 0 { code } else { self.0[lane] })
            }

            #[inline]
            fn has(&self, code: $code) -> bool {
                self.0.iter().fold(false, |any, &lane| any | (lane == code))
            }

            #[inline]
            fn is_within(&self, least: &Self, most: &Self) -> bool {
                let mut outside = 0;
                for lane in 0..LANES {
                    let found = self.0[lane];
                    let wrong = (found < least.0[lane]) | (found > most.0[lane]);
                    outside |= <$code>::from(wrong & (found != <$code>::MAX));
                }
                outside == 0
            }
        }

        impl Distances for $name {
            #[inline]
            fn with_wins(self, of: &Self) -> Self {
                const DRAW: $code = <$code>::MAX / 2;
                Self::lanes(|lane| {
                    let (own, other) = (self.0[lane], of.0[lane]);
                    let both = (own > DRAW) & (own != <$code>::MAX) & (other > DRAW);
                    if both { other } else { own }
                })
            }

            #[inline]
            fn agrees(&self, with: &Self) -> bool {
                const DRAW: $code = <$code>::MAX / 2;
                let mut differs = 0;
                for lane in 0..LANES {
                    let (own, other) = (self.0[lane], with.0[lane]);
                    let differ = ((own > DRAW) != (other > DRAW)) | ((own < DRAW) != (other < DRAW));
                    differs |= <$code>::from(differ & (own != <$code>::MAX));
                }
                differs == 0
            }

            #[inline]
            fn has_losses(&self) -> bool {
                self.0.iter().fold(false, |any, &lane| any | (lane < <$code>::MAX / 2))
            }
        }
    };
}

row!(Bytes, u8, "One byte per lane: distances up to 251 plies.");
row!(Wide, u16, "Two bytes per lane: any distance.");

#[cfg(test)]
mod tests {
    use super::super::bits::Bits;
    use super::*;

    fn check<R: Row>(most: u16) {
        let order = |plies: &[u16]| plies.iter().map(|&plies| R::Code::of(Value::decided(plies))).collect::<Vec<_>>();
        let losses = order(&(0..=most).step_by(2).collect::<Vec<_>>());
        let wins = order(&(1..=most).step_by(2).rev().collect::<Vec<_>>());
        let codes: Vec<R::Code> = losses.into_iter().chain([R::Code::of(Value::DRAW)]).chain(wins).flatten().collect();
        assert!(codes.is_sorted());
        let mut row = R::ABSENT;
        for (n, &code) in codes.iter().enumerate() {
            assert_eq!(R::Code::from_index(code.index()), code);
            let value = code.value();
            if R::Code::KINDS > 4 {
                assert_eq!(R::Code::of(value), Some(code));
                assert_eq!(code.aged().value(), value.before());
            } else {
                assert_eq!(code.aged().value().category(), value.category().reversed());
            }
            row.set(n % 63, code);
        }
        let lanes = |row: &R| (0..LANES).map(|lane| row.lane(lane)).collect::<Vec<_>>();
        let all = lanes(&row);
        assert_eq!(lanes(&row.aged()), all.iter().map(|code| code.aged()).collect::<Vec<_>>());
        assert!(R::ABSENT.aged() == R::NOTHING);
        for by in [-28, -7, -1, 3, 28] {
            let (from, to) = (row.aged().ahead(by), row.aged());
            for lane in (0..LANES).filter(|&lane| (0..64).contains(&(lane as i32 + i32::from(by)))) {
                assert_eq!(from.lane(lane), to.lane((lane as i32 + i32::from(by)) as usize));
            }
            let best = row.aged().best(from);
            assert!((0..LANES).all(|lane| best.lane(lane) == to.lane(lane).max(from.lane(lane))));
        }
        for square in SquareSet((1 << 63) - 1) {
            assert_eq!(row.mirrored().lane(square.index()), row.lane(square.mirror().index()));
        }
        assert!(row.is_within(&row, &row) && R::ABSENT.is_within(&row, &row));
        assert!(!row.is_within(&row, &row.ahead(1).only(R::mask(SquareSet(1)))));
        let mut counts = vec![0; R::Code::KINDS];
        row.count(&mut counts);
        assert_eq!(counts.iter().sum::<u64>(), 64);
        assert!(
            all.iter().all(|code| counts[code.index()] == all.iter().filter(|&other| other == code).count() as u64)
        );
    }

    fn check_wins<R: Distances>() {
        let row = |plies: [Option<u16>; 5]| {
            let mut row = R::ABSENT;
            for (lane, plies) in plies.into_iter().enumerate() {
                row.set(lane, R::Code::of(plies.map_or(Value::DRAW, Value::decided)).unwrap());
            }
            row
        };
        let mut stored = row([Some(7), Some(9), Some(4), None, None]);
        stored.set(0, R::Code::latest(Category::Win));
        let value = row([Some(7), None, Some(6), None, Some(5)]);
        assert!(stored.with_wins(&value) == row([Some(7), Some(9), Some(4), None, None]));
        assert!(!stored.agrees(&value) && !value.agrees(&stored));
        let mut value = row([Some(7), Some(1), Some(6), None, None]);
        value.set(20, R::Code::latest(Category::Loss));
        assert!(stored.agrees(&value) && R::ABSENT.agrees(&value));
        for (plies, is_loss) in [(Some(0), true), (Some(200), true), (Some(201), false), (None, false)] {
            assert_eq!(row([plies; 5]).has_losses(), is_loss);
        }
    }

    #[test]
    fn rows_of_every_kind() {
        check_wins::<Bytes>();
        check_wins::<Wide>();
        check::<Bytes>(250);
        check::<Wide>(5000);
        check::<Bits>(1);
        assert_eq!((u8::of(Value::decided(251)), u8::of(Value::decided(253))), (Some(129), None));
        assert_eq!((u8::of(Value::decided(252)), u8::of(Value::decided(254))), (Some(126), None));
        assert!(u16::of(Value::decided(Value::MAX_PLIES)).is_some());
    }
}
