//! Distances that the tables leave out.
//!
//! A DTW table of format version 2 holds the distances of lost positions. A won position is won one ply later than the
//! quickest lost position that a move leads to, and that is stored: in the same table with the other side to move, or,
//! after a capture, in a smaller one. So one ply of moves gives every distance.
//!
//! [`SideValues`] gives all values of a class with one side to move. It works as the solver does, on all squares of one
//! piece at once: the *plane piece*. The other pieces form a *configuration*, and each configuration has 64 *lanes*, one
//! per square of the plane piece. The lost positions of the other side lie in memory in this form (`losses`); for a
//! configuration, `moves` takes the least of the lanes that each move leads to.
//!
//! Single positions are found by [`crate::probe`] without any of this.

mod half;
mod layout;
mod losses;
mod moves;
mod side_values;

pub use side_values::{SideValues, Source};
