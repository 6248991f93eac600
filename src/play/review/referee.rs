//! Comparison of result and reason of a record with the end of its game.

use super::finding::{Finding, FindingKind};
use super::replay::{REPETITION, Replay};
use crate::game::{Position, Rules};
use crate::play::ending::{Reason, by_color, ended, sentence};
use crate::play::known::Known;
use crate::play::record::{Outcome, Record};

/// The outcome of a game: by the end of the game if it was reached, else by its record, else by the known value of its
/// last position.
pub fn outcome(rules: &Rules, record: &Record, last: &Position, known: &Known) -> Option<Outcome> {
    if let Some((_, category)) = last.over(rules) {
        return Some(by_color(category, last.to_move()));
    }
    let told = record.result.as_deref().and_then(Outcome::parse).filter(|outcome| *outcome != Outcome::Open);
    told.or_else(|| known.category.map(|category| by_color(category, last.to_move())))
}

/// Compares result and reason with the last position, whose value is `known`.
pub fn judge(rules: &Rules, record: &Record, replay: &Replay, known: &Known) -> Vec<Finding> {
    let mut findings = Vec::new();
    let found = |kind| replay.findings.iter().any(|finding| finding.kind == kind);
    let Some(last) = replay.positions.last().filter(|_| !found(FindingKind::Illegal)) else { return findings };
    let ply = replay.moves.len() + 1;
    let mut find = |kind, what| findings.push(Finding { ply, kind, what });
    let outcome = match record.result.as_deref().map(|text| (text, Outcome::parse(text))) {
        None => None,
        Some((_, Some(outcome))) => Some(outcome),
        Some((text, None)) => {
            find(FindingKind::Unreadable, format!("{text:?} is not a result; write 1-0, 0-1, 1/2-1/2 or *"));
            return findings;
        }
    };
    let claimed = outcome.filter(|outcome| *outcome != Outcome::Open);
    let reason = record.reason.as_deref().map_or(Reason::None, Reason::read);
    let end = last.over(rules).map(|(over, category)| (over, by_color(category, last.to_move())));
    if let Some((over, true_outcome)) = end
        && claimed.is_some_and(|claimed| claimed != true_outcome)
    {
        let what = format!("the result is {} but {}", sentence(claimed), ended(over, true_outcome));
        find(FindingKind::Result, what);
    }
    if let Reason::Over(claimed) = reason
        && end.map(|(over, _)| over) != Some(claimed)
    {
        let truth = end.map_or_else(|| "the game is not over".to_owned(), |(over, outcome)| ended(over, outcome));
        let reason = record.reason.as_deref().unwrap_or_default();
        find(FindingKind::Result, format!("the reason is {reason:?} but {truth}"));
    }
    if reason == Reason::Repetition && !found(FindingKind::Repetition) {
        let what = format!("the reason is repetition but no position occurred {REPETITION} times");
        find(FindingKind::Result, what);
    }
    if end.is_none() && matches!(reason, Reason::None | Reason::Adjudication) {
        // An unfinished game: compares its result with the value of its last position.
        let value = known.category.map(|category| by_color(category, last.to_move()));
        if let (Some(claimed), Some(value)) = (claimed, value)
            && claimed != value
        {
            let what = format!("the result is {} but in the last position {}", sentence(Some(claimed)), truth(known));
            find(FindingKind::Result, what);
        }
    }
    findings
}

/// A value in words: `White wins in 5 plies`.
fn truth(known: &Known) -> String {
    let Some(winner) = known.winner() else { return "it is a draw".to_owned() };
    match (known.dtw, known.exact()) {
        (None, _) => format!("{winner} wins"),
        (Some(plies), Some(_)) => format!("{winner} wins in {plies} plies"),
        (Some(plies), None) => format!("{winner} wins in at most {plies} plies"),
    }
}
