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
//! # Distances
//!
//! The words in memory hold who wins. A *journal* holds when: for each ply, the configurations in which it decided
//! positions, with these positions. It is read when the tables are written. So distances take no memory while a
//! class is solved; the journal of a large class is in a scratch file, from which an interrupted run resumes.
//!
//! # Captures
//!
//! A capture leads to a smaller class, solved before. The *seeds* evaluate all captures before the first pass. A
//! position with a capture that does not lose is *saved*: no loss pass finds it. A capture that wins at a later ply, or
//! that loses, but only at a later ply, is recorded in the journal under that ply: the pass of this ply then adds the
//! position to the wins, or removes it from the saved ones. Thus distances count through captures.
//!
//! # Memory
//!
//! Each side has three words per configuration: won, lost, saved. They are processed in *slabs*: stretches of states of
//! the *lead*, the group that the index places first, so that a slab is a stretch of the table, and only moves of the
//! lead leave it. What else takes memory is restricted to some slabs at a time: the smaller tables while the seeds
//! are evaluated, and the distances of a slab while it is written. If the words do not fit in memory, they are mapped
//! from files, of which the system keeps the slabs in use.
//!
//! # Modules
//!
//! `layout` lays a class out in memory, in `slabs`; `view` resolves the smaller tables, `seeds` evaluates captures and
//! `seeding` all that is known before the first pass; `moves` reads whole rows of neighbors, and `passes` runs single
//! plies over the `planes` (what is known with one side to move). The `journal` keeps `records` in `scratch` space, and
//! `checkpoint` makes it last. `solver` drives the passes, `solved` restores the values for the tables, and `schedule`
//! processes the classes; [`plan`] estimates the cost beforehand.
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
mod seeding;
mod seeds;
mod slabs;
mod solved;
mod solver;
mod view;

pub use error::SolveError;
pub use memory::Need;
pub use progress::{Progress, Silent, Stage};
pub use schedule::{ClassResult, Generator, Origin};
