//! The game of Jungle: board, animals, rules, positions, moves, notation.
//!
//! Rules are data. A [`Rules`] value holds the keys of a rule set and the masks computed from them: where each animal
//! may stand, step, jump and capture. Move generation, the index and the solver all read those masks; no code depends
//! on which variant is played.

mod animal;
mod board;
mod convert;
mod movement;
mod moves;
mod notation;
mod perft;
mod position;
mod rules;
mod rules_file;
mod square;

pub use animal::{Animal, Color, Piece};
pub use board::Board;
pub use convert::ConversionError;
pub use movement::{Jump, Movement};
pub use moves::{Move, Successor};
pub use notation::PositionError;
pub use perft::perft;
pub use position::{Category, Over, Position};
pub use rules::{
    Blockers, BoardName, ElephantTakesRat, Jumps, NoLegalMove, PRESETS, RuleKeys, Rules, TrappedAttack, Traps,
};
pub use rules_file::RulesError;
pub use square::{Square, SquareSet};
