//! Rule sets, and the game without tables.

use crate::errors;
use crate::game::{self as play, check_shape, copied};
use jungletb::game;
use jungletb::material::Material;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use std::path::PathBuf;

/// A rule set.
#[pyclass(frozen, eq, module = "jungletb._native")]
pub struct Rules {
    pub rules: game::Rules,
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.rules.name() == other.rules.name() && self.rules.keys() == other.rules.keys()
    }
}

#[pymethods]
impl Rules {
    /// Loads a preset or a rule file.
    #[staticmethod]
    fn load(preset_or_file: PathBuf) -> PyResult<Self> {
        Ok(Self { rules: game::Rules::load(preset_or_file).map_err(errors::rules)? })
    }

    /// Creates rules from the keys of a rule file, as a JSON object.
    #[staticmethod]
    fn from_json(name: &str, keys: &str) -> PyResult<Self> {
        let bad = |error: &dyn std::fmt::Display| errors::RulesError::new_err(format!("bad rules: {error}"));
        let keys: toml::Table = serde_json::from_str(keys).map_err(|error| bad(&error))?;
        let text = toml::to_string(&keys).map_err(|error| bad(&error))?;
        let rules = game::Rules::from_toml(name, &text).map_err(|error| match error {
            // The line number refers to the generated text above, not to the caller's input.
            game::RulesError::Syntax { message, .. } => bad(&message),
            error => errors::rules(error),
        })?;
        Ok(Self { rules })
    }

    /// Every key, as a JSON object.
    fn to_json(&self) -> PyResult<String> {
        let bad = |error: &dyn std::fmt::Display| errors::RulesError::new_err(error.to_string());
        let keys: toml::Table = toml::from_str(&self.to_toml()).map_err(|error| bad(&error))?;
        serde_json::to_string(&keys).map_err(|error| bad(&error))
    }

    /// Every key, as a rule file.
    fn to_toml(&self) -> String {
        self.rules.keys().to_toml()
    }

    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    /// The start position, if the board has one.
    fn start(&self) -> Option<String> {
        game::Position::start(&self.rules).map(|position| position.to_text(&self.rules))
    }

    /// Why the game is over.
    fn over(&self, position: &str) -> PyResult<Option<&'static str>> {
        let position = game::Position::parse(&self.rules, position);
        let position = position.map_err(|error| errors::position(&error, ""))?;
        Ok(position.over(&self.rules).map(|(over, _)| over.name()))
    }

    fn moves(&self, position: &str) -> PyResult<Vec<(String, String)>> {
        play::moves(&self.rules, position)
    }

    fn after(&self, position: &str, moves: Vec<PyBackedStr>) -> PyResult<String> {
        play::after(&self.rules, position, &moves)
    }

    /// Squares of positions given as text, one position per row, and sides to move.
    #[allow(clippy::type_complexity)]
    fn squares<'py>(
        &self,
        py: Python<'py>,
        material: &str,
        positions: PyBackedBytes,
        count: usize,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u8>>)> {
        let material = Material::parse(&self.rules, material).map_err(errors::material)?;
        let positions = play::lines(&positions, count)?;
        let (rows, sides) = py.detach(|| play::squares(&self.rules, material, &positions))?;
        let shape = [sides.len(), material.len()];
        Ok((PyArray1::from_vec(py, rows).reshape(shape)?, PyArray1::from_vec(py, sides)))
    }

    /// Texts of positions given as squares.
    fn texts(
        &self,
        material: &str,
        squares: PyReadonlyArray2<'_, u8>,
        to_move: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<Vec<String>> {
        let material = Material::parse(&self.rules, material).map_err(errors::material)?;
        check_shape(material, squares.as_array().dim(), to_move.as_array().len())?;
        let (rows, sides) = (copied(squares.as_array())?, copied(to_move.as_array())?);
        play::texts(&self.rules, material, &rows, &sides)
    }
}
