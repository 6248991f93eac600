//! The two sides of a class.

use crate::game::Color;

/// One of the two sides of a class. The [`Place`](super::Place) of a material determines the color that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side at the bottom of the board in the class's own orientation.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The color that plays this side in the class's own orientation.
    pub const fn color(self) -> Color {
        Color::BOTH[self as usize]
    }
}
