//! Moves of the attacker that need a search.

use super::shuttles::Shuttles;
use crate::proof::ground::{Ground, MOST_WITHIN};
use crate::proof::node::Node;

/// The moves of the attacker, who is to move, that can begin a win with a number of further moves.
pub struct Promising {
    /// Number of further moves.
    left: usize,
    /// By animal: whether another piece is near enough to enter the den.
    others_near: [bool; 8],
    is_all: bool,
}

impl Promising {
    /// `left`: moves of the attacker after the next one.
    #[inline]
    pub fn new(ground: &Ground, node: &Node, left: u16) -> Self {
        let attacker = node.side;
        if Shuttles::new(ground, node, 1 - attacker, 0).end(ground, node, left + 1) <= left + 1 {
            return Self { left: usize::from(left), others_near: [true; 8], is_all: true };
        }
        let near = |animal: usize| {
            u16::from(ground.ways[attacker][animal].to_den[usize::from(node.squares[attacker][animal])]) <= left
        };
        let near: [bool; 8] = std::array::from_fn(near);
        let count = near.iter().filter(|near| **near).count();
        let others_near = near.map(|near| count > usize::from(near));
        Self { left: usize::from(left), others_near, is_all: others_near == [true; 8] }
    }

    /// Whether every move can begin a win.
    pub const fn is_all(&self) -> bool {
        self.is_all
    }

    /// The squares a piece may move to: any, if another piece can still enter in time, else only near ones.
    #[inline]
    pub fn targets(&self, ground: &Ground, side: usize, animal: usize) -> u64 {
        if self.others_near[animal] { u64::MAX } else { ground.ways[side][animal].within[self.left.min(MOST_WITHIN)] }
    }
}
