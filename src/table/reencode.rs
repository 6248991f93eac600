//! Writing a table again with other blocks, without solving anything.

use super::error::TableError;
use super::header::Metric;
use super::reader::Table;
use super::store::Store;
use super::value::Value;
use super::writer::{Encoding, Values, write};
use crate::game::Rules;
use crate::material::{Class, Side};
use std::path::Path;

/// Writes the tables of a class again, into the folder `to` of tables of these rules; that may be where they are.
/// Tables of results are made from those of distances, if there are such.
///
/// # Errors
/// Tables that are missing, damaged or of another game; anything the file system refuses.
pub fn reencode(store: &Store, rules: &Rules, class: &Class, encoding: Encoding, to: &Path) -> Result<(), TableError> {
    let table = store.best(rules, class)?;
    let distances = (table.header().metric == Metric::Dtw).then(|| table.summary().longest_plies());
    write(to, rules, class, distances, encoding, &Written(&table))?;
    store.close(class);
    Ok(())
}

struct Written<'a>(&'a Table);

impl Values for Written<'_> {
    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        self.0.read(to_move, start, out)
    }
}
