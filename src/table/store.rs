//! Stores: tables that are not files of a folder, such as parts of the program, or bytes that come over a network.

use super::source::ByteSource;
use crate::game::Rules;
use std::fmt::Debug;
use std::io;
use std::path::Path;

/// A place with tables other than a folder of the file system.
///
/// A table of a store is read-only, and the same as long as the store exists. Bytes may still be on their way: reading
/// them fails with [`io::ErrorKind::WouldBlock`], and the store notes which they are. Reads that go together are all
/// tried before such a failure is reported ([`TableError::is_pending`](super::TableError::is_pending)), so that the
/// owner of the store can bring all their bytes at once and ask again.
pub trait Store: Debug + Send + Sync {
    /// The name in messages, in place of a folder of tables: `<name>/<rules>/<class>.<metric>`.
    fn name(&self) -> &Path;

    /// Opens a table, such as `standard/ERvL.wdl`; `None` if there is no such table.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or if it is not known yet whether it exists.
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ByteSource>>>;

    /// Whether its tables of rules with this name are of these rules. A table of other rules is reported as such.
    fn serves(&self, rules: &Rules) -> bool {
        let _ = rules;
        true
    }

    /// The file names of the tables of a rule set, such as `ERvL.wdl`, as far as they are known.
    fn list(&self, rules: &str) -> Vec<String>;
}
