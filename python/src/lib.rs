//! The native half of the Python package: converts between Python's values and the library's. Types, names and
//! documentation are in Python, in `jungletb/`.
// PyO3 passes arguments by value.
#![allow(clippy::needless_pass_by_value)]

mod batch;
mod errors;
mod game;
mod prove;
mod rules;
mod tables;
mod values;
mod whole;

use pyo3::prelude::*;

/// The module `jungletb._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::tables::Tables;
    #[pymodule_export]
    use super::whole::Chunks;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    use jungletb::game::PRESETS;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("PRESETS", PRESETS.to_vec())
    }
}
