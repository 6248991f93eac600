//! The state of a running search, shared by its parts.

use super::clock::Deadline;
use super::hash::HashTable;
use super::knowledge::Knowledge;
use super::line::Lines;
use super::node::{Candidates, Ground, Node};
use super::order::{History, Order};
use super::score::Score;
use crate::game::{Move, NoLegalMove};
use crate::system::Cancel;

/// Maximum search depth in plies.
pub const MAX_DEPTH: usize = 100;
/// Positions between two checks of the clock.
const LOOK: u64 = 64;

/// A running search.
pub struct Search<'s, 'a> {
    pub(super) ground: &'s Ground,
    pub(super) knowledge: &'s mut Knowledge<'a>,
    pub(super) hash: &'s mut HashTable,
    pub(super) history: &'s mut History,
    pub(super) deadline: Deadline,
    pub(super) node_limit: u64,
    pub(super) stop: &'s Cancel,
    pub(super) stopped: bool,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Keys of the positions of the game and of the line being searched.
    pub(super) path: Vec<u64>,
    pub(super) lines: Lines,
    pub(super) killers: [[Option<Move>; 2]; MAX_DEPTH + 1],
}

impl Search<'_, '_> {
    /// The score of a position that needs no search: lost without a piece, won by an entry into the den.
    pub(super) fn at_once(&self, node: &Node, ply: usize) -> Option<i32> {
        if node.is_bare() {
            return Some(-Score::won_in(ply));
        }
        self.ground.den_entry(&node.position, node.position.to_move()).map(|_| Score::won_in(ply + 1))
    }

    /// The score for a side to move without a legal move.
    pub(super) fn without_move(&self, ply: usize) -> i32 {
        match self.ground.rules.keys().no_legal_move {
            NoLegalMove::Loss => -Score::won_in(ply),
            NoLegalMove::Draw => 0,
        }
    }

    /// The moves of a node, most promising first.
    pub(super) fn order(&self, node: &Node, steps: &Candidates, hash_move: Option<Move>, ply: usize) -> Order {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        Order::new(self.ground, self.history, node.position.to_move(), steps, hash_move, killers)
    }

    /// Whether to abandon the search, because of a limit or a stop request.
    pub(super) fn is_stopped(&mut self) -> bool {
        if !self.stopped {
            self.stopped = self.nodes >= self.node_limit
                || self.nodes.is_multiple_of(LOOK) && (self.stop.is_cancelled() || self.deadline.is_over());
        }
        self.stopped
    }
}
