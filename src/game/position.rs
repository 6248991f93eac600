//! A position: the square of each animal and the side to move.

use super::animal::{Animal, Color, Piece};
use super::notation::PositionError;
use super::rules::{NoLegalMove, Rules};
use super::square::{Square, SquareSet};
use serde::Serialize;

/// The outcome for the side to move, with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Category {
    Loss,
    Draw,
    Win,
}

impl Category {
    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// The same outcome for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// A piece stands in the enemy den.
    Den,
    /// A side has no piece left.
    NoPieces,
    /// The side to move has no legal move.
    NoMoves,
}

impl Over {
    /// `den`, `no-pieces` or `no-moves`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Den => "den",
            Self::NoPieces => "no-pieces",
            Self::NoMoves => "no-moves",
        }
    }
}

/// A position. Each side has at most one of each animal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    squares: [[Option<Square>; 8]; 2],
    /// The squares of each side's pieces, updated with every change.
    occupied: [SquareSet; 2],
    to_move: Color,
}

impl Position {
    /// A position without pieces.
    pub const fn empty(to_move: Color) -> Self {
        Self { squares: [[None; 8]; 2], occupied: [SquareSet::EMPTY; 2], to_move }
    }

    /// In [`Position::from_squares`], marks a piece that is not on the board.
    pub const OFF_BOARD: u8 = u8::MAX;

    /// The position with each piece on the square with that number ([`Square::index`]) or [`Position::OFF_BOARD`], by
    /// color and animal. [`Position::check`] tests whether the pieces may stand there.
    ///
    /// # Errors
    /// Returns an error if a number is not a square of the board, or if two pieces share a square.
    pub fn from_squares(rules: &Rules, squares: &[[u8; 8]; 2], to_move: Color) -> Result<Self, PositionError> {
        let end = rules.board().ranks * Square::FILES;
        let mut position = Self::empty(to_move);
        for color in Color::BOTH {
            let numbers = &squares[color.index()];
            // Few pieces are on the board, and engines call this often: all eight are tested in one word.
            let mut present = nonzero_bytes(!u64::from_le_bytes(*numbers));
            while present != 0 {
                let animal = Animal::ALL[present.trailing_zeros() as usize / 8];
                present &= present - 1;
                let (piece, number) = (Piece { color, animal }, numbers[animal.index()]);
                if number >= end {
                    return Err(PositionError::NoSuchSquare { piece, number, last: end - 1 });
                }
                let square = Square::new(number);
                if (position.occupied[0] | position.occupied[1]).has(square) {
                    return Err(PositionError::Taken { piece, square });
                }
                position.squares[color.index()][animal.index()] = Some(square);
                position.occupied[color.index()] |= square.set();
            }
        }
        Ok(position)
    }

    /// The inverse of [`Position::from_squares`].
    pub fn to_squares(&self) -> [[u8; 8]; 2] {
        self.squares.map(|side| side.map(|at| at.map_or(Self::OFF_BOARD, |square| square.index() as u8)))
    }

    /// The side to move.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// The square of a piece; `None` if it is off the board.
    #[inline]
    pub const fn square(&self, piece: Piece) -> Option<Square> {
        self.squares[piece.color.index()][piece.animal.index()]
    }

    /// Puts a piece on a square, or removes it from the board. Does not validate: [`Position::check`], with which every
    /// probe begins, detects a square that the piece may not stand on or that another piece occupies.
    #[inline]
    pub fn set(&mut self, piece: Piece, square: Option<Square>) {
        let side = piece.color.index();
        let before = std::mem::replace(&mut self.squares[side][piece.animal.index()], square);
        let set = |square: Option<Square>| square.map_or(SquareSet::EMPTY, Square::set);
        self.occupied[side] = self.occupied[side].without(set(before)) | set(square);
    }

    /// Sets the side to move.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The squares of a side's pieces.
    #[inline]
    pub const fn occupied(&self, color: Color) -> SquareSet {
        self.occupied[color.index()]
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces().find(|&(_, at)| at == square).map(|(piece, _)| piece)
    }

