//! The game without tables: moves, and positions as arrays of squares.

use crate::errors::{self, MaterialError, MoveError, PositionError};
use jungletb::game::{Color, Move, Piece, Position, Rules};
use jungletb::material::Material;
use jungletb::system::fallibly;
use jungletb::text::count;
use numpy::ndarray::{ArrayView, Dimension};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// A color by its number.
pub fn color(number: u8) -> Result<Color, String> {
    let color = Color::BOTH.get(usize::from(number));
    color.copied().ok_or_else(|| format!("to_move is {number}: give 0 for White or 1 for Black"))
}

/// Rows of squares in the order of a material's letters.
pub struct Rows {
    pieces: Vec<Piece>,
}

impl Rows {
    /// The order of a material.
    pub fn new(material: Material) -> Self {
        Self { pieces: material.pieces().collect() }
    }

    /// The position of a row; pieces may be off the board.
    pub fn position(&self, rules: &Rules, row: &[u8], to_move: u8) -> Result<Position, String> {
        let mut squares = [[Position::OFF_BOARD; 8]; 2];
        for (piece, &square) in self.pieces.iter().zip(row) {
            squares[piece.color.index()][piece.animal.index()] = square;
        }
        Position::from_squares(rules, &squares, color(to_move)?).map_err(|error| error.to_string())
    }

    /// Appends the row of a position; false if it has other pieces.
    fn push(&self, position: &Position, row: &mut Vec<u8>) -> bool {
        let squares = position.to_squares();
        let of = |piece: &Piece| squares[piece.color.index()][piece.animal.index()];
        let before = row.len();
        row.extend(self.pieces.iter().map(of));
        row[before..].iter().filter(|&&square| square != Position::OFF_BOARD).count() == position.len()
    }
}

/// Checks that arrays of these shapes are positions of a material.
pub fn check_shape(material: Material, (rows, columns): (usize, usize), sides: usize) -> PyResult<()> {
    // Both lengths are checked: two wrong lengths may have the right product.
    if (rows, columns) == (sides, material.len()) {
        return Ok(());
    }
    let message = format!(
        "{material} with {} to move takes squares of shape ({sides}, {}), not ({rows}, {columns})",
        count(sides as u64, "side", "sides"),
        material.len(),
    );
    Err(PositionError::new_err(message))
}

/// The items of an array, row by row. Copied, since other threads may write to it once the interpreter lock is released.
pub fn copied<T: Copy, D: Dimension>(array: ArrayView<'_, T, D>) -> PyResult<Vec<T>> {
    let mut items = Vec::new();
    let no_memory = |_| PyMemoryError::new_err(format!("not enough memory for a copy of {} numbers", array.len()));
    fallibly(|| items.try_reserve_exact(array.len())).map_err(no_memory)?;
    items.extend(array.iter().copied());
    Ok(items)
}

/// The positions of a batch, one per line: a single string is passed faster than many.
pub fn lines(text: &[u8], count: usize) -> PyResult<Vec<&str>> {
    let text = std::str::from_utf8(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(text.split('\n').take(count).collect())
}

/// The squares of positions, in rows, and their sides to move.
pub fn squares(rules: &Rules, material: Material, texts: &[&str]) -> PyResult<(Vec<u8>, Vec<u8>)> {
    let order = Rows::new(material);
    let (mut rows, mut sides) = (Vec::with_capacity(texts.len() * material.len()), Vec::with_capacity(texts.len()));
    for (n, text) in texts.iter().enumerate() {
        let place = format_args!("position {n}: ");
        let position = Position::parse(rules, text).map_err(|error| errors::position(&error, &place.to_string()))?;
        if !order.push(&position, &mut rows) {
            let found = Material::of(&position);
            return Err(MaterialError::new_err(format!(
                "{place}its pieces are {found}, not among those of {material}"
            )));
        }
        sides.push(position.to_move().index() as u8);
    }
    Ok((rows, sides))
}

/// The texts of positions given as rows of squares.
pub fn texts(rules: &Rules, material: Material, rows: &[u8], sides: &[u8]) -> PyResult<Vec<String>> {
    let order = Rows::new(material);
    let text = |(n, (row, &side)): (usize, (&[u8], &u8))| {
        let place = |message: String| PositionError::new_err(format!("row {n}: bad position: {message}"));
        let position = order.position(rules, row, side).map_err(place)?;
        position.check(rules).map_err(|error| place(error.to_string()))?;
        Ok(position.to_text(rules))
    };
    rows.chunks_exact(material.len()).zip(sides).enumerate().map(text).collect()
}

/// The legal moves of a position, each with the position after it.
pub fn moves(rules: &Rules, text: &str) -> PyResult<Vec<(String, String)>> {
    let position = Position::parse(rules, text).map_err(|error| errors::position(&error, ""))?;
    let mut moves: Vec<_> = position.successors(rules).collect();
    moves.sort_unstable_by_key(|successor| successor.mv);
    Ok(moves.iter().map(|successor| (successor.mv.to_string(), successor.position.to_text(rules))).collect())
}

/// The position after moves.
pub fn after(rules: &Rules, text: &str, moves: &[PyBackedStr]) -> PyResult<String> {
    let mut position = Position::parse(rules, text).map_err(|error| errors::position(&error, ""))?;
    for text in moves {
        let Some(mv) = Move::parse(text) else {
            let message = format!("{:?} is not a move: write the squares from and to, as in d7d8", &**text);
            return Err(MoveError::new_err(message));
        };
        position = position
            .play(rules, mv)
            .ok_or_else(|| MoveError::new_err(format!("{mv} is not a legal move of {}", position.to_text(rules))))?;
    }
    Ok(position.to_text(rules))
}
