//! Positions as text: `l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w`.
//!
//! Reading is generous in spelling (`J` for the leopard, `r` for White as side to move, further
//! fields ignored) and strict in content: whatever cannot be a position of the game is an error
//! that names the place.

use super::animal::{Color, Piece};
use super::position::Position;
use super::rules::Rules;
use super::square::{Square, SquareSet};
use thiserror::Error;

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error("no position given: write ranks from the top, a space, and w or b")]
    Empty,
    #[error("side to move is missing: add w or b after the ranks")]
    NoSide,
    #[error("side to move is {0:?}: write w or b")]
    UnknownSide(String),
    #[error("{found} ranks, but the board has {expected}")]
    RankCount { found: usize, expected: u8 },
    #[error("rank {rank} has {found} squares, but the board has 7 files")]
    RankWidth { rank: u8, found: usize },
    #[error("rank {rank}: {symbol:?} is no animal and no gap of 1 to 7 squares")]
    UnknownSymbol { rank: u8, symbol: char },
    #[error("two {piece}s, on {first} and {second}: a side has one of each animal")]
    Duplicate { piece: Piece, first: Square, second: Square },
    #[error("{piece} on {square}: that animal is not in this game")]
    NotInGame { piece: Piece, square: Square },
    #[error("{piece} on {square}: it cannot stand in the water")]
    InWater { piece: Piece, square: Square },
    #[error("{piece} on {square}: no piece enters its own den")]
    OwnDen { piece: Piece, square: Square },
    #[error("{piece} on {square}: these rules keep it out of traps")]
    InTrap { piece: Piece, square: Square },
    #[error("both dens are entered, by {0} and {1}: the game ends with the first")]
    BothDens(Piece, Piece),
    #[error("the board is empty")]
    NoPieces,
    #[error("{piece} on square {number}: squares are numbered from 0 to {last}")]
    NoSuchSquare { piece: Piece, number: u8, last: u8 },
    #[error("{piece} on {square}: another piece stands there")]
    Taken { piece: Piece, square: Square },
}

/// The sixteen animals before the first move of a game on the 7x9 board.
const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

impl Position {
    /// The position before the first move of a game; `None` for the board of Animal Checkers, whose sources give none.
    pub fn start(rules: &Rules) -> Option<Self> {
        Self::parse(rules, START).ok()
    }

    /// Reads a position.
    ///
    /// # Errors
    /// Text that is no position of the game under these rules, naming the place.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, PositionError> {
        let mut fields = text.split_whitespace();
        let ranks = fields.next().ok_or(PositionError::Empty)?;
        let side = fields.next();
        let mut position = read_ranks(rules, ranks)?;
        position.set_to_move(match side.ok_or(PositionError::NoSide)? {
            "w" | "r" => Color::White,
            "b" => Color::Black,
            other => return Err(PositionError::UnknownSide(other.chars().take(20).collect())),
        });
        position.check(rules)?;
        Ok(position)
    }

    /// Whether the pieces stand where the rules let them.
    ///
    /// # Errors
    /// The first piece that does not.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let board = rules.board();
        let mut in_den = Vec::new();
        for (piece, square) in self.pieces() {
            let movement = rules.movement(piece.color, piece.animal);
            if movement.domain.is_empty() {
                return Err(PositionError::NotInGame { piece, square });
            } else if square == board.dens[piece.color.index()] {
                return Err(PositionError::OwnDen { piece, square });
            } else if square == board.goal(piece.color) {
                in_den.push(piece);
            } else if !movement.domain.has(square) {
                return Err(if board.water.has(square) {
                    PositionError::InWater { piece, square }
                } else {
                    PositionError::InTrap { piece, square }
                });
            }
        }
        match in_den[..] {
            [first, second] => Err(PositionError::BothDens(first, second)),
            _ if self.is_empty() => Err(PositionError::NoPieces),
            _ => Ok(()),
        }
    }

    /// The position as text, in the form that [`Position::parse`] reads.
    pub fn to_text(&self, rules: &Rules) -> String {
        let mut text = String::new();
        for rank in (0..rules.board().ranks).rev() {
            let mut gap = 0;
            for file in 0..Square::FILES {
                match self.piece_at(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            text += &gap.to_string();
                            gap = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(if self.to_move() == Color::White { 'w' } else { 'b' });
        text
    }
}

fn read_ranks(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    let expected = rules.board().ranks;
    let found = text.split('/').count();
    if found != usize::from(expected) {
        return Err(PositionError::RankCount { found, expected });
    }
    let mut position = Position::empty(Color::White);
    for (rank, cells) in (0..expected).rev().zip(text.split('/')) {
        let mut file = 0_usize;
        let mut pieces = Vec::new();
        for symbol in cells.chars() {
            if let '1'..='7' = symbol {
                file += symbol as usize - '0' as usize;
            } else {
                let piece = Piece::from_letter(symbol);
                pieces.push((piece.ok_or(PositionError::UnknownSymbol { rank: rank + 1, symbol })?, file));
                file += 1;
            }
        }
        if file != usize::from(Square::FILES) {
            return Err(PositionError::RankWidth { rank: rank + 1, found: file });
        }
        for (piece, file) in pieces {
            let square = Square::at(file as u8, rank);
            if let Some(first) = position.square(piece) {
                return Err(PositionError::Duplicate { piece, first, second: square });
            }
            position.set(piece, Some(square));
        }
    }
    debug_assert!(position.pieces().map(|(_, square)| square).collect::<SquareSet>().len() == position.len());
    Ok(position)
}
