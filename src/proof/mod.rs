//! Proofs: exact values beyond the tables.
//!
//! A [`Prover`] proves by search that one side forces the end of the game, and in how many plies; otherwise it gives a
//! lower bound on the length of any forced win. No answer is an estimate.
//!
//! # The search
//!
//! The question is always: can this side, the attacker, force the end within `n` plies? It is asked for `n` = 1, 2, 3,
//! …; odd numbers are wins of the side to move, even ones of the other, so each `n` has one attacker. With the attacker
//! to move, one move must succeed; with the defender to move, every move must fail. The first `n` that succeeds is the
//! exact distance, since `n - 2` was excluded before.
//!
//! - *Bounds* (`bound/`) exclude what cannot be done in the remaining moves, even if nothing is in the way: an entry
//!   into the den by a piece that is too far, the capture of all pieces or the blocking of all moves where that takes
//!   too many visits to too distant squares, and an entry through gates whose guards cannot be removed in time, or
//!   whose guards arrive in time. Each bound names a strategy of the defender that makes it true. Moves of the
//!   attacker after which a bound would apply are not generated.
//! - *Threats*: while a piece stands at a gate of the den, only its capture is searched.
//! - *The proof table* (`table.rs`) stores for each position and each side the longest excluded distance and the
//!   shortest proven one, and a move; all threads and all positions of one prover share it.
//! - *Order*: the move from the table, captures of the pieces nearest to the den, the move that refuted the attacker's
//!   last move elsewhere, moves that refuted sibling positions. In positions of real games the first move tried refutes
//!   in 99 of 100 cases, so only moves of the attacker can still be saved: hence the bounds.
//! - *Threads* search the same question; all but the first try the attacker's moves in reverse order and share results
//!   through the table.
//! - *Leaves*: ends of the game and tables. A WDL table only excludes wins.
//!
//! # Why it is sound
//!
//! *Cycles.* Positions of Jungle repeat, and a search with a table can then give circular proofs: a value found on one
//! path may rest on a repetition that another path does not have (graph-history interaction: Kishimoto & Müller, *A
//! general solution to the graph history interaction problem*, 2004). Here no value depends on the path. A claim
//! "within `n`" rests only on claims "within `n - 1`" of the successors, and "not within `n`" on "not within `n - 1`";
//! both end at `n = 0`, at the rules, at a bound or at a table. Repetition is neither detected nor needed. A draw is
//! claimed only if tables give it (or the rule set, for a side without a legal move).
//!
//! *Hash collisions.* An entry is found by 64 bits of one key of the position and checked by 64 bits of a second,
//! independent one; words of two entries mixed by concurrent writes match no check. Two positions that share an entry
//! by chance are expected once in about 10^19 lookups. The best line is then recomputed with the move generator of
//! `game`, and must end the game at the claimed ply. For certainty beyond that, write and check a [`certificate`]: the
//! check uses none of this code.
//!
//! # Sources
//!
//! Iterative deepening on the length of a forced win is common in programs for chess problems.
//!
//! Two searches for longer wins were measured on every tenth position of 24 real games, and are not used: none of the
//! 146 positions that this search leaves open (11 to 16 pieces, 8 million positions searched each, wins excluded within
//! 20 plies in the median) was proven for either side.
//! - *Threats* (lambda search: Thomsen, 2000) in proof-number order (Allis, *Searching for solutions in games and
//!   artificial intelligence*, 1994; df-pn: Nagai, 2002), for wins of up to 51 plies: each move of the attacker must
//!   threaten a win within `k` plies if the defender passes. For `k` = 9 this search ends without a proof for both
//!   sides of all positions, after 6,000 positions on average, and for `k` = 11 in 286 of 292 cases.
//! - *Null moves*: a position with the defender to move is given up unless a pass loses two plies sooner than
//!   required. This reached wins of 31 plies in the median, with 2 million positions for each side. Of 11 known wins of
//!   9 to 17 plies it finds 10, at most two plies longer than they are, and the long ones after more positions.
//!
//! A search in which the attacker only captures and moves nearer to the den, on a quarter of the positions, proved none
//! of 74 open positions.

mod bound;
#[cfg(not(target_family = "wasm"))]
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

/// Options of a prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the proof table in bytes. It never grows.
    pub memory: usize,
    /// Number of threads that search together.
    pub threads: usize,
}

impl Default for Options {
    /// 64 MiB, one thread per processor.
    fn default() -> Self {
        Self { memory: 64 << 20, threads: std::thread::available_parallelism().map_or(1, usize::from) }
    }
}

/// Meaning of a claimed distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The distance: there is no faster win and no longer defense.
    Exact,
    /// An upper bound on the winner's plies.
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

/// Basis of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The game is over.
    Over,
    /// The position has a table.
    Table,
    /// A search, down to ends of the game and table values.
    Proof,
}

/// The proven facts about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The position.
    pub position: Position,
    /// Its value for the side to move; `None` if unknown.
    pub category: Option<Category>,
    /// Plies to the end of the game, exact or a bound according to `bound`.
    pub dtw: Option<u16>,
    /// Meaning of `dtw`.
    pub bound: Bound,
    /// Basis of the value; `None` if unknown.
    pub basis: Option<Basis>,
    /// Neither side has a forced win in fewer plies; `None` if neither has a forced win at all.
    pub not_before: Option<u16>,
    /// The same for each side separately, by [`Color::index`].
    pub not_before_by: [Option<u16>; 2],
    /// The best line as far as proven; empty without a distance, and it may end early.
    pub line: Vec<Move>,
    /// Number of positions searched.
    pub positions: u64,
    /// Time taken.
    pub time: Duration,
}

impl Proof {
    /// The winner; `None` for a draw or an unknown value.
    pub fn winner(&self) -> Option<Color> {
        match self.category? {
            Category::Win => Some(self.position.to_move()),
            Category::Loss => Some(self.position.to_move().other()),
            Category::Draw => None,
        }
    }

    /// The proof as JSON: `position`, `rules`, `category` (`unknown` if unknown), `dtw`, `bound`, `not_before`, `line`,
    /// `positions`, `seconds`.
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
#[non_exhaustive]
pub enum ProofError {
    /// The position cannot occur under these rules.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// There is no memory for the proof table.
    #[error("not enough memory for a table of proofs of {bytes} bytes: give a smaller size")]
    Memory {
        /// Requested bytes.
        bytes: usize,
    },
    /// A table exists but cannot be used.
    #[error(transparent)]
    Table(#[from] ProbeError),
}

impl ProofError {
    /// A short code for programs, as [`ProbeError::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Position(_) => "bad-position",
            Self::Memory { .. } => "unavailable",
            Self::Table(error) => error.code(),
        }
    }
}
