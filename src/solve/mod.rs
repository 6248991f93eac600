//! Retrograde analysis, a machine word of positions at a time.
//!
//! # The analysis
//!
//! Fix all pieces of a class but one, the *plane piece*: a *configuration*. The positions that differ only in the
//! plane piece's square are the bits of a word. For each configuration and side to move there is a word of known
//! wins and one of known losses, and the analysis goes ply by ply:
//!
//! - A *win pass* (odd ply) adds to the wins of a side every position with a move to a position that the other side
//!   has lost: `win[s][c] |= loss[other][c']` for each configuration `c'` that a move of a piece leads to; a move of
//!   the plane piece is a shift under a mask.
//! - A *loss pass* (even ply) adds to the losses of a side every position all of whose moves lead to positions that
//!   the other side has won: `loss[s][c] |= AND of win[other][c']`, where squares that a piece cannot go to count as
//!   won.
//!
//! A win pass reads losses and writes wins, a loss pass the reverse, so each pass is exactly one ply and a position's
//! distance is the ply at which it was found. What no pass finds is a draw.
//!
//! # Example
//!
//! White's lion on d7, Black's cat on a1, White to move: the lion goes to d8 and then into the den. Ply 1: with the
//! lion on d8 (or c9, e9) White wins by entering the den; the seeds say so before the first pass. Ply 2: Black to
//! move, lion on d8: wherever the cat goes, White has won at ply 1; the loss pass finds that all words agree on it.
//! Ply 3: White to move, lion on d7, has a move to a position that Black has lost at ply 2: a win in 3.
//!
//! # Captures
//!
//! A capture leads to a smaller class, solved before. Each position has a `cell` that says what its captures
//! come to: a win at a certain ply, a save, or a gate that keeps it from being lost before a certain ply. A row keeps
//! the next ply at which one of its cells comes into effect. So distances count through captures. Solving for
//! results alone needs no cells: a capture wins at once or saves for good.
//!
//! # Modules
//!
//! `layout` lays a class out in memory, `view` resolves the smaller tables, `seeds` weighs captures, `moves` reads
//! whole rows of neighbors, `passes` are the plies over the `side_state` (what is known with one side to move), `solver` drives them,
//! `schedule` goes through the classes; [`plan`] says before what that takes. [`mod@reference`] solves small classes again in the plainest way, for tests.

mod cell;
mod checkpoint;
mod error;
mod estimate;
mod layout;
mod memory;
mod moves;
mod passes;
pub mod plan;
mod progress;
mod raw;
pub mod reference;
mod schedule;
mod seeds;
mod side_state;
mod solver;
mod view;

pub use error::SolveError;
pub use memory::memory_need;
pub use progress::{Progress, Silent, Stage};
pub use schedule::{Generator, Origin, Report};
