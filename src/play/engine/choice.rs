//! The best move, directly from the tables.

use crate::game::{Category, Move, Position, Rules, Successor};
use crate::probe::{Answer, ProbeError, Tablebase};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A move with no better alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Value of the position before the move, for the side to move.
    pub answer: Answer,
    /// In a draw, the number of the opponent's replies to this move that do not lose.
    pub holding_replies: Option<usize>,
}

/// The best move by the tables: the fastest win, the slowest loss, and in a draw the move that leaves the opponent the
/// fewest replies that do not lose; ties are broken by square order.
///
/// `None` if the game is over, or if the existing tables do not decide which move is best. One unknown move is allowed
/// if the position's own value and the other moves determine it.
///
/// # Errors
/// Returns an error if the position is invalid or a table is damaged.
///
/// ```
/// use jungletb::game::{Position, Rules};
/// use jungletb::play::engine::best;
/// use jungletb::probe::Tablebase;
///
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &Rules::standard())?;
/// let position = Position::parse(tables.rules(), "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
/// let choice = best(&tables, &position)?.expect("a table has this position");
/// assert_eq!((choice.mv.to_string().as_str(), choice.answer.dtw), ("d6d7", Some(8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best(tables: &Tablebase, position: &Position) -> Result<Option<Choice>, ProbeError> {
    choose(tables.rules(), position, &Past::default(), &[], &mut |position| match tables.value(position) {
        Ok(answer) => Ok(Some(answer)),
        Err(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. }) => Ok(None),
        Err(error) => Err(error),
    })
}

/// Occurrences of positions in the game so far.
#[derive(Default)]
pub(super) struct Past {
    counts: HashMap<Position, u32>,
    /// Whether some position occurred twice: a third occurrence would end the game under most rules.
    is_repeating: bool,
}

impl Past {
    /// The occurrences in a game with these earlier positions and this current one.
    pub fn new(position: &Position, earlier: &[Position]) -> Self {
        let mut past = Self::default();
        // No position from before the last capture can recur.
        for before in earlier.iter().rev().take_while(|before| before.len() == position.len()) {
            let count = past.counts.entry(*before).or_default();
            *count += 1;
            past.is_repeating |= *count > 1;
        }
        past
    }

    fn count(&self, position: &Position) -> u32 {
        self.counts.get(position).copied().unwrap_or(0)
    }

    /// Whether this would be the third occurrence of the position.
    fn is_third(&self, position: &Position) -> bool {
        self.count(position) >= 2
    }

    /// Whether the position, or one after a move, would occur for the third time.
    fn lets_repeat(&self, rules: &Rules, position: &Position) -> bool {
        self.is_repeating
            && (self.is_third(position) || position.successors(rules).any(|next| self.is_third(&next.position)))
    }
}

/// The best move given any source of values; `None` stands for an unknown value. If `only` names legal moves, the best
/// of these.
///
/// Tables ignore repetition, but games do not: a winning side avoids a third occurrence while another move wins, and
/// among equally fast moves chooses the position that occurred least often; a losing side chooses a third occurrence
/// where possible, and otherwise, among equally slow moves, the position that occurred most often.
pub(super) fn choose<E>(
    rules: &Rules,
    position: &Position,
    past: &Past,
    only: &[Move],
    ask: &mut impl FnMut(&Position) -> Result<Option<Answer>, E>,
) -> Result<Option<Choice>, E> {
    let mut successors: Vec<Successor> = position.successors(rules).collect();
    let is_restricted = successors.iter().any(|successor| only.contains(&successor.mv));
    successors.retain(|successor| !is_restricted || only.contains(&successor.mv));
    successors.sort_by_key(|successor| successor.mv);
    let mut own = ask(position)?;
    let mut moves: Vec<(Successor, Option<Answer>)> = Vec::new();
    for successor in successors {
        moves.push((successor, ask(&successor.position)?));
    }
    let reaches =
        |answer: Answer| move |after: &Option<Answer>| after.is_some_and(|after| is_reached_by(answer, after));
    if is_restricted {
        // The own value may come from a move that is not among these.
        own = own.filter(|&own| moves.iter().any(|(_, after)| reaches(own)(after)));
    }
    let Some(answer) = settle(own, &moves) else { return Ok(None) };
    let mut candidates = moves.iter().filter(|(_, after)| reaches(answer)(after)).peekable();
    if candidates.peek().is_none() {
        // None of the known moves keeps the value; if one is unknown, that one does.
        let mut unknown = moves.iter().filter(|(_, after)| !after.is_some_and(is_exact));
        return Ok(match (unknown.next(), unknown.next()) {
            (Some((only, _)), None) => Some(Choice { mv: only.mv, answer, holding_replies: None }),
            _ => None,
        });
    }
    if answer.category == Category::Draw {
        let mut least: Option<Choice> = None;
        for (candidate, _) in candidates {
            let replies = holding_replies(rules, &candidate.position, ask)?;
            if least.is_none_or(|least| Some(replies) < least.holding_replies) {
                least = Some(Choice { mv: candidate.mv, answer, holding_replies: Some(replies) });
            }
        }
        return Ok(least);
    }
    // The first of equal keys: ties are broken by square order.
    let known =
        moves.iter().filter_map(|(successor, after)| Some((successor, after.filter(|&after| is_exact(after))?)));
    let best = match answer.category {
        Category::Win => {
            known.filter(|(_, after)| after.category == Category::Loss).min_by_key(|(successor, after)| {
                let next = &successor.position;
                (past.lets_repeat(rules, next), after.dtw, past.count(next))
            })
        }
        _ => known.min_by_key(|(successor, after)| {
            let next = &successor.position;
            (!past.is_third(next), Reverse(after.dtw), Reverse(past.count(next)))
        }),
    };
    Ok(best.map(|(successor, after)| Choice { mv: successor.mv, answer: after.before(), holding_replies: None }))
}

