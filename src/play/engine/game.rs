//! A game as a search knows it.

use crate::game::{Move, Position, Rules};

/// A game: the position now and those before it, which a search must not repeat for free.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position now.
    pub position: Position,
    /// All positions before it, in their order.
    pub earlier: Vec<Position>,
}

impl Game {
    /// A game that begins here.
    pub const fn new(position: Position) -> Self {
        Self { position, earlier: Vec::new() }
    }

    /// Plays a move; tells whether it is legal.
    pub fn play(&mut self, rules: &Rules, mv: Move) -> bool {
        let Some(next) = self.position.play(rules, mv) else { return false };
        self.earlier.push(std::mem::replace(&mut self.position, next));
        true
    }
}
