//! Placements: the squares of the pieces of a class.

use crate::game::SquareSet;

/// Maximum number of pieces of a class. Larger tables and indexes would be impractical.
pub const MAX_PIECES: usize = 8;

/// The squares of each group of a class, in the class's order; empty after its last group.
pub type Sets = [SquareSet; MAX_PIECES];
