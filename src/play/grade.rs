//! Grading of a move by tables, or by tables and proofs.

use super::evidence::Evidence;
use super::known::{Known, Source};
use super::verdict::Verdict;
use crate::game::{Category, Move, Position};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::proof::ProofError;
use crate::table::TableError;
use serde_json::{Value, json};
use thiserror::Error;

/// A graded move.
#[derive(Clone, Debug)]
pub struct Grade {
    /// The move.
    pub mv: Move,
    /// The value of the position for the mover.
    pub before: Known,
    /// Value of the move for the mover, counting the move.
    pub after: Known,
    /// The verdict on the move.
    pub verdict: Verdict,
    /// The best moves as far as known, in square order; empty if the value before is unknown.
    pub best: Vec<Move>,
    /// The position after the move.
    pub position: Position,
    /// Whether proofs were requested beyond the tables.
    pub proofs: bool,
}

impl Grade {
    /// The grade as JSON: the move, the values before and after it for the mover, the verdict, the best moves.
    pub fn json(&self) -> Value {
        json!({
            "move": self.mv.to_string(),
            "before": self.before.json(self.proofs),
            "after": self.after.json(self.proofs),
            "verdict": self.verdict.name(),
            "plies_lost": self.verdict.plies_lost(),
            "best": self.best.iter().map(Move::to_string).collect::<Vec<_>>(),
        })
    }

    /// The best moves, separated by spaces.
    pub fn best_text(&self) -> String {
        self.best.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The source of the verdict: [`Source::Table`] if tables suffice.
    pub fn by(&self) -> Source {
        match (self.verdict, self.before.by, self.after.by) {
            (Verdict::Unknown, ..) => Source::None,
            (_, Source::Table, Source::Table) => Source::Table,
            _ => Source::Proof,
        }
    }
}

/// Why a move has no grade.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GradeError {
    /// It is not legal here.
    #[error("{mv} is not legal in {position}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The position as text.
        position: String,
    },
    /// The tables do not decide it.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The prover cannot search.
    #[error(transparent)]
    Proof(ProofError),
}

impl From<ProofError> for GradeError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Table(error) => Self::Probe(error),
            ProofError::Position(error) => Self::Probe(error.into()),
            error @ ProofError::Memory { .. } => Self::Proof(error),
        }
    }
}

/// Grades a move by tables.
///
/// ```
/// use jungletb::game::{Move, Position, Rules};
/// use jungletb::play::{self, Verdict};
/// use jungletb::probe::Tablebase;
///
/// let rules = Rules::standard();
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
/// let position = Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
/// let grade = play::grade(&tables, &position, Move::parse("d6g6").unwrap())?;
/// assert_eq!(grade.verdict, Verdict::Sooner(2));
/// assert_eq!(grade.best[0].to_string(), "d6d7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the move is illegal, the position is invalid, or a table is missing or damaged.
pub fn grade(tables: &Tablebase, position: &Position, mv: Move) -> Result<Grade, GradeError> {
    let before = Known::table(position.to_move(), tables.value_by_table(position)?);
    grade_from(&Evidence::tables(tables), position, &before, mv)
}

/// Grades a move by tables and proofs, given the value of the position before it; searches the position after it.
///
/// # Errors
/// Returns an error if the move is illegal, the position is invalid, or a table is damaged.
pub fn grade_from(evidence: &Evidence, position: &Position, before: &Known, mv: Move) -> Result<Grade, GradeError> {
    let next = play(evidence, position, mv)?;
    let after = evidence.prove(&next)?;
    grade_between(evidence, position, mv, before, &after)
}

/// Grades a move by the values of the positions before and after it, each for the side to move there. Each value is
/// refined by the other where possible: in a lost position every move loses, and a winning move makes its position won.
///
/// # Errors
/// Returns an error if the move is illegal or the tables contradict each other.
pub fn grade_between(
    evidence: &Evidence,
    position: &Position,
    mv: Move,
    before: &Known,
    after: &Known,
) -> Result<Grade, GradeError> {
    let next = play(evidence, position, mv)?;
    let after = after.before();
    let (before, after) = if evidence.proves() { settled(before, &after) } else { (*before, after) };
    let verdict = match Verdict::of(&before, &after) {
        Some(verdict) => verdict,
        None if before.by == Source::Table && after.by == Source::Table => {
            return Err(contradiction(evidence.tablebase(), position, mv).into());
        }
        // Only certain verdicts are given.
        None => Verdict::Unknown,
    };
    let best = best(evidence, position, &before)?;
    Ok(Grade { mv, before, after, verdict, best, position: next, proofs: evidence.proves() })
}

fn play(evidence: &Evidence, position: &Position, mv: Move) -> Result<Position, GradeError> {
    let rules = evidence.rules();
    position.play(rules, mv).ok_or_else(|| GradeError::Illegal { mv, position: position.to_text(rules) })
}

/// The values before and after a move, both for the mover, each refined by the other.
fn settled(before: &Known, after: &Known) -> (Known, Known) {
    let forced = |category| Known::at_most(before.to_move, category, None);
    let (mut known_before, mut known_after) = (*before, *after);
    if before.by != Source::Table && after.category == Some(Category::Win) {
        let win = Known { dtw: after.dtw, ..forced(Category::Win) };
        known_before = before.and(win).unwrap_or(*before);
    }
    if after.by != Source::Table && before.category == Some(Category::Loss) {
        let loss = Known { dtw: before.dtw, ..forced(Category::Loss) };
        known_after = after.and(loss).unwrap_or(*after);
    }
    (known_before, known_after)
}

/// The best moves of a position, by what is known of its successors without a search.
fn best(evidence: &Evidence, position: &Position, before: &Known) -> Result<Vec<Move>, GradeError> {
    let mut best = Vec::new();
    if before.category.is_none() {
        return Ok(best);
    }
    for successor in position.successors(evidence.rules()) {
        let after = evidence.known(&successor.position)?.before();
        let keeps = match Verdict::of(before, &after) {
            Some(Verdict::Best | Verdict::Kept) => true,
            Some(Verdict::SlowerAtMost(_)) => after.dtw <= before.dtw,
            // The longest proven resistance; its plies are a lower bound.
            Some(Verdict::SoonerAtMost(_)) => after.dtw >= before.dtw,
            _ => false,
        };
        if keeps {
            best.push(successor.mv);
        }
    }
    if let Some(first) = before.first.filter(|_| best.is_empty()) {
        best.push(first);
    }
    best.sort_unstable();
    Ok(best)
}

/// The error for tables that contradict each other.
fn contradiction(tables: &Tablebase, position: &Position, mv: Move) -> ProbeError {
    let material = Material::of(position);
    let text = position.to_text(tables.rules());
    let what = format!("its value of {text} is worse than the value after {mv}; run `jungletb verify {material}`");
    match tables.table(material) {
        Ok(table) => TableError::damaged(table.path(), what).into(),
        Err(error) => error,
    }
}
