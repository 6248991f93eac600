//! Verdicts on moves, by the values of the positions before and after.

use super::known::Known;
use crate::game::Category;
use std::fmt;

/// The quality of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No move is better.
    Best,
    /// The outcome was kept; without distances, nothing more is known.
    Kept,
    /// Too little is known of the positions before and after the move.
    Unknown,
    /// The loss was kept and comes at most this number of plies sooner than necessary.
    SoonerAtMost(u16),
    /// The win was kept and takes at most this number of plies more than necessary.
    SlowerAtMost(u16),
    /// The move leads to a proven loss; the position before it was not lost as far as known.
    IntoLoss,
    /// The loss comes this number of plies sooner than necessary.
    Sooner(u16),
    /// The win was kept and takes this number of plies more than necessary.
    Slower(u16),
    /// A draw was turned into a loss.
    DrawToLoss,
    /// A win was given away.
    WinToDraw,
    /// A win was turned into a loss.
    WinToLoss,
}

impl Verdict {
    /// The kinds of verdicts, by name, mildest first. From `sooner` on, a better move was known.
    pub const NAMES: [&str; 11] = [
        "best",
        "kept",
        "unknown",
        "sooner at most",
        "slower at most",
        "into a loss",
        "sooner",
        "slower",
        "draw→loss",
        "win→draw",
        "win→loss",
    ];

    /// Index of the verdict's kind within [`Verdict::NAMES`].
    pub const fn kind(self) -> usize {
        match self {
            Self::Best => 0,
            Self::Kept => 1,
            Self::Unknown => 2,
            Self::SoonerAtMost(_) => 3,
            Self::SlowerAtMost(_) => 4,
            Self::IntoLoss => 5,
            Self::Sooner(_) => 6,
            Self::Slower(_) => 7,
            Self::DrawToLoss => 8,
            Self::WinToDraw => 9,
            Self::WinToLoss => 10,
        }
    }

    /// The kind of the verdict: `best`, `slower`, `win→draw`, ….
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.kind()]
    }

    /// Whether verdicts of the kind with this index in [`Verdict::NAMES`] occur only with proofs: tables leave no
    /// bounds.
    pub const fn needs_proofs(kind: usize) -> bool {
        matches!(kind, 3..=5)
    }

    /// Whether a better move was known.
    pub const fn is_mistake(self) -> bool {
        self.kind() >= 6
    }

    /// Whether the move changed the outcome of the game.
    pub const fn is_blunder(self) -> bool {
        self.kind() >= 8
    }

    /// Upper bound on the plies by which a win became longer or a loss shorter; 0 if neither.
    pub const fn plies_lost(self) -> u16 {
        match self {
            Self::Slower(plies) | Self::Sooner(plies) | Self::SlowerAtMost(plies) | Self::SoonerAtMost(plies) => plies,
            _ => 0,
        }
    }

    /// The verdict on a move by the values before and after it, both for the mover; `None` if no move can lead from one
    /// to the other.
    pub fn of(before: &Known, after: &Known) -> Option<Self> {
        let (Some(from), Some(to)) = (before.category, after.category) else {
            return Some(match (before.category, after.category) {
                (None, Some(Category::Loss)) => Self::IntoLoss,
                _ => Self::Unknown,
            });
        };
        Some(match (from, to) {
            // Plies are lost by the longest way after the move against the shortest before it.
            (Category::Win, Category::Win) => match (before.dtw, after.dtw) {
                (Some(_), Some(most)) => match (most.checked_sub(before.at_least())?, exact(before, after)) {
                    (0, _) => Self::Best,
                    (plies, true) => Self::Slower(plies),
                    (plies, false) => Self::SlowerAtMost(plies),
                },
                _ => Self::Kept,
            },
            (Category::Loss, Category::Loss) => match (before.dtw, after.dtw) {
                (Some(most), Some(_)) => match (most.checked_sub(after.at_least())?, exact(before, after)) {
                    (0, _) => Self::Best,
                    (plies, true) => Self::Sooner(plies),
                    (plies, false) => Self::SoonerAtMost(plies),
                },
                _ => Self::Kept,
            },
            (Category::Draw, Category::Draw) => Self::Best,
            (Category::Win, Category::Draw) => Self::WinToDraw,
            (Category::Win, Category::Loss) => Self::WinToLoss,
            (Category::Draw, Category::Loss) => Self::DrawToLoss,
            (Category::Draw, Category::Win) | (Category::Loss, Category::Draw | Category::Win) => return None,
        })
    }
}

