//! Errors of solving.

use crate::table::TableError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a class could not be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Memory is exhausted while solving a class.
    #[error("{0}: not enough memory to solve it; free some, or give a lower --memory, to keep more in scratch files")]
    OutOfMemory(String),
    /// A class needs more memory than allowed, even with its bit planes in files.
    #[error("{class}: solving it needs at least {need_mib} MiB, but {limit_mib} MiB are allowed, by --memory or by \
         default; give --memory {need_mib}M",
        need_mib = need.div_ceil(1 << 20), limit_mib = limit >> 20)]
    NeedsMemory {
        /// The class.
        class: String,
        /// Required bytes.
        need: u64,
        /// Allowed bytes.
        limit: u64,
    },
    /// A class depends on one that has no table and is not part of the run.
    #[error(
        "{class}: it needs the table of {needs}, which is not in {folders}; generate it first, or leave out --only"
    )]
    MissingDependency {
        /// The class.
        class: String,
        /// The missing file.
        needs: String,
        /// The folders searched.
        folders: String,
    },
    /// The lock of a class cannot be taken.
    #[error("{path}: cannot lock it: {cause}; if no other process works on these tables, delete it")]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// The scratch space of a class cannot be read or written.
    #[error(
        "{path}: cannot use it as scratch space for {class}: {cause}; free space or give --scratch DIR, then \
         rerun the same command to resume"
    )]
    Scratch {
        /// The class.
        class: String,
        /// The scratch file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// The run was interrupted. Finished tables are kept.
    #[error("interrupted; finished tables are kept; rerun the same command to resume")]
    Interrupted,
    /// A class has a longer win than a table can hold.
    #[error("{0}: a win takes more plies than a table can hold; use --metric wdl")]
    TooLong(String),
}
