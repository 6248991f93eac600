//! Proofs: exact values beyond the tables.
//!
//! A [`Prover`] shows by search that one side forces the end of the game, and in how many plies; where it cannot, it
//! says how long a forced win would have to be at least. Nothing in its answers is an estimate.
//!
//! # The search
//!
//! The question is always the same: can this side, the attacker, force the end within `n` plies? It is asked for
//! `n` = 1, 2, 3, …; odd numbers are wins of the side to move, even ones of the other, so each `n` has one attacker. Where
//! he is to move one move must do, where the defender is to move every move must fail. The first `n` that holds is the
//! distance, exactly, since `n - 2` was excluded before.
//!
//! - *Bounds* (`bound.rs`) say what cannot be done in the moves that are left, whatever is in the way: an entry into the
//!   den by a piece that is too far, the capture of more pieces than there are moves, the blocking of a side that can
//!   shuttle a piece in more places than can be disturbed, and an entry through gates whose guards nobody can remove in
//!   time. Each bound names a strategy of the defender that makes it true. Moves of the attacker after which a bound
//!   would hold are not even made.
//! - *Threats*: while a piece stands at a gate of the den, only its capture is looked at.
//! - *The table of proofs* (`table.rs`) keeps for each position and each side the longest distance that is excluded and
//!   the shortest one that is proven, and a move; it serves all threads and all positions that one prover is asked for.
//! - *Order*: the move of the table, captures of what is nearest to the den, the move that refuted the attacker's last
//!   move elsewhere, moves that refuted sister positions. In positions of real games the first move tried refutes in 99
//!   of 100 cases, so what is left to save is moves of the attacker: hence the bounds.
//! - *Threads* search the same question; all but the first take the attacker's moves from the other end and find in the
//!   table what the others have done.
//! - *Leaves*: ends of the game and tables. A table without distances says only who cannot win.
//!
//! # Why it is sound
//!
//! *Circles.* Positions of Jungle repeat, and search with a table can then prove a thing by itself: a value found on one
//! path may rest on a repetition that another path does not have (graph-history interaction: Kishimoto & Müller, *A
//! general solution to the graph history interaction problem*, 2004). Here no value depends on the path. A claim "within
//! `n`" rests on claims "within `n - 1`" of the successors and on nothing else, "not within `n`" on "not within `n - 1`";
//! both end at `n = 0`, at the rules, at a bound or at a table. Repetition is neither detected nor needed. A draw is
//! claimed only if tables give it (or the rule set, for a side without a move).
//!
//! *Hash collisions.* An entry is found by 64 bits of one key of the position and checked by 64 bits of a second,
//! independent one; words of two entries torn by two threads match no check. Two positions that share an entry by chance
//! are expected once in some 10^19 look-ups. The best line is then found anew, every move from the move generator of
//! `game`, and must end the game at the claimed ply. Whoever wants more than odds lets a [`certificate`] be written and
//! checked: none of this code has a part in that.
//!
//! # Sources
//!
//! Iterative deepening of the length of a forced win is what programs for chess problems do. Proof numbers (Allis,
//! *Searching for solutions in games and artificial intelligence*, 1994; df-pn: Nagai, 2002) and threat sequences
//! (lambda search: Thomsen, 2000) find some longer wins, without the distance; they are not used.

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
    #[error("not enough memory for a table of proofs of {bytes} bytes: give a smaller size")]
    Memory {
        /// Bytes that were asked for.
        bytes: usize,
    },
    /// A table is present and cannot be used.
    #[error(transparent)]
    Table(#[from] ProbeError),
}

impl ProofError {
    /// A short name for programs, as [`ProbeError::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::Position(_) => "bad-position",
            Self::Memory { .. } => "unavailable",
            Self::Table(error) => error.code(),
        }
    }
}
