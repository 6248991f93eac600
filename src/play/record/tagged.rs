//! Parsing of the tagged format, which the parent module describes.

use super::source::Lines;
use super::{Note, NoteKind, Outcome, Record, RecordError};
use std::io::Read;

/// Maximum size of the moves, comments and variations of one game, in bytes.
const LONGEST_RECORD: usize = 16 << 20;

/// Tags that start or describe a game in files of common programs. A line with such a tag inside a comment is taken as
/// the start of the next game: the comment was not closed.
const ROSTER: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Reason",
    "Termination",
    "Rules",
    "Variant",
    "Position",
    "FEN",
];

/// Name and value of a tag line such as `[White "Anna"]`.
pub(super) fn tag(line: &str) -> Option<(String, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.trim().split_once(char::is_whitespace)?;
    let quoted = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = name.chars().all(|symbol| symbol.is_ascii_alphanumeric() || symbol == '_');
    let mut value = String::new();
    let mut escaped = false;
    for symbol in quoted.chars() {
        match symbol {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return None,
            _ => {
                value.push(symbol);
                escaped = false;
            }
        }
    }
    (is_name && !escaped).then(|| (name.to_owned(), value))
}

/// Parses a record: its tags, and its moves up to the result or the next game's tags. `None` if only comments remain.
///
/// A malformed record is still read to its end, so that the next one starts at the right place.
pub(super) fn read<R: Read>(lines: &mut Lines<R>) -> Result<Option<Record>, RecordError> {
    let mut record = Record::default();
    let mut moves = MoveText::default();
    let mut fault = None;
    let (mut tags, mut after_gap, mut size) = (false, false, 0);
    loop {
        let (number, line) = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error @ RecordError::Io(_)) => return Err(error),
            Err(error) => {
                fault.get_or_insert(error);
                continue;
            }
        };
        let text = line.trim();
        let gap = std::mem::replace(&mut after_gap, text.is_empty());
        if record.line == 0 {
            record.line = number;
        }
        let mut bad = |line, what: String| {
            fault.get_or_insert(RecordError::Bad { line, what });
        };
        if let Some((opened, kind)) = moves.open {
            let next = tag(text).is_some_and(|(name, _)| gap || ROSTER.contains(&name.as_str()));
            if next {
                bad(opened, format!("{kind} begins here and is not closed before the next game"));
                moves.open = None;
                lines.pending = Some((number, line));
                break;
            }
        } else if text.starts_with('[') {
            if moves.begun {
                lines.pending = Some((number, line));
                break;
            }
            tags = true;
            match tag(text) {
                Some((name, value)) => set(&mut record, &name, value),
                None => bad(number, "not a tag; write [Name \"value\"]".to_owned()),
            }
            continue;
        } else if text.starts_with('%') {
            continue;
        }
        size += line.len();
        if size > LONGEST_RECORD {
            bad(record.line, format!("the record is longer than {LONGEST_RECORD} bytes"));
            (moves.open, moves.begun) = (None, true);
            continue;
        }
        moves.read(text, number, &mut record);
        if moves.ended && moves.open.is_none() {
            break;
        }
    }
    if let Some((opened, kind)) = moves.open {
        fault.get_or_insert(RecordError::Bad { line: opened, what: format!("{kind} begins here and is not closed") });
    }
    match fault {
        Some(fault) => Err(fault),
        None => Ok((tags || moves.begun).then_some(record)),
    }
}

/// The moves and notes of a variation's text.
pub(super) fn variation(text: &str) -> Record {
    let mut record = Record::default();
    MoveText::default().read(text, 1, &mut record);
    record
}

fn set(record: &mut Record, name: &str, value: String) {
    let named = |value: String| Some(value).filter(|value| !matches!(value.as_str(), "" | "?"));
    match name {
        "White" => record.players[0] = named(value),
        "Black" => record.players[1] = named(value),
        "Result" => record.result = Some(value),
        "Reason" | "Termination" => record.reason = named(value),
        "Rules" | "Variant" => record.rules = named(value),
        "Position" | "FEN" => record.start = named(value),
        _ => record.tags.push((name.to_owned(), value)),
    }
}

/// State of the parser within the moves.
#[derive(Default)]
struct MoveText {
    /// Whether a move or the result has been read.
    begun: bool,
    /// Whether the result has been read.
    ended: bool,
    /// The first line of the open comment or variation, and its name.
    open: Option<(usize, &'static str)>,
    in_comment: bool,
    /// Nesting depth of open variations.
    variations: usize,
    /// The text of the open comment or variation.
    note: String,
}

impl MoveText {
    fn read(&mut self, line: &str, number: usize, record: &mut Record) {
        let mut word = String::new();
        for (at, symbol) in line.char_indices() {
            if self.open.is_some() {
                self.inside(symbol, record);
                continue;
            }
            match symbol {
                '{' | '(' => {
                    self.word(&mut word, record);
                    self.in_comment = symbol == '{';
                    self.variations = usize::from(symbol == '(');
                    self.open = Some((number, if self.in_comment { "a comment" } else { "a variation" }));
                }
                ')' => self.word(&mut word, record),
                ';' => {
                    self.word(&mut word, record);
                    note(record, NoteKind::Comment, line.get(at + 1..).unwrap_or_default());
                    return;
                }
                symbol if symbol.is_whitespace() => self.word(&mut word, record),
                symbol => word.push(symbol),
            }
        }
        self.word(&mut word, record);
        if self.open.is_some() {
            self.note.push(' ');
        }
    }

    /// Processes a character of a comment or a variation.
    fn inside(&mut self, symbol: char, record: &mut Record) {
        let in_comment = self.in_comment;
        match symbol {
            '}' if in_comment => self.in_comment = false,
            '{' => self.in_comment = true,
            '(' if !in_comment => self.variations += 1,
            ')' if !in_comment => self.variations -= 1,
            _ => {}
        }
        if !self.in_comment && self.variations == 0 {
            self.open = None;
            let kind = if in_comment { NoteKind::Comment } else { NoteKind::Variation };
            note(record, kind, &std::mem::take(&mut self.note));
        } else {
            self.note.push(symbol);
        }
    }

    fn word(&mut self, word: &mut String, record: &mut Record) {
        let text = std::mem::take(word);
        if text.is_empty() || self.ended {
            return;
        }
        self.begun = true;
        if text.len() > 1 && Outcome::parse(&text).is_some() || text == "*" {
            record.result.get_or_insert(text);
            self.ended = true;
            return;
        }
        // `12.`, `12...` and `12.a1b1`: the number is skipped.
        let digits = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
        let text = if digits.starts_with('.') { digits.trim_start_matches('.') } else { &text };
        let mv = text.trim_end_matches(['!', '?']);
        if mv.starts_with('$') {
            return note(record, NoteKind::Mark, mv);
        }
        if !mv.is_empty() {
            record.moves.push(mv.to_owned());
        }
        if mv.len() < text.len() {
            note(record, NoteKind::Mark, &text[mv.len()..]);
        }
    }
}

/// Adds a note after the moves read so far.
fn note(record: &mut Record, kind: NoteKind, text: &str) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        record.notes.push(Note { ply: record.moves.len(), kind, text });
    }
}
