//! The perfect move, straight from the tables.

use crate::game::{Category, Move, Position, Rules, Successor};
use crate::probe::{Answer, ProbeError, Tablebase};

/// A move that no other is better than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Value of the position before the move, for the side to move.
    pub answer: Answer,
    /// In a draw, the number of the opponent's replies to this move that do not lose.
    pub holding_replies: Option<usize>,
}

/// The best move by the tables: the quickest win, the slowest loss, and in a draw the move that leaves the opponent
/// the fewest replies that do not lose; equal moves in the order of their squares.
///
/// `None` if the game is over, or if the present tables do not decide which move is best. One unknown move is allowed
/// if the position's own value and the other moves determine it.
///
/// # Errors
/// Returns an error for a bad position or a damaged table.
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
    choose(tables.rules(), position, &mut |position| match tables.value(position) {
        Ok(answer) => Ok(Some(answer)),
        Err(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. }) => Ok(None),
        Err(error) => Err(error),
    })
}

/// The best move by a function that values positions; `None` is an unknown value.
pub(super) fn choose<E>(
    rules: &Rules,
    position: &Position,
    ask: &mut impl FnMut(&Position) -> Result<Option<Answer>, E>,
) -> Result<Option<Choice>, E> {
    let own = ask(position)?;
    let mut moves: Vec<(Successor, Option<Answer>)> = Vec::new();
    for successor in position.successors(rules) {
        moves.push((successor, ask(&successor.position)?));
    }
    moves.sort_by_key(|(successor, _)| successor.mv);
    let Some(answer) = settle(own, &moves) else { return Ok(None) };
    let good = |after: &Option<Answer>| after.is_some_and(|after| is_reached_by(answer, after));
    let mut candidates: Vec<&Successor> =
        moves.iter().filter(|(_, after)| good(after)).map(|(successor, _)| successor).collect();
    if candidates.is_empty() {
        // None of the known moves keeps the value; if one is unknown, that one does.
        let unknown = moves.iter().filter(|(_, after)| !after.is_some_and(is_exact));
        candidates = unknown.map(|(successor, _)| successor).collect();
        return Ok(match candidates[..] {
            [only] => Some(Choice { mv: only.mv, answer, holding_replies: None }),
            _ => None,
        });
    }
    if answer.category != Category::Draw {
        return Ok(candidates.first().map(|first| Choice { mv: first.mv, answer, holding_replies: None }));
    }
    let mut least: Option<Choice> = None;
    for candidate in candidates {
        let replies = holding_replies(rules, &candidate.position, ask)?;
        if least.is_none_or(|least| Some(replies) < least.holding_replies) {
            least = Some(Choice { mv: candidate.mv, answer, holding_replies: Some(replies) });
        }
    }
    Ok(least)
}

/// Value of the position, if its own table or those of its successors give it with all distances.
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

/// How many moves of a position do not lose, as far as is known.
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

    /// Answers of a closure, which stands for the present tables.
    fn chosen(rules: &Rules, position: &str, known: &HashMap<String, Answer>) -> Option<Choice> {
        let position = Position::parse(rules, position).unwrap();
        let mut ask = |position: &Position| Ok::<_, Infallible>(known.get(&position.to_text(rules)).copied());
        let Ok(choice) = choose(rules, &position, &mut ask);
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
        // A result without its distance may be quicker or slower than the other.
        assert_eq!(choose(&[(UP, Loss, None), (RIGHT, Loss, Some(4))]), "none");
        assert_eq!(choose(&[(POSITION, Win, None), (UP, Loss, None), (RIGHT, Win, None)]), "none");
        // The position's own value shows what the unknown move is.
        assert_eq!(choose(&[(POSITION, Win, Some(7)), (RIGHT, Win, Some(2))]), "a1a2");
        assert_eq!(choose(&[(POSITION, Win, Some(7)), (RIGHT, Loss, Some(6))]), "a1b1");
        assert_eq!(choose(&[(POSITION, Win, Some(7))]), "none");
        assert_eq!(choose(&[]), "none");
    }
}
