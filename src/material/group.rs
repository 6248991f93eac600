//! Groups: pieces placed as a set.

use super::side::Side;
use crate::game::{Animal, Piece, SquareSet};

/// Pieces of one side that are equivalent to each other: they are placed as a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Side of the pieces.
    pub side: Side,
    /// The animals, which are interchangeable.
    pub animals: Vec<Animal>,
    /// Indices of the pieces in the class's canonical order.
    pub(super) slots: Vec<usize>,
    /// Squares they may stand on.
    pub domain: SquareSet,
}

impl Group {
    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.animals.len()
    }

    /// Always false: a group has at least one piece.
    pub fn is_empty(&self) -> bool {
        self.animals.is_empty()
    }

    /// Its animals in another material of the class, whose sides are given in canonical order.
    pub(super) fn cast(&self, sides: &[Vec<Animal>; 2]) -> Vec<Animal> {
        self.slots.iter().map(|&slot| sides[self.side.index()][slot]).collect()
    }

    /// Any of its animals.
    pub fn animal(&self) -> Animal {
        self.animals[0]
    }

    /// Any of its pieces, in the class's own orientation.
    pub fn piece(&self) -> Piece {
        Piece { color: self.side.color(), animal: self.animal() }
    }
}
