//! A whole game against the rules and the tables: replayed move by move, refereed, graded.

use super::ending::{Reason, by_color, ended, sentence};
use super::grade::{Grade, GradeError, grade};
use super::record::{Comment, Outcome, Record, write};
use super::tally::Tally;
use crate::game::{Move, Position, Rules};
use crate::probe::{Answer, ProbeError, Tablebase};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The arrangement of the animals at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// White's tiger begins on a1, the lion on g1.
    Usual,
    /// Left and right exchanged: the lion begins on a1.
    Mirrored,
    /// The game begins with a position of its own.
    Own,
}

impl Layout {
    /// `usual`, `mirrored` or `own`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Mirrored => "mirrored",
            Self::Own => "own",
        }
    }
}

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

/// A graded move of a game.
#[derive(Clone, Debug)]
pub struct GradedMove {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The position before it.
    pub position: Position,
    /// The grade.
    pub grade: Grade,
}

/// A game, reviewed.
#[derive(Clone, Debug)]
pub struct Review {
    /// How it began.
    pub layout: Layout,
    /// The position that it began with.
    pub start: Option<Position>,
    /// Moves that could be followed.
    pub plies: usize,
    /// The moves whose position the tables know.
    pub moves: Vec<GradedMove>,
    /// What else is to be said.
    pub findings: Vec<Finding>,
    /// Sums for White and Black.
    pub tallies: [Tally; 2],
}

/// How often a position must occur to be worth mentioning.
const REPETITION: usize = 3;

impl Review {
    /// Replays a game and grades each move whose position the tables know.
    pub fn new(tables: &Tablebase, record: &Record) -> Self {
        let mut review = Self {
            layout: Layout::Own,
            start: None,
            plies: 0,
            moves: Vec::new(),
            findings: Vec::new(),
            tallies: [Tally::default(); 2],
        };
        let rules = tables.rules();
        if let Some(other) = record.rules.as_deref().filter(|name| *name != rules.name()) {
            let what = format!("the game was played by the rules {other:?} and is graded by {:?}", rules.name());
            review.find(0, FindingKind::Rules, what);
        }
        match begin(rules, record) {
            Ok((layout, start)) => {
                (review.layout, review.start) = (layout, Some(start));
                let last = review.follow(tables, record, start);
                review.judge(tables, record, &last);
            }
            Err(what) => review.find(0, FindingKind::Unreadable, what),
        }
        review
    }

    fn find(&mut self, ply: usize, kind: FindingKind, what: String) {
        self.findings.push(Finding { ply, kind, what });
    }

    /// Plays the moves as far as they are legal; the last position.
    fn follow(&mut self, tables: &Tablebase, record: &Record, start: Position) -> Position {
        let rules = tables.rules();
        let mut position = start;
        let mut seen: HashMap<Position, (usize, usize)> = HashMap::from([(start, (0, 1))]);
        for (text, ply) in record.moves.iter().zip(1..) {
            let Some(mv) = read_move(text) else {
                self.find(ply, FindingKind::Illegal, format!("{text:?} is no move; write from and to square, a1b1"));
                break;
            };
            let Some(next) = position.play(rules, mv) else {
                self.find(ply, FindingKind::Illegal, illegal(rules, &position, mv));
                break;
            };
            match grade(tables, &position, mv) {
                Ok(grade) => {
                    self.tallies[position.to_move().index()].add(&grade);
                    self.moves.push(GradedMove { ply, position, grade });
                }
                Err(GradeError::Probe(ProbeError::MissingTable { .. } | ProbeError::TooManyPieces { .. })) => {}
                Err(error) => self.find(ply, FindingKind::Damaged, error.to_string()),
            }
            position = next;
            self.plies = ply;
            let (first, times) = seen.entry(position).or_insert((ply, 0));
            *times += 1;
            if *times == REPETITION {
                let what = format!("the position after ply {first} occurs for the 3rd time");
                self.find(ply, FindingKind::Repetition, what);
            }
        }
        position
    }

