//! A position: where each animal stands and whose turn it is.

use super::animal::{Animal, Color, Piece};
use super::rules::{NoLegalMove, Rules};
use super::square::{Square, SquareSet};

/// The outcome for the side to move, with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The squares of each side's pieces, kept in step.
    occupied: [SquareSet; 2],
    to_move: Color,
}

impl Position {
    /// A position without pieces.
    pub const fn empty(to_move: Color) -> Self {
        Self { squares: [[None; 8]; 2], occupied: [SquareSet::EMPTY; 2], to_move }
    }

    /// The side whose turn it is.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Where a piece stands, `None` if it is off the board.
    #[inline]
    pub const fn square(&self, piece: Piece) -> Option<Square> {
        self.squares[piece.color.index()][piece.animal.index()]
    }

    /// Puts a piece on a square, or takes it off the board. Two pieces of a side may not share a square.
    #[inline]
    pub fn set(&mut self, piece: Piece, square: Option<Square>) {
        let side = piece.color.index();
        let before = std::mem::replace(&mut self.squares[side][piece.animal.index()], square);
        let set = |square: Option<Square>| square.map_or(SquareSet::EMPTY, Square::set);
        self.occupied[side] = self.occupied[side].without(set(before)) | set(square);
    }

    /// Hands the turn to a side.
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
        Color::BOTH.into_iter().flat_map(move |color| self.pieces_of(color))
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
        self.pieces().count()
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Files exchanged: a with g, b with f, c with e.
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self {
            squares: self.squares.map(|side| side.map(|at| at.map(Square::mirror))),
            occupied: self.occupied.map(SquareSet::mirror),
            to_move: self.to_move,
        }
    }

    /// Board turned by 180 degrees, colors and side to move exchanged: the same position for the other side.
    #[must_use]
    pub fn swap_colors(&self, rules: &Rules) -> Self {
        let board = rules.board();
        let turn = |side: usize| self.squares[side].map(|at| at.map(|square| board.turn(square)));
        Self {
            squares: [turn(1), turn(0)],
            occupied: [board.turn_set(self.occupied[1]), board.turn_set(self.occupied[0])],
            to_move: self.to_move.other(),
        }
    }

    /// Whether a den has been entered or a side has no piece, and who has won.
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

    /// Why the game is over here and what the side to move gets, `None` while it goes on.
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
