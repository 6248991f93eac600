//! The scale of scores.

use crate::game::Category;
use crate::probe::Answer;
use crate::table::Value;
use std::fmt;

/// The value of a position for the side to move, on one scale:
///
/// | score | means |
/// |---|---|
/// | [`Score::WIN`] − n | won in n plies |
/// | about [`Score::KNOWN`] | won, in an unknown number of plies |
/// | up to [`Score::ESTIMATE`] | an estimate, in hundredths of the weakest piece's value |
///
/// and the same below zero for the other side. Displayed as in the protocols: `mate 3` in full moves, or `cp 120`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// A won game that is over.
    pub const WIN: i32 = 200_000;
    /// A won position without a known distance.
    pub const KNOWN: i32 = 40_000;
    /// The greatest estimate.
    pub const ESTIMATE: i32 = 10_000;
    /// Above every score.
    pub(super) const INFINITE: i32 = Self::WIN + 1;
    /// Scores above this are wins in a known number of plies.
    const DISTANT: i32 = Self::WIN - 2 * Value::MAX_PLIES as i32;

    /// The score of a position that is won in this number of plies.
    pub(super) const fn won_in(plies: usize) -> i32 {
        Self::WIN - plies as i32
    }

    /// The score of a table value `ply` plies from the root; `estimate` where the tables do not decide.
    pub(super) fn of(answer: Answer, ply: usize, estimate: i32) -> i32 {
        match (answer.category, answer.dtw) {
            (Category::Draw, _) => 0,
            (Category::Win, Some(plies)) => Self::won_in(ply + usize::from(plies)),
            (Category::Loss, Some(plies)) => -Self::won_in(ply + usize::from(plies)),
            (Category::Win, None) => Self::KNOWN + estimate,
            (Category::Loss, None) => -Self::KNOWN + estimate,
        }
    }

    /// Plies to the end of a won (odd) or lost (even) game, if known.
    pub const fn plies(self) -> Option<u32> {
        let size = self.0.unsigned_abs();
        if size > Self::DISTANT as u32 { Some(Self::WIN.unsigned_abs() - size) } else { None }
    }

    /// Converts a score relative to the root to one relative to the node `ply` plies below it.
    pub(super) const fn from_node(score: i32, ply: usize) -> i32 {
        if score > Self::DISTANT {
            score + ply as i32
        } else if score < -Self::DISTANT {
            score - ply as i32
        } else {
            score
        }
    }

    /// The inverse of [`Score::from_node`].
    pub(super) const fn from_root(score: i32, ply: usize) -> i32 {
        if score > Self::DISTANT {
            score - ply as i32
        } else if score < -Self::DISTANT {
            score + ply as i32
        } else {
            score
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(0) => f.write_str("mate 0"),
            Some(plies) if self.0 > 0 => write!(f, "mate {}", plies.div_ceil(2)),
            Some(plies) => write!(f, "mate -{}", plies / 2),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_as_text() {
        let won = |plies| Score(Score::won_in(plies)).to_string();
        let lost = |plies| Score(-Score::won_in(plies)).to_string();
        assert_eq!([won(1), won(3), won(221)], ["mate 1", "mate 2", "mate 111"]);
        assert_eq!([lost(0), lost(2), lost(222)], ["mate 0", "mate -1", "mate -111"]);
        assert_eq!(Score(-35).to_string(), "cp -35");
        assert_eq!(Score(Score::KNOWN + Score::ESTIMATE).plies(), None);
        assert_eq!(Score(Score::won_in(usize::from(Value::MAX_PLIES) + 200)).plies(), Some(65_200));
    }

    #[test]
    fn a_score_at_another_root_is_the_same_win() {
        for score in [0, 77, -Score::KNOWN, Score::won_in(9), -Score::won_in(10)] {
            assert_eq!(Score::from_root(Score::from_node(score, 4), 4), score);
        }
        assert_eq!(Score::from_node(Score::won_in(9), 4), Score::won_in(5));
        assert_eq!(Score::from_node(-Score::won_in(10), 4), -Score::won_in(6));
    }
}