    /// Compares result and reason with the last position.
    fn judge(&mut self, tables: &Tablebase, record: &Record, last: &Position) {
        if self.findings.iter().any(|finding| finding.kind == FindingKind::Illegal) {
            return;
        }
        let end = self.plies + 1;
        let outcome = match record.result.as_deref().map(|text| (text, Outcome::parse(text))) {
            None => None,
            Some((_, Some(outcome))) => Some(outcome),
            Some((text, None)) => {
                let what = format!("{text:?} is no result; write 1-0, 0-1, 1/2-1/2 or *");
                return self.find(end, FindingKind::Unreadable, what);
            }
        };
        let reason = record.reason.as_deref().map_or(Reason::None, Reason::read);
        let over = last.over(tables.rules());
        if let Some((over, category)) = over {
            let true_outcome = by_color(category, last.to_move());
            if outcome.is_some_and(|outcome| outcome != true_outcome && outcome != Outcome::Open) {
                let what = format!("the result is {} but {}", sentence(outcome), ended(over, true_outcome));
                self.find(end, FindingKind::Result, what);
            }
        }
        if let Reason::Over(claimed) = reason
            && over.map(|(over, _)| over) != Some(claimed)
        {
            let what = format!(
                "the reason is {:?} but {}",
                record.reason.as_deref().unwrap_or_default(),
                over.map_or_else(
                    || "the game goes on".to_owned(),
                    |(over, category)| { ended(over, by_color(category, last.to_move())) }
                )
            );
            self.find(end, FindingKind::Result, what);
        }
        if reason == Reason::Repetition && !self.findings.iter().any(|finding| finding.kind == FindingKind::Repetition)
        {
            let what = format!("the reason is repetition but no position occurred {REPETITION} times");
            self.find(end, FindingKind::Result, what);
        }
        if over.is_none() && matches!(reason, Reason::None | Reason::Adjudication) {
            self.adjudicate(tables, outcome, last);
        }
    }

    /// Compares the result of a game that was not played to its end with the value of its last position.
    fn adjudicate(&mut self, tables: &Tablebase, outcome: Option<Outcome>, last: &Position) {
        let Some(outcome) = outcome.filter(|outcome| *outcome != Outcome::Open) else { return };
        let Ok(answer) = tables.value(last) else { return };
        let value = by_color(answer.category, last.to_move());
        if value != outcome {
            let plies = answer.dtw.map(|plies| format!(" in {plies} plies")).unwrap_or_default();
            let what = match value {
                Outcome::Won(color) => format!("{color} wins{plies}"),
                _ => "it is a draw".to_owned(),
            };
            let what = format!("the result is {} but in the last position {what}", sentence(Some(outcome)));
            self.find(self.plies + 1, FindingKind::Result, what);
        }
    }

    /// The review as JSON.
    pub fn json(&self, rules: &Rules) -> Value {
        let moves = self.moves.iter().map(|GradedMove { ply, position, grade }| {
            let mut object = grade.json();
            object["ply"] = (*ply).into();
            object["position"] = position.to_text(rules).into();
            object
        });
        let findings = self
            .findings
            .iter()
            .map(|finding| json!({"ply": finding.ply, "kind": finding.kind.name(), "what": finding.what}));
        json!({
            "layout": self.layout.name(),
            "plies": self.plies,
            "white": self.tallies[0].json(),
            "black": self.tallies[1].json(),
            "moves": moves.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        })
    }

