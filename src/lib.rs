//! Endgame tablebases for Jungle (Dou Shou Qi).
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod game;
pub mod material;
pub mod solve;
pub mod table;
