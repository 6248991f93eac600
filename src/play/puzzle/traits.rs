//! Properties that make a puzzle hard for people.

use crate::game::{Move, Position, Rules, Square};

/// Properties that make a puzzle hard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Whether the first move captures nothing and threatens neither a capture nor to enter the den.
    pub quiet: bool,
    /// Whether a piece of the winner can be captured after the first move.
    pub sacrifice: bool,
    /// Number of other legal moves.
    pub others: usize,
    /// Number of those that look good: they capture something or bring a piece nearer to the den.
    pub natural: usize,
}

impl Traits {
    /// The traits of a position with this winning first move.
    pub fn of(rules: &Rules, position: &Position, first: Move) -> Self {
        let goal = rules.board().goal(position.to_move());
        let mut traits = Self::default();
        for successor in position.successors(rules) {
            if successor.mv == first {
                // What the mover could do with another move.
                let mut again = successor.position;
                again.set_to_move(position.to_move());
                let threatens = again.successors(rules).any(|next| next.capture.is_some() || next.den);
                traits.quiet = successor.capture.is_none() && !successor.den && !threatens;
                let mut replies = successor.position.successors(rules);
                traits.sacrifice = replies.any(|reply| reply.capture.is_some());
            } else {
                traits.others += 1;
                let nearer = distance(successor.mv.to, goal) < distance(successor.mv.from, goal);
                traits.natural += usize::from(successor.capture.is_some() || nearer);
            }
        }
        traits
    }
}

/// Number of steps between two squares, over land and water.
fn distance(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank())
}
