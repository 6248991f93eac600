//! Known values of positions: exact, bounded, or only a minimum length of any forced win.

use crate::game::{Category, Color, Move};
use crate::probe::Answer;
use crate::proof::{Basis, Bound, Proof};
use serde_json::{Value, json};

/// Source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A table, or the end of the game.
    Table,
    /// A proof.
    Proof,
    /// None: the value is unknown.
    None,
}

/// The known value of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The side to move.
    pub to_move: Color,
    /// Win, draw or loss; `None` if unknown.
    pub category: Option<Category>,
    /// Plies to the end of the game, exact or a bound according to `bound`.
    pub dtw: Option<u16>,
    /// Meaning of `dtw`.
    pub bound: Bound,
    /// Source of the value.
    pub by: Source,
    /// By color: that side has no forced win in fewer plies; `None` if it has no forced win at all.
    pub not_before: [Option<u16>; 2],
    /// Whether the clock ended the search, or nearly: another run with the same time may know more or less.
    pub timed: bool,
    /// A move that keeps the value, if the search found one.
    pub first: Option<Move>,
}

impl Known {
    /// Nothing is known.
    pub const fn unknown(to_move: Color) -> Self {
        Self {
            to_move,
            category: None,
            dtw: None,
            bound: Bound::None,
            by: Source::None,
            not_before: [Some(0); 2],
            timed: false,
            first: None,
        }
    }

    /// The value from a table.
    pub fn table(to_move: Color, answer: Answer) -> Self {
        let mut known = Self {
            category: Some(answer.category),
            dtw: answer.dtw,
            bound: if answer.dtw.is_some() { Bound::Exact } else { Bound::None },
            by: Source::Table,
            not_before: [None; 2],
            ..Self::unknown(to_move)
        };
        if let Some(winner) = known.winner() {
            known.not_before[winner.index()] = Some(answer.dtw.unwrap_or(0));
        }
        known
    }

    /// The value from a proof.
    pub fn proof(proof: &Proof, timed: bool) -> Self {
        let mut known = Self {
            to_move: proof.position.to_move(),
            category: proof.category,
            dtw: proof.dtw,
            bound: proof.bound,
            by: match proof.basis {
                Some(Basis::Over | Basis::Table) => Source::Table,
                Some(Basis::Proof) => Source::Proof,
                None => Source::None,
            },
            not_before: proof.not_before_by,
            timed: timed && proof.basis.is_none_or(|basis| basis == Basis::Proof),
            first: proof.line.first().copied(),
        };
        if proof.basis.is_none_or(|basis| basis == Basis::Proof) {
            known.exclude_what_cannot_be();
        }
        known
    }

    /// If the game continues, the side to move wins after an odd number of plies, and loses after an even one, at least
    /// two.
    fn exclude_what_cannot_be(&mut self) {
        for color in Color::BOTH {
            let least = if color == self.to_move { 1 } else { 2 };
            let plies = &mut self.not_before[color.index()];
            *plies = plies.map(|plies| plies.max(least)).map(|plies| plies + (plies + least) % 2);
        }
        if self.bound == Bound::AtMost && self.dtw == Some(self.at_least()) {
            self.bound = Bound::Exact;
        }
    }

    /// A forced win or loss of the side to move in at most this number of plies.
    pub fn at_most(to_move: Color, category: Category, plies: Option<u16>) -> Self {
        let mut known = Self { category: Some(category), dtw: plies, by: Source::Proof, ..Self::unknown(to_move) };
        known.bound = if plies.is_some() { Bound::AtMost } else { Bound::None };
        if let Some(winner) = known.winner() {
            known.not_before[winner.other().index()] = None;
        }
        known
    }

    /// The winner; `None` for a draw or an unknown value.
    pub fn winner(&self) -> Option<Color> {
        match self.category? {
            Category::Win => Some(self.to_move),
            Category::Loss => Some(self.to_move.other()),
            Category::Draw => None,
        }
    }

    /// The distance, if it is exact.
    pub fn exact(&self) -> Option<u16> {
        self.dtw.filter(|_| self.bound == Bound::Exact)
    }

    /// Lower bound on the plies to the end of the game, if a side wins.
    pub fn at_least(&self) -> u16 {
        let winner = self.winner();
        let plies = winner.and_then(|winner| self.not_before[winner.index()]).unwrap_or(0);
        // The side to move wins after an odd number of plies, and loses after an even one.
        let odd = u16::from(self.category == Some(Category::Win));
        if plies % 2 == odd { plies } else { plies + 1 }
    }

    /// Neither side has a forced win in fewer plies; `None` if neither has a forced win at all.
    pub fn nothing_before(&self) -> Option<u16> {
        self.not_before.into_iter().flatten().min()
    }

    /// Value for the mover of a move that leads here, counting that move.
    #[must_use]
    pub fn before(self) -> Self {
        let later = |plies: u16| plies.saturating_add(1);
        Self {
            to_move: self.to_move.other(),
            category: self.category.map(Category::reversed),
            dtw: self.dtw.map(later),
            not_before: self.not_before.map(|plies| plies.map(later)),
            first: None,
            ..self
        }
    }

    /// The win that a move into this position is, if its side to move has lost.
    pub fn win_before(&self) -> Option<Self> {
        let win = self.before();
        (self.category == Some(Category::Loss)).then(|| Self::at_most(win.to_move, Category::Win, win.dtw))
    }

    /// The value with what is proven of the same position; a table's value needs no proof.
    #[must_use]
    pub fn with_proof(&self, proven: &Self) -> Self {
        if self.by == Source::Table { *self } else { self.and(*proven).unwrap_or(*self) }
    }

