//! Move ordering: the earlier the best move is searched, the smaller the tree.

use super::node::{Candidate, Candidates, Ground, MOST_MOVES};
use crate::game::{Color, Move, Piece, Square};
use arrayvec::ArrayVec;

/// History counts of quiet moves that caused cutoffs: by color, animal and target.
pub struct History(Box<[[[i32; Square::COUNT]; 8]; 2]>);

/// Upper limit of the counts.
const HISTORY_LIMIT: i32 = 1 << 14;

impl History {
    /// Empty counts.
    pub fn new() -> Self {
        Self(Box::new([[[0; Square::COUNT]; 8]; 2]))
    }

    /// Reduces the weight of the counts so far.
    pub fn age(&mut self) {
        self.0.iter_mut().flatten().flatten().for_each(|count| *count /= 4);
    }

    /// Counts a cutoff `depth` plies above the leaves.
    pub fn reward(&mut self, color: Color, step: Candidate, depth: i32) {
        let count = &mut self.0[color.index()][step.animal.index()][step.mv.to.index()];
        let bonus = (depth * depth).min(HISTORY_LIMIT / 8);
        *count += bonus - *count * bonus / HISTORY_LIMIT;
    }

    fn of(&self, color: Color, step: Candidate) -> i32 {
        self.0[color.index()][step.animal.index()][step.mv.to.index()]
    }
}

/// The order of a position's moves, computed lazily.
pub struct Order {
    ranks: ArrayVec<i32, MOST_MOVES>,
    at: usize,
}

const HASH_MOVE: i32 = 1 << 28;
const CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;

impl Order {
    /// The hash move first, then captures by value of victim and attacker, killer moves, and the rest by history count
    /// and progress toward the den.
    pub fn new(
        ground: &Ground,
        history: &History,
        color: Color,
        steps: &Candidates,
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Self {
        let evaluation = &ground.evaluation;
        let rank = |step: &Candidate| {
            if hash_move == Some(step.mv) {
                return HASH_MOVE;
            }
            if let Some(victim) = step.capture {
                return CAPTURE + 16 * evaluation.material(victim) - evaluation.material(step.animal);
            }
            if let Some(n) = killers.iter().position(|&killer| killer == Some(step.mv)) {
                return KILLER - n as i32;
            }
            let piece = Piece { color, animal: step.animal };
            let nearer = evaluation.of(piece, step.mv.to) - evaluation.of(piece, step.mv.from);
            let gain = if color == Color::White { nearer } else { -nearer };
            history.of(color, *step) + gain
        };
        Self { ranks: steps.iter().map(rank).collect(), at: 0 }
    }

    /// The next move.
    #[inline]
    pub fn next(&mut self, steps: &mut Candidates) -> Option<Candidate> {
        let at = self.at;
        let best = (at..self.ranks.len()).max_by_key(|&n| (self.ranks[n], std::cmp::Reverse(n)))?;
        self.at += 1;
        self.ranks.swap(at, best);
        steps.swap(at, best);
        Some(steps[at])
    }
}
