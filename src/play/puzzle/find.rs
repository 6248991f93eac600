//! Search for puzzles in tables and in games.

use super::{Puzzle, Source, Wanted, solve};
use crate::material::Material;
use crate::play::evidence::Evidence;
use crate::play::record::Record;
use crate::play::review::Replay;
use crate::play::sample::wins;
use crate::probe::{ProbeError, Tablebase};
use crate::proof::ProofError;

/// Positions tried per distance.
const TRIES: usize = 64;
/// Puzzles taken per distance.
const TAKEN: usize = 4;

/// Puzzles of a material, from its table: some of each length, the longest first. The same seed gives the same puzzles.
///
/// # Errors
/// Returns an error if a table is missing or damaged.
pub fn from_table(
    tables: &Tablebase,
    material: Material,
    wanted: &Wanted,
    seed: u64,
) -> Result<Vec<Puzzle>, ProofError> {
    let mut puzzles = Vec::new();
    if !wanted.pieces.contains(&material.len()) {
        return Ok(puzzles);
    }
    let source = Source::Table { class: tables.place(material)?.class.name() };
    let evidence = &Evidence::tables(tables);
    for positions in wins(tables, material, wanted.plies(), TRIES, seed)?.into_values().rev() {
        let mut found = 0;
        for position in positions {
            if let Some(puzzle) = solve(evidence, &position, wanted, &source)? {
                puzzles.push(puzzle);
                found += 1;
                if found == TAKEN {
                    break;
                }
            }
        }
    }
    Ok(puzzles)
}

/// The puzzles among the positions of a game, from the last to the first. Earlier proofs are cleared first, so the
/// result depends on this game only. `None` if the searches were cancelled.
///
/// # Errors
/// Returns an error if a table is damaged.
pub fn from_game(
    evidence: &Evidence,
    file: &str,
    record: &Record,
    wanted: &Wanted,
) -> Result<Option<Vec<Puzzle>>, ProofError> {
    evidence.clear();
    let replay = Replay::new(evidence.rules(), record);
    let mut puzzles = Vec::new();
    for (ply, position) in replay.positions.iter().enumerate().rev() {
        let source = Source::Game { file: file.to_owned(), line: record.line, ply };
        let puzzle = match solve(evidence, position, wanted, &source) {
            // With tables only, most positions of a game have none.
            Err(ProofError::Table(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. })) => None,
            puzzle => puzzle?,
        };
        if evidence.is_cancelled() {
            return Ok(None);
        }
        puzzles.extend(puzzle);
    }
    Ok(Some(puzzles))
}
