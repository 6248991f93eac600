//! Placements: where the pieces of a class stand.

use crate::game::SquareSet;

/// The most pieces a class may have. Past that, neither table nor index would fit anywhere.
pub const MAX_PIECES: usize = 8;

/// The squares of each group of a class, in the class's order; empty past its last group.
pub type Sets = [SquareSet; MAX_PIECES];
