//! Values that follow without the position's own table.
//!
//! A game that ends at once needs no table: a side that can enter the den or capture the last enemy piece wins in one
//! ply; a side without a legal move has lost (or drawn, under some rules). Otherwise the search looks one ply ahead,
//! where other tables exist: a position with a move into a lost position is won. The distance of that win is known only
//! if all other moves are known too, since one of them may win faster. If all moves are known, so is the position: lost
//! if they all lose, else drawn.
//!
//! Quiet moves keep the material, whose table is missing too, so they are searched only where the opponent could end
//! the game next; otherwise only captures are. This keeps probes of positions without tables cheap.

use super::{Answer, Tablebase};
use crate::game::{Category, NoLegalMove, Over, Piece, Position, Rules};
use crate::table::{Metric, Pending, TableError};

/// Summary of the moves of a position in which no den is entered and each side has a piece.
#[derive(Debug)]
pub struct Glance {
    /// The value, if it needs no table.
    pub decided: Option<Answer>,
    /// Whether there is a quiet move.
    has_quiet: bool,
    /// Whether there is a capture.
    has_capture: bool,
}

/// The value for a side without a legal move.
pub fn without_moves(rules: &Rules) -> Answer {
    let over = Some(Over::NoMoves);
    match rules.keys().no_legal_move {
        NoLegalMove::Loss => Answer { category: Category::Loss, dtw: Some(0), over },
        NoLegalMove::Draw => Answer { category: Category::Draw, dtw: None, over },
    }
}

impl Glance {
    /// Scans the moves of a position.
    pub fn new(rules: &Rules, position: &Position) -> Self {
        const WON: Answer = Answer { category: Category::Win, dtw: Some(1), over: None };
        let us = position.to_move();
        let (own, enemy) = (position.occupied(us), position.occupied(us.other()));
        let goal = rules.board().goal(us);
        let mut glance = Self { decided: None, has_quiet: false, has_capture: false };
        for (piece, from) in position.pieces_of(us) {
            let movement = rules.movement(us, piece.animal);
            let reach = movement.reach(from, own, enemy).without(own);
            if reach.has(goal) {
                return Self { decided: Some(WON), ..glance };
            }
            glance.has_quiet |= !reach.without(enemy).is_empty();
            for to in reach & enemy {
                let takes = |victim: Piece| movement.takes[victim.animal.index()][from.index()].has(to);
                if position.piece_at(to).is_some_and(takes) {
                    if enemy.len() == 1 {
                        return Self { decided: Some(WON), ..glance };
                    }
                    glance.has_capture = true;
                }
            }
        }
        if !glance.has_quiet && !glance.has_capture {
            glance.decided = Some(without_moves(rules));
        }
        glance
    }
}

impl Tablebase {
    /// The value of a position whose table is missing, as far as it follows. `metrics`: the tables to probe for other
    /// positions, in order.
    pub(super) fn conclude(&self, position: &Position, metrics: [Metric; 2]) -> Result<Option<Answer>, TableError> {
        let rules = self.rules();
        let glance = Glance::new(rules, position);
        if glance.decided.is_some() {
            return Ok(glance.decided);
        }
        let is_exposed = is_exposed(rules, position);
        if !is_exposed && !glance.has_capture {
            return Ok(None);
        }
        let mut pending = Pending::default();
        let successors = position.successors(rules).filter(|successor| is_exposed || successor.capture.is_some());
        let mut moves = Moves::of(successors.map(|successor| self.settled(&successor.position, metrics, &mut pending)));
        pending.end()?;
        moves.all_known &= is_exposed || !glance.has_quiet;
        Ok(moves.value())
    }

    /// The value of a position that has its own table or needs none.
    fn settled(&self, position: &Position, metrics: [Metric; 2], pending: &mut Pending) -> Option<Answer> {
        match self.look(position, metrics) {
            Ok(Ok(found)) => Some(self.answer(position, found)),
            Ok(Err(_)) => Glance::new(self.rules(), position).decided,
            // Errors of another table are reported to its own probes.
            Err(error) => pending.keep(Err(error)).ok().flatten(),
        }
    }
}

/// Whether the opponent may be able to end the game after a quiet move: it is next to the den, or only one piece is
/// left to capture.
fn is_exposed(rules: &Rules, position: &Position) -> bool {
    let us = position.to_move();
    let them = us.other();
    let goal = rules.board().goal(them);
    position.occupied(us).len() == 1
        || position
            .pieces_of(them)
            .any(|(piece, square)| rules.movement(them, piece.animal).steps[square.index()].has(goal))
}

/// Known values of the moves of a position, for the mover.
#[derive(Debug)]
struct Moves {
    all_known: bool,
    all_distances: bool,
    /// Plies of the fastest known win, if any.
    won: Option<u16>,
    is_drawn: bool,
    /// Plies of the slowest loss.
    lost: u16,
}

impl Moves {
    fn of(after: impl Iterator<Item = Option<Answer>>) -> Self {
        let mut moves = Self { all_known: true, all_distances: true, won: None, is_drawn: false, lost: 0 };
        for answer in after {
            let Some(answer) = answer else {
                moves.all_known = false;
                continue;
            };
            let answer = answer.before();
            moves.all_distances &= answer.dtw.is_some() || answer.category == Category::Draw;
            match answer.category {
                Category::Win => {
                    let plies = answer.dtw.unwrap_or(u16::MAX);
                    moves.won = Some(moves.won.map_or(plies, |least| least.min(plies)));
                }
                Category::Draw => moves.is_drawn = true,
                Category::Loss => moves.lost = moves.lost.max(answer.dtw.unwrap_or(0)),
            }
        }
        moves
    }

    /// The value of the position, as far as it follows.
    fn value(&self) -> Option<Answer> {
        let exactly = |plies: u16| (self.all_known && self.all_distances).then_some(plies);
        let (category, dtw) = match self.won {
            // No end is faster than one ply.
            Some(1) => (Category::Win, Some(1)),
            Some(plies) => (Category::Win, exactly(plies)),
            None if !self.all_known => return None,
            None if self.is_drawn => (Category::Draw, None),
            None => (Category::Loss, exactly(self.lost)),
        };
        Some(Answer { category, dtw, over: None })
    }
}
