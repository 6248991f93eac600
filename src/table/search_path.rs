//! Where tables are looked for, and where new ones are written.

#[cfg(feature = "shipped")]
use super::shipped::Shipped;
use super::store::Store;
use crate::game::Rules;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders of tables in search order, one of which is written to, and stores that are searched after them.
///
/// Each folder has a subfolder per rule set. The first place that has a table counts, as with `PATH`.
///
/// ```
/// use jungletb::table::SearchPath;
/// use std::path::Path;
///
/// let path = SearchPath::new(["tablebases", "/usr/share/jungletb/tablebases"]);
/// assert_eq!(path.written(), Some(Path::new("tablebases")));
/// assert_eq!(path.written_to("/tmp/new").folders().len(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    /// The number of the folder that is written to.
    written: usize,
    stores: Vec<Arc<dyn Store>>,
}

impl SearchPath {
    /// These folders. New tables are written to the first; the others are only read.
    pub fn new(folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { folders: folders.into_iter().map(Into::into).collect(), written: 0, stores: Vec::new() }
    }

    /// New tables are written to this folder, which becomes the last one if it is not in the list.
    #[must_use]
    pub fn written_to(mut self, folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        self.written = self.folders.iter().position(|known| known == folder).unwrap_or(self.folders.len());
        if self.written == self.folders.len() {
            self.folders.push(folder.to_owned());
        }
        self
    }

    /// A store that is searched after the folders and the stores before it.
    #[must_use]
    pub fn with_store(mut self, store: Arc<dyn Store>) -> Self {
        self.stores.push(store);
        self
    }

    /// The tables of up to three pieces that are part of the library, searched after everything before them.
    #[cfg(feature = "shipped")]
    #[must_use]
    pub fn with_shipped(self) -> Self {
        self.with_store(Arc::new(Shipped))
    }

    /// The folders alone, as commands that write tables need them: what is part of the program is no file of theirs.
    #[must_use]
    pub fn without_stores(self) -> Self {
        Self { stores: Vec::new(), ..self }
    }

    /// With only the stores whose tables are of these rules.
    pub(super) fn of_rules(&self, rules: &Rules) -> Self {
        let stores = self.stores.iter().filter(|store| store.serves(rules)).cloned().collect();
        Self { stores, ..self.clone() }
    }

    /// The folders in search order.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The stores in search order.
    pub fn stores(&self) -> &[Arc<dyn Store>] {
        &self.stores
    }

    /// The folder that new tables are written to; `None` if there is no folder.
    pub fn written(&self) -> Option<&Path> {
        self.folders.get(self.written).map(PathBuf::as_path)
    }
}
