//! Proofs: exact values beyond the tables.
//!
//! A [`Prover`] shows by search that one side forces the end of the game, and in how many plies; where it cannot, it
//! says how long a forced win would have to be at least. Nothing in its answers is an estimate.

mod bound;
pub mod certificate;
mod ground;
mod leaves;
mod limits;
mod line;
mod node;
mod prover;
mod search;
mod table;

pub use limits::Limits;
pub use prover::{Progress, Prover};

use crate::game::{Category, Color, Move, Position, PositionError, Rules};
use crate::probe::ProbeError;
use serde_json::{Value, json};
use std::time::Duration;
use thiserror::Error;

/// What a prover is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bytes for the table of proofs. It never grows.
    pub memory: usize,
    /// Threads that search together.
    pub threads: usize,
}

impl Default for Options {
    /// 64 MiB, one thread for each processor.
    fn default() -> Self {
        Self { memory: 64 << 20, threads: std::thread::available_parallelism().map_or(1, usize::from) }
    }
}

/// What a claimed distance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The distance: the winner can be no quicker and the loser no slower.
    Exact,
    /// The winner needs no more plies than this.
    AtMost,
    /// There is no distance.
    None,
}

impl Bound {
    /// `exact`, `at-most` or `none`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::AtMost => "at-most",
            Self::None => "none",
        }
    }
}

/// What a value rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The game is over.
    Over,
    /// The position has a table.
    Table,
    /// Search, down to ends of the game and table values.
    Proof,
}

/// What is proven of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The position.
    pub position: Position,
    /// Its value for the side to move; `None` if it is not known.
    pub category: Option<Category>,
    /// Plies to the end of the game, as `bound` says.
    pub dtw: Option<u16>,
    /// What `dtw` is.
    pub bound: Bound,
    /// What the value rests on; `None` if it is not known.
    pub basis: Option<Basis>,
    /// No forced win of either side ends in fewer plies than this; `None` if neither side has a forced win.
    pub not_before: Option<u16>,
    /// The same for each side by itself, by [`Color::index`].
    pub not_before_by: [Option<u16>; 2],
    /// The best line, both sides playing as well as is proven; empty without a distance, and it may end early.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub positions: u64,
    /// Time taken.
    pub time: Duration,
}

impl Proof {
    /// The side that wins, `None` for a draw or if it is not known.
    pub fn winner(&self) -> Option<Color> {
        match self.category? {
            Category::Win => Some(self.position.to_move()),
            Category::Loss => Some(self.position.to_move().other()),
            Category::Draw => None,
        }
    }

    /// The proof as JSON: `position`, `rules`, `category` (`unknown` if it is not known), `dtw`, `bound`, `not_before`,
    /// `line`, `positions`, `seconds`.
    pub fn json(&self, rules: &Rules) -> Value {
        json!({
            "position": self.position.to_text(rules),
            "rules": rules.name(),
            "category": self.category.map_or("unknown", Category::name),
            "dtw": self.dtw,
            "bound": self.bound.name(),
            "not_before": self.not_before,
            "line": self.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "positions": self.positions,
            "seconds": (self.time.as_secs_f64() * 1000.0).round() / 1000.0,
        })
    }
}

/// Why a position was not searched.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The position cannot occur under these rules.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// There is no memory for the table of proofs.
    #[error("no memory for a table of proofs of {bytes} bytes: give it less")]
    Memory {
        /// Bytes that were asked for.
        bytes: usize,
    },
    /// A table is present and cannot be used.
    #[error(transparent)]
    Table(#[from] ProbeError),
}