    /// All pieces with their squares: White's before Black's, weakest first.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        // A single plain loop: every probe runs it.
        (0..16).filter_map(move |n| {
            let piece = Piece { color: Color::BOTH[n / 8], animal: Animal::ALL[n % 8] };
            Some((piece, self.squares[n / 8][n % 8]?))
        })
    }

    /// A side's pieces with their squares, weakest first.
    #[inline]
    pub fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Animal::ALL
            .into_iter()
            .zip(self.squares[color.index()])
            .filter_map(move |(animal, at)| Some((Piece { color, animal }, at?)))
    }

    /// Number of pieces on the board.
    pub fn len(&self) -> usize {
        self.occupied[0].len() + self.occupied[1].len()
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position with files exchanged: a with g, b with f, c with e.
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self {
            squares: self.squares.map(|side| side.map(|at| at.map(Square::mirror))),
            occupied: self.occupied.map(SquareSet::mirror),
            to_move: self.to_move,
        }
    }

    /// The position with the board rotated by 180 degrees, and colors and side to move exchanged: the same position for
    /// the other side.
    #[must_use]
    pub fn swap_colors(&self, rules: &Rules) -> Self {
        let board = rules.board();
        let turn = |side: usize| self.squares[side].map(|at| at.map(|square| board.turn(square)));
        let squares = [turn(1), turn(0)];
        // A square outside a smaller board stays outside, which rotating the set would lose.
        let occupied = squares.map(|side| side.into_iter().flatten().collect());
        Self { squares, occupied, to_move: self.to_move.other() }
    }

    /// Whether a den is entered or a side has no piece, and the winner.
    #[inline]
    pub fn conversion(&self, rules: &Rules) -> Option<(Over, Color)> {
        for color in Color::BOTH {
            if self.occupied(color).has(rules.board().goal(color)) {
                return Some((Over::Den, color));
            }
        }
        Color::BOTH
            .into_iter()
            .find(|&color| self.occupied(color.other()).is_empty())
            .map(|color| (Over::NoPieces, color))
    }

    /// Why the game is over and the result for the side to move; `None` while it continues.
    pub fn over(&self, rules: &Rules) -> Option<(Over, Category)> {
        if let Some((over, winner)) = self.conversion(rules) {
            let category = if winner == self.to_move { Category::Win } else { Category::Loss };
            return Some((over, category));
        }
        self.successors(rules).next().is_none().then(|| {
            let category = match rules.keys().no_legal_move {
                NoLegalMove::Loss => Category::Loss,
                NoLegalMove::Draw => Category::Draw,
            };
            (Over::NoMoves, category)
        })
    }
}

/// The top bit of each nonzero byte.
const fn nonzero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((word & LOW) + LOW) | word) & !LOW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such a position once passed the check and was looked up in a table.
    #[test]
    fn two_pieces_on_a_square_are_found() {
        let rules = Rules::standard();
        let on = |text: &str| Square::parse(text).unwrap();
        let [lion, rat] = [Animal::Lion, Animal::Rat].map(|animal| Piece { color: Color::White, animal });
        let enemy = Piece { color: Color::Black, animal: Animal::Rat };
        let good = Position::parse(&rules, "7/7/2r4/3L3/7/7/7/7/R6 w").unwrap();
        for (piece, square) in [(rat, "d6"), (enemy, "d6"), (lion, "c7"), (lion, "a1")] {
            let mut position = good;
            position.set(piece, Some(on(square)));
            let error = position.check(&rules).unwrap_err().to_string();
            assert!(error.ends_with(&format!("on {square}: another piece stands there")), "{error}");
            // Removing or moving one of the two leaves a state that cannot be distinguished from a fault.
            position.set(piece, None);
            assert_eq!(
                position.check(&rules).is_ok(),
                position
                    .pieces()
                    .all(|(_, at)| { (position.occupied(Color::White) | position.occupied(Color::Black)).has(at) })
            );
        }
    }

    #[test]
    fn squares_off_the_board_make_no_panic() {
        let rules = Rules::preset("animal-checkers").unwrap();
        for index in 0..63 {
            let mut position = Position::empty(Color::White);
            position.set(Piece { color: Color::White, animal: Animal::Rat }, Some(Square::new(index)));
            position.set(Piece { color: Color::Black, animal: Animal::Rat }, Some(Square::new(0)));
            assert_eq!(position.swap_colors(&rules).swap_colors(&rules), position);
            if index >= 49 {
                for position in [position, position.swap_colors(&rules)] {
                    let error = position.check(&rules).unwrap_err().to_string();
                    assert!(error.contains("squares are numbered from 0 to 48"), "{error}");
                }
            }
            assert_eq!(position.mirror().mirror(), position);
        }
    }

    #[test]
    fn squares_and_position_agree() {
        let rules = Rules::standard();
        let start = Position::parse(&rules, "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L b").unwrap();
        let squares = start.to_squares();
        assert_eq!(squares[0], [20, 8, 12, 16, 18, 0, 6, 14]);
        assert_eq!(Position::from_squares(&rules, &squares, Color::Black).unwrap(), start);

        let checkers = Rules::preset("animal-checkers").unwrap();
        for (rules, square, expected) in [
            (&rules, 63, "white cat on square 63: squares are numbered from 0 to 62"),
            (&rules, 254, "white cat on square 254: squares are numbered from 0 to 62"),
            (&rules, 42, "black rat on a7: another piece stands there"),
            (&rules, 20, "white cat on g3: another piece stands there"),
            (&checkers, 49, "white cat on square 49: squares are numbered from 0 to 48"),
        ] {
            let mut squares = squares;
            squares[0][1] = square;
            let error = Position::from_squares(rules, &squares, Color::White).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
