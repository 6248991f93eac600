//! Positions as text: `l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w`.
//!
//! Parsing is lenient in spelling and strict in content. Spelling: `J` for the leopard; `w`, `white`, `r`, `red`, `b`
//! or `black` in any case for the side to move; `_`, `+`, `;` or `,` for the space before it; further fields are
//! ignored, so that EPD and lines of other tools are accepted; surrounding marks are removed ([`tidy`]); `startpos`; a
//! link to the web page. Content: text that is not a possible position of the game is an error that names the place.

use super::animal::{Color, Piece};
use super::position::Position;
use super::rules::Rules;
use super::square::{Square, SquareSet};
use crate::text::{Link, count, excerpt, quoted, tidy};
use thiserror::Error;

/// Why the text of a position is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum PositionError {
    #[error("no position given: write ranks from the top, a space, and w or b")]
    Empty,
    #[error("side to move is missing: add w or b after the ranks")]
    NoSide,
    #[error("side to move is {0:?}: write w or b")]
    UnknownSide(String),
    #[error("moves after a position are not supported: give the position after them")]
    Moves,
    #[error("the board of {rules} has no start position")]
    NoStart { rules: String },
    #[error("the link {0} has no position=…")]
    NoPositionInLink(String),
    #[error("the link is to a position of the rules {found}, but these are {rules}")]
    OtherRules { found: String, rules: String },
    #[error("{}, but the board has {expected}", count(*found as u64, "rank", "ranks"))]
    RankCount { found: usize, expected: u8 },
    #[error("rank {rank} has {}, but the board has 7 files", count(*found as u64, "square", "squares"))]
    RankWidth { rank: u8, found: usize },
    #[error("rank {rank}: {symbol:?} is neither an animal nor a gap of 1 to 7 squares")]
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

/// The sixteen animals in the start position on the 7x9 board.
const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

impl Position {
    /// The start position; `None` for the board of Animal Checkers, whose sources give none.
    pub fn start(rules: &Rules) -> Option<Self> {
        Self::parse(rules, START).ok()
    }

