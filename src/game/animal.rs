//! The eight animals and the two sides.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An animal, in the standard order of strength; a rule set may change the order with
/// [`crate::game::RuleKeys::strength`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Animal {
    Rat,
    Cat,
    Dog,
    Wolf,
    Leopard,
    Tiger,
    Lion,
    Elephant,
}

impl Animal {
    /// All animals, weakest first.
    pub const ALL: [Self; 8] =
        [Self::Rat, Self::Cat, Self::Dog, Self::Wolf, Self::Leopard, Self::Tiger, Self::Lion, Self::Elephant];

    /// Index of the animal, rat 0 to elephant 7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Upper-case letter: R C D W P T L E.
    pub const fn letter(self) -> char {
        ['R', 'C', 'D', 'W', 'P', 'T', 'L', 'E'][self as usize]
    }

    /// English name, lower case, as rule files spell it.
    pub const fn name(self) -> &'static str {
        ["rat", "cat", "dog", "wolf", "leopard", "tiger", "lion", "elephant"][self as usize]
    }

    /// The animal with this upper-case letter; `J` (jaguar) is accepted for the leopard.
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = if letter == 'J' { 'P' } else { letter };
        Self::ALL.into_iter().find(|animal| animal.letter() == letter)
    }
}

/// A side. White starts at the bottom (ranks 1 to 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["White", "Black"][self.index()])
    }
}

/// An animal of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its side.
    pub color: Color,
    /// The animal.
    pub animal: Animal,
}

impl Piece {
    /// Upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.animal.letter(),
            Color::Black => self.animal.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter; `None` for a letter of no animal.
    pub fn from_letter(letter: char) -> Option<Self> {
        let animal = Animal::from_letter(letter.to_ascii_uppercase())?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Self { color, animal })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.to_string().to_lowercase(), self.animal.name())
    }
}
