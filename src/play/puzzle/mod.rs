//! Puzzles: won positions with one way to win.
//!
//! The first move of a puzzle is the only winning move ([`First::Only`]), or at least the only fastest one
//! ([`First::Quickest`]). Every later move of the winner is the only fastest one, or the solution names the others
//! ([`SolutionMove::also`]). Within the tables, all this is exact. Beyond them the win and its length are exact by proof, and
//! so is the claim that no other move wins as fast; that no other first move wins *at all* holds only as far as
//! searched ([`Puzzle::no_other_win_before`]).
//!
//! | file | does |
//! |---|---|
//! | `solve` | decides whether a position is a puzzle, and solves it |
//! | `traits` | computes what makes a puzzle hard |
//! | `find` | searches for puzzles in tables and in games |
//! | `choose` | selects puzzles: without duplicates, spread over materials |

mod choose;
mod find;
mod solve;
mod traits;

pub use choose::{Choice, choose};
pub use find::{from_game, from_table};
pub use solve::solve;
pub use traits::Traits;

use crate::game::{Move, Position, Rules};
use crate::material::Material;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// A won position with one way to win, with its solution.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position; the side to move wins.
    pub position: Position,
    /// The solution: the winner's moves against the longest resistance, to the end of the game.
    pub line: Vec<SolutionMove>,
    /// Other first moves that are known to win, in more plies. Empty if the first move is the only winning one.
    pub slower: Vec<Move>,
    /// Of the moves not known to win or not to win, none forces a win in fewer plies than this; `None` if all are
    /// known.
    pub no_other_win_before: Option<u16>,
    /// Properties that make it hard.
    pub traits: Traits,
    /// Its origin.
    pub source: Source,
}

/// A move of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionMove {
    /// The move.
    pub mv: Move,
    /// Other moves of the winner that win as fast.
    pub also: Vec<Move>,
}

/// Origin of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The table of a class.
    Table {
        /// The class's name.
        class: String,
    },
    /// A game.
    Game {
        /// The file's name.
        file: String,
        /// The first line of the record, from 1.
        line: usize,
        /// Number of moves of the game before the position.
        ply: usize,
    },
}

/// Requirement on the first move of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The only winning move; beyond the tables, as far as searched.
    Only,
    /// The only fastest winning move.
    Quickest,
}

/// Requirements on puzzles.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Number of moves of the winner.
    pub moves: RangeInclusive<u16>,
    /// Number of pieces on the board.
    pub pieces: RangeInclusive<usize>,
    /// Requirement on the first move.
    pub first: First,
    /// Whether later moves of the winner may have equally fast alternatives.
    pub duals: bool,
}

impl Wanted {
    /// The allowed lengths of wins in plies.
    pub fn plies(&self) -> RangeInclusive<u16> {
        let plies = |moves: u16| moves.saturating_mul(2).saturating_sub(1);
        plies(*self.moves.start())..=plies(*self.moves.end())
    }
}

impl Puzzle {
    /// Plies to the end of the game.
    pub fn plies(&self) -> usize {
        self.line.len()
    }

    /// Number of moves of the winner.
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// The first move of the solution.
    ///
    /// # Panics
    /// Never panics: a solution has at least one move.
    pub fn first(&self) -> Move {
        self.line[0].mv
    }

    /// Whether each move of the winner is the only fastest one.
    pub fn is_unique(&self) -> bool {
        self.line.iter().all(|step| step.also.is_empty())
    }

    /// The puzzle as JSON: `position`, `rules`, `material`, `pieces`, `moves` (of the winner), `plies`, `first`,
    /// `basis`, `no_other_win_before`, `slower` (other winning first moves), `unique`, `line`, `duals`, the traits,
    /// `difficulty`, `source`.
    pub fn json(&self, rules: &Rules) -> Value {
        let duals = self.line.iter().enumerate().filter(|(_, step)| !step.also.is_empty());
        let duals = duals.map(
            |(at, step)| json!({"ply": at + 1, "moves": step.also.iter().map(ToString::to_string).collect::<Vec<_>>()}),
        );
        json!({
            "position": self.position.to_text(rules),
            "rules": rules.name(),
            "material": Material::of(&self.position).to_string(),
            "pieces": self.position.len(),
            "moves": self.moves(),
            "plies": self.plies(),
            "first": self.first().to_string(),
            "basis": if self.no_other_win_before.is_none() { "exact" } else { "as-far-as-proven" },
            "no_other_win_before": self.no_other_win_before,
            "slower": self.slower.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "unique": self.is_unique(),
            "line": self.line.iter().map(|step| step.mv.to_string()).collect::<Vec<_>>(),
            "duals": duals.collect::<Vec<_>>(),
            "quiet": self.traits.quiet,
            "sacrifice": self.traits.sacrifice,
            "others": self.traits.others,
            "natural": self.traits.natural,
            "difficulty": self.difficulty(),
            "source": match &self.source {
                Source::Table { class } => json!({"class": class}),
                Source::Game { file, line, ply } => json!({"file": file, "line": line, "ply": ply}),
            },
        })
    }

    /// Estimated difficulty: ten points per move of the winner, three per natural move that does not win, up to five of
    /// them, fifteen for a quiet first move, ten for one that lets a piece be captured.
    pub fn difficulty(&self) -> usize {
        let bonus = |is_there: bool, points: usize| if is_there { points } else { 0 };
        let traits = self.traits;
        10 * self.moves() + 3 * traits.natural.min(5) + bonus(traits.quiet, 15) + bonus(traits.sacrifice, 10)
    }
}