    /// Parses a position as written by people and other programs. All interfaces parse positions with this function.
    ///
    /// ```
    /// use jungletb::game::{Position, Rules};
    ///
    /// let rules = Rules::standard();
    /// let position = Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
    /// for text in ["\"7/7/2r4/3L3/7/3c3/7/7/7 White\";", "http://host/?position=7/7/2r4/3L3/7/3c3/7/7/7_w"] {
    ///     assert_eq!(Position::parse(&rules, text)?, position);
    /// }
    /// # Ok::<(), jungletb::game::PositionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the place, if the text is not a position of the game under these rules.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, PositionError> {
        // Programs write most positions, millions of them, in the plain form.
        if let Some(position) = read_plain(rules, text)
            && position.check(rules).is_ok()
        {
            return Ok(position);
        }
        let text = tidy(text);
        match Link::read(text) {
            Some(link) => read_link(rules, text, &link),
            None => read_fields(rules, text),
        }
    }

    /// Checks that all pieces stand on squares that the rules allow.
    ///
    /// # Errors
    /// Returns an error for the first piece that does not.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let board = rules.board();
        let mut in_den = Vec::new();
        let mut seen = SquareSet::EMPTY;
        for (piece, square) in self.pieces() {
            if seen.has(square) || !self.occupied(piece.color).has(square) {
                return Err(PositionError::Taken { piece, square });
            }
            seen |= square.set();
            let movement = rules.movement(piece.color, piece.animal);
            if movement.domain.is_empty() {
                return Err(PositionError::NotInGame { piece, square });
            } else if square == board.dens[piece.color.index()] {
                return Err(PositionError::OwnDen { piece, square });
            } else if square == board.goal(piece.color) {
                in_den.push(piece);
            } else if !movement.domain.has(square) {
                return Err(if !board.squares.has(square) {
                    let last = board.ranks * Square::FILES - 1;
                    PositionError::NoSuchSquare { piece, number: square.index() as u8, last }
                } else if board.water.has(square) {
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

    /// The position as text, in the format that [`Position::parse`] reads.
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

/// Reads what [`Position::to_text`] writes; `None` for anything else, which may be a position all the same.
fn read_plain(rules: &Rules, text: &str) -> Option<Position> {
    let (ranks, &[b' ', side]) = text.as_bytes().split_last_chunk()? else { return None };
    let mut position = Position::empty(match side {
        b'w' => Color::White,
        b'b' => Color::Black,
        _ => return None,
    });
    let (mut rank, mut file) = (rules.board().ranks - 1, 0);
    for &symbol in ranks {
        match symbol {
            b'/' if file == Square::FILES => {
                rank = rank.checked_sub(1)?;
                file = 0;
            }
            b'1'..=b'7' => file += symbol - b'0',
            _ => {
                let piece = Piece::from_letter(char::from(symbol))?;
                if file >= Square::FILES || position.square(piece).is_some() {
                    return None;
                }
                position.set(piece, Some(Square::at(file, rank)));
                file += 1;
            }
        }
        if file > Square::FILES {
            return None;
        }
    }
    (rank == 0 && file == Square::FILES).then_some(position)
}

fn read_link(rules: &Rules, text: &str, link: &Link) -> Result<Position, PositionError> {
    if let Some(found) = link.rules.as_deref().filter(|found| !found.eq_ignore_ascii_case(rules.name())) {
        return Err(PositionError::OtherRules { found: quoted(found), rules: rules.name().to_owned() });
    }
    let position = link.position.as_deref().ok_or_else(|| PositionError::NoPositionInLink(quoted(text)))?;
    read_fields(rules, tidy(position))
}

fn read_fields(rules: &Rules, text: &str) -> Result<Position, PositionError> {
    let between = |symbol: char| symbol.is_whitespace() || matches!(symbol, '_' | '+' | ';' | ',');
    let mut fields = text.split(between).filter(|field| !field.is_empty());
    let ranks = fields.next().ok_or(PositionError::Empty)?;
    if ranks.eq_ignore_ascii_case("startpos") {
        no_moves(fields)?;
        return Position::start(rules).ok_or_else(|| PositionError::NoStart { rules: rules.name().to_owned() });
    }
    let mut position = read_ranks(rules, ranks)?;
    position.set_to_move(read_side(fields.next().ok_or(PositionError::NoSide)?)?);
    no_moves(fields)?;
    position.check(rules)?;
    Ok(position)
}

fn read_side(text: &str) -> Result<Color, PositionError> {
    let is_one_of = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    if is_one_of(&["w", "white", "r", "red"]) {
        Ok(Color::White)
    } else if is_one_of(&["b", "black"]) {
        Ok(Color::Black)
    } else {
        Err(PositionError::UnknownSide(excerpt(text)))
    }
}

/// Further fields do not affect the position, except moves: ignoring those would give the answer for another position.
fn no_moves<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<(), PositionError> {
    match fields.next() {
        Some("moves") => Err(PositionError::Moves),
        _ => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_form_is_read_as_any_other() {
        let good = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
        for (rules, start) in
            [(Rules::standard(), good), (Rules::preset("animal-checkers").unwrap(), "7/7/7/e6/7/7/R6 b")]
        {
            let plain = read_plain(&rules, start).unwrap();
            assert_eq!(plain.to_text(&rules), start);
            // Each text with a symbol left out, or replaced.
            let symbols =
                [None, Some('/'), Some(' '), Some('1'), Some('7'), Some('8'), Some('E'), Some('é'), Some('_')];
            for at in 0..=start.len() {
                for symbol in symbols {
                    let end = &start[start.len().min(at + 1)..];
                    let text: String = start[..at].chars().chain(symbol).chain(end.chars()).collect();
                    if let Some(position) = read_plain(&rules, &text) {
                        assert_eq!(read_fields(&rules, &text).ok(), position.check(&rules).is_ok().then_some(position));
                    }
                }
            }
        }
    }
}
