//! Ends of games, by the reason in the record and by the rules.

use super::record::Outcome;
use crate::game::{Category, Color, Over};

/// How a game ended, by the reason in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No reason given.
    None,
    /// The game ended by the rules.
    Over(Over),
    /// A draw by repetition.
    Repetition,
    /// The result was adjudicated.
    Adjudication,
    /// Time, resignation, agreement or a limit, which the position does not show.
    Other,
}

impl Reason {
    /// Parses a reason.
    pub fn read(text: &str) -> Self {
        let text = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if text.trim().is_empty() {
            Self::None
        } else if has(&["repetition", "repeat", "threefold"]) {
            Self::Repetition
        } else if has(&["adjudic", "tablebase"]) {
            Self::Adjudication
        } else if has(&["time", "resign", "agree", "limit", "illegal", "crash", "forfeit", "disconnect", "abandon"]) {
            Self::Other
        } else if has(&["den"]) {
            Self::Over(Over::Den)
        } else if has(&["no-pieces", "no pieces", "eliminat", "captured all", "all captured", "last piece"]) {
            Self::Over(Over::NoPieces)
        } else if has(&["no-moves", "no move", "stalemate", "no legal", "blocked"]) {
            Self::Over(Over::NoMoves)
        } else {
            Self::Other
        }
    }
}

/// The outcome for a category of the side to move.
pub const fn by_color(category: Category, to_move: Color) -> Outcome {
    match category {
        Category::Win => Outcome::Won(to_move),
        Category::Loss => Outcome::Won(to_move.other()),
        Category::Draw => Outcome::Drawn,
    }
}

/// An outcome in words.
pub fn sentence(outcome: Option<Outcome>) -> String {
    match outcome {
        Some(Outcome::Won(color)) => format!("a win for {color}"),
        Some(Outcome::Drawn) => "a draw".to_owned(),
        _ => "open".to_owned(),
    }
}

/// The end of a game, in words.
pub fn ended(over: Over, outcome: Outcome) -> String {
    let how = match over {
        Over::Den => "by entering the den",
        Over::NoPieces => "by taking the last piece",
        Over::NoMoves => "as the other side has no move",
    };
    match outcome {
        Outcome::Won(color) => format!("{color} has won {how}"),
        _ => "the game is drawn, as the side to move has no move".to_owned(),
    }
}
