//! Replay of a record's moves as far as the rules allow.

use super::finding::{Finding, FindingKind};
use crate::game::{Move, Position, Rules};
use crate::play::ending::{by_color, ended};
use crate::play::record::Record;
use std::collections::HashMap;

/// The start position of the animals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// White's tiger starts on a1, the lion on g1.
    Usual,
    /// Left and right exchanged: the lion starts on a1.
    Mirrored,
    /// The game starts from a given position.
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

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Layout of the start position.
    pub layout: Layout,
    /// The positions: before the first move, and after each. Empty if the record's own position is malformed.
    pub positions: Vec<Position>,
    /// The replayed moves, one fewer than positions.
    pub moves: Vec<Move>,
    /// Findings during the replay.
    pub findings: Vec<Finding>,
}

/// Number of occurrences of a position that makes it a finding.
pub const REPETITION: usize = 3;

impl Replay {
    /// Plays the moves as far as they are legal.
    pub fn new(rules: &Rules, record: &Record) -> Self {
        let mut replay = Self { layout: Layout::Own, positions: Vec::new(), moves: Vec::new(), findings: Vec::new() };
        if let Some(other) = record.rules.as_deref().filter(|name| *name != rules.name()) {
            let what = format!("the game was played under the rules {other:?} but is graded under {:?}", rules.name());
            replay.find(0, FindingKind::Rules, what);
        }
        match begin(rules, record) {
            Ok((layout, start)) => {
                replay.layout = layout;
                replay.follow(rules, record, start);
            }
            Err(what) => replay.find(0, FindingKind::Unreadable, what),
        }
        replay
    }

    fn find(&mut self, ply: usize, kind: FindingKind, what: String) {
        self.findings.push(Finding { ply, kind, what });
    }

    fn follow(&mut self, rules: &Rules, record: &Record, start: Position) {
        let mut position = start;
        self.positions.push(start);
        let mut seen: HashMap<Position, (usize, usize)> = HashMap::from([(start, (0, 1))]);
        for (text, ply) in record.moves.iter().zip(1..) {
            let Some(mv) = read_move(text) else {
                self.find(
                    ply,
                    FindingKind::Illegal,
                    format!("{text:?} is not a move; write from and to square, as in a1b1"),
                );
                break;
            };
            let Some(next) = position.play(rules, mv) else {
                self.find(ply, FindingKind::Illegal, illegal(rules, &position, mv));
                break;
            };
            position = next;
            self.positions.push(position);
            self.moves.push(mv);
            let (first, times) = seen.entry(position).or_insert((ply, 0));
            *times += 1;
            if *times == REPETITION {
                let what = format!("the position after ply {first} occurs for the 3rd time");
                self.find(ply, FindingKind::Repetition, what);
            }
        }
    }
}

/// The start position of a game. A game from the standard position may have left and right exchanged, or Black moving
/// first; its moves show which.
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

/// Parses `a1b1`, `a1-b1`, `A1xB1`, with or without marks after it.
pub fn read_move(text: &str) -> Option<Move> {
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
