//! Inventory: which tables of a rule set are present, missing or damaged.

use crate::material::{Class, graph};
use crate::probe::Tablebase;
use crate::system::Cancel;
use crate::table::{Checksums, Metric, State, TableError};
use serde_json::{Value, json};
use std::sync::Arc;

/// The tables of a class.
#[derive(Debug)]
pub struct ClassTables {
    /// The class.
    pub class: Arc<Class>,
    /// The materials that share its tables.
    pub materials: Vec<String>,
    /// The metrics of the intact tables.
    pub metrics: Vec<Metric>,
    /// Total size of their files in bytes.
    pub bytes: u64,
    /// The error of a table that cannot be used.
    pub error: Option<TableError>,
}

impl ClassTables {
    /// Reopens the tables of a class and checks every block against its checksum.
    pub fn new(tables: &Tablebase, class: &Arc<Class>, known: &Checksums) -> Self {
        let mut entry = Self::blank(tables, class);
        for metric in Metric::ALL {
            match tables.registry().examine(class, metric) {
                State::Ok(table) => {
                    entry.metrics.push(metric);
                    entry.bytes += table.file_len();
                    if let Err(error) = known.check(tables.rules(), class, metric, &table) {
                        entry.error = Some(error);
                    }
                }
                State::Missing => {}
                State::Damaged(error) => entry.error = Some(error),
            }
        }
        entry
    }

    /// The entry judged by the headers of the class's files; blocks are not checked.
    pub fn from_headers(tables: &Tablebase, class: &Arc<Class>) -> Self {
        let mut entry = Self::blank(tables, class);
        for metric in Metric::ALL {
            match tables.registry().header(class, metric) {
                Ok((header, _)) if header.is_losses() && entry.metrics.is_empty() => {
                    let needs = tables.registry().path(class, Metric::Wdl);
                    entry.error = Some(TableError::Incomplete { path: tables.registry().find(class, metric), needs });
                }
                Ok((_, bytes)) => {
                    entry.metrics.push(metric);
                    entry.bytes += bytes;
                }
                Err(TableError::Missing { .. }) => {}
                Err(error) => entry.error = Some(error),
            }
        }
        entry
    }

    fn blank(tables: &Tablebase, class: &Arc<Class>) -> Self {
        let materials = tables.classes().materials(tables.rules(), class);
        Self {
            class: Arc::clone(class),
            materials: materials.iter().map(ToString::to_string).collect(),
            metrics: Vec::new(),
            bytes: 0,
            error: None,
        }
    }

    /// `ok`, `missing` or `damaged`. A DTW table whose WDL table is missing counts as missing.
    pub fn state(&self) -> &'static str {
        match (&self.error, self.metrics.is_empty()) {
            (Some(TableError::Incomplete { .. }), _) | (None, true) => "missing",
            (Some(_), _) => "damaged",
            (None, false) => "ok",
        }
    }

    /// The entry as JSON.
    pub fn json(&self) -> Value {
        json!({
            "class": self.class.name(),
            "materials": self.materials,
            "pieces": self.class.pieces(),
            "state": self.state(),
            "metrics": self.metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>(),
            "bytes": self.bytes,
            "error": self.error.as_ref().map(ToString::to_string),
        })
    }
}

/// The tables of all classes with at most this number of pieces.
///
/// # Errors
/// Returns an error if a list of checksums cannot be read, or on cancellation.
pub fn inventory(tables: &Tablebase, pieces: usize, cancel: &Cancel) -> Result<Vec<ClassTables>, TableError> {
    of_classes(tables, &graph::up_to(tables.classes(), tables.rules(), pieces), cancel)
}

/// The tables of these classes.
///
/// # Errors
/// Returns an error if a list of checksums cannot be read, or on cancellation.
pub fn of_classes(tables: &Tablebase, classes: &[Arc<Class>], cancel: &Cancel) -> Result<Vec<ClassTables>, TableError> {
    let known = Checksums::read_all(tables.registry().roots())?;
    let entry = |class| {
        if cancel.is_cancelled() {
            return Err(TableError::Interrupted { path: tables.registry().folder().to_owned() });
        }
        Ok(ClassTables::new(tables, class, &known))
    };
    classes.iter().map(entry).collect()
}
