//! Rewriting a table with another encoding, without solving anything.

use super::checksums;
use super::error::TableError;
use super::header::Metric;
use super::reader::Table;
use super::registry::Registry;
use super::summary::Summary;
use super::value::Value;
use super::writer::{Encoding, Values, write};
use crate::game::Rules;
use crate::material::{Class, Side};
use crate::system::{Cancel, Lock, LockError};
use std::path::Path;

/// Rewrites the tables of a class, of any format version, into the folder of tables `to`, which may be the current one; the files go to the
/// subfolder of these rules. WDL tables are made from DTW tables where these exist.
///
/// If the folder has a list of checksums that names the old files, the list is updated.
///
/// # Errors
/// Returns an error if a table is missing, damaged or of another game, if another process is working on the class, on
/// cancellation, or if the file system fails.
pub fn reencode(
    registry: &Registry,
    rules: &Rules,
    class: &Class,
    encoding: Encoding,
    to: &Path,
    cancel: &Cancel,
) -> Result<(), TableError> {
    let table = registry.best(class)?;
    let out = Registry::new(to, rules);
    std::fs::create_dir_all(out.folder()).map_err(TableError::io(out.folder(), "create"))?;
    let path = out.lock_path(class);
    let _lock = Lock::take(&path).map_err(|error| match error {
        LockError::Busy(owner) => TableError::Busy { path: path.clone(), owner },
        LockError::Io(error) => TableError::io(&path, "lock")(error),
    })?;
    out.sweep(class);
    let listed = checksums::Listed::new(&out, rules, class)?;
    let distances = (table.header().metric == Metric::Dtw).then(|| table.summary().longest_plies());
    write(out.folder(), rules, class, distances, encoding, &Written { table: &table, cancel })?;
    registry.forget(class);
    listed.update(&out, rules, class)
}

struct Written<'a> {
    table: &'a Table,
    cancel: &'a Cancel,
}

impl Values for Written<'_> {
    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        if self.cancel.is_cancelled() {
            return Err(TableError::Interrupted { path: self.table.path().to_owned() });
        }
        self.table.read(to_move, start, out)
    }

    fn summary(&self) -> Option<&Summary> {
        Some(self.table.summary())
    }
}
