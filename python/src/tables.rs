//! Probing single positions. Each call releases the interpreter lock while it probes.

use crate::batch;
use crate::errors::{self, ClosedError, MaterialError, PositionError};
use crate::prove::{self, Cost, ProofTuple};
use crate::rules::Rules;
use jungletb::game::{Animal, Category, Color, Over, Position};
use jungletb::material::Material;
use jungletb::probe::{Answer, Available, Options, ProbeError, RankedMove, Tablebase};
use jungletb::table::{Access, Metric};
use jungletb::text::count;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// Category, distance, why the game is over.
type ValueTuple = (i8, Option<u16>, Option<&'static str>);
/// Text, captured animal, whether it enters the den, value of the position after it.
type MoveTuple = (String, Option<char>, bool, Option<ValueTuple>);
/// Position, material, class, value, moves, line.
type ReportTuple = (String, String, Option<String>, ValueTuple, Vec<MoveTuple>, Vec<String>);
/// Categories and distances.
type Values<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i32>>);

/// Open tables.
#[pyclass(frozen, module = "jungletb._native")]
pub struct Tables {
    /// `None` once closed. Running calls keep the tables until they return.
    open: RwLock<Option<Arc<Tablebase>>>,
}

/// A category as the package's numbers.
pub const fn category(category: Category) -> i8 {
    match category {
        Category::Loss => -1,
        Category::Draw => 0,
        Category::Win => 1,
    }
}

fn value(answer: Answer) -> ValueTuple {
    (category(answer.category), answer.dtw, answer.over.map(Over::name))
}

fn ranked(mv: &RankedMove) -> MoveTuple {
    (mv.mv.to_string(), mv.capture.map(Animal::letter), mv.den, mv.answer.map(value))
}

/// A color by its number.
pub fn color(number: u8) -> Result<Color, String> {
    let color = Color::BOTH.get(usize::from(number));
    color.copied().ok_or_else(|| format!("to_move is {number}: give 0 for White or 1 for Black"))
}

impl Tables {
    /// Returns the tables, or an error if they are closed.
    pub fn get(&self) -> PyResult<Arc<Tablebase>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| ClosedError::new_err("the tablebase is closed"))
    }

    /// Probes a position without the interpreter lock.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        text: &str,
        ask: impl Fn(&Tablebase, &Position) -> Result<T, ProbeError> + Send + Sync,
    ) -> PyResult<T> {
        let tables = self.get()?;
        let position = Position::parse(tables.rules(), text).map_err(|error| errors::position(&error, ""))?;
        py.detach(|| ask(&tables, &position)).map_err(|error| errors::probe(&error, ""))
    }
}

#[pymethods]
impl Tables {
    #[new]
    fn new(folders: Vec<PathBuf>, rules: &Rules, cache_bytes: Option<u64>, map_files: bool) -> PyResult<Self> {
        let Some((first, others)) = folders.split_first() else {
            return Err(PyValueError::new_err("no folder: give at least one"));
        };
        let mut options = Options::default().access(if map_files { Access::Map } else { Access::Read });
        if let Some(bytes) = cache_bytes {
            options.cache_bytes = bytes;
        }
        let tables = Tablebase::open_all(first, others, &rules.rules, options);
        let tables = tables.map_err(|error| errors::probe(&error, ""))?;
        Ok(Self { open: RwLock::new(Some(Arc::new(tables))) })
    }

