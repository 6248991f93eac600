//! Export of a material as a data set: one row per position, in the order of [`Rows`], part by part.
//!
//! CSV and ARFF have the columns of van Rijn & Vis's published two-piece table (`text`); Parquet has typed columns
//! with category and distance (`parquet`).

#[cfg(feature = "parquet")]
mod parquet;
mod text;

use super::rows::{Chunk, Rows};
use crate::game::Color;
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::TableError;
use std::io::{self, Write};
use thiserror::Error;

/// Format of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// Weka's attribute-relation file format.
    Arff,
    /// Apache Parquet, compressed by zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Why a material could not be exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Its table cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The output cannot be written.
    #[error("cannot write the data set: {0}")]
    Output(#[from] io::Error),
}

/// Maximum number of rows in memory, and in a row group of Parquet.
const ROWS: usize = 1 << 20;

/// Writes all positions of a material with these sides to move.
///
/// # Errors
/// Returns an error if a table is missing or damaged, if memory is exhausted, if the output cannot be written, or on
/// cancellation.
pub fn export(
    tables: &Tablebase,
    material: Material,
    to_move: &[Color],
    format: Format,
    out: &mut (dyn Write + Send),
    cancel: &Cancel,
) -> Result<(), ExportError> {
    match format {
        Format::Csv | Format::Arff => text::export(tables, material, to_move, format == Format::Arff, out, cancel),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::export(tables, material, to_move, out, cancel),
    }
}

/// Reads all rows, part by part.
fn for_each_chunk(
    rows: &Rows,
    cancel: &Cancel,
    mut visit: impl FnMut(&Chunk) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (len, step) = (rows.placements(), rows.step(ROWS));
    let mut chunk = Chunk::default();
    for start in (0..len).step_by(step as usize) {
        if cancel.is_cancelled() {
            let path = rows.values().table().path().to_owned();
            return Err(ProbeError::from(TableError::Interrupted { path }).into());
        }
        chunk.clear();
        rows.read(start..len.min(start + step), &mut chunk)?;
        visit(&chunk)?;
    }
    Ok(())
}
