//! Conversion of the library's errors into exceptions of the package.

use jungletb::game::{PositionError as BadPosition, RulesError as BadRules};
use jungletb::material::MaterialError as BadMaterial;
use jungletb::probe::Fault;
use jungletb::probe::ProbeError;
use pyo3::{PyErr, import_exception};

import_exception!(jungletb._errors, ClosedError);
import_exception!(jungletb._errors, MaterialError);
import_exception!(jungletb._errors, MissingTableError);
import_exception!(jungletb._errors, PositionError);
import_exception!(jungletb._errors, RulesError);
import_exception!(jungletb._errors, TableError);
import_exception!(jungletb._errors, TableIOError);

/// Converts the error of a probe; `place` is a prefix with the number of the position in a batch, or empty.
pub fn probe(error: &ProbeError, place: &str) -> PyErr {
    let message = format!("{place}{error}");
    match error.fault() {
        Fault::Caller => PositionError::new_err(message),
        Fault::Missing => MissingTableError::new_err(message),
        Fault::Damaged => TableError::new_err(message),
        Fault::System | Fault::Interrupted => TableIOError::new_err(message),
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
