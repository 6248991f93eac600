//! Errors of certificate checks.

use super::super::wire::VERSION;
use crate::game::Move;
use crate::probe::Fault;
use crate::table::TableError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a certificate is not accepted. Each error names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The file cannot be read.
    #[error("{path}: cannot read the certificate: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
    /// The file is not a certificate.
    #[error("{path}: not a certificate of jungletb")]
    NotACertificate {
        /// The file.
        path: PathBuf,
    },
    /// The certificate has a version that this program does not read.
    #[error("{path}: certificate format version {found}, but this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
    },
    /// The contents differ from what was written.
    #[error("{path}: damaged certificate: {what}; make it again with `jungletb prove --certificate`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part is damaged, and how this shows.
        what: String,
    },
    /// The certificate is for other rules.
    #[error(
        "{path}: the certificate is for the rules {found:?}, which differ from {rules:?} in {differences}; give its rules with --rules"
    )]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The rules in the file.
        found: String,
        /// The rules it was checked under.
        rules: String,
        /// The names of the keys that differ.
        differences: String,
    },
    /// The certificate depends on a missing table.
    #[error(
        "{path}: the certificate rests on the table {class}.dtw, which is not in {folders}: make it with `jungletb generate {class} --rules {argument}`"
    )]
    MissingTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// The folders searched.
        folders: String,
        /// The rules, as `--rules` takes them.
        argument: String,
    },
    /// The certificate depends on another version of a table.
    #[error(
        "{path}: the certificate rests on a table {class}.dtw with the checksum {expected:016x}, but {table} has {found:016x}: it is another encoding, or another table"
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// The table found.
        table: PathBuf,
        /// Its checksum.
        found: u64,
        /// The checksum in the certificate.
        expected: u64,
    },
    /// The strategy does not prove the claim.
    #[error("{path}: the certificate does not hold at byte {offset} of the strategy{moves}: {what}", moves = after(moves))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Number of bytes of the unpacked strategy read so far.
        offset: u64,
        /// The moves from the position of the claim to the error.
        moves: Vec<Move>,
        /// What is wrong.
        what: String,
    },
    /// A table that it depends on cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The check was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl CheckError {
    /// The kind of this error.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Io { .. } => Fault::System,
            Self::MissingTable { .. } => Fault::Missing,
            Self::Table(error) => error.fault(),
            Self::Interrupted => Fault::Interrupted,
            _ => Fault::Damaged,
        }
    }
}

/// The path to the error, for messages.
fn after(moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    format!(", after {}", moves.join(" "))
}
