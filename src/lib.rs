//! Endgame tablebases for Jungle (Dou Shou Qi): generate, verify and probe.
//!
//! A tablebase holds the exact outcome of every position with few pieces on the board: win, draw or loss, and the
//! number of plies to the end of the game with the fastest win and the longest defense.
//!
//! ```
//! use jungletb::game::{Category, Position, Rules};
//! use jungletb::probe::Tablebase;
//!
//! let rules = Rules::standard();
//! let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
//!
//! let position = Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
//! let answer = tables.value(&position)?;
//! assert_eq!((answer.category, answer.dtw), (Category::Loss, Some(8)));
//!
//! // The slowest loss comes first; the answer is that of the position after the move.
//! let best = &tables.moves(&position)?[0];
//! assert_eq!(best.mv.to_string(), "d6d7");
//! assert_eq!(best.answer.and_then(|answer| answer.dtw), Some(7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! Data flows one way: [`game`] (the rules of Jungle) to [`material`] (which positions share a table, and their numbers
//! in it) to [`table`] (the files) to [`distances`] (what the files leave out), to [`solve`] (retrograde analysis) and
//! [`probe`], and from there to [`analysis`] (verification and statistics of tables) and [`play`]. [`system`] and [`text`] are shared by all of them.
//!
//! # Features
//!
//! `cli` is the program, `serve` the HTTP service with the explorer page (the module `serve`, and the subcommand if
//! both are on), `shipped` the tables of up to three pieces inside the library, 660 KB. All are on by default; a library
//! that only probes needs none.
//!
//! For `wasm32-unknown-unknown` the library has what probing needs: nothing is solved or written there, and the bytes of
//! tables come from a [`table::Store`].
//!
//! # Errors
//!
//! Errors are of three kinds: invalid input from the caller ([`game::PositionError`], [`game::RulesError`],
//! [`material::MaterialError`]), a missing table ([`probe::ProbeError::MissingTable`], which names the command that
//! generates it), and a file that is damaged or of another game ([`table::TableError`]); [`probe::Fault`] gives the
//! kind. Each message is one line. The library panics only where documented. It never prints and reads no environment
//! variables.
#![deny(clippy::print_stdout, clippy::print_stderr)]
// In WebAssembly nothing is solved and nothing is written.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

/// The samples of the README and the guide.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/rust.md")]
struct Samples;

/// Tables for unit tests; see `tests/it/common`.
#[cfg(test)]
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-1");

pub mod analysis;
pub mod distances;
pub mod game;
pub mod material;
pub mod play;
pub mod probe;
pub mod proof;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(not(target_family = "wasm"))]
pub mod solve;
pub mod system;
pub mod table;
pub mod text;
