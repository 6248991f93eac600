//! Conversions of the small types: from and to text, letters and numbers.
//!
//! Here a text is exactly one name, in any case; [`Position::parse`] and [`crate::material::Material::parse`] read what
//! people write. A position needs the rules, so it has [`Position::from_pieces`] instead of [`FromStr`].

use super::animal::{Animal, Color, Piece};
use super::moves::Move;
use super::notation::PositionError;
use super::position::{Category, Over, Position};
use super::rules::Rules;
use super::square::Square;
use crate::text::excerpt;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Text, or a number, that names no value of a type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{found:?} is not {expected}")]
pub struct ConversionError {
    found: String,
    expected: &'static str,
}

impl ConversionError {
    pub(crate) fn new(found: &str, expected: &'static str) -> Self {
        Self { found: excerpt(found), expected }
    }
}

const SQUARE: &str = "a square: write a file from a to g and a rank from 1 to 9, as in d7";
const MOVE: &str = "a move: write the squares it goes from and to, as in d7d8";
const ANIMAL: &str = "an animal: write its name, or its letter R C D W P T L E";
const PIECE: &str = "a piece: write the letter of an animal, R C D W P T L E, in lower case for Black";
const COLOR: &str = "a side: write white or black";
const CATEGORY: &str = "a category: write win, draw or loss";
const OVER: &str = "an end of the game: write den, no-pieces or no-moves";

/// Parses `a1` to `g9`.
///
/// ```
/// use jungletb::game::Square;
///
/// assert_eq!("d9".parse(), Ok(Square::at(3, 8)));
/// assert_eq!(Square::at(3, 8).to_string(), "d9");
/// assert!("h1".parse::<Square>().is_err());
/// ```
impl FromStr for Square {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        Self::parse(text).ok_or_else(|| ConversionError::new(text, SQUARE))
    }
}

/// The square with this number, 0 to 62, counted along the ranks from a1.
impl TryFrom<u8> for Square {
    type Error = ConversionError;

    fn try_from(number: u8) -> Result<Self, ConversionError> {
        let is_on_board = usize::from(number) < Self::COUNT;
        let wrong = || ConversionError::new(&number.to_string(), "the number of a square: they go from 0 to 62");
        if is_on_board { Ok(Self::new(number)) } else { Err(wrong()) }
    }
}

/// The number of the square, 0 to 62.
impl From<Square> for u8 {
    fn from(square: Square) -> Self {
        square.index() as Self
    }
}

/// Parses a move such as `d7d8`.
///
/// ```
/// use jungletb::game::{Move, Square};
///
/// let mv: Move = "b3b7".parse()?;
/// assert_eq!(mv, Move::from(["b3".parse()?, "b7".parse()?]));
/// assert_eq!(mv.to_string(), "b3b7");
/// # Ok::<(), jungletb::game::ConversionError>(())
/// ```
impl FromStr for Move {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        Self::parse(text).ok_or_else(|| ConversionError::new(text, MOVE))
    }
}

/// The move between two squares.
impl From<[Square; 2]> for Move {
    fn from([from, to]: [Square; 2]) -> Self {
        Self { from, to }
    }
}

/// The squares that the move goes from and to.
impl From<Move> for [Square; 2] {
    fn from(mv: Move) -> Self {
        [mv.from, mv.to]
    }
}

/// The English name, lower case, as in rule files.
impl fmt::Display for Animal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses an English name or a letter, in any case.
///
/// ```
/// use jungletb::game::Animal;
///
/// assert_eq!("Leopard".parse(), Ok(Animal::Leopard));
/// assert_eq!("p".parse(), Ok(Animal::Leopard));
/// ```
impl FromStr for Animal {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let named = Self::ALL.into_iter().find(|animal| animal.name().eq_ignore_ascii_case(text));
        let lettered = || only_char(text).and_then(|letter| Self::from_letter(letter.to_ascii_uppercase()));
        named.or_else(lettered).ok_or_else(|| ConversionError::new(text, ANIMAL))
    }
}

/// The animal with this letter, in either case.
impl TryFrom<char> for Animal {
    type Error = ConversionError;

    fn try_from(letter: char) -> Result<Self, ConversionError> {
        Self::from_letter(letter.to_ascii_uppercase()).ok_or_else(|| ConversionError::new(&letter.to_string(), ANIMAL))
    }
}

