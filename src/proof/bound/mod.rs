//! Bounds: what a side cannot do within a number of moves, whatever the other side plays.
//!
//! Each bound names a strategy of the defender and counts the attacker's moves on an empty board, so it is a lower bound.
//! [`Shuttles`] bounds the capture of all pieces and the blocking of all moves, [`is_guarded`] the way into the den, and
//! [`Promising`] derives from both which moves need no search.

mod guards;
mod promising;
mod raid;
mod shuttles;

pub use guards::is_guarded;
pub use promising::Promising;

use super::ground::{FAR, Ground};
use super::node::Node;
use shuttles::Shuttles;

/// The least number of moves `attacker` needs to end the game, if it exceeds `moves`; otherwise any number up to `moves`.
///
/// Three ways end a game, and each takes moves of the attacker:
/// - *The den*: its nearest piece needs this many moves on an empty board, whatever the defender plays.
/// - *The last piece* and *no legal move*: see [`Shuttles`].
#[inline]
pub fn least_moves(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> u16 {
    let den = den(ground, node, attacker);
    if den <= moves { den } else { den.min(Shuttles::new(ground, node, 1 - attacker, 0).end(ground, node, moves)) }
}

/// Moves the nearest piece needs to enter the den.
#[inline]
fn den(ground: &Ground, node: &Node, attacker: usize) -> u16 {
    let ways = &ground.ways[attacker];
    let squares = &node.squares[attacker];
    // A piece that is off the board is far.
    (0..8).map(|animal| ways[animal].to_den[squares[animal] as usize]).min().unwrap_or(FAR).into()
}
