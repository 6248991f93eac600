//! Alpha-beta below the root.

use super::hash::{Bound, FOREVER, Stored};
use super::node::{Candidate, Node};
use super::quiesce::ESCAPES;
use super::score::Score;
use super::state::{MAX_DEPTH, Search};
use crate::game::Category;

impl Search<'_, '_> {
    /// The score of a move: the first with the full window; the others first with a null window, to see whether they
    /// are better.
    pub(super) fn search_next(&mut self, next: &Node, n: usize, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        if n > 0 {
            let score = -self.search(next, depth - 1, -alpha - 1, -alpha, ply + 1);
            if score <= alpha || score >= beta {
                return score;
            }
        }
        -self.search(next, depth - 1, -beta, -alpha, ply + 1)
    }

    /// The score of a position for the side to move, `depth` plies above the leaves: exact between `alpha` and `beta`,
    /// else a bound.
    fn search(&mut self, node: &Node, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        self.lines.clear(ply);
        if self.is_repeated(node) {
            return 0;
        }
        if depth <= 0 || ply >= MAX_DEPTH {
            return self.quiesce(node, alpha, beta, ply, ESCAPES);
        }
        if self.is_stopped() {
            return 0;
        }
        if let Some(score) = self.at_once(node, ply) {
            if let Some(entry) = self.ground.den_entry(&node.position, node.position.to_move()) {
                self.lines.clear(ply + 1);
                self.lines.set(ply, entry);
            }
            return score;
        }
        // The bounds: having lost now is the worst, winning with the next move the best.
        let (mut alpha, beta) = (alpha.max(-Score::won_in(ply)), beta.min(Score::won_in(ply + 1)));
        if alpha >= beta {
            return alpha;
        }
        let stored = self.hash.get(node.key);
        if let Some(score) = stored.and_then(|entry| cut(&entry, depth, alpha, beta, ply)) {
            return score;
        }
        if let Some(answer) = self.knowledge.ask_running(&node.position, node.material)
            && (answer.category == Category::Draw || answer.dtw.is_some())
        {
            let score = Score::of(answer, 0, 0);
            self.hash.put(node.key, Stored { mv: None, score, depth: FOREVER, bound: Bound::Exact });
            return Score::from_root(score, ply);
        }
        let mut steps = self.ground.steps(&node.position, false);
        if steps.is_empty() {
            return self.without_move(ply);
        }
        let mut order = self.order(node, &steps, stored.and_then(|entry| entry.mv), ply);
        let (floor, mut best, mut best_move) = (alpha, -Score::INFINITE, None);
        self.path.push(node.key);
        for n in 0.. {
            let Some(step) = order.next(&mut steps) else { break };
            let next = self.ground.after(node, step);
            self.nodes += 1;
            let score = self.search_next(&next, n, depth, alpha, beta, ply);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(step.mv);
                    self.lines.set(ply, step.mv);
                }
                if alpha >= beta {
                    self.refuted_by(node, step, depth, ply);
                    break;
                }
            }
        }
        self.path.pop();
        if !self.stopped {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best <= floor => Bound::Upper,
                _ => Bound::Exact,
            };
            let score = Score::from_node(best, ply);
            self.hash.put(node.key, Stored { mv: best_move, score, depth: depth as u8, bound });
        }
        best
    }

    /// Records a move that caused a cutoff.
    fn refuted_by(&mut self, node: &Node, step: Candidate, depth: i32, ply: usize) {
        if step.capture.is_some() {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(step.mv) {
            *killers = [Some(step.mv), killers[0]];
        }
        self.history.reward(node.position.to_move(), step, depth);
    }

    /// Whether the position occurred before, since the last capture.
    fn is_repeated(&self, node: &Node) -> bool {
        // The last key is that of the position one ply earlier; the same side was to move two, four, … plies earlier.
        let before = self.path.iter().rev().skip(1).step_by(2);
        before.take(usize::from(node.quiet_plies / 2)).any(|&key| key == node.key)
    }
}

/// The score to return for a stored entry, if it suffices.
fn cut(entry: &Stored, depth: i32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    // On the principal variation the search continues to obtain the complete line.
    let is_enough = i32::from(entry.depth) >= depth && beta - alpha == 1;
    if !is_enough && entry.depth != FOREVER {
        return None;
    }
    let score = Score::from_root(entry.score, ply);
    match entry.bound {
        Bound::Exact => Some(score),
        Bound::Lower => (score >= beta).then_some(score),
        Bound::Upper => (score <= alpha).then_some(score),
    }
}
