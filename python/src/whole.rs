//! Whole materials: all positions with their values, at once or in parts.

use crate::errors;
use crate::values::{Distance, category};
use jungletb::analysis::rows::{Chunk, Rows};
use jungletb::game::{Color, Piece};
use jungletb::material::Material;
use jungletb::probe::{ProbeError, Tablebase};
use jungletb::system::{fallibly, memory_limit};
use jungletb::table::Metric;
use jungletb::text::{bytes, count};
use numpy::PyArray1;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Letters of the pieces, squares of each, sides to move, categories, distances.
pub type ColumnsTuple<'py> = (
    Vec<char>,
    Vec<Bound<'py, PyArray1<u8>>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i8>>,
    Option<Bound<'py, PyArray1<i32>>>,
);

/// Rows read between two checks for an interrupt.
const STRETCH: usize = 1 << 20;

/// Positions of a material with their values, by column.
#[derive(Default)]
struct Columns {
    /// Squares, and the values of the rows read last.
    chunk: Chunk,
    to_move: Vec<u8>,
    categories: Vec<i8>,
    distances: Vec<i32>,
}

impl Columns {
    /// Makes room for all rows; false if memory is exhausted.
    fn reserve(&mut self, pieces: usize, rows: usize, with_distances: bool) -> bool {
        self.chunk.squares.resize_with(pieces, Vec::new);
        fallibly(|| {
            self.chunk.squares.iter_mut().all(|column| column.try_reserve_exact(rows).is_ok())
                && self.to_move.try_reserve_exact(rows).is_ok()
                && self.categories.try_reserve_exact(rows).is_ok()
                && (!with_distances || self.distances.try_reserve_exact(rows).is_ok())
        })
    }

    /// Appends the rows of these placements, for which there is room.
    fn read(&mut self, rows: &Rows, numbers: std::ops::Range<u64>, with_distances: bool) -> Result<(), ProbeError> {
        self.chunk.values.clear();
        rows.read(numbers, &mut self.chunk)?;
        let values = &self.chunk.values;
        self.to_move.resize(self.to_move.len() + values.len(), rows.to_move().index() as u8);
        self.categories.extend(values.iter().map(|value| category(value.category())));
        if with_distances {
            let plies = |value: &jungletb::table::Value| value.plies().filter(|_| rows.has_distances());
            let distances = values.iter().map(|value| Distance::of(value.category(), plies(value)).0);
            self.distances.extend(distances);
        }
        Ok(())
    }

    fn into_arrays(self, py: Python<'_>, material: Material, with_distances: bool) -> ColumnsTuple<'_> {
        let squares = self.chunk.squares.into_iter().map(|column| PyArray1::from_vec(py, column)).collect();
        (
            material.pieces().map(Piece::letter).collect(),
            squares,
            PyArray1::from_vec(py, self.to_move),
            PyArray1::from_vec(py, self.categories),
            with_distances.then(|| PyArray1::from_vec(py, self.distances)),
        )
    }
}

fn open(tables: &Tablebase, material: Material, to_move: Color, with_distances: bool) -> Result<Rows, ProbeError> {
    if with_distances { Rows::new(tables, material, to_move) } else { Rows::of_results(tables, material, to_move) }
}

/// The number of positions of a material with either side to move, from the summary of its table.
pub fn len(tables: &Tablebase, material: Material) -> Result<u64, ProbeError> {
    let place = tables.place(material)?;
    let table = match tables.registry().table(&place.class, Metric::Wdl) {
        Ok(table) => table,
        Err(_) => tables.table(material)?,
    };
    let sides = &table.summary().sides;
    let of = |color| sides[place.casting(color).1.index().min(sides.len() - 1)].total();
    Ok(Color::BOTH.into_iter().map(of).sum())
}

/// All positions of a material, those with White to move first.
pub fn material<'py>(
    py: Python<'py>,
    tables: &Tablebase,
    material: Material,
    with_distances: bool,
) -> PyResult<ColumnsTuple<'py>> {
    let failed = |error: ProbeError| errors::probe(&error, "", Some(material));
    let rows = py.detach(|| len(tables, material)).map_err(failed)?;
    let row = (material.len() + 2 + if with_distances { 4 } else { 0 }) as u64;
    let too_large = || {
        let (rows, size) = (count(rows, "row", "rows"), bytes(rows.saturating_mul(row)));
        PyMemoryError::new_err(format!("{material} has {rows}, which take {size}: read them in parts, by chunks()"))
    };
    let mut columns = Columns::default();
    let fits = memory_limit().is_none_or(|limit| rows.saturating_mul(row) <= limit);
    if !fits || !columns.reserve(material.len(), rows as usize, with_distances) {
        return Err(too_large());
    }
    for color in Color::BOTH {
        let rows = py.detach(|| open(tables, material, color, with_distances)).map_err(failed)?;
        let (end, step) = (rows.placements(), rows.step(STRETCH));
        for start in (0..end).step_by(step as usize) {
            let numbers = start..end.min(start + step);
            py.detach(|| columns.read(&rows, numbers, with_distances)).map_err(failed)?;
            py.check_signals()?;
        }
    }
    Ok(columns.into_arrays(py, material, with_distances))
}

/// The positions of a material in parts.
#[pyclass(frozen, module = "jungletb._native")]
pub struct Chunks {
    tables: Arc<Tablebase>,
    material: Material,
    /// Maximum number of rows in a part.
    most: usize,
    with_distances: bool,
    next: Mutex<Next>,
}

/// Where the next part begins.
#[derive(Default)]
struct Next {
    /// 0 or 1 while there is more.
    color: usize,
    rows: Option<Rows>,
    start: u64,
}

impl Chunks {
    /// Starts at the first position.
    pub fn new(
        py: Python<'_>,
        tables: Arc<Tablebase>,
        material: Material,
        most: usize,
        with_distances: bool,
    ) -> PyResult<Self> {
        let first = py.detach(|| open(&tables, material, Color::White, with_distances));
        let first = first.map_err(|error| errors::probe(&error, "", Some(material)))?;
        let next = Mutex::new(Next { rows: Some(first), ..Next::default() });
        Ok(Self { tables, material, most, with_distances, next })
    }

    fn read(&self) -> Result<Option<Columns>, ProbeError> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let Next { color, rows, start } = &mut *next;
        let Some(&to_move) = Color::BOTH.get(*color) else { return Ok(None) };
        let of_side = match rows.take() {
            Some(rows) => rows,
            None => open(&self.tables, self.material, to_move, self.with_distances)?,
        };
        let end = of_side.placements().min(*start + of_side.step(self.most));
        let mut columns = Columns::default();
        columns.read(&of_side, *start..end, self.with_distances)?;
        if end == of_side.placements() {
            *next = Next { color: *color + 1, ..Next::default() };
        } else {
            *start = end;
            *rows = Some(of_side);
        }
        Ok(Some(columns))
    }
}

#[pymethods]
impl Chunks {
    /// The next part; `None` at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<ColumnsTuple<'py>>> {
        let columns = py.detach(|| self.read()).map_err(|error| errors::probe(&error, "", Some(self.material)))?;
        Ok(columns.map(|columns| columns.into_arrays(py, self.material, self.with_distances)))
    }
}
