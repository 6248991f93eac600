//! Retrograde analysis, one machine word of positions at a time.
//!
//! # The analysis
//!
//! Fix all pieces of a class but one, the *plane piece*: a *configuration*. The positions that differ only in the
//! square of the plane piece are the bits of a word. Each configuration and side to move has a word of known wins and
//! one of known losses, and the analysis proceeds ply by ply:
//!
//! - A *win pass* (odd ply) adds to the wins of a side every position with a move to a position that the other side has
//!   lost: `win[s][c] |= loss[other][c']` for each configuration `c'` that a move of a piece leads to; a move of the
//!   plane piece is a shift under a mask.
//! - A *loss pass* (even ply) adds to the losses of a side every position all of whose moves lead to positions that the
//!   other side has won: `loss[s][c] |= AND of win[other][c']`, where squares that a piece cannot move to count as won.
//!
//! A win pass reads losses and writes wins, and a loss pass the reverse, so each pass is exactly one ply and the
//! distance of a position is the ply at which it was found. A position that no pass finds is a draw.
//!
//! # Example
//!
//! White's lion on d7, Black's cat on a1, White to move: the lion goes to d8 and then into the den. Ply 1: with the
//! lion on d8 (or c9, e9) White wins by entering the den; the seeds record this before the first pass. Ply 2: Black to
//! move, lion on d8: after every move of the cat White has won at ply 1, so the AND over all words is set. Ply 3: White
//! to move, lion on d7, has a move to a position that Black has lost at ply 2: a win in 3.
//!
//! # Captures
//!
//! A capture leads to a smaller class, solved before. Each position has a `cell` with the value of its captures: a win
//! at a certain ply, a save, or a gate that prevents a loss before a certain ply. A row keeps the next ply at which one
//! of its cells takes effect. Thus distances count through captures. Solving WDL only needs no cells: a capture wins at
//! once or saves permanently.
//!
//! # Modules
//!
//! `layout` lays a class out in memory, `view` resolves the smaller tables, `seeds` evaluates captures, `moves` reads
//! whole rows of neighbors, `passes` runs single plies over the `side_state` (what is known with one side to move),
//! `solver` drives the passes, and `schedule` processes the classes; [`plan`] estimates the cost beforehand.
//! [`mod@reference`] solves small classes again by the plainest method, for tests.

mod checkpoint;
mod code;
mod error;
mod estimate;
mod journal;
mod layout;
mod memory;
mod moves;
mod passes;
pub mod plan;
mod planes;
mod progress;
mod records;
pub mod reference;
mod schedule;
mod scratch;
mod seeds;
mod solved;
mod solver;
mod view;

pub use error::SolveError;
pub use memory::Need;
pub use progress::{Progress, Silent, Stage};
pub use schedule::{ClassResult, Generator, Origin};
