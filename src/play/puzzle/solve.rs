//! Solving of puzzles, and the decision whether a position is one.

use super::{First, Puzzle, SolutionMove, Source, Traits, Wanted};
use crate::game::{Category, Move, Position};
use crate::play::evidence::Evidence;
use crate::play::known::Known;
use crate::proof::ProofError;

/// Plies beyond the length of the solution within which no other first move may win, if that is not known for certain.
const MARGIN: u16 = 2;

/// Solves a position, if it is a puzzle that meets the requirements.
///
/// # Errors
/// Returns an error if the position is invalid or a table is damaged.
pub fn solve(
    evidence: &Evidence,
    position: &Position,
    wanted: &Wanted,
    source: &Source,
) -> Result<Option<Puzzle>, ProofError> {
    if !wanted.pieces.contains(&position.len()) || position.over(evidence.rules()).is_some() {
        return Ok(None);
    }
    let value = evidence.prove(position)?;
    let plies = value.exact().filter(|plies| value.category == Some(Category::Win) && wanted.plies().contains(plies));
    let Some(plies) = plies else { return Ok(None) };
    // Fastest moves first: a second equally fast win shows soonest.
    let [first] = quickest(evidence, position, plies)?[..] else { return Ok(None) };
    let others = others(evidence, position, first)?;
    let might_win = others.not_before.is_some_and(|before| before < plies + MARGIN);
    if wanted.first == First::Only && (might_win || !others.winning.is_empty()) {
        return Ok(None);
    }
    let Some(line) = line(evidence, position, plies, wanted.duals)? else { return Ok(None) };
    let traits = Traits::of(evidence.rules(), position, first);
    let (slower, no_other_win_before) = (others.winning, others.not_before);
    Ok(Some(Puzzle { position: *position, line, slower, no_other_win_before, traits, source: source.clone() }))
}

/// Known facts about the other first moves.
struct Others {
    /// The winning ones.
    winning: Vec<Move>,
    /// The undecided ones force no win in fewer plies than this.
    not_before: Option<u16>,
}

fn others(evidence: &Evidence, position: &Position, first: Move) -> Result<Others, ProofError> {
    let us = position.to_move().index();
    let mut others = Others { winning: Vec::new(), not_before: None };
    let successors: Vec<_> = position.successors(evidence.rules()).filter(|successor| successor.mv != first).collect();
    for successor in successors {
        let value = evidence.prove(&successor.position)?.before();
        match (value.category, value.not_before[us]) {
            (Some(Category::Win), _) => others.winning.push(successor.mv),
            (None, Some(before)) => {
                others.not_before = Some(others.not_before.map_or(before, |least| least.min(before)));
            }
            _ => {}
        }
    }
    others.winning.sort_unstable();
    Ok(others)
}

/// The moves that win in exactly this number of plies, the minimum, in square order.
fn quickest(evidence: &Evidence, position: &Position, plies: u16) -> Result<Vec<Move>, ProofError> {
    let mut moves = Vec::new();
    let successors: Vec<_> = position.successors(evidence.rules()).collect();
    for successor in successors {
        let value = evidence.prove_within(&successor.position, plies - 1)?.before();
        if wins_in(&value, plies) {
            moves.push(successor.mv);
        }
    }
    moves.sort_unstable();
    Ok(moves)
}

fn wins_in(value: &Known, plies: u16) -> bool {
    value.category == Some(Category::Win) && value.dtw.is_some_and(|dtw| dtw <= plies)
}

/// The line to the end of the game: the winner's fastest moves against the longest resistance. `None` if a later move
/// of the winner has an unwanted alternative, or if the continuation is not known well enough.
fn line(
    evidence: &Evidence,
    start: &Position,
    plies: u16,
    duals: bool,
) -> Result<Option<Vec<SolutionMove>>, ProofError> {
    let (mut line, mut position, mut left) = (Vec::new(), *start, plies);
    loop {
        let moves = quickest(evidence, &position, left)?;
        let Some((&mv, also)) = moves.split_first() else { return Ok(None) };
        if !also.is_empty() && !duals {
            return Ok(None);
        }
        line.push(SolutionMove { mv, also: also.to_vec() });
        let Some(next) = position.play(evidence.rules(), mv) else { return Ok(None) };
        if left == 1 {
            return Ok(Some(line));
        }
        left -= 2;
        let mut replies: Vec<_> = next.successors(evidence.rules()).collect();
        replies.sort_unstable_by_key(|reply| reply.mv);
        let mut longest = None;
        for reply in replies {
            if evidence.prove_within(&reply.position, left)?.exact() == Some(left) {
                longest = Some(reply);
                break;
            }
        }
        let Some(reply) = longest else { return Ok(None) };
        line.push(SolutionMove { mv: reply.mv, also: Vec::new() });
        position = reply.position;
    }
}
