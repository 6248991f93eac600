//! Groups: pieces that are placed as a set.

use super::side::Side;
use crate::game::{Animal, Piece, SquareSet};

/// Pieces of one side that are the same to every other piece: they are placed as a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Whose they are.
    pub side: Side,
    /// The animals, any of which stands for the others.
    pub animals: Vec<Animal>,
    /// Which pieces of the side they are, in the class's canonical order.
    pub(super) slots: Vec<usize>,
    /// Where they may stand.
    pub domain: SquareSet,
}

impl Group {
    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.animals.len()
    }

    /// Never: a group has a piece.
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
