//! Counting of move sequences, the standard test of a move generator.

use super::position::Position;
use super::rules::Rules;

/// Number of move sequences of exactly `depth` plies from a position.
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.successors(rules).count() as u64,
        _ => position.successors(rules).map(|successor| perft(rules, &successor.position, depth - 1)).sum(),
    }
}