/// The upper-case letter of the animal.
impl From<Animal> for char {
    fn from(animal: Animal) -> Self {
        animal.letter()
    }
}

/// Parses the letter of an animal: upper case for White, lower case for Black.
///
/// ```
/// use jungletb::game::{Animal, Color, Piece};
///
/// assert_eq!("e".parse(), Ok(Piece { color: Color::Black, animal: Animal::Elephant }));
/// ```
impl FromStr for Piece {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        only_char(text).and_then(Self::from_letter).ok_or_else(|| ConversionError::new(text, PIECE))
    }
}

/// The piece with this letter: upper case for White, lower case for Black.
impl TryFrom<char> for Piece {
    type Error = ConversionError;

    fn try_from(letter: char) -> Result<Self, ConversionError> {
        Self::from_letter(letter).ok_or_else(|| ConversionError::new(&letter.to_string(), PIECE))
    }
}

/// The letter of the piece: upper case for White, lower case for Black.
impl From<Piece> for char {
    fn from(piece: Piece) -> Self {
        piece.letter()
    }
}

/// Parses `white`, `black` or their first letters, in any case.
///
/// ```
/// use jungletb::game::Color;
///
/// assert_eq!(["w", "Black"].map(str::parse), [Ok(Color::White), Ok(Color::Black)]);
/// ```
impl FromStr for Color {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let is_one_of = |names: [&str; 2]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
        match () {
            () if is_one_of(["white", "w"]) => Ok(Self::White),
            () if is_one_of(["black", "b"]) => Ok(Self::Black),
            () => Err(ConversionError::new(text, COLOR)),
        }
    }
}

/// `win`, `draw` or `loss`.
impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses `win`, `draw` or `loss`, in any case.
///
/// ```
/// use jungletb::game::Category;
///
/// assert_eq!("loss".parse(), Ok(Category::Loss));
/// assert_eq!(i8::from(Category::Loss), -1);
/// assert_eq!(Category::try_from(1), Ok(Category::Win));
/// ```
impl FromStr for Category {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let named = [Self::Loss, Self::Draw, Self::Win].into_iter().find(|one| one.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ConversionError::new(text, CATEGORY))
    }
}

/// 1 for a win, 0 for a draw, -1 for a loss.
impl From<Category> for i8 {
    fn from(category: Category) -> Self {
        match category {
            Category::Loss => -1,
            Category::Draw => 0,
            Category::Win => 1,
        }
    }
}

/// The inverse: 1, 0 or -1.
impl TryFrom<i8> for Category {
    type Error = ConversionError;

    fn try_from(number: i8) -> Result<Self, ConversionError> {
        match number {
            -1 => Ok(Self::Loss),
            0 => Ok(Self::Draw),
            1 => Ok(Self::Win),
            _ => {
                let expected = "a category: 1 is a win, 0 a draw, -1 a loss";
                Err(ConversionError::new(&number.to_string(), expected))
            }
        }
    }
}

/// `den`, `no-pieces` or `no-moves`.
impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses `den`, `no-pieces` or `no-moves`.
impl FromStr for Over {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let named = [Self::Den, Self::NoPieces, Self::NoMoves].into_iter().find(|over| over.name() == text);
        named.ok_or_else(|| ConversionError::new(text, OVER))
    }
}

impl Position {
    /// The position with these pieces on these squares, checked ([`Position::check`]).
    ///
    /// ```
    /// use jungletb::game::{Color, Piece, Position, Rules, Square};
    ///
    /// let rules = Rules::standard();
    /// let pieces = ["Ld6", "rc7", "cd4"].map(|text| {
    ///     let (piece, square) = text.split_at(1);
    ///     (piece.parse::<Piece>().unwrap(), square.parse::<Square>().unwrap())
    /// });
    /// let position = Position::from_pieces(&rules, pieces, Color::White)?;
    /// assert_eq!(position, Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?);
    /// assert!(position.pieces().eq([pieces[0], pieces[1], pieces[2]]));
    /// # Ok::<(), jungletb::game::PositionError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a piece is given twice, if two pieces share a square, or if a piece cannot stand where it is.
    pub fn from_pieces(
        rules: &Rules,
        pieces: impl IntoIterator<Item = (Piece, Square)>,
        to_move: Color,
    ) -> Result<Self, PositionError> {
        let mut position = Self::empty(to_move);
        for (piece, square) in pieces {
            if let Some(first) = position.square(piece) {
                return Err(PositionError::Duplicate { piece, first, second: square });
            }
            if (position.occupied(Color::White) | position.occupied(Color::Black)).has(square) {
                return Err(PositionError::Taken { piece, square });
            }
            position.set(piece, Some(square));
        }
        position.check(rules)?;
        Ok(position)
    }
}

