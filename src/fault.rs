//! Whose fault an error is: what a program that calls this one, or starts it, can act on.

use crate::probe::ProbeError;
use crate::table::TableError;
use std::io;

/// The kinds of errors that probing has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The caller's: a position that cannot occur.
    Caller,
    /// A table that was not made.
    Missing,
    /// A table that is damaged, unreadable or of another game.
    Damaged,
    /// The system's: input or output that failed.
    System,
    /// Nobody's: the work was cancelled.
    Interrupted,
}

impl ProbeError {
    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Position(_) => Fault::Caller,
            Self::MissingTable { .. } | Self::TooManyPieces { .. } => Fault::Missing,
            Self::Table(error) => error.fault(),
        }
    }
}

impl TableError {
    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Missing { .. } => Fault::Missing,
            // A table that is there and may not be read is as bad as a damaged one; other failures are the system's.
            Self::Io { source, action: "open", .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Fault::Damaged
            }
            Self::Interrupted { .. } => Fault::Interrupted,
            Self::Damaged { .. } | Self::Unreadable { .. } | Self::OtherGame { .. } => Fault::Damaged,
            Self::Io { .. } | Self::Busy { .. } => Fault::System,
        }
    }
}
