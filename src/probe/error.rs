//! Errors of probing.

use crate::game::PositionError;
use crate::material::{MAX_PIECES, Material};
use crate::table::{Folders, TableError};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// Why a position has no value. The first two variants are errors of the caller, the third is a missing table, the last
/// an unusable one.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The position cannot occur under these rules.
    #[error("bad position: {0}")]
    Position(PositionError),
    /// More pieces than any table has.
    #[error("{pieces} pieces: no table has more than {max}", max = MAX_PIECES)]
    TooManyPieces {
        /// Number of pieces on the board.
        pieces: usize,
    },
    /// The table was not generated.
    #[error(transparent)]
    MissingTable(MissingTable),
    /// A table exists but cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<PositionError> for ProbeError {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

/// A table that was not generated. Cheap to construct, since a search may probe many missing tables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct MissingTable {
    material: Material,
    class: Material,
    folders: Arc<Folders>,
}

impl MissingTable {
    pub(super) const fn new(material: Material, class: Material, folders: Arc<Folders>) -> Self {
        Self { material, class, folders }
    }

    /// The material of the position.
    pub const fn material(&self) -> Material {
        self.material
    }

    /// Its class, given by the representative material.
    pub const fn class(&self) -> Material {
        self.class
    }

    /// The folders searched for the table.
    pub fn folders(&self) -> &[PathBuf] {
        self.folders.of_rules()
    }

    /// The command that generates the table.
    pub fn command(&self) -> String {
        self.folders.command(self.material)
    }
}

impl fmt::Display for MissingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searched: Vec<String> = self.folders.searched().map(|folder| folder.display().to_string()).collect();
        let (material, class, command) = (self.material, self.class, self.command());
        let places = if searched.is_empty() { String::new() } else { format!(" in {}", searched.join(", ")) };
        write!(f, "no table for {material} (class {class}){places}: make it with `{command}`")
    }
}
