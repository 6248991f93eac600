//! What can be wrong with a table file.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a table could not be used. Each error names the file.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such file.
    #[error("{path}: no such table")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened, read or written.
    #[error("{path}: cannot {action} it: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The bytes are not what was once written.
    #[error("{path}: damaged table: {what}; delete the file and generate it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part, and how one can tell.
        what: String,
    },
    /// It is no table, or of a version that this program does not read.
    #[error("{path}: {what}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What it is instead and what to do.
        what: String,
    },
    /// Another process writes the tables of this class.
    #[error("{path}: {owner} works on these tables; wait until it is done")]
    Busy {
        /// The file of the lock.
        path: PathBuf,
        /// Which process, in words.
        owner: String,
    },
    /// The work on it was cancelled. What was there is as it was.
    #[error("interrupted")]
    Interrupted {
        /// The file.
        path: PathBuf,
    },
    /// It is a good table of another game.
    #[error(
        "{path}: the table is of {found_class} under the rules \"{found_rules}\", another game than {class} under \
         \"{rules}\"; generate {class} for these rules in a folder of their own"
    )]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The class asked for.
        class: String,
        /// The rules asked for.
        rules: String,
        /// The class in the file.
        found_class: String,
        /// The rules in the file.
        found_rules: String,
    },
}

impl TableError {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Io { path, .. }
            | Self::Damaged { path, .. }
            | Self::Unreadable { path, .. }
            | Self::Busy { path, .. }
            | Self::Interrupted { path }
            | Self::OtherGame { path, .. } => path,
        }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }

    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::NotFound if action == "open" => Self::Missing { path: path.to_owned() },
            _ => Self::Io { path: path.to_owned(), action, source },
        }
    }
}
