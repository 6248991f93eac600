//! What the tables answer.

use crate::game::{Animal, Category, Move, Over, Position};
use crate::material::Material;
use crate::table::Value;

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Win, draw or loss.
    pub category: Category,
    /// Plies to the end of the game; `None` for a draw, or if only a table of results is there.
    pub dtw: Option<u16>,
    /// Why the game is over, if it is.
    pub over: Option<Over>,
}

/// A legal move and the position after it.
#[derive(Clone, Copy, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The animal it takes.
    pub capture: Option<Animal>,
    /// Whether it enters the den.
    pub den: bool,
    /// The position after it.
    pub position: Position,
    /// What that is for the side then to move; `None` if its table is missing.
    pub answer: Option<Answer>,
    /// The material whose table is missing.
    pub missing: Option<Material>,
}

impl RankedMove {
    /// Sorts moves by how welcome they are to the side that has them: won ones, quickest first, then unknown ones, drawn
    /// ones, and lost ones, slowest first; where only the result is known, after those with a distance.
    pub fn rank(&self) -> (u8, i32) {
        match self.answer.map(|after| (after.category, after.dtw)) {
            Some((Category::Loss, plies)) => (0, plies.map_or(i32::MAX, i32::from)),
            None => (1, 0),
            Some((Category::Draw, _)) => (2, 0),
            Some((Category::Win, plies)) => (3, plies.map_or(i32::MAX, |plies| -i32::from(plies))),
        }
    }
}

impl Answer {
    /// What a move that leads here comes to for its mover, that move counted.
    #[must_use]
    pub fn before(self) -> Self {
        Self { category: self.category.reversed(), dtw: self.dtw.map(|plies| plies + 1), over: None }
    }

    /// The answer in a few letters: `win in 17`.
    pub fn short(self) -> String {
        match self.dtw {
            Some(plies) => format!("{} in {plies}", self.category.name()),
            None => self.category.name().to_owned(),
        }
    }

    /// Sorts answers by how welcome they are to the side to move.
    pub fn merit(&self) -> i32 {
        // A game that is over can be won at distance 0, which no value has.
        match (self.category, self.dtw) {
            (Category::Loss, Some(plies)) | (Category::Win, Some(plies @ 1..)) => Value::decided(plies).merit(),
            (category, _) => Value::least(category).merit(),
        }
    }
}
