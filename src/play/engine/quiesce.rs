//! Quiescence search: captures and threats against the den are played out before a position is estimated.

use super::node::Node;
use super::score::Score;
use super::state::Search;

/// Maximum number of consecutive times below one leaf that a side may try any move to stop an entry into its den.
pub const ESCAPES: u8 = 4;

impl Search<'_, '_> {
    /// The score of a leaf. The side to move may stand pat or capture; a side whose den is about to be entered must
    /// find a move against it.
    pub fn quiesce(&mut self, node: &Node, mut alpha: i32, beta: i32, ply: usize, escapes: u8) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.at_once(node, ply) {
            return score;
        }
        if let Some(answer) = self.knowledge.ask_running(&node.position, node.material) {
            return Score::of(answer, ply, node.estimate());
        }
        let us = node.position.to_move();
        let threatened = escapes > 0 && self.ground.den_entry(&node.position, us.other()).is_some();
        let mut steps = self.ground.steps(&node.position, !threatened);
        let mut best = -Score::INFINITE;
        if threatened {
            if steps.is_empty() {
                return self.without_move(ply);
            }
        } else {
            best = node.estimate();
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut order = self.order(node, &steps, None, ply);
        while let Some(step) = order.next(&mut steps) {
            let next = self.ground.after(node, step);
            let left = if threatened { escapes - 1 } else { escapes };
            self.nodes += 1;
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1, left);
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
