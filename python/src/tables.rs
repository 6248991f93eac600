//! Open tables. Each call releases the interpreter lock while it probes.

use crate::batch::{self, AnswersTuple, Wish};
use crate::errors::{self, ClosedError, MaterialError, PositionError};
use crate::game::{Rows, check_shape, copied, lines};
use crate::prove::{self, Cost, ProofTuple};
use crate::rules::Rules;
use crate::values::category;
use crate::whole::{self, Chunks, ColumnsTuple};
use jungletb::analysis::stats::MaterialStats;
use jungletb::game::{Animal, Over, Position};
use jungletb::material::Material;
use jungletb::probe::{Answer, Available, Options, ProbeError, RankedMove, Tablebase};
use jungletb::table::{Access, Metric, SearchPath};
use jungletb::text::count;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// Category, distance, why the game is over.
type ValueTuple = (i8, Option<u16>, Option<&'static str>);
/// Text, captured animal, whether it enters the den, the position after it, its value.
type MoveTuple = (String, Option<char>, bool, String, Option<ValueTuple>);
/// Position, material, class, value, moves, line.
type ReportTuple = (String, String, Option<String>, ValueTuple, Vec<MoveTuple>, Vec<String>);

/// Open tables.
#[pyclass(frozen, module = "jungletb._native")]
pub struct Tables {
    /// `None` once closed. Running calls keep the tables until they return.
    open: RwLock<Option<Arc<Tablebase>>>,
}

fn value(answer: Answer) -> ValueTuple {
    (category(answer.category), answer.dtw, answer.over.map(Over::name))
}

fn ranked(tables: &Tablebase, mv: &RankedMove) -> MoveTuple {
    let after = mv.position.to_text(tables.rules());
    (mv.mv.to_string(), mv.capture.map(Animal::letter), mv.den, after, mv.answer.map(value))
}

fn all_ranked(tables: &Tablebase, position: &Position) -> Result<Vec<MoveTuple>, ProbeError> {
    Ok(tables.moves(position)?.iter().map(|mv| ranked(tables, mv)).collect())
}

impl Tables {
    /// Returns the tables, or an error if they are closed.
    pub fn get(&self) -> PyResult<Arc<Tablebase>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| ClosedError::new_err("the tablebase is closed"))
    }

    fn of_material(&self, material: &str) -> PyResult<(Arc<Tablebase>, Material)> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        Ok((tables, material))
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
        let answer = py.detach(|| ask(&tables, &position));
        answer.map_err(|error| errors::probe(&error, "", Some(Material::of(&position))))
    }
}

#[pymethods]
impl Tables {
    #[new]
    fn new(folders: Vec<PathBuf>, rules: &Rules, cache_bytes: Option<u64>, map_files: bool) -> PyResult<Self> {
        // Without a folder: the tables that are part of the package.
        let search = if folders.is_empty() { SearchPath::default().with_shipped() } else { SearchPath::new(folders) };
        let mut options = Options::default().access(if map_files { Access::Map } else { Access::Read });
        if let Some(bytes) = cache_bytes {
            options.cache_bytes = bytes;
        }
        let tables = Tablebase::open_path(&search, &rules.rules, options);
        let tables = tables.map_err(|error| errors::probe(&error, "", None))?;
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
        self.ask(py, position, all_ranked)
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
                all_ranked(tables, position)?,
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

    /// Values of positions given as text, one per line. `masked` is empty or has one flag per position.
    fn probe_texts<'py>(
        &self,
        py: Python<'py>,
        positions: PyBackedBytes,
        count: usize,
        masked: PyReadonlyArray1<'py, bool>,
        distances: bool,
        skip_missing: bool,
    ) -> PyResult<AnswersTuple<'py>> {
        let (positions, masked) = (lines(&positions, count)?, copied(masked.as_array())?);
        let wish = Wish { distances, skip_missing, masked: &masked };
        batch::texts(py, &*self.get()?, &positions, &wish).map(|answers| answers.into_arrays(py, &wish))
    }

    /// Values of positions given as squares, one position per row, in the order of the material's letters.
    #[allow(clippy::too_many_arguments)]
    fn probe_squares<'py>(
        &self,
        py: Python<'py>,
        material: &str,
        squares: PyReadonlyArray2<'py, u8>,
        to_move: PyReadonlyArray1<'py, u8>,
        masked: PyReadonlyArray1<'py, bool>,
        distances: bool,
        skip_missing: bool,
    ) -> PyResult<AnswersTuple<'py>> {
        let tables = self.get()?;
        let material = Material::parse(tables.rules(), material).map_err(errors::material)?;
        check_shape(material, squares.as_array().dim(), to_move.as_array().len())?;
        let (rows, sides, masked) =
            (copied(squares.as_array())?, copied(to_move.as_array())?, copied(masked.as_array())?);
        let wish = Wish { distances, skip_missing, masked: &masked };
        let answers = batch::squares(py, &tables, material, &rows, &sides, &wish)?;
        Ok(answers.into_arrays(py, &wish))
    }

    /// Number of positions of a material with either side to move.
    fn count(&self, py: Python<'_>, material: &str) -> PyResult<u64> {
        let (tables, material) = self.of_material(material)?;
        let count = py.detach(|| whole::len(&tables, material));
        count.map_err(|error| errors::probe(&error, "", Some(material)))
    }

    /// All positions of a material.
    fn material<'py>(&self, py: Python<'py>, material: &str, distances: bool) -> PyResult<ColumnsTuple<'py>> {
        let (tables, material) = self.of_material(material)?;
        whole::material(py, &tables, material, distances)
    }

    /// All positions of a material, in parts of at most this many rows.
    fn chunks(&self, py: Python<'_>, material: &str, rows: usize, distances: bool) -> PyResult<Chunks> {
        let (tables, material) = self.of_material(material)?;
        Chunks::new(py, tables, material, rows, distances)
    }

    /// Statistics of a material, as a JSON object.
    fn statistics(&self, py: Python<'_>, material: &str) -> PyResult<String> {
        let (tables, material) = self.of_material(material)?;
        let read = || {
            let (place, table) = (tables.place(material)?, tables.table(material)?);
            Ok(MaterialStats::new(tables.rules(), place, &table).json(&tables, material).to_string())
        };
        py.detach(read).map_err(|error| errors::probe(&error, "", Some(material)))
    }

    /// The text of a position given as squares.
    fn text(&self, material: &str, squares: Vec<u8>, to_move: u8) -> PyResult<String> {
        let (tables, material) = self.of_material(material)?;
        if squares.len() != material.len() {
            let wanted = count(material.len() as u64, "square", "squares");
            let message = format!("{material} takes {wanted}, not {}", squares.len());
            return Err(MaterialError::new_err(message));
        }
        let position = Rows::new(material).position(tables.rules(), &squares, to_move);
        let position = position.map_err(|message| PositionError::new_err(format!("bad position: {message}")))?;
        position.check(tables.rules()).map_err(|error| errors::position(&error, ""))?;
        Ok(position.to_text(tables.rules()))
    }
}