/// The value of the position, if its own table or those of its successors give it with all distances.
fn settle(own: Option<Answer>, moves: &[(Successor, Option<Answer>)]) -> Option<Answer> {
    if let Some(own) = own.filter(|&own| is_exact(own)) {
        return Some(own);
    }
    let known = moves.iter().filter_map(|(_, after)| after.filter(|&after| is_exact(after)));
    let ends = known.clone().find(|after| (after.category, after.dtw) == (Category::Loss, Some(0)));
    let all_known = moves.iter().all(|(_, after)| after.is_some_and(is_exact));
    let best = ends.or_else(|| all_known.then(|| known.min_by_key(Answer::merit)).flatten())?;
    Some(best.before())
}

/// Whether an answer is complete: draws have no distance.
fn is_exact(answer: Answer) -> bool {
    answer.category == Category::Draw || answer.dtw.is_some()
}

/// Whether a move to a position with the answer `after` keeps the value of the position before it.
fn is_reached_by(before: Answer, after: Answer) -> bool {
    match (before.category, after.category) {
        (Category::Draw, Category::Draw) => true,
        (Category::Win, Category::Loss) | (Category::Loss, Category::Win) => {
            after.dtw.is_some_and(|plies| Some(plies + 1) == before.dtw)
        }
        _ => false,
    }
}

