//! Turning point of a game: the move after which its result was forced, and the losing move.

use crate::game::{Category, Color, Move};
use crate::play::known::{Known, Source};
use crate::play::record::Outcome;
use serde_json::{Value, json};

/// Evidence for a decisive mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// By tables, the loser was not lost before, and was after.
    Table,
    /// As `Table`, by proofs.
    Proof,
    /// The loser was lost after the move; before it, the search found no forced loss.
    AsFarAsProven,
}

impl Basis {
    /// `table`, `proof` or `as-far-as-proven`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Proof => "proof",
            Self::AsFarAsProven => "as-far-as-proven",
        }
    }
}

/// The last move after which the loser of a game was proven lost and before which they were not.
#[derive(Clone, Copy, Debug)]
pub struct Decisive {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The move.
    pub mv: Move,
    /// The value before it, for the loser.
    pub before: Known,
    /// The value after it, counting the move, for the loser.
    pub after: Known,
    /// The evidence.
    pub basis: Basis,
}

impl Decisive {
    /// No forced loss before the move ends in fewer plies than this; `None` if the position is known not to be lost.
    pub fn horizon(&self) -> Option<u16> {
        match self.basis {
            Basis::AsFarAsProven => self.before.not_before[self.before.to_move.other().index()],
            Basis::Table | Basis::Proof => None,
        }
    }

    /// The mistake as JSON: `ply`, `move`, `before`, `after`, `basis`, and the number of plies within which an earlier
    /// loss was excluded.
    pub fn json(&self, proofs: bool) -> Value {
        json!({
            "ply": self.ply,
            "move": self.mv.to_string(),
            "before": self.before.json(proofs),
            "after": self.after.json(proofs),
            "basis": self.basis.name(),
            "no_loss_before": self.horizon(),
        })
    }

    /// The mistake in words: `loss in at most 14; before it no forced loss within 17 plies`.
    pub fn text(&self) -> String {
        let before = match (self.horizon(), self.before.category) {
            (Some(plies @ 2..), _) => format!("no forced loss within {} plies", plies - 1),
            (_, None) => "the value is not known".to_owned(),
            _ => self.before.short(),
        };
        format!("{}; before it {before}", self.after.short())
    }
}

/// The number of moves after which the outcome was forced and stayed so to the end; `None` if it is unknown even in the
/// last position. `known` has the value of each position of the game.
pub fn forced_from(known: &[Known], outcome: Outcome) -> Option<usize> {
    let is_forced = |known: &Known| match outcome {
        Outcome::Won(color) => known.winner() == Some(color),
        Outcome::Drawn => known.category == Some(Category::Draw),
        Outcome::Open => false,
    };
    let run = known.iter().rev().take_while(|known| is_forced(known)).count();
    (run > 0).then(|| known.len() - run)
}

/// The decisive mistake of a game. `known` has the value of each position, `moves` the moves between them.
pub fn decisive(known: &[Known], moves: &[Move], loser: Color) -> Option<Decisive> {
    let winner = Some(loser.other());
    for (at, (&mv, pair)) in moves.iter().zip(known.windows(2)).enumerate().rev() {
        let (ply, before, after) = (at + 1, pair[0], pair[1]);
        if before.to_move == loser && after.winner() == winner && before.winner() != winner {
            let basis = match (before.by, after.by) {
                (Source::None, _) => Basis::AsFarAsProven,
                (Source::Table, Source::Table) => Basis::Table,
                _ => Basis::Proof,
            };
            return Some(Decisive { ply, mv, before, after: after.before(), basis });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Answer;

    /// Values from `w5` (White to move, win in 5 by a table), `b~8` (Black to move, lost in at most 8 by a proof; the
    /// winner follows from the parity), `w?17` (nothing within 16 plies), `b=` (a draw by a table).
    fn known(text: &str) -> Vec<Known> {
        let read = |word: &str| {
            let to_move = if word.starts_with('w') { Color::White } else { Color::Black };
            let number = |text: &str| text.parse::<u16>().unwrap();
            let category = |plies: u16| if plies % 2 == 1 { Category::Win } else { Category::Loss };
            match &word[1..] {
                "=" => Known::table(to_move, Answer { category: Category::Draw, dtw: None, over: None }),
                rest if rest.starts_with('~') => {
                    let plies = number(&rest[1..]);
                    Known::at_most(to_move, category(plies), Some(plies))
                }
                rest if rest.starts_with('?') => {
                    Known { not_before: [Some(number(&rest[1..])); 2], ..Known::unknown(to_move) }
                }
                rest => {
                    let plies = number(rest);
                    Known::table(to_move, Answer { category: category(plies), dtw: Some(plies), over: None })
                }
            }
        };
        text.split(' ').map(read).collect()
    }

    #[test]
    fn the_last_move_into_a_loss_decides() {
        let mv = Move::parse("a1a2").unwrap();
        let white = Outcome::Won(Color::White);
        for (values, forced, expected) in [
            // Black's first move lost, as far as known.
            ("b?18 w~13 b~12 w~11 b10", Some(1), Some((1, Basis::AsFarAsProven, Some(18)))),
            // White's win went out of sight; Black's second move finally lost.
            ("b?18 w~13 b?12 w~11 b10", Some(3), Some((3, Basis::AsFarAsProven, Some(12)))),
            ("b= w13 b12 w11", Some(1), Some((1, Basis::Table, None))),
            ("b7 w13 b12 w11", Some(1), Some((1, Basis::Table, None))),
            ("b= w~13 b12 w11", Some(1), Some((1, Basis::Proof, None))),
            // Lost from the beginning: no mistake.
            ("b~14 w~13 b12", Some(0), None),
            // Known to have been lost once, but not to the end.
            ("b?18 w~13 b?12 w?9", None, Some((1, Basis::AsFarAsProven, Some(18)))),
            ("b?18 w?13", None, None),
        ] {
            let known = known(values);
            let moves = vec![mv; known.len() - 1];
            assert_eq!(forced_from(&known, white), forced, "{values}");
            let found = decisive(&known, &moves, Color::Black);
            let found = found.map(|decisive| (decisive.ply, decisive.basis, decisive.horizon()));
            assert_eq!(found, expected, "{values}");
            assert!(decisive(&known, &moves, Color::White).is_none(), "{values}");
        }
        assert_eq!(forced_from(&known("w?4 b= w="), Outcome::Drawn), Some(1));
        assert_eq!(forced_from(&known("w5"), Outcome::Open), None);
        let text = decisive(&known("b?18 w~13"), &[mv], Color::Black).unwrap().text();
        assert_eq!(text, "loss in at most 14; before it no forced loss within 17 plies");
    }
}
