//! The value of a position: the result and its distance.

use crate::game::Category;
use std::fmt;

/// The value of a position for the side to move, with best play by both sides.
///
/// The distance is in plies to the end of the game when the winner plays the fastest win and the loser the longest
/// defense: odd for a win, even for a loss, 0 for a side that has already lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Value(u16);

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(0);
    /// The longest distance that a table can store.
    pub const MAX_PLIES: u16 = 65_000;

    /// A decided game that ends after this many plies: a win if odd, a loss if even.
    ///
    /// # Panics
    /// Panics if `plies` is far above [`Value::MAX_PLIES`].
    #[inline]
    pub const fn decided(plies: u16) -> Self {
        assert!(plies < u16::MAX);
        Self(plies + 1)
    }

    /// The value of this category with the least possible distance.
    pub const fn least(category: Category) -> Self {
        match category {
            Category::Loss => Self::decided(0),
            Category::Draw => Self::DRAW,
            Category::Win => Self::decided(1),
        }
    }

    /// Win, draw or loss.
    #[inline]
    pub const fn category(self) -> Category {
        match self.0 {
            0 => Category::Draw,
            code if code % 2 == 0 => Category::Win,
            _ => Category::Loss,
        }
    }

    /// Plies to the end of the game; `None` for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u16> {
        self.0.checked_sub(1)
    }

    /// The code in table files: 0 for a draw, otherwise the distance plus one.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The inverse of [`Value::code`]; `None` for a distance above [`Value::MAX_PLIES`].
    #[inline]
    pub const fn from_code(code: u16) -> Option<Self> {
        if code <= Self::MAX_PLIES + 1 { Some(Self(code)) } else { None }
    }

    /// The value one ply earlier for the other side, if it moves here.
    #[inline]
    #[must_use]
    pub const fn before(self) -> Self {
        match self.0 {
            0 => Self(0),
            code => Self(code + 1),
        }
    }

    /// Sort key by preference of the side to move, ascending: fast losses, slow losses, draws, slow wins, fast wins.
    #[inline]
    pub fn merit(self) -> i32 {
        match (self.category(), i32::from(self.0)) {
            (Category::Win, code) => i32::from(u16::MAX) + 1 - code,
            (Category::Draw, _) => 0,
            (Category::Loss, code) => code - i32::from(u16::MAX) - 1,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies}", self.category().name()),
            None => f.write_str("draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_tells_wins_from_losses() {
        assert_eq!(Value::decided(0).category(), Category::Loss);
        assert_eq!(Value::decided(1).category(), Category::Win);
        assert_eq!(Value::decided(34).category(), Category::Loss);
        assert_eq!(Value::DRAW.plies(), None);
        assert_eq!(Value::decided(7).before(), Value::decided(8));
        assert_eq!(Value::DRAW.before(), Value::DRAW);
        let order =
            [Value::decided(0), Value::decided(8), Value::DRAW, Value::decided(9), Value::decided(1)].map(Value::merit);
        assert!(order.is_sorted());
    }
}
