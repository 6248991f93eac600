//! Sources for grading moves: tables, and proofs beyond them.

use super::known::{Known, Source};
use crate::game::{Position, Rules};
use crate::probe::{ProbeError, Tablebase};
use crate::proof::{Limits, Options, ProofError, Prover};
use crate::system::Cancel;
use std::time::Duration;

/// Limits for proving one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time.
    pub time: Option<Duration>,
    /// Number of positions. With one thread and without a time limit, results are reproducible.
    pub positions: Option<u64>,
}

/// Tables, and a prover for positions without tables.
pub struct Evidence<'a> {
    tables: &'a Tablebase,
    proofs: Option<Proofs<'a>>,
}

struct Proofs<'a> {
    prover: Prover<'a>,
    budget: Budget,
    cancel: Cancel,
}

impl<'a> Evidence<'a> {
    /// Tables only.
    pub const fn tables(tables: &'a Tablebase) -> Self {
        Self { tables, proofs: None }
    }

    /// Tables and proofs. After `cancel`, searches end at once with what is known then.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the proof table.
    pub fn proofs(
        tables: &'a Tablebase,
        options: &Options,
        budget: Budget,
        cancel: Cancel,
    ) -> Result<Self, ProofError> {
        let prover = Prover::new(tables, options)?;
        Ok(Self { tables, proofs: Some(Proofs { prover, budget, cancel }) })
    }

    /// The rules.
    pub const fn rules(&self) -> &'a Rules {
        self.tables.rules()
    }

    /// The tables.
    pub const fn tablebase(&self) -> &'a Tablebase {
        self.tables
    }

    /// Whether positions without a table are searched.
    pub const fn proves(&self) -> bool {
        self.proofs.is_some()
    }

    /// Whether the searches were cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.proofs.as_ref().is_some_and(|proofs| proofs.cancel.is_cancelled())
    }

    /// Clears the proofs, so that later results do not depend on earlier ones.
    pub fn clear(&self) {
        if let Some(proofs) = &self.proofs {
            proofs.prover.clear();
        }
    }

    /// The known value of a position without a search: from a table, or from an earlier proof.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn known(&self, position: &Position) -> Result<Known, ProofError> {
        let known = self.table(position)?;
        match &self.proofs {
            Some(proofs) if known.by == Source::None => {
                let proof = proofs.prover.known(position)?;
                Ok(Known::proof(&proof, false))
            }
            _ => Ok(known),
        }
    }

    /// The known value of a position after a search, if it has no table and proofs are enabled.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn prove(&self, position: &Position) -> Result<Known, ProofError> {
        self.search(position, None, None)
    }

    /// As [`Evidence::prove`], limited to ends of the game within a number of plies.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn prove_within(&self, position: &Position, plies: u16) -> Result<Known, ProofError> {
        self.search(position, Some(plies), None)
    }

    /// As [`Evidence::prove`] on one thread, of a position from which the game went on into `next`: for several positions
    /// at a time.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn prove_before(&self, position: &Position, next: Option<&Known>) -> Result<Known, ProofError> {
        // Tables alone conclude nothing.
        let win = next.filter(|_| self.proves()).and_then(Known::win_before);
        // Only faster wins remain to be searched.
        let quicker = win.and_then(|win| win.dtw).map(|plies| plies.saturating_sub(1));
        let known = self.search(position, quicker, Some(1))?;
        Ok(win.map_or(known, |win| known.with_proof(&win)))
    }

    /// Threads to search with.
    pub fn threads(&self) -> usize {
        self.proofs.as_ref().map_or(1, |proofs| proofs.prover.threads())
    }

    fn search(&self, position: &Position, plies: Option<u16>, threads: Option<usize>) -> Result<Known, ProofError> {
        let known = self.table(position)?;
        let Some(proofs) = self.proofs.as_ref().filter(|_| known.by == Source::None) else { return Ok(known) };
        let limits = Limits { time: proofs.budget.time, positions: proofs.budget.positions, plies };
        let threads = threads.unwrap_or(proofs.prover.threads());
        let proof = proofs.prover.prove_by(threads, position, &limits, &proofs.cancel, &mut |_| {})?;
        // A search that used most of its time may not finish within it in another run.
        let timed = limits.time.is_some_and(|time| proof.time > time / 2);
        Ok(Known::proof(&proof, timed))
    }

    /// The value known from the tables.
    fn table(&self, position: &Position) -> Result<Known, ProofError> {
        match self.tables.value_by_table(position) {
            Ok(answer) => Ok(Known::table(position.to_move(), answer)),
            Err(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. }) => {
                Ok(Known::unknown(position.to_move()))
            }
            Err(error) => Err(error.into()),
        }
    }
}
