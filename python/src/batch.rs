//! Batches of positions, without a Python loop and without the interpreter lock.

use crate::errors::{self, PositionError};
use crate::tables::{category, color};
use jungletb::analysis::export::{pieces, positions};
use jungletb::game::{Color, Piece, Position};
use jungletb::material::Material;
use jungletb::probe::{ProbeError, Tablebase};
use jungletb::table::Metric;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// Number of positions between two checks for an interrupt.
const STRETCH: usize = 1 << 18;

/// Categories, and distances or -1.
#[derive(Default)]
pub struct Values {
    categories: Vec<i8>,
    distances: Vec<i32>,
}

impl Values {
    fn push(&mut self, category: i8, dtw: Option<u16>) {
        self.categories.push(category);
        self.distances.push(dtw.map_or(-1, i32::from));
    }

    /// Converts to `NumPy` arrays.
    pub fn into_arrays(self, py: Python<'_>) -> (Bound<'_, PyArray1<i8>>, Bound<'_, PyArray1<i32>>) {
        (PyArray1::from_vec(py, self.categories), PyArray1::from_vec(py, self.distances))
    }
}

/// An error with the number of its position.
enum Bad {
    Position(usize, String),
    Probe(usize, Box<ProbeError>),
}

impl Bad {
    fn exception(&self, what: &str) -> PyErr {
        match self {
            Self::Position(n, message) => PositionError::new_err(format!("{what} {n}: bad position: {message}")),
            Self::Probe(n, error) => errors::probe(error, &format!("{what} {n}: ")),
        }
    }
}

/// Probes `count` positions in chunks.
fn ask(
    py: Python<'_>,
    tables: &Tablebase,
    count: usize,
    what: &str,
    position: impl Fn(usize) -> Result<Position, String> + Sync,
) -> PyResult<Values> {
    let mut values = Values::default();
    for start in (0..count).step_by(STRETCH) {
        let stretch = || {
            for n in start..count.min(start + STRETCH) {
                let position = position(n).map_err(|message| Bad::Position(n, message))?;
                let answer = tables.value(&position).map_err(|error| Bad::Probe(n, Box::new(error)))?;
                values.push(category(answer.category), answer.dtw);
            }
            Ok(())
        };
        py.detach(stretch).map_err(|bad: Bad| bad.exception(what))?;
        py.check_signals()?;
    }
    Ok(values)
}

/// Probes positions given as text.
pub fn texts(py: Python<'_>, tables: &Tablebase, texts: &[PyBackedStr]) -> PyResult<Values> {
    ask(py, tables, texts.len(), "position", |n| {
        Position::parse(tables.rules(), &texts[n]).map_err(|error| error.to_string())
    })
}

/// Rows of squares in the order of a material's letters.
pub struct Rows {
    pieces: Vec<Piece>,
}

impl Rows {
    /// The order of a material.
    pub fn new(material: Material) -> Self {
        Self { pieces: pieces(material) }
    }

    /// The position of a row; pieces may be off the board.
    pub fn position(&self, tables: &Tablebase, row: &[u8], to_move: u8) -> Result<Position, String> {
        let mut squares = [[Position::OFF_BOARD; 8]; 2];
        for (piece, &square) in self.pieces.iter().zip(row) {
            squares[piece.color.index()][piece.animal.index()] = square;
        }
        Position::from_squares(tables.rules(), &squares, color(to_move)?).map_err(|error| error.to_string())
    }
}

/// Probes positions given as rows of squares.
pub fn squares(
    py: Python<'_>,
    tables: &Tablebase,
    material: Material,
    rows: &[u8],
    to_move: &[u8],
) -> PyResult<Values> {
    let (order, len) = (Rows::new(material), material.len());
    ask(py, tables, to_move.len(), "row", |n| order.position(tables, &rows[n * len..][..len], to_move[n]))
}

/// All positions of a material, those with White to move first.
pub struct Whole {
    /// Letter of each piece, upper case for White.
    pub letters: Vec<char>,
    /// Column of squares for each piece.
    pub squares: Vec<Vec<u8>>,
    /// Side to move: 0 or 1.
    pub to_move: Vec<u8>,
    /// Values for the side to move.
    pub values: Values,
}

/// Reads all positions of a material.
pub fn whole(py: Python<'_>, tables: &Tablebase, material: Material) -> PyResult<Whole> {
    let pieces = pieces(material);
    let mut whole = Whole {
        letters: pieces.iter().copied().map(Piece::letter).collect(),
        squares: vec![Vec::new(); pieces.len()],
        to_move: Vec::new(),
        values: Values::default(),
    };
    for color in Color::BOTH {
        let read = || -> Result<(), ProbeError> {
            let has_distances = tables.table(material)?.header().metric == Metric::Dtw;
            positions(tables, material, color, |squares, value| {
                for (column, square) in whole.squares.iter_mut().zip(squares) {
                    column.push(square.index() as u8);
                }
                whole.to_move.push(color.index() as u8);
                whole.values.push(category(value.category()), value.plies().filter(|_| has_distances));
                Ok(())
            })
        };
        py.detach(read).map_err(|error| errors::probe(&error, ""))?;
        py.check_signals()?;
    }
    Ok(whole)
}
