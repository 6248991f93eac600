//! What follows without the position's own table.
//!
//! A game that ends at once needs no table: a side that can enter the den or take the last enemy piece wins in one ply, a
//! side without a move has lost (or drawn, by some rules). Beyond that one ply is looked ahead, as far as other tables are
//! there: a position with a move into a lost one is won. It is won in so many plies only if all other moves are known too,
//! for one of those may win quicker. If all moves are known the position is: lost if they all lose, else drawn.
//!
//! Quiet moves lead to the same material, whose table is missing too, so they are looked at only where the opponent could
//! end the game next; elsewhere only captures are. So a search that asks about positions without tables pays little.

use super::{Answer, Tablebase};
use crate::game::{Category, NoLegalMove, Over, Piece, Position, Rules};
use crate::table::Metric;

/// A look at the moves of a position in which no den has been entered and each side has a piece.
#[derive(Debug)]
pub struct Glance {
    /// The value, if no table is needed for it.
    pub decided: Option<Answer>,
    /// Whether there is a move that takes nothing.
    has_quiet: bool,
    /// Whether there is one that does.
    has_capture: bool,
}

/// What a side gets that has no legal move.
pub fn without_moves(rules: &Rules) -> Answer {
    let over = Some(Over::NoMoves);
    match rules.keys().no_legal_move {
        NoLegalMove::Loss => Answer { category: Category::Loss, dtw: Some(0), over },
        NoLegalMove::Draw => Answer { category: Category::Draw, dtw: None, over },
    }
}

impl Glance {
    /// Looks at a position.
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
    /// What follows about a position whose table is missing. `metrics`: which tables to ask about others, in order.
    pub(super) fn conclude(&self, position: &Position, metrics: [Metric; 2]) -> Option<Answer> {
        let rules = self.rules();
        let glance = Glance::new(rules, position);
        if glance.decided.is_some() {
            return glance.decided;
        }
        if is_exposed(rules, position) {
            let successors = position.successors(rules).map(|successor| self.settled(&successor.position, metrics));
            return Moves::of(successors).value();
        }
        if !glance.has_capture {
            return None;
        }
        let captures = position.successors(rules).filter(|successor| successor.capture.is_some());
        let mut moves = Moves::of(captures.map(|successor| self.settled(&successor.position, metrics)));
        moves.all_known &= !glance.has_quiet;
        moves.value()
    }

    /// The value of a position by its own table, or if it is decided without.
    fn settled(&self, position: &Position, metrics: [Metric; 2]) -> Option<Answer> {
        match self.look(position, metrics) {
            Ok(Ok(found)) => Some(self.answer(position, found)),
            Ok(Err(_)) => Glance::new(self.rules(), position).decided,
            // What is wrong with another table is told to those who ask for it.
            Err(_) => None,
        }
    }
}

/// Whether the opponent may be able to end the game after a quiet move: it stands before the den, or there is only one
/// piece left to take.
fn is_exposed(rules: &Rules, position: &Position) -> bool {
    let us = position.to_move();
    let them = us.other();
    let goal = rules.board().goal(them);
    position.occupied(us).len() == 1
        || position
            .pieces_of(them)
            .any(|(piece, square)| rules.movement(them, piece.animal).steps[square.index()].has(goal))
}

/// What is known of the moves of a position, for the side that has them.
#[derive(Debug)]
struct Moves {
    all_known: bool,
    all_distances: bool,
    /// Whether some move wins, and in how many plies the quickest of them does.
    won: Option<u16>,
    is_drawn: bool,
    /// In how many plies the slowest loss is.
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
            // The game's quickest end is known without a table: if it is at hand nothing is quicker.
            Some(1) => (Category::Win, Some(1)),
            Some(plies) => (Category::Win, exactly(plies)),
            None if !self.all_known => return None,
            None if self.is_drawn => (Category::Draw, None),
            None => (Category::Loss, exactly(self.lost)),
        };
        Some(Answer { category, dtw, over: None })
    }
}