    fn close(&self) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).take();
    }

    #[getter]
    fn closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn most_pieces(&self) -> PyResult<usize> {
        Ok(self.get()?.most_pieces())
    }

    fn has(&self, py: Python<'_>, material: &str) -> PyResult<bool> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        Ok(py.detach(|| tables.has(material)))
    }

    fn available(&self, py: Python<'_>) -> PyResult<Vec<(String, Vec<&'static str>)>> {
        let tables = self.get()?;
        let name = |found: Available| (found.class.name(), found.metrics.into_iter().map(Metric::name).collect());
        Ok(py.detach(|| tables.available().into_iter().map(name).collect()))
    }

    fn refresh(&self, py: Python<'_>) -> PyResult<bool> {
        let tables = self.get()?;
        Ok(py.detach(|| tables.refresh()))
    }

    fn wdl(&self, py: Python<'_>, position: &str) -> PyResult<i8> {
        self.ask(py, position, |tables, position| Ok(category(tables.wdl(position)?)))
    }

    fn wdl_in_memory(&self, py: Python<'_>, position: &str) -> PyResult<Option<i8>> {
        self.ask(py, position, |tables, position| Ok(tables.wdl_in_memory(position)?.map(category)))
    }

    fn value(&self, py: Python<'_>, position: &str) -> PyResult<ValueTuple> {
        self.ask(py, position, |tables, position| Ok(value(tables.value(position)?)))
    }

    fn moves(&self, py: Python<'_>, position: &str) -> PyResult<Vec<MoveTuple>> {
        self.ask(py, position, |tables, position| Ok(tables.moves(position)?.iter().map(ranked).collect()))
    }

    fn line(&self, py: Python<'_>, position: &str) -> PyResult<Vec<String>> {
        self.ask(py, position, |tables, position| Ok(tables.line(position)?.iter().map(ToString::to_string).collect()))
    }

    fn probe(&self, py: Python<'_>, position: &str) -> PyResult<ReportTuple> {
        self.ask(py, position, |tables, position| {
            let answer = tables.value(position)?;
            let material = Material::of(position);
            Ok((
                position.to_text(tables.rules()),
                material.to_string(),
                tables.place(material).ok().map(|place| place.class.name()),
                value(answer),
                tables.moves(position)?.iter().map(ranked).collect(),
                tables.line(position)?.iter().map(ToString::to_string).collect(),
            ))
        })
    }

    /// Proves the value of a position.
    #[allow(clippy::too_many_arguments)]
    fn prove(
        &self,
        py: Python<'_>,
        position: &str,
        seconds: Option<f64>,
        positions: Option<u64>,
        plies: Option<u16>,
        memory: usize,
        threads: Option<usize>,
    ) -> PyResult<ProofTuple> {
        prove::prove(py, self, position, &Cost { seconds, positions, plies, memory, threads })
    }

    /// Values of positions given as text.
    fn probe_texts<'py>(&self, py: Python<'py>, positions: Vec<PyBackedStr>) -> PyResult<Values<'py>> {
        batch::texts(py, &*self.get()?, &positions).map(|values| values.into_arrays(py))
    }

    /// Values of positions given as squares, one position per row, in the order of the material's letters.
    fn probe_squares<'py>(
        &self,
        py: Python<'py>,
        material: &str,
        squares: PyReadonlyArray2<'py, u8>,
        to_move: PyReadonlyArray1<'py, u8>,
    ) -> PyResult<Values<'py>> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        let (rows, columns) = squares.as_array().dim();
        let sides = to_move.as_array().len();
        // Both lengths are checked: two wrong lengths may have the right product.
        if (rows, columns) != (sides, material.len()) {
            let message = format!(
                "{material} with {} to move takes squares of shape ({sides}, {}), not ({rows}, {columns})",
                count(sides as u64, "side", "sides"),
                material.len(),
            );
            return Err(PositionError::new_err(message));
        }
        // Copied, since other threads may write to the arrays once the lock is released.
        let rows: Vec<u8> = squares.as_array().iter().copied().collect();
        let sides: Vec<u8> = to_move.as_array().iter().copied().collect();
        batch::squares(py, &tables, material, &rows, &sides).map(|values| values.into_arrays(py))
    }

    /// All positions of a material: the letters of its pieces, the squares of each, sides to move, values.
    #[allow(clippy::type_complexity)]
    fn material<'py>(
        &self,
        py: Python<'py>,
        material: &str,
    ) -> PyResult<(Vec<char>, Vec<Bound<'py, PyArray1<u8>>>, Bound<'py, PyArray1<u8>>, Values<'py>)> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        let whole = batch::whole(py, &tables, material)?;
        let squares = whole.squares.into_iter().map(|column| PyArray1::from_vec(py, column)).collect();
        Ok((whole.letters, squares, PyArray1::from_vec(py, whole.to_move), whole.values.into_arrays(py)))
    }

    /// The text of a position given as squares.
    fn text(&self, material: &str, squares: Vec<u8>, to_move: u8) -> PyResult<String> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        if squares.len() != material.len() {
            let wanted = count(material.len() as u64, "square", "squares");
            let message = format!("{material} takes {wanted}, not {}", squares.len());
            return Err(MaterialError::new_err(message));
        }
        let position = batch::Rows::new(material).position(&tables, &squares, to_move);
        let position = position.map_err(|message| PositionError::new_err(format!("bad position: {message}")))?;
        position.check(tables.rules()).map_err(|error| errors::position(&error, ""))?;
        Ok(position.to_text(tables.rules()))
    }
}
