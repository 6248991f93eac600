//! The game as input of a search.

use crate::game::{Move, Position, Rules};

/// A game: the current position and the earlier ones, which the search needs to detect repetition.
#[derive(Clone, Debug)]
pub struct Game {
    /// The current position.
    pub position: Position,
    /// All earlier positions, in order.
    pub earlier: Vec<Position>,
}

impl Game {
    /// A game that starts at this position.
    pub const fn new(position: Position) -> Self {
        Self { position, earlier: Vec::new() }
    }

    /// Plays a move; returns whether it is legal.
    pub fn play(&mut self, rules: &Rules, mv: Move) -> bool {
        let Some(next) = self.position.play(rules, mv) else { return false };
        self.earlier.push(std::mem::replace(&mut self.position, next));
        true
    }
}
