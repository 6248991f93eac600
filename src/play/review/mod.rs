//! Review of a whole game: replayed move by move, refereed, graded.
//!
//! The positions are probed, or proven, from the last to the first: a proof near the end is cheap, and the prover
//! reuses it for earlier positions. Values of adjacent positions then refine each other: a position from which the game
//! moved to a lost one is won, and one that follows a lost one is won.

mod annotate;
mod finding;
mod referee;
mod replay;
mod turning;
mod values;

pub use finding::{Finding, FindingKind};
pub use replay::{Layout, Replay, read_move};
pub use turning::{Basis, Decisive};

use super::evidence::Evidence;
use super::grade::{Grade, grade_between};
use super::known::{Known, Source};
use super::record::{Outcome, Record};
use super::tally::Tally;
use crate::game::{Position, Rules};
use crate::probe::Tablebase;
use serde_json::{Value, json};

/// A graded move of a game.
#[derive(Clone, Debug)]
pub struct GradedMove {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The position before it.
    pub position: Position,
    /// The grade.
    pub grade: Grade,
}

/// Sources of the values of a game's positions, including the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Positions with a table, or at the end of the game.
    pub tables: u64,
    /// Positions with a proof.
    pub proofs: u64,
    /// Positions with unknown value.
    pub unknown: u64,
}

impl Sources {
    /// Counts a position.
    pub fn add(&mut self, source: Source) {
        match source {
            Source::Table => self.tables += 1,
            Source::Proof => self.proofs += 1,
            Source::None => self.unknown += 1,
        }
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Self) {
        self.tables += other.tables;
        self.proofs += other.proofs;
        self.unknown += other.unknown;
    }

    /// Total number of positions.
    pub const fn all(&self) -> u64 {
        self.tables + self.proofs + self.unknown
    }

    /// The counts as JSON: `tables`, `proofs`, `unknown`.
    pub fn json(&self) -> Value {
        json!({"tables": self.tables, "proofs": self.proofs, "unknown": self.unknown})
    }
}

/// The review of a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// Layout of the start position.
    pub layout: Layout,
    /// The start position.
    pub start: Option<Position>,
    /// Number of moves that could be replayed.
    pub plies: usize,
    /// The graded moves: those whose position has a table; with proofs, all that were replayed.
    pub moves: Vec<GradedMove>,
    /// Other findings.
    pub findings: Vec<Finding>,
    /// Tallies for White and Black.
    pub tallies: [Tally; 2],
    /// Sources of the values of its positions.
    pub known: Sources,
    /// The number of moves after which the outcome was forced and stayed so; `None` if it is unknown even at the end.
    pub forced_from: Option<usize>,
    /// The move that lost the game.
    pub decisive: Option<Decisive>,
    /// Whether proofs were requested beyond the tables.
    pub proofs: bool,
}

impl Review {
    /// Replays a game and grades each move whose position has a table.
    ///
    /// # Panics
    /// Never panics: reviews by tables only are not cancelled.
    pub fn new(tables: &Tablebase, record: &Record) -> Self {
        let evidence = &Evidence::tables(tables);
        Self::by(evidence, record, &mut |_| {}).expect("tables alone are not cancelled")
    }

    /// Replays a game and grades its moves by tables and proofs. `done` is called with the number of positions
    /// processed, the first time with 0. `None` if the searches were cancelled.
    ///
    /// The result depends on this game only, not on proofs for other games.
    pub fn by(evidence: &Evidence, record: &Record, done: &mut dyn FnMut(Progress)) -> Option<Self> {
        let rules = evidence.rules();
        let replay = Replay::new(rules, record);
        let (known, damaged) = values::values(evidence, &replay.positions, done)?;
        let mut review = Self {
            layout: replay.layout,
            start: replay.positions.first().copied(),
            plies: replay.moves.len(),
            moves: Vec::new(),
            findings: replay.findings.clone(),
            tallies: [Tally::default(); 2],
            known: Sources::default(),
            forced_from: None,
            decisive: None,
            proofs: evidence.proves(),
        };
        review.findings.extend(damaged);
        for known in &known {
            review.known.add(known.by);
        }
        review.grade(evidence, &replay, &known);
        if let (Some(last), Some(value)) = (replay.positions.last(), known.last()) {
            review.findings.extend(referee::judge(rules, record, &replay, value));
            let outcome = referee::outcome(rules, record, last, value);
            review.forced_from = outcome.and_then(|outcome| turning::forced_from(&known, outcome));
            if let Some(Outcome::Won(winner)) = outcome {
                review.decisive = turning::decisive(&known, &replay.moves, winner.other());
            }
        }
        review.findings.sort_by_key(|finding| finding.ply);
        Some(review)
    }

    fn grade(&mut self, evidence: &Evidence, replay: &Replay, known: &[Known]) {
        let steps = replay.moves.iter().zip(&replay.positions).zip(known.windows(2));
        for (((&mv, &position), pair), ply) in steps.zip(1..) {
            if !self.proofs && pair[0].by == Source::None {
                continue;
            }
            match grade_between(evidence, &position, mv, &pair[0], &pair[1]) {
                Ok(grade) => {
                    self.tallies[position.to_move().index()].add(&grade);
                    self.moves.push(GradedMove { ply, position, grade });
                }
                Err(error) => {
                    let known = |finding: &Finding| finding.kind == FindingKind::Damaged && finding.ply == ply;
                    if !self.findings.iter().any(known) {
                        self.findings.push(Finding { ply, kind: FindingKind::Damaged, what: error.to_string() });
                    }
                }
            }
        }
    }

    /// The review as JSON.
    pub fn json(&self, rules: &Rules) -> Value {
        let moves = self.moves.iter().map(|GradedMove { ply, position, grade }| {
            let mut object = grade.json();
            object["ply"] = (*ply).into();
            object["position"] = position.to_text(rules).into();
            object
        });
        let findings = self
            .findings
            .iter()
            .map(|finding| json!({"ply": finding.ply, "kind": finding.kind.name(), "what": finding.what}));
        json!({
            "layout": self.layout.name(),
            "plies": self.plies,
            "white": self.tallies[0].json(self.proofs),
            "black": self.tallies[1].json(self.proofs),
            "known": self.known.json(),
            "forced_from": self.forced_from,
            "decisive": self.decisive.map(|decisive| decisive.json(self.proofs)),
            "moves": moves.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        })
    }
}

/// Progress of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of positions processed.
    pub done: usize,
    /// Total number of positions of the game.
    pub of: usize,
}
