//! Endgame tablebases for Jungle (Dou Shou Qi).
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod export;
pub mod game;
pub mod material;
pub mod probe;
pub mod solve;
pub mod stats;
pub mod table;
pub mod verify;
