//! Puzzles: won positions with one way to win.
//!
//! The first move of a puzzle is the only one that wins ([`First::Only`]), or at least the only quickest one
//! ([`First::Quickest`]). Every later move of the winner is the only quickest one, or the solution names the others
//! ([`Step::also`]). Where tables reach, all this is exact. Beyond them the win and its
//! length are exact by proof, and so is that no other move wins as fast; that no other first move wins *at all* is
//! known as far as was searched ([`Puzzle::no_other_win_before`]).
//!
//! | file | does |
//! |---|---|
//! | `solve` | decides whether a position is a puzzle, and solves it |
//! | `traits` | what makes a puzzle hard |
//! | `find` | looks for puzzles in tables and in games |
//! | `choose` | takes some of many: without duplicates, spread over materials |

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

/// A position with one way to win, solved.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position; the side to move wins.
    pub position: Position,
    /// The solution: the winner's moves against the longest resistance, to the end of the game.
    pub line: Vec<Step>,
    /// Other first moves that are known to win, in more plies. None if the first move is the only one that wins.
    pub slower: Vec<Move>,
    /// Of the moves that are not known to win or not to win, none forces a win in fewer plies than this; `None` if all
    /// are known.
    pub no_other_win_before: Option<u16>,
    /// What makes it hard.
    pub traits: Traits,
    /// Where it comes from.
    pub source: Source,
}

/// A move of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Other moves of the winner that win as fast.
    pub also: Vec<Move>,
}

/// Where a puzzle comes from.
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
        /// The line on which the record begins, from 1.
        line: usize,
        /// Moves of the game before the position.
        ply: usize,
    },
}

/// What the first move of a puzzle has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The only move that wins; beyond the tables, as far as was searched.
    Only,
    /// The only move that wins as fast.
    Quickest,
}

/// Which puzzles are looked for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Moves of the winner.
    pub moves: RangeInclusive<u16>,
    /// Pieces on the board.
    pub pieces: RangeInclusive<usize>,
    /// What the first move has to be.
    pub first: First,
    /// Whether later moves of the winner may have equals.
    pub duals: bool,
}

impl Wanted {
    /// The plies that wins may take.
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

    /// Moves of the winner.
    pub fn moves(&self) -> usize {
        self.line.len().div_ceil(2)
    }

    /// The only move that wins.
    ///
    /// # Panics
    /// Never: a solution has a move.
    pub fn first(&self) -> Move {
        self.line[0].mv
    }

    /// Whether each move of the winner is the only quickest one.
    pub fn is_unique(&self) -> bool {
        self.line.iter().all(|step| step.also.is_empty())
    }

    /// The puzzle as JSON: `position`, `rules`, `material`, `pieces`, `moves` (of the winner), `plies`, `first`,
    /// `basis`,
    /// `no_other_win_before`, `slower` (other first moves that win), `unique`, `line`, `duals`, what makes it hard,
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

    /// How hard it is, as an estimate: ten points for each move of the winner, three for each natural move that does
    /// not win, up to five of them, fifteen for a quiet first move, ten for one that lets a piece be taken.
    pub fn difficulty(&self) -> usize {
        let bonus = |is_there: bool, points: usize| if is_there { points } else { 0 };
        let traits = self.traits;
        10 * self.moves() + 3 * traits.natural.min(5) + bonus(traits.quiet, 15) + bonus(traits.sacrifice, 10)
    }
}
