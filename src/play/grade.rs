//! A move against the tables.

use crate::game::{Category, Move, Position};
use crate::material::Material;
use crate::probe::{Answer, ProbeError, Tablebase};
use crate::table::TableError;
use serde_json::{Value, json};
use std::fmt;
use thiserror::Error;

/// How good a move was, by the values before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// No move is better.
    Best,
    /// The outcome was kept; there is no table of distances to say more.
    Kept,
    /// The win was kept and takes so many plies more than needed.
    Slower(u16),
    /// The loss comes so many plies sooner than needed.
    Sooner(u16),
    /// A win was given away.
    WinToDraw,
    /// A win was turned into a loss.
    WinToLoss,
    /// A draw was turned into a loss.
    DrawToLoss,
    /// The table for the position after the move is missing.
    Unknown,
}

impl Verdict {
    /// The kinds of verdicts, by name, mildest first.
    pub const NAMES: [&str; 8] = ["best", "kept", "unknown", "sooner", "slower", "draw→loss", "win→draw", "win→loss"];

    /// Number of the verdict's kind within [`Verdict::NAMES`].
    pub const fn kind(self) -> usize {
        match self {
            Self::Best => 0,
            Self::Kept => 1,
            Self::Unknown => 2,
            Self::Sooner(_) => 3,
            Self::Slower(_) => 4,
            Self::DrawToLoss => 5,
            Self::WinToDraw => 6,
            Self::WinToLoss => 7,
        }
    }

    /// The kind of the verdict: `best`, `slower`, `win→draw`, ….
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.kind()]
    }

    /// Whether a better move was known.
    pub const fn is_mistake(self) -> bool {
        self.kind() >= 3
    }

    /// Whether the move changed the outcome of the game.
    pub const fn is_blunder(self) -> bool {
        self.kind() >= 5
    }

    /// Plies by which a win became longer or a loss shorter; 0 if neither.
    pub const fn plies_lost(self) -> u16 {
        match self {
            Self::Slower(plies) | Self::Sooner(plies) => plies,
            _ => 0,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_lost() {
            0 => f.write_str(self.name()),
            plies => write!(f, "{} by {plies}", self.name()),
        }
    }
}

/// A graded move.
#[derive(Clone, Debug)]
pub struct Grade {
    /// The move.
    pub mv: Move,
    /// The value of the position for the mover.
    pub before: Answer,
    /// What the move comes to for the mover, the move counted; `None` if that table is missing.
    pub after: Option<Answer>,
    /// What to say of it.
    pub verdict: Verdict,
    /// The best moves, in the order of their squares.
    pub best: Vec<Move>,
    /// The position after the move.
    pub position: Position,
}

impl Grade {
    /// The grade as JSON: the move, the value before and after it for the mover, the verdict, the best moves.
    pub fn json(&self) -> Value {
        let value = |answer: Answer| json!({"category": answer.category.name(), "dtw": answer.dtw});
        json!({
            "move": self.mv.to_string(),
            "before": value(self.before),
            "after": self.after.map(value),
            "verdict": self.verdict.name(),
            "plies_lost": self.verdict.plies_lost(),
            "best": self.best.iter().map(Move::to_string).collect::<Vec<_>>(),
        })
    }

    /// The best moves, separated by spaces.
    pub fn best_text(&self) -> String {
        self.best.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// Why a move has no grade.
#[derive(Debug, Error)]
pub enum GradeError {
    /// It cannot be played here.
    #[error("{mv} is not legal in {position}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The position as text.
        position: String,
    },
    /// The tables do not tell.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Grades a move.
///
/// ```
/// use jungletb::game::{Move, Position, Rules};
/// use jungletb::play::{self, Verdict};
/// use jungletb::probe::Tablebase;
///
/// let rules = Rules::standard();
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
/// let position = Position::parse(&rules, "7/7/2r4/3L3/7/3c3/7/7/7 w")?;
/// let grade = play::grade(&tables, &position, Move::parse("d6g6").unwrap())?;
/// assert_eq!(grade.verdict, Verdict::Sooner(2));
/// assert_eq!(grade.best[0].to_string(), "d6d7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A move that is not legal; a bad position; a missing or damaged table.
pub fn grade(tables: &Tablebase, position: &Position, mv: Move) -> Result<Grade, GradeError> {
    let before = tables.value(position)?;
    let moves = tables.moves(position)?;
    let Some(played) = moves.iter().find(|ranked| ranked.mv == mv) else {
        return Err(GradeError::Illegal { mv, position: position.to_text(tables.rules()) });
    };
    let after = played.answer.map(Answer::before);
    let verdict = match after {
        None => Verdict::Unknown,
        Some(after) => compare(before, after).ok_or_else(|| contradiction(tables, position, mv))?,
    };
    let mut best: Vec<Move> = moves
        .iter()
        .filter(|ranked| {
            let answer = ranked.answer.map(Answer::before);
            answer.is_some_and(|after| matches!(compare(before, after), Some(Verdict::Best | Verdict::Kept)))
        })
        .map(|ranked| ranked.mv)
        .collect();
    best.sort_unstable();
    Ok(Grade { mv, before, after, verdict, best, position: played.position })
}

/// The verdict on a move by the values before and after it, `None` if a move cannot lead from one to the other.
fn compare(before: Answer, after: Answer) -> Option<Verdict> {
    let plies = before.dtw.zip(after.dtw);
    Some(match (before.category, after.category) {
        (Category::Win, Category::Win) => match plies {
            None => Verdict::Kept,
            Some((before, after)) if before == after => Verdict::Best,
            Some((before, after)) => Verdict::Slower(after.checked_sub(before)?),
        },
        (Category::Loss, Category::Loss) => match plies {
            None => Verdict::Kept,
            Some((before, after)) if before == after => Verdict::Best,
            Some((before, after)) => Verdict::Sooner(before.checked_sub(after)?),
        },
        (Category::Draw, Category::Draw) => Verdict::Best,
        (Category::Win, Category::Draw) => Verdict::WinToDraw,
        (Category::Win, Category::Loss) => Verdict::WinToLoss,
        (Category::Draw, Category::Loss) => Verdict::DrawToLoss,
        (Category::Draw, Category::Win) | (Category::Loss, Category::Draw | Category::Win) => return None,
    })
}

/// The error for tables of which one says more than the other allows.
fn contradiction(tables: &Tablebase, position: &Position, mv: Move) -> ProbeError {
    let material = Material::of(position);
    let text = position.to_text(tables.rules());
    let what = format!("its value of {text} is worse than what {mv} leads to; run `jungletb verify {material}`");
    match tables.table(material) {
        Ok(table) => TableError::damaged(table.path(), what).into(),
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(category: Category, dtw: Option<u16>) -> Answer {
        Answer { category, dtw, over: None }
    }

    #[test]
    fn verdicts_follow_from_the_values() {
        use Category::{Draw, Loss, Win};
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
            assert_eq!(compare(answer(before, plies), answer(after, then)), expected, "{before:?} {after:?}");
        }
        let names = [Verdict::Best, Verdict::Slower(4), Verdict::WinToDraw, Verdict::WinToLoss, Verdict::DrawToLoss];
        assert_eq!(names.map(Verdict::name), ["best", "slower", "win→draw", "win→loss", "draw→loss"]);
        assert_eq!(names.map(Verdict::is_mistake), [false, true, true, true, true]);
        assert_eq!(names.map(Verdict::is_blunder), [false, false, true, true, true]);
    }
}
