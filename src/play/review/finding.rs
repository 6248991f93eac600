//! What is to be said of a game beside its grades.

/// A kind of [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// The record's position or result cannot be read.
    Unreadable,
    /// The record names other rules than those it is graded by.
    Rules,
    /// A move that the rules do not allow; the game is followed no further.
    Illegal,
    /// A result or reason that the position contradicts.
    Result,
    /// A position that occurred for the third time.
    Repetition,
    /// A table that cannot be used.
    Damaged,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Unreadable, Self::Rules, Self::Illegal, Self::Result, Self::Repetition, Self::Damaged];

    /// `unreadable`, `rules`, `illegal`, `result`, `repetition` or `damaged`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Rules => "rules",
            Self::Illegal => "illegal",
            Self::Result => "result",
            Self::Repetition => "repetition",
            Self::Damaged => "damaged",
        }
    }
}

/// Something about a game that its reader should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of the move, from 1; 0 for the beginning, one past the last move for the end.
    pub ply: usize,
    /// What kind of thing.
    pub kind: FindingKind,
    /// What, in a sentence.
    pub what: String,
}
