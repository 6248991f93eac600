//! Errors of table files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Why a table cannot be used. Each error names the file.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is no such file.
    #[error("{path}: no such table")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened, read or written.
    #[error("{path}: cannot {action} it: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation that failed.
        action: &'static str,
        /// Why it failed.
        cause: Arc<io::Error>,
    },
    /// A limit of the operating system was reached. The file may be intact.
    #[error("{path}: cannot {action} it: {limit}")]
    Limit {
        /// The file.
        path: PathBuf,
        /// The operation that failed.
        action: &'static str,
        /// Which limit.
        limit: Limit,
    },
    /// The contents differ from what was written.
    #[error("{path}: damaged table: {what}; delete the file and generate it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part is damaged, and how this shows.
        what: String,
    },
    /// An intact table whose values follow only together with another table, which is missing.
    #[error("{path}: it is read together with {needs}, which is missing; copy that file, or generate it again")]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The missing table.
        needs: PathBuf,
    },
    /// Not a table, or of a version that this program does not read.
    #[error("{path}: {what}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file is instead, and what to do.
        what: String,
    },
    /// Another process is writing the tables of this class.
    #[error("{path}: {owner} is working on these tables; wait until it is done")]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// The owning process, in words.
        owner: String,
    },
    /// The work was cancelled. Existing files are unchanged.
    #[error("interrupted")]
    Interrupted {
        /// The file.
        path: PathBuf,
    },
    /// An intact table of another game.
    #[error(
        "{path}: the table is of {found_class} under the rules \"{found_rules}\", another game than {class} under \
         \"{rules}\"; generate {class} for these rules in a separate folder"
    )]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The requested class.
        class: String,
        /// The requested rules.
        rules: String,
        /// The class in the file.
        found_class: String,
        /// The rules in the file.
        found_rules: String,
    },
}

/// A limit of the operating system that prevents reading an intact file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The process has reached its limit of open files.
    OpenFiles,
    /// The machine has reached its limit of open files.
    OpenFilesOfMachine,
    /// Memory is exhausted, or the process has reached its limit of memory maps.
    Memory,
}

impl Limit {
    /// The limit that a system error reports, if any.
    pub fn of(error: &io::Error) -> Option<Self> {
        #[cfg(unix)]
        {
            match rustix::io::Errno::from_io_error(error)? {
                rustix::io::Errno::MFILE => Some(Self::OpenFiles),
                rustix::io::Errno::NFILE => Some(Self::OpenFilesOfMachine),
                rustix::io::Errno::NOMEM => Some(Self::Memory),
                _ => None,
            }
        }
        #[cfg(not(unix))]
        {
            // ERROR_TOO_MANY_OPEN_FILES, ERROR_NOT_ENOUGH_MEMORY.
            match error.raw_os_error()? {
                4 => Some(Self::OpenFiles),
                8 => Some(Self::Memory),
                _ => None,
            }
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenFiles => "too many open files in this process: raise its limit (`ulimit -n`) and try again",
            Self::OpenFilesOfMachine => "too many open files on this machine: close some and try again",
            Self::Memory => "not enough memory, or too many memory maps: free some, or raise vm.max_map_count",
        })
    }
}

impl TableError {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Io { path, .. }
            | Self::Limit { path, .. }
            | Self::Damaged { path, .. }
            | Self::Incomplete { path, .. }
            | Self::Unreadable { path, .. }
            | Self::Busy { path, .. }
            | Self::Interrupted { path }
            | Self::OtherGame { path, .. } => path,
        }
    }

    /// Whether a retry with the same file may succeed: the file is not the cause.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::Limit { .. })
    }

    /// Whether the bytes are on their way: see [`Store`](super::Store).
    #[inline]
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Io { cause, .. } if cause.kind() == io::ErrorKind::WouldBlock)
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }

    /// Converts a system error of `action` to a table error.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| {
            let path = path.to_owned();
            match (cause.kind(), Limit::of(&cause)) {
                (io::ErrorKind::NotFound, _) if action == "open" => Self::Missing { path },
                (_, Some(limit)) => Self::Limit { path, action, limit },
                _ => Self::Io { path, action, cause: Arc::new(cause) },
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// With too few descriptors, intact tables were once reported as damaged.
    #[test]
    fn limits_are_told_from_damage() {
        for (code, limit) in [
            (rustix::io::Errno::MFILE, Some(Limit::OpenFiles)),
            (rustix::io::Errno::NFILE, Some(Limit::OpenFilesOfMachine)),
            (rustix::io::Errno::NOMEM, Some(Limit::Memory)),
            (rustix::io::Errno::IO, None),
        ] {
            let error = TableError::io(Path::new("EvE.wdl"), "open")(code.into());
            assert!(error.is_transient(), "{error}");
            match (&error, limit) {
                (TableError::Limit { limit: found, .. }, Some(limit)) => assert_eq!(*found, limit),
                (TableError::Io { .. }, None) => {}
                _ => panic!("{error}"),
            }
        }
    }
}
