//! Where the program looks for tables.
//!
//! `--tables` or `$JUNGLETB_TABLES` name the folders, and no other is searched. Without them, the usual places are
//! searched as far as they exist, and then the tables that are part of the program.

use super::Common;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use jungletb::table::SearchPath;
use std::path::{Path, PathBuf};

/// The name of a folder of tables.
const NAME: &str = "tablebases";
/// A folder of tables below one for data of all programs.
const SHARED: &str = "jungletb/tablebases";

impl Common {
    /// The folders of tables in search order, and the one that is written to.
    pub fn search_path(&self) -> SearchPath {
        let mut named = self.tables.clone();
        if named.is_empty() {
            let listed = std::env::var_os("JUNGLETB_TABLES").unwrap_or_default();
            named = std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
        }
        if named.is_empty() { usual() } else { SearchPath::new(named) }
    }
}

/// The usual places. Tables are written to `./tablebases` if it exists, else to the user's data folder.
fn usual() -> SearchPath {
    let local = PathBuf::from(NAME);
    // Without a home folder, there is no user to have data.
    let own = choose_native_strategy().map(|home| home.data_dir().join(SHARED)).ok();
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let beside = program.as_deref().and_then(Path::parent);
    let places = [
        Some(local.clone()),
        beside.map(|folder| folder.join(NAME)),
        beside.and_then(Path::parent).map(|folder| folder.join("share").join(SHARED)),
        own.clone(),
        cfg!(unix).then(|| Path::new("/usr/local/share").join(SHARED)),
        cfg!(unix).then(|| Path::new("/usr/share").join(SHARED)),
    ];
    let written = own.filter(|_| !local.is_dir()).unwrap_or(local);
    let mut folders: Vec<PathBuf> = Vec::new();
    for place in places.into_iter().flatten() {
        if (place == written || place.is_dir()) && !folders.contains(&place) {
            folders.push(place);
        }
    }
    let path = SearchPath::new(folders).written_to(&written);
    #[cfg(feature = "shipped")]
    let path = path.with_shipped();
    path
}