    /// The game in the tagged format, with the value after each graded move and what was better. Findings follow the
    /// moves as comments, and what was not followed after an illegal move.
    pub fn annotated(&self, rules: &Rules, record: &Record) -> String {
        let mut comments = vec![None; self.plies];
        for GradedMove { ply, grade, .. } in &self.moves {
            comments[ply - 1] = Some(comment(grade));
        }
        let findings = self.findings.iter().map(|finding| match finding.ply {
            0 => format!("{}: {}", finding.kind.name(), finding.what),
            ply => format!("{} at ply {ply}: {}", finding.kind.name(), finding.what),
        });
        let mut remarks: Vec<String> = findings.collect();
        let (followed, rest) = record.moves.split_at(self.plies);
        if !rest.is_empty() {
            remarks.push(format!("not followed: {}", rest.join(" ")));
        }
        let start = self.start.filter(|start| Position::start(rules) != Some(*start));
        let record = Record {
            start: start.map(|start| start.to_text(rules)).or_else(|| record.start.clone()),
            moves: followed.iter().filter_map(|text| read_move(text)).map(|mv| mv.to_string()).collect(),
            rules: record.rules.clone().or_else(|| Some(rules.name().to_owned())),
            ..record.clone()
        };
        write(&record, &comments, &remarks)
    }
}

/// A grade in a few words: `win in 17`, `draw; win→draw; best a1a2`.
fn comment(grade: &Grade) -> Comment {
    let after = grade.after.map_or_else(|| "unknown".to_owned(), Answer::short);
    let mut text = after;
    if grade.verdict.is_mistake() {
        text += &format!("; {}; best {}", grade.verdict, grade.best_text());
    }
    let mark = match grade.verdict.kind() {
        7 => "??",
        5 | 6 => "?",
        3 | 4 => "?!",
        _ => "",
    };
    Comment { mark, text }
}

/// Where a game begins. A game from the usual position may have left and right exchanged, or Black moving first: its
/// moves tell.
fn begin(rules: &Rules, record: &Record) -> Result<(Layout, Position), String> {
    let usual = Position::start(rules);
    let own = match &record.start {
        Some(text) => Some(Position::parse(rules, text).map_err(|error| format!("bad position: {error}"))?),
        None => None,
    };
    let is_usual = |position: Position| {
        usual.is_some_and(|mut usual| {
            usual.set_to_move(position.to_move());
            usual == position || usual.mirror() == position
        })
    };
    if let Some(own) = own.filter(|own| !is_usual(*own)) {
        return Ok((Layout::Own, own));
    }
    let usual = usual.ok_or("no start position is given, and these rules have no usual one; give one")?;
    let first = own.unwrap_or(usual);
    let mut other = first;
    other.set_to_move(first.to_move().other());
    let followed = |start: &Position| {
        let mut position = *start;
        let legal = record.moves.iter().map_while(|text| {
            position = position.play(rules, read_move(text)?)?;
            Some(())
        });
        legal.count()
    };
    let mut best = (0, first);
    for start in [first, first.mirror(), other, other.mirror()] {
        let moves = followed(&start);
        if moves > best.0 {
            best = (moves, start);
        }
    }
    let start = best.1;
    let layout = if start.pieces().eq(usual.pieces()) { Layout::Usual } else { Layout::Mirrored };
    Ok((layout, start))
}

/// Reads `a1b1`, `a1-b1`, `A1xB1`, with or without marks behind it.
fn read_move(text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['!', '?', '#', '+']).to_ascii_lowercase();
    let squares: String = text.chars().filter(|symbol| !matches!(symbol, '-' | 'x' | ':')).collect();
    Move::parse(&squares)
}

/// Why a move is not legal.
fn illegal(rules: &Rules, position: &Position, mv: Move) -> String {
    let text = position.to_text(rules);
    if let Some((over, category)) = position.over(rules) {
        return format!("{mv} comes after the end: {} ({text})", ended(over, by_color(category, position.to_move())));
    }
    match position.piece_at(mv.from) {
        None => format!("{mv} is illegal: there is no piece on {} ({text})", mv.from),
        Some(piece) if piece.color != position.to_move() => {
            format!("{mv} is illegal: it is {}'s turn ({text})", position.to_move())
        }
        Some(piece) => format!("{mv} is illegal: the {} cannot go there ({text})", piece.animal.name()),
    }
}