    /// The combination of two values of the same position; `None` if they contradict each other.
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        let category = match (self.category, other.category) {
            (Some(ours), Some(theirs)) if ours != theirs => return None,
            (ours, theirs) => ours.or(theirs),
        };
        let (quicker, slower) = match (self.dtw, other.dtw) {
            (Some(ours), Some(theirs)) if theirs < ours => (other, self),
            (None, Some(_)) => (other, self),
            _ => (self, other),
        };
        // `None` means never, the strongest exclusion.
        let later = |color: usize| Some(self.not_before[color]?.max(other.not_before[color]?));
        let mut both = Self { category, not_before: [later(0), later(1)], ..quicker };
        if quicker.category.is_none() {
            both.by = slower.by;
        }
        if let Some(winner) = both.winner() {
            both.not_before[winner.other().index()] = None;
        }
        both.bound = match both.dtw {
            Some(plies) if both.at_least() > plies => return None,
            Some(plies) if both.at_least() == plies => Bound::Exact,
            Some(_) => Bound::AtMost,
            None => Bound::None,
        };
        both.timed = if both.bound == Bound::Exact { quicker.timed } else { self.timed || other.timed };
        both.first = quicker.first.or(slower.first);
        Some(both)
    }

    /// Short text form: `win in 17`, `loss in at most 8`, `draw`, `no forced win within 18 plies`.
    pub fn short(&self) -> String {
        let Some(category) = self.category else {
            return match self.nothing_before() {
                None | Some(0 | 1) => "unknown".to_owned(),
                Some(plies) => format!("no forced win within {} plies", plies - 1),
            };
        };
        match (self.dtw, self.bound) {
            (Some(plies), Bound::AtMost) => format!("{} in at most {plies}", category.name()),
            (Some(plies), _) => format!("{} in {plies}", category.name()),
            (None, _) => category.name().to_owned(),
        }
    }

    /// The value as JSON: `category` and `dtw`; null if unknown. With proofs also `bound`, `not_before`, `by` and, if
    /// another run may give another result, `timed`.
    pub fn json(&self, proofs: bool) -> Value {
        if !proofs {
            return self.category.map_or(Value::Null, |category| json!({"category": category.name(), "dtw": self.dtw}));
        }
        let mut value = json!({
            "category": self.category.map_or("unknown", Category::name),
            "dtw": self.dtw,
            "bound": self.bound.name(),
            "not_before": self.nothing_before(),
            "by": match self.by {
                Source::Table => Some("table"),
                Source::Proof => Some("proof"),
                Source::None => None,
            },
        });
        if self.timed {
            value["timed"] = true.into();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Category::{Draw, Loss, Win};

    fn answer(category: Category, dtw: Option<u16>) -> Known {
        Known::table(Color::White, Answer { category, dtw, over: None })
    }

    #[test]
    fn what_is_known_twice_is_known_better() {
        let excluded = Known { not_before: [Some(9), Some(12)], ..Known::unknown(Color::White) };
        let win = Known::at_most(Color::White, Win, Some(13));
        let both = excluded.and(win).unwrap();
        assert_eq!((both.category, both.dtw, both.bound), (Some(Win), Some(13), Bound::AtMost));
        assert_eq!((both.at_least(), both.not_before, both.by), (9, [Some(9), None], Source::Proof));
        assert_eq!(both, win.and(excluded).unwrap());
        let sharper = Known { not_before: [Some(12), Some(12)], ..Known::unknown(Color::White) };
        let both = both.and(sharper).unwrap();
        assert_eq!((both.exact(), both.at_least()), (Some(13), 13), "a win takes an odd number of plies");
        assert_eq!(both.and(Known::at_most(Color::White, Win, Some(11))), None, "less than was excluded");
        assert_eq!(both.and(Known::at_most(Color::White, Loss, Some(14))), None);
        assert_eq!(both.before().before().exact(), Some(15));
        assert_eq!(both.before().winner(), Some(Color::White));
        let table = answer(Win, Some(13));
        assert_eq!(table.and(win).unwrap().exact(), Some(13));
        assert_eq!(table.and(win).unwrap().by, Source::Table);
        assert_eq!(answer(Draw, None).and(excluded).unwrap().category, Some(Draw));
    }

    #[test]
    fn what_cannot_be_is_excluded() {
        let mut known = Known::at_most(Color::Black, Loss, Some(2));
        known.exclude_what_cannot_be();
        assert_eq!((known.exact(), known.not_before), (Some(2), [Some(2), None]));
        let mut known = Known { not_before: [Some(9), Some(12)], ..Known::unknown(Color::Black) };
        known.exclude_what_cannot_be();
        assert_eq!((known.not_before, known.nothing_before()), ([Some(10), Some(13)], Some(10)));
    }

    #[test]
    fn values_in_words() {
        let excluded = Known { not_before: [Some(9), Some(12)], ..Known::unknown(Color::White) };
        let texts = [
            (answer(Win, Some(5)), "win in 5"),
            (answer(Loss, None), "loss"),
            (answer(Draw, None), "draw"),
            (Known::at_most(Color::Black, Loss, Some(8)), "loss in at most 8"),
            (Known::unknown(Color::White), "unknown"),
            (excluded, "no forced win within 8 plies"),
        ];
        for (known, text) in texts {
            assert_eq!(known.short(), text);
        }
        assert_eq!(Known::unknown(Color::White).json(false), Value::Null);
        assert_eq!(answer(Win, Some(5)).json(false), json!({"category": "win", "dtw": 5}));
        let expected = json!({"category": "unknown", "dtw": null, "bound": "none", "not_before": 9, "by": null});
        assert_eq!(excluded.json(true), expected);
    }
}