/// Number of moves of a position that do not lose, as far as known.
fn holding_replies<E>(
    rules: &Rules,
    position: &Position,
    ask: &mut impl FnMut(&Position) -> Result<Option<Answer>, E>,
) -> Result<usize, E> {
    let mut count = 0;
    for reply in position.successors(rules) {
        let loses = ask(&reply.position)?.is_some_and(|after| after.category == Category::Win);
        count += usize::from(!loses);
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::Category::{Draw, Loss, Win};
    use super::*;
    use std::collections::HashMap;
    use std::convert::Infallible;

    /// A source of values for `choose` that stands for the existing tables.
    fn chosen(rules: &Rules, position: &str, known: &HashMap<String, Answer>) -> Option<Choice> {
        let position = Position::parse(rules, position).unwrap();
        let mut ask = |position: &Position| Ok::<_, Infallible>(known.get(&position.to_text(rules)).copied());
        let Ok(choice) = choose(rules, &position, &Past::default(), &[], &mut ask);
        choice
    }

    const POSITION: &str = "7/7/7/7/7/7/7/6e/E6 w";
    const UP: &str = "7/7/7/7/7/7/7/E5e/7 b";
    const RIGHT: &str = "7/7/7/7/7/7/7/6e/1E5 b";

    fn answers(list: &[(&str, Category, Option<u16>)]) -> HashMap<String, Answer> {
        let answer = |&(text, category, dtw): &(&str, _, _)| (text.to_owned(), Answer { category, dtw, over: None });
        list.iter().map(answer).collect()
    }

    fn text(choice: Option<Choice>) -> String {
        choice.map_or("none".to_owned(), |choice| choice.mv.to_string())
    }

    /// A game in which UP and RIGHT occurred this many times.
    fn past(up: u32, right: u32) -> Past {
        let rules = Rules::standard();
        let position = |text| Position::parse(&rules, text).unwrap();
        let (up, right) = (vec![position(UP); up as usize], vec![position(RIGHT); right as usize]);
        Past::new(&position(POSITION), &[up, right].concat())
    }

    fn chosen_after(past: &Past, only: &[&str], list: &[(&str, Category, Option<u16>)]) -> String {
        let (rules, known) = (Rules::standard(), answers(list));
        let only: Vec<Move> = only.iter().map(|mv| Move::parse(mv).unwrap()).collect();
        let mut ask = |position: &Position| Ok::<_, Infallible>(known.get(&position.to_text(&rules)).copied());
        let position = Position::parse(&rules, POSITION).unwrap();
        let Ok(choice) = choose(&rules, &position, past, &only, &mut ask);
        text(choice)
    }

    #[test]
    fn repetition_decides_between_moves() {
        let won = [(UP, Loss, Some(4)), (RIGHT, Loss, Some(4))];
        for (up, right, expected) in
            [(0, 0, "a1b1"), (1, 0, "a1b1"), (0, 1, "a1a2"), (1, 1, "a1b1"), (1, 2, "a1a2"), (2, 2, "a1b1")]
        {
            assert_eq!(chosen_after(&past(up, right), &[], &won), expected, "{up} {right}");
        }
        // A slower win is better than none; one occurrence does not justify a slower win.
        let slower = [(UP, Loss, Some(4)), (RIGHT, Loss, Some(6))];
        for (up, right, expected) in [(1, 0, "a1a2"), (2, 0, "a1b1"), (2, 2, "a1a2")] {
            assert_eq!(chosen_after(&past(up, right), &[], &slower), expected, "{up} {right}");
        }
        let lost = [(UP, Win, Some(5)), (RIGHT, Win, Some(5))];
        for (up, right, expected) in [(0, 0, "a1b1"), (1, 0, "a1a2"), (2, 1, "a1a2"), (1, 2, "a1b1"), (2, 2, "a1b1")] {
            assert_eq!(chosen_after(&past(up, right), &[], &lost), expected, "{up} {right}");
        }
        let sooner = [(UP, Win, Some(5)), (RIGHT, Win, Some(3))];
        for (up, right, expected) in [(0, 1, "a1a2"), (0, 2, "a1b1"), (2, 2, "a1a2")] {
            assert_eq!(chosen_after(&past(up, right), &[], &sooner), expected, "{up} {right}");
        }
    }

    /// The opponent's third occurrence ends the game as well as our own.
    #[test]
    fn a_won_side_does_not_let_the_opponent_repeat() {
        let rules = Rules::standard();
        let after_up = Position::parse(&rules, UP).unwrap();
        let reply = after_up.successors(&rules).next().unwrap().position;
        let position = Position::parse(&rules, POSITION).unwrap();
        let past = Past::new(&position, &[reply, reply]);
        assert_eq!(chosen_after(&past, &[], &[(UP, Loss, Some(4)), (RIGHT, Loss, Some(6))]), "a1b1");
    }

    #[test]
    fn only_the_moves_that_are_asked_for() {
        let won = [(POSITION, Win, Some(5)), (UP, Loss, Some(4)), (RIGHT, Win, Some(7))];
        let chosen = |only: &[&str], list: &[_]| chosen_after(&Past::default(), only, list);
        assert_eq!(chosen(&["a1b1"], &won), "a1b1");
        assert_eq!(chosen(&["a1b1", "a1a2"], &won), "a1a2");
        // None of these is legal: all moves are considered.
        assert_eq!(chosen(&["g9g8"], &won), "a1a2");
        // Nothing is known of the only move.
        assert_eq!(chosen(&["a1b1"], &[(POSITION, Win, Some(5)), (UP, Loss, Some(4))]), "none");
        assert_eq!(chosen(&["a1b1"], &[(POSITION, Win, Some(5)), (RIGHT, Loss, Some(4))]), "a1b1");
    }

    #[test]
    fn what_the_tables_leave_open_is_not_chosen() {
        let rules = Rules::standard();
        let choose = |list: &[_]| text(chosen(&rules, POSITION, &answers(list)));
        // Both moves known, the position itself not.
        assert_eq!(choose(&[(UP, Loss, Some(6)), (RIGHT, Loss, Some(4))]), "a1b1");
        assert_eq!(choose(&[(UP, Win, Some(5)), (RIGHT, Win, Some(3))]), "a1a2");
        assert_eq!(choose(&[(UP, Draw, None), (RIGHT, Win, Some(3))]), "a1a2");
        // One move known: it may be the worse one, unless it ends the game.
        assert_eq!(choose(&[(RIGHT, Loss, Some(4))]), "none");
        assert_eq!(choose(&[(RIGHT, Loss, Some(0))]), "a1b1");
        // A result without a distance may be faster or slower than the other.
        assert_eq!(choose(&[(UP, Loss, None), (RIGHT, Loss, Some(4))]), "none");
        assert_eq!(choose(&[(POSITION, Win, None), (UP, Loss, None), (RIGHT, Win, None)]), "none");
        // The position's own value shows what the unknown move is.
        assert_eq!(choose(&[(POSITION, Win, Some(7)), (RIGHT, Win, Some(2))]), "a1a2");
        assert_eq!(choose(&[(POSITION, Win, Some(7)), (RIGHT, Loss, Some(6))]), "a1b1");
        assert_eq!(choose(&[(POSITION, Win, Some(7))]), "none");
        assert_eq!(choose(&[]), "none");
    }
}
