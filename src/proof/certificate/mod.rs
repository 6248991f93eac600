//! Certificates: written proofs that independent code can check.
//!
//! A certificate is the winner's [`Strategy`] for one position: one move where the winner is to move, all replies where
//! the other side is, down to ends of the game and to values of DTW tables. `FORMAT.md` next to this file specifies
//! every byte. It claims who wins, and an upper bound on the plies; it does not claim that no win is faster.
//!
//! [`check`] checks one, using only the move generator and the tables. It imports `game`, `probe` and `table` and the
//! wire format, and nothing that finds proofs: a bug in the prover produces a certificate that is rejected, never one
//! that is wrongly accepted. `scripts/check_certificate.py` is a second reader, written from FORMAT.md.
//!
//! Games of Jungle can repeat, but a proof must not be circular: a position may not count as won because it leads to
//! one that counts as won because it leads to the first. A certificate cannot express this. Its positions are in
//! traversal order, and a reference leads back only to a position whose strategy is complete; so each position has a
//! height, an upper bound on the plies to the end, which is greater than those of all positions it leads to.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing))]

mod check;
mod proven;
mod strategy;
mod wire;
mod write;

pub use check::{Certified, CheckError, CheckProgress, check, check_bytes};
pub use proven::Proven;
pub use strategy::{Build, Source, SourceError, Strategy, StrategyError};
pub use wire::TableUse;
pub use write::Written;
