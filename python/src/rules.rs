//! Rule sets.

use crate::errors;
use jungletb::game;
use pyo3::prelude::*;
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
        let keys: toml::Table = toml::from_str(&self.rules.keys().to_toml()).map_err(|error| bad(&error))?;
        serde_json::to_string(&keys).map_err(|error| bad(&error))
    }

    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }
}
