//! Certificates: proofs written down so that other code can check them.
//!
//! A certificate is the winner's [`Strategy`] for one position: one move where he is to move, all replies where the
//! other side is, down to positions where the game ends and to values of tables of distances. `FORMAT.md` beside this
//! file describes it to the byte. It says who wins, and within how many plies at most; that no win is quicker is not
//! part of it.
//!
//! [`check`] checks one, with the move generator and the tables alone. It imports `game`, `probe` and `table` and the
//! wire format, and nothing of what finds proofs: a fault of the prover makes a certificate that is refused, never one
//! that is believed. `scripts/check_certificate.py` is a second reader, written from FORMAT.md.
//!
//! Games of Jungle go in circles, and a proof must not: a position may not count as won because it leads to one that
//! counts as won because it leads to the first. A certificate cannot say such a thing. Its positions stand in the order
//! of a walk, and a reference leads back only to a position whose strategy is complete; so each position has a height,
//! the plies to the end at most, which is greater than those of all it leads to.
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
