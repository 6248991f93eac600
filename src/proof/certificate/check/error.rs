//! Why a certificate proves nothing.

use super::super::wire::VERSION;
use crate::game::Move;
use crate::probe::Fault;
use crate::table::TableError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a certificate proves nothing. Each error names the file.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The file cannot be read.
    #[error("{path}: cannot read the certificate: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no certificate.
    #[error("{path}: not a certificate of jungletb")]
    NotACertificate {
        /// The file.
        path: PathBuf,
    },
    /// It is of a version that this program does not read.
    #[error("{path}: certificate format version {found}, but this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
    },
    /// The bytes are not what was once written.
    #[error("{path}: damaged certificate: {what}; make it again with `jungletb prove --certificate`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part, and how one can tell.
        what: String,
    },
    /// It is for other rules.
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
    /// It rests on a table that is not here.
    #[error(
        "{path}: the certificate rests on the table {class}.dtw, which is not in {folders}: make it with `jungletb generate {class} --rules {argument}`"
    )]
    MissingTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// Where it was looked for.
        folders: String,
        /// The rules, as `--rules` takes them.
        argument: String,
    },
    /// It rests on another table than the one here.
    #[error(
        "{path}: the certificate rests on a table {class}.dtw with the checksum {expected:016x}, but {table} has {found:016x}: it is another encoding, or another table"
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// The table that is here.
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
        /// How many bytes of the unpacked strategy were read.
        offset: u64,
        /// The moves from the position of the claim to the place.
        moves: Vec<Move>,
        /// What is wrong there.
        what: String,
    },
    /// A table that it rests on cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The check was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl CheckError {
    /// Whose fault it is.
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

/// The way to a place, for messages.
fn after(moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    format!(", after {}", moves.join(" "))
}
