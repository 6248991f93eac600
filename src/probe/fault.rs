//! Classification of errors, for programs that call or run this one.

use super::ProbeError;
use crate::table::TableError;
use serde_json::{Map, Value};
use std::fmt::Display;
use std::io;

/// Kinds of probe errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Error of the caller: a position that cannot occur.
    Caller,
    /// The table was not generated.
    Missing,
    /// A table that is damaged, unreadable or of another game.
    Damaged,
    /// A system limit was reached, or input or output failed.
    System,
    /// The work was cancelled.
    Interrupted,
}

impl ProbeError {
    /// The kind of this error.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Position(_) => Fault::Caller,
            Self::MissingTable { .. } | Self::TooManyPieces { .. } => Fault::Missing,
            Self::Table(error) => error.fault(),
        }
    }

    /// A short code for programs; stays the same when the text changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Position(_) => "bad-position",
            Self::TooManyPieces { .. } => "too-many-pieces",
            Self::MissingTable { .. } => "missing-table",
            Self::Table(error) => error.code(),
        }
    }
}

/// An error as JSON, in every interface: `{"error","code"}`, in a list of positions `{"position","error","code"}`.
pub fn json(position: Option<&str>, error: impl Display, code: &str) -> Value {
    let mut object = Map::new();
    if let Some(position) = position {
        object.insert("position".to_owned(), position.into());
    }
    object.insert("error".to_owned(), error.to_string().into());
    object.insert("code".to_owned(), code.into());
    object.into()
}

impl TableError {
    /// A short code for programs; stays the same when the text changes. A limit or failure of the system is
    /// `unavailable`: the table may be intact.
    pub fn code(&self) -> &'static str {
        match self.fault() {
            Fault::Missing => "missing-table",
            Fault::Caller | Fault::Damaged => "damaged-table",
            Fault::System => "unavailable",
            Fault::Interrupted => "interrupted",
        }
    }

    /// The kind of this error.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Missing { .. } | Self::Incomplete { .. } => Fault::Missing,
            // A table without read permission counts as damaged; other failures are the system's.
            Self::Io { cause, action: "open", .. } if cause.kind() == io::ErrorKind::PermissionDenied => Fault::Damaged,
            Self::Interrupted { .. } => Fault::Interrupted,
            Self::Damaged { .. } | Self::Unreadable { .. } | Self::OtherGame { .. } => Fault::Damaged,
            Self::Io { .. } | Self::Limit { .. } | Self::Busy { .. } => Fault::System,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Limit;

    /// `probe --batch` once reported a table as damaged when descriptors had run out.
    #[test]
    fn a_limit_is_no_damage() {
        let limit = TableError::Limit { path: "LvR.dtw".into(), action: "open", limit: Limit::OpenFiles };
        let damage = TableError::damaged("LvR.dtw".as_ref(), "it is empty");
        for (error, fault, code) in [(limit, Fault::System, "unavailable"), (damage, Fault::Damaged, "damaged-table")] {
            assert_eq!((error.fault(), error.code()), (fault, code));
            let error = ProbeError::from(error);
            assert_eq!((error.fault(), error.code()), (fault, code));
        }
    }
}
