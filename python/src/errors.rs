//! Conversion of the library's errors into exceptions of the package.

use jungletb::game::{PositionError as BadPosition, RulesError as BadRules};
use jungletb::material::{Material, MaterialError as BadMaterial};
use jungletb::probe::ProbeError;
use jungletb::table::{Limit, TableError as BadTable};
use pyo3::exceptions::PyMemoryError;
use pyo3::{PyErr, import_exception};
use std::io::{self, ErrorKind};

import_exception!(jungletb._errors, ClosedError);
import_exception!(jungletb._errors, MaterialError);
import_exception!(jungletb._errors, MissingTableError);
import_exception!(jungletb._errors, MoveError);
import_exception!(jungletb._errors, PositionError);
import_exception!(jungletb._errors, RulesError);
import_exception!(jungletb._errors, TableError);
import_exception!(jungletb._errors, TableIOError);

/// Numbers of system errors, the same on all systems.
mod errno {
    pub const INTERRUPTED: i32 = 4;
    pub const INPUT_OUTPUT: i32 = 5;
    pub const NO_MEMORY: i32 = 12;
    pub const BUSY: i32 = 16;
    pub const NOT_A_FOLDER: i32 = 20;
    pub const OPEN_FILES_OF_MACHINE: i32 = 23;
    pub const OPEN_FILES: i32 = 24;
}

/// Converts the error of a probe of a material; `place` is a prefix with the number of the position in a batch, or
/// empty.
pub fn probe(error: &ProbeError, place: &str, material: Option<Material>) -> PyErr {
    let message = format!("{place}{error}");
    let material = material.map(|material| material.to_string());
    match error {
        ProbeError::Position(_) => PositionError::new_err(message),
        ProbeError::MissingTable(missing) => {
            let (material, class) = (missing.material().to_string(), missing.class().to_string());
            MissingTableError::new_err((message, material, class, missing.command()))
        }
        ProbeError::Table(error) => table(error, message, material),
        _ => MissingTableError::new_err((message, material)),
    }
}

fn table(error: &BadTable, message: String, material: Option<String>) -> PyErr {
    let number = match error {
        BadTable::Missing { .. } | BadTable::Incomplete { .. } => {
            return MissingTableError::new_err((message, material));
        }
        BadTable::Limit { limit: Limit::Memory, .. } => return PyMemoryError::new_err(message),
        BadTable::Io { cause, .. } if cause.kind() == ErrorKind::OutOfMemory => return PyMemoryError::new_err(message),
        BadTable::Io { cause, .. } => number(cause),
        BadTable::Limit { limit: Limit::OpenFiles, .. } => errno::OPEN_FILES,
        BadTable::Limit { .. } => errno::OPEN_FILES_OF_MACHINE,
        BadTable::Busy { .. } => errno::BUSY,
        BadTable::Interrupted { .. } => errno::INTERRUPTED,
        _ => return TableError::new_err((message, error.path().as_os_str().to_owned())),
    };
    TableIOError::new_err((number, message, error.path().as_os_str().to_owned()))
}

/// The number of a system error.
fn number(error: &io::Error) -> i32 {
    match error.kind() {
        ErrorKind::NotADirectory => errno::NOT_A_FOLDER,
        ErrorKind::OutOfMemory => errno::NO_MEMORY,
        _ => error.raw_os_error().filter(|_| cfg!(unix)).unwrap_or(errno::INPUT_OUTPUT),
    }
}

/// Converts the error of an invalid position.
pub fn position(error: &BadPosition, place: &str) -> PyErr {
    PositionError::new_err(format!("{place}bad position: {error}"))
}

/// Converts the error of an invalid material.
pub fn material(error: BadMaterial) -> PyErr {
    MaterialError::new_err(error.to_string())
}

/// Converts the error of invalid rules.
pub fn rules(error: BadRules) -> PyErr {
    RulesError::new_err(error.to_string())
}
