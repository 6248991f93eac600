//! What makes a puzzle hard for people.

use crate::game::{Move, Position, Rules, Square};

/// What makes a puzzle hard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// The first move takes nothing and threatens neither to take nor to enter the den.
    pub quiet: bool,
    /// After the first move, a piece of the winner can be taken.
    pub sacrifice: bool,
    /// Other legal moves.
    pub others: usize,
    /// Those of them that look good: they take something or bring a piece nearer to the den.
    pub natural: usize,
}

impl Traits {
    /// Looks at a position and the only move that wins.
    pub fn of(rules: &Rules, position: &Position, first: Move) -> Self {
        let goal = rules.board().goal(position.to_move());
        let mut traits = Self::default();
        for successor in position.successors(rules) {
            if successor.mv == first {
                // What the mover could do if it were his turn again.
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

/// Steps between two squares, over land and water.
fn distance(from: Square, to: Square) -> u8 {
    from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank())
}
