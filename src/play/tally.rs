//! Tallies of graded moves.

use super::grade::Grade;
use super::known::Source;
use super::verdict::Verdict;
use serde_json::{Map, Value, json};

/// Counts of graded moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of moves by kind of verdict, as in [`Verdict::NAMES`].
    by_kind: [u64; Verdict::NAMES.len()],
    /// Number of moves graded by tables only.
    by_tables: u64,
    /// Number of moves that kept a win or a loss of known distance.
    measured: u64,
    /// Plies lost by those moves.
    plies_lost: u64,
}

impl Tally {
    /// Counts a move.
    pub fn add(&mut self, grade: &Grade) {
        self.by_kind[grade.verdict.kind()] += 1;
        self.by_tables += u64::from(grade.by() == Source::Table);
        let known = grade.before.exact().is_some() && grade.after.exact().is_some();
        if known && !grade.verdict.is_blunder() {
            self.measured += 1;
            self.plies_lost += u64::from(grade.verdict.plies_lost());
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Self) {
        for (ours, theirs) in self.by_kind.iter_mut().zip(other.by_kind) {
            *ours += theirs;
        }
        self.by_tables += other.by_tables;
        self.measured += other.measured;
        self.plies_lost += other.plies_lost;
    }

    /// Number of moves with a verdict.
    pub fn graded(&self) -> u64 {
        self.by_kind.iter().sum::<u64>() - self.by_kind[Verdict::Unknown.kind()]
    }

    /// Number of moves graded by tables only.
    pub const fn by_tables(&self) -> u64 {
        self.by_tables
    }

    /// Number of moves graded with the help of proofs.
    pub fn by_proofs(&self) -> u64 {
        self.graded() - self.by_tables
    }

    /// Number of moves with too little information for a verdict.
    pub const fn unknown(&self) -> u64 {
        self.by_kind[Verdict::Unknown.kind()]
    }

    /// Number of moves that were not the best.
    pub fn mistakes(&self) -> u64 {
        self.by_kind[Verdict::Sooner(0).kind()..].iter().sum()
    }

    /// Number of moves whose verdict has this index within [`Verdict::NAMES`].
    pub fn of_kind(&self, kind: usize) -> u64 {
        self.by_kind[kind]
    }

    /// Plies lost per move, over the moves that kept a win or a loss of known distance; `None` without any.
    pub fn mean_plies_lost(&self) -> Option<f64> {
        (self.measured > 0).then(|| self.plies_lost as f64 / self.measured as f64)
    }

    /// The tally as JSON: `graded`, `mistakes`, a count for each kind, `mean_plies_lost`; with proofs also the numbers
    /// of moves graded by tables only, graded with proofs, and not graded.
    pub fn json(&self, proofs: bool) -> Value {
        let kinds = (0..Verdict::NAMES.len()).filter(|&kind| proofs || !Verdict::needs_proofs(kind));
        let counts = kinds.map(|kind| (Verdict::NAMES[kind].to_owned(), self.by_kind[kind].into()));
        let mut tally = json!({
            "graded": self.graded(),
            "mistakes": self.mistakes(),
            "verdicts": counts.collect::<Map<String, Value>>(),
            "mean_plies_lost": self.mean_plies_lost(),
        });
        if proofs {
            tally["by"] = json!({"tables": self.by_tables(), "proofs": self.by_proofs(), "unknown": self.unknown()});
        }
        tally
    }
}
