//! Findings about a game besides its grades.

/// A kind of [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// The record's position or result is malformed.
    Unreadable,
    /// The record names other rules than those used for grading.
    Rules,
    /// An illegal move; the review stops there.
    Illegal,
    /// A result or reason that contradicts the position.
    Result,
    /// A position that occurred for the third time.
    Repetition,
    /// An unusable table.
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

/// A remark about a game for its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Number of the move, from 1; 0 for the start, one past the last move for the end.
    pub ply: usize,
    /// The kind of finding.
    pub kind: FindingKind,
    /// The finding in a sentence.
    pub what: String,
}
