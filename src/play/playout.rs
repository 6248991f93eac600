//! Play-outs: an engine plays a won position to its end against the longest resistance.

use super::adapters::{Engine, Failure, MoveRequest};
use super::tally::Tally;
use super::trial::{Abort, ask};
use crate::game::{Move, Position};
use crate::probe::Tablebase;
use serde_json::{Value, json};
use std::collections::HashMap;

/// How a play-out ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The engine won.
    Won,
    /// The engine's last move gave the win away.
    GivenAway,
    /// The same position occurred for the third time.
    Repetition,
    /// The engine was still winning when the ply limit was reached.
    Unfinished,
    /// The engine gave no legal move.
    Failed(Failure),
}

impl End {
    /// The kinds of ends, by name.
    pub const NAMES: [&str; 5] = ["won", "given-away", "repetition", "unfinished", "failed"];

    /// Index of the kind within [`End::NAMES`].
    pub const fn kind(&self) -> usize {
        match self {
            Self::Won => 0,
            Self::GivenAway => 1,
            Self::Repetition => 2,
            Self::Unfinished => 3,
            Self::Failed(_) => 4,
        }
    }
}

/// A game from a won position.
#[derive(Clone, Debug)]
pub struct Playout {
    /// Plies needed with best play.
    pub dtw: u16,
    /// The moves of both sides.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: End,
    /// The engine's moves, graded.
    pub tally: Tally,
}

impl Playout {
    /// Plies beyond the minimum, if the game was won.
    pub fn extra(&self) -> Option<usize> {
        (self.end == End::Won).then(|| self.moves.len().saturating_sub(self.dtw.into()))
    }

    /// The game as JSON.
    pub fn json(&self) -> Value {
        json!({
            "end": End::NAMES[self.end.kind()],
            "failure": if let End::Failed(failure) = &self.end { Some(failure.to_string()) } else { None },
            "dtw": self.dtw,
            "plies": self.moves.len(),
            "extra": self.extra(),
            "moves": self.moves.iter().map(Move::to_string).collect::<Vec<_>>(),
            "tally": self.tally.json(false),
        })
    }
}

/// Plays a position that is won in `dtw` plies, the engine's side first, for at most `most` plies beyond the minimum.
///
/// # Errors
/// Returns an error if a table is missing or damaged, or on interruption.
pub fn play_out(
    tables: &Tablebase,
    engine: &mut Engine,
    start: Position,
    dtw: u16,
    most: usize,
) -> Result<Playout, Abort> {
    let rules = tables.rules();
    let mut playout = Playout { dtw, moves: Vec::new(), end: End::Unfinished, tally: Tally::default() };
    let mut seen: HashMap<Position, u8> = HashMap::new();
    let mut position = start;
    match engine.new_game() {
        Ok(()) => {}
        Err(Failure::Interrupted) => return Err(Abort::Interrupted),
        Err(failure) => {
            playout.end = End::Failed(failure);
            return Ok(playout);
        }
    }
    while playout.moves.len() < most.saturating_add(dtw.into()) {
        let question = MoveRequest { rules, start, moves: &playout.moves, position };
        let grade = match ask(tables, engine, &question)? {
            Ok(grade) => grade,
            Err(failure) => {
                playout.end = End::Failed(failure);
                return Ok(playout);
            }
        };
        playout.moves.push(grade.mv);
        playout.tally.add(&grade);
        position = grade.position;
        if grade.verdict.is_blunder() {
            playout.end = End::GivenAway;
            return Ok(playout);
        }
        // The longest resistance; without a move the game is over, and won.
        let Some(answer) = tables.moves(&position)?.into_iter().next() else {
            playout.end = End::Won;
            return Ok(playout);
        };
        playout.moves.push(answer.mv);
        position = answer.position;
        let times = seen.entry(position).or_insert(0);
        *times += 1;
        if *times == 3 {
            playout.end = End::Repetition;
            return Ok(playout);
        }
    }
    Ok(playout)
}
