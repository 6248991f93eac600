//! Results of probing.

use crate::game::{Animal, Category, Move, Over, Position};
use crate::material::Material;
use crate::table::Value;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Win, draw or loss.
    pub category: Category,
    /// Plies to the end of the game; `None` for a draw, or if only a WDL table exists.
    pub dtw: Option<u16>,
    /// Why the game is over; `None` if it is not.
    pub over: Option<Over>,
}

/// A legal move and the position after it.
#[derive(Clone, Copy, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The captured animal.
    pub capture: Option<Animal>,
    /// Whether the move enters the den.
    pub den: bool,
    /// The position after the move.
    pub position: Position,
    /// Its value for the side then to move; `None` if its table is missing.
    pub answer: Option<Answer>,
    /// The material whose table is missing.
    pub missing: Option<Material>,
}

impl RankedMove {
    /// Sort key of moves, best for the mover first: wins, fastest first, then unknown moves, draws, and losses, slowest
    /// first; moves without a distance come after those with one.
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
    /// The value for the mover of a move that leads here, counting that move.
    #[must_use]
    pub fn before(self) -> Self {
        Self { category: self.category.reversed(), dtw: self.dtw.map(|plies| plies + 1), over: None }
    }

    /// Short text form: `win in 17`.
    pub fn short(self) -> String {
        match self.dtw {
            Some(plies) => format!("{} in {plies}", self.category.name()),
            None => self.category.name().to_owned(),
        }
    }

    /// Sort key by preference of the side to move, ascending.
    pub fn merit(&self) -> i32 {
        // A finished game can be won at distance 0, which `Value` cannot represent.
        match (self.category, self.dtw) {
            (Category::Loss, Some(plies)) | (Category::Win, Some(plies @ 1..)) => Value::decided(plies).merit(),
            (category, _) => Value::least(category).merit(),
        }
    }
}
