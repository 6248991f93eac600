//! A prover as the source of a strategy's moves.

use super::strategy::{Source, SourceError};
use crate::game::{Category, Move, Position};
use crate::proof::{Limits, Prover};
use crate::system::Cancel;

/// Moves from the results of a prover, with a new search where an entry has been overwritten.
pub struct Proven<'s, 'a> {
    prover: &'s Prover<'a>,
    cancel: &'s Cancel,
    listener: &'s mut dyn FnMut(usize),
}

impl<'s, 'a> Proven<'s, 'a> {
    /// A source backed by this prover; `cancel` stops its searches, and `listener` receives the number of positions of
    /// the strategy.
    pub fn new(prover: &'s Prover<'a>, cancel: &'s Cancel, listener: &'s mut dyn FnMut(usize)) -> Self {
        Self { prover, cancel, listener }
    }

    /// Whether the side to move wins or loses within this number of plies, with the first move of the best line.
    fn search(&mut self, position: &Position, plies: u16) -> Result<(Option<Category>, Option<Move>), SourceError> {
        let limits = Limits { plies: Some(plies), ..Limits::default() };
        let proof = self.prover.prove(position, &limits, self.cancel, &mut |_| {});
        let proof = proof.map_err(|error| SourceError::Limit(error.to_string()))?;
        if self.cancel.is_cancelled() {
            return Err(SourceError::Interrupted);
        }
        let category = proof.category.filter(|_| proof.dtw.is_some_and(|dtw| dtw <= plies));
        Ok((category, proof.line.first().copied()))
    }
}

impl Source for Proven<'_, '_> {
    fn known(&mut self, position: &Position) -> Option<(Category, u16)> {
        let proof = self.prover.known(position).ok()?;
        Some((proof.category?, proof.dtw?))
    }

    fn winning_move(&mut self, position: &Position, plies: u16) -> Result<Move, SourceError> {
        let (category, mv) = self.search(position, plies)?;
        if category != Some(Category::Win) {
            return Err(SourceError::Limit("its proof was not found again".to_owned()));
        }
        if let Some(mv) = mv {
            return Ok(mv);
        }
        // The proof table is too small to keep even the moves of one line.
        let rules = self.prover.rules().clone();
        let mut successors: Vec<_> = position.successors(&rules).collect();
        successors.sort_unstable_by_key(|successor| successor.mv);
        for successor in successors {
            if self.search(&successor.position, plies.saturating_sub(1))?.0 == Some(Category::Loss) {
                return Ok(successor.mv);
            }
        }
        Err(SourceError::Limit("its proof was not found again".to_owned()))
    }

    fn progress(&mut self, positions: usize) {
        (self.listener)(positions);
    }
}