/// The only character of a text.
fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::{Debug, Display};

    /// Each value is read back from what it prints.
    #[track_caller]
    fn goes_round<T: Copy + PartialEq + Debug + Display + FromStr<Err = ConversionError>>(values: &[T]) {
        for value in values {
            assert_eq!(value.to_string().parse(), Ok(*value));
        }
    }

    #[test]
    fn what_is_printed_is_read() {
        let squares: Vec<Square> = (0..63).map(|number| Square::try_from(number).unwrap()).collect();
        goes_round(&squares);
        assert!(squares.iter().map(|&square| u8::from(square)).eq(0..63));
        let moves: Vec<Move> = squares.windows(2).map(|pair| Move::from([pair[0], pair[1]])).collect();
        goes_round(&moves);
        assert_eq!(<[Square; 2]>::from(moves[5]), [squares[5], squares[6]]);
        goes_round(&Animal::ALL);
        goes_round(&Color::BOTH);
        goes_round(&[Category::Loss, Category::Draw, Category::Win]);
        goes_round(&[Over::Den, Over::NoPieces, Over::NoMoves]);
        for animal in Animal::ALL {
            assert_eq!(Animal::try_from(char::from(animal)), Ok(animal));
            for color in Color::BOTH {
                let piece = Piece { color, animal };
                assert_eq!(Piece::try_from(char::from(piece)), Ok(piece));
                assert_eq!(char::from(piece).to_string().parse(), Ok(piece));
            }
        }
        for category in [Category::Loss, Category::Draw, Category::Win] {
            assert_eq!(Category::try_from(i8::from(category)), Ok(category));
        }
        assert_eq!(format!("[{:>5}|{:<9}]", Category::Win, Animal::Rat), "[  win|rat      ]");
    }

    #[test]
    fn what_names_nothing_is_an_error_that_says_what_does() {
        let long = "x".repeat(1000);
        for text in ["", "h1", "A1", "a0", "ä", "d7d8d9", "white rat", "RR", &long] {
            let errors = [
                text.parse::<Square>().unwrap_err(),
                text.parse::<Move>().unwrap_err(),
                text.parse::<Animal>().unwrap_err(),
                text.parse::<Piece>().unwrap_err(),
                text.parse::<Color>().unwrap_err(),
                text.parse::<Category>().unwrap_err(),
                text.parse::<Over>().unwrap_err(),
            ];
            for error in errors.map(|error| error.to_string()) {
                assert!(error.contains(" is not a") && error.contains(": write ") && error.len() < 250, "{error}");
            }
        }
        assert_eq!("h1".parse::<Square>().unwrap_err().to_string(), format!("\"h1\" is not {SQUARE}"));
        assert!(Square::try_from(63).is_err() && Category::try_from(2).is_err());
        assert!(Animal::try_from('X').is_err() && Piece::try_from('ä').is_err());
    }

    #[test]
    fn pieces_that_cannot_stand_together_are_refused() {
        let rules = Rules::standard();
        let made = |pieces: &[&str]| {
            let read = |text: &&str| (text[..1].parse().unwrap(), text[1..].parse().unwrap());
            Position::from_pieces(&rules, pieces.iter().map(read), Color::Black).map_err(|error| error.to_string())
        };
        for (pieces, phrase) in [
            (&["La1", "La2", "rb1"][..], "two white lions, on a1 and a2"),
            (&["La1", "ra1"], "black rat on a1: another piece stands there"),
            (&["Lb4", "ra1"], "white lion on b4: it cannot stand in the water"),
            (&["Ld1", "ra1"], "white lion on d1: no piece enters its own den"),
            (&[], "the board is empty"),
        ] {
            assert!(made(pieces).unwrap_err().starts_with(phrase), "{pieces:?}");
        }
        let start = Position::start(&rules).unwrap();
        assert_eq!(Position::from_pieces(&rules, start.pieces(), Color::White), Ok(start));
        assert_eq!(made(&["La1", "rb4"]).unwrap().to_move(), Color::Black);
    }
}