fn exact(before: &Known, after: &Known) -> bool {
    before.exact().is_some() && after.exact().is_some()
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sooner(plies) | Self::Slower(plies) => write!(f, "{} by {plies}", self.name()),
            Self::SoonerAtMost(plies) => write!(f, "sooner by at most {plies}"),
            Self::SlowerAtMost(plies) => write!(f, "slower by at most {plies}"),
            _ => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Color;
    use crate::probe::Answer;
    use Category::{Draw, Loss, Win};

    fn table(category: Category, dtw: Option<u16>) -> Known {
        Known::table(Color::White, Answer { category, dtw, over: None })
    }

    #[test]
    fn verdicts_follow_from_the_values() {
        let cases = [
            ((Win, Some(5)), (Win, Some(5)), Some(Verdict::Best)),
            ((Win, Some(5)), (Win, Some(9)), Some(Verdict::Slower(4))),
            ((Win, Some(5)), (Win, Some(3)), None),
            ((Win, None), (Win, None), Some(Verdict::Kept)),
            ((Win, Some(5)), (Win, None), Some(Verdict::Kept)),
            ((Win, Some(5)), (Draw, None), Some(Verdict::WinToDraw)),
            ((Win, Some(5)), (Loss, Some(8)), Some(Verdict::WinToLoss)),
            ((Draw, None), (Draw, None), Some(Verdict::Best)),
            ((Draw, None), (Loss, Some(2)), Some(Verdict::DrawToLoss)),
            ((Draw, None), (Win, Some(3)), None),
            ((Loss, Some(8)), (Loss, Some(8)), Some(Verdict::Best)),
            ((Loss, Some(8)), (Loss, Some(2)), Some(Verdict::Sooner(6))),
            ((Loss, Some(8)), (Loss, Some(10)), None),
            ((Loss, Some(8)), (Draw, None), None),
        ];
        for ((before, plies), (after, then), expected) in cases {
            assert_eq!(Verdict::of(&table(before, plies), &table(after, then)), expected, "{before:?} {after:?}");
        }
        let names = [Verdict::Best, Verdict::Slower(4), Verdict::WinToDraw, Verdict::WinToLoss, Verdict::DrawToLoss];
        assert_eq!(names.map(Verdict::name), ["best", "slower", "win→draw", "win→loss", "draw→loss"]);
        assert_eq!(names.map(Verdict::is_mistake), [false, true, true, true, true]);
        assert_eq!(names.map(Verdict::is_blunder), [false, false, true, true, true]);
    }

    #[test]
    fn bounds_give_verdicts_with_bounds() {
        let unknown = |white, black| Known { not_before: [white, black], ..Known::unknown(Color::White) };
        let at_most = |category, plies, least: u16| {
            let known = Known::at_most(Color::White, category, Some(plies));
            known.and(unknown(Some(least), Some(least))).unwrap()
        };
        let open = unknown(Some(15), Some(16));
        let cases = [
            (at_most(Win, 15, 11), at_most(Win, 15, 0), "slower by at most 4"),
            (at_most(Win, 15, 15), at_most(Win, 15, 0), "best"),
            (at_most(Win, 15, 11), table(Win, Some(11)), "best"),
            (at_most(Win, 15, 11), table(Draw, None), "win→draw"),
            (at_most(Win, 15, 11), at_most(Loss, 8, 0), "win→loss"),
            (at_most(Win, 15, 11), open, "unknown"),
            (at_most(Loss, 16, 10), at_most(Loss, 14, 8), "sooner by at most 8"),
            (at_most(Loss, 16, 10), at_most(Loss, 16, 16), "best"),
            (open, at_most(Loss, 20, 16), "into a loss"),
            (open, open, "unknown"),
            (open, table(Draw, None), "unknown"),
            (table(Draw, None), open, "unknown"),
            (table(Draw, None), at_most(Loss, 20, 16), "draw→loss"),
        ];
        for (before, after, expected) in cases {
            let verdict = Verdict::of(&before, &after).unwrap();
            assert_eq!(verdict.to_string(), expected, "{before:?} {after:?}");
            assert!(verdict.name() != "into a loss" || !verdict.is_mistake(), "no better move is known");
        }
        assert_eq!(Verdict::of(&at_most(Win, 15, 11), &table(Win, Some(9))), None, "quicker than possible");
        for kind in 0..Verdict::NAMES.len() {
            assert_eq!(
                Verdict::needs_proofs(kind),
                ["at most", "into"].iter().any(|part| Verdict::NAMES[kind].contains(part))
            );
        }
    }
}
