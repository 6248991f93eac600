//! The tagged format; the module above describes it.

use super::{Lines, Outcome, Record, RecordError};
use crate::game::Color;
use std::io::BufRead;

/// What to write beside a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// `?!`, `?`, `??`, or nothing.
    pub mark: &'static str,
    /// The comment.
    pub text: String,
}

/// Name and value of a line that is a tag: `[White "Anna"]`.
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

/// Reads a record: its tags, and its moves up to the result or the next tag.
pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Record, RecordError> {
    let mut record = Record::default();
    let mut moves = MoveText::default();
    while let Some((number, line)) = lines.next()? {
        let text = line.trim();
        if record.line == 0 {
            record.line = number;
        }
        if !moves.inside() && text.starts_with('[') {
            if moves.begun {
                lines.pending = Some((number, line));
                break;
            }
            let Some((name, value)) = tag(text) else {
                let what = "not a tag; write [Name \"value\"]".to_owned();
                return Err(RecordError::Bad { line: number, what });
            };
            set(&mut record, &name, value);
            continue;
        }
        if !moves.inside() && text.starts_with('%') {
            continue;
        }
        moves.read(text, &mut record);
        if moves.ended {
            break;
        }
    }
    if moves.inside() {
        let what = "the record ends within a comment or a variation".to_owned();
        return Err(RecordError::Bad { line: record.line, what });
    }
    Ok(record)
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

/// Where in the text of the moves we are.
#[derive(Default)]
struct MoveText {
    begun: bool,
    ended: bool,
    in_comment: bool,
    variations: usize,
}

impl MoveText {
    const fn inside(&self) -> bool {
        self.in_comment || self.variations > 0
    }

    fn read(&mut self, line: &str, record: &mut Record) {
        let mut word = String::new();
        for symbol in line.chars() {
            if self.in_comment {
                self.in_comment = symbol != '}';
                continue;
            }
            match symbol {
                '{' | '(' | ')' | ';' => {
                    self.word(&mut word, record);
                    match symbol {
                        '{' => self.in_comment = true,
                        '(' => self.variations += 1,
                        ')' => self.variations = self.variations.saturating_sub(1),
                        _ => return,
                    }
                }
                symbol if symbol.is_whitespace() => self.word(&mut word, record),
                symbol => word.push(symbol),
            }
        }
        self.word(&mut word, record);
    }

    fn word(&mut self, word: &mut String, record: &mut Record) {
        let text = std::mem::take(word);
        if text.is_empty() || self.variations > 0 || self.ended {
            return;
        }
        self.begun = true;
        if text.len() > 1 && Outcome::parse(&text).is_some() || text == "*" {
            record.result.get_or_insert(text);
            self.ended = true;
            return;
        }
        // `12.`, `12...` and `12.a1b1`: the number is read over.
        let digits = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
        let text = if digits.starts_with('.') { digits.trim_start_matches('.') } else { &text };
        let text = text.trim_end_matches(['!', '?']);
        if !text.is_empty() && !text.starts_with('$') {
            record.moves.push(text.to_owned());
        }
    }
}

/// Writes a record with a comment, or none, for each move, and remarks behind the last.
pub fn write(record: &Record, comments: &[Option<Comment>], remarks: &[String]) -> String {
    let braced = |text: &str| format!("{{{}}}", text.replace(['{', '}'], "|").replace(char::is_control, " "));
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    let outcome = record.result.as_deref().and_then(Outcome::parse).unwrap_or(Outcome::Open);
    for (name, value) in &record.tags {
        tag(name, value);
    }
    tag("White", record.players[0].as_deref().unwrap_or("?"));
    tag("Black", record.players[1].as_deref().unwrap_or("?"));
    tag("Result", outcome.text());
    let more = [("Reason", &record.reason), ("Rules", &record.rules), ("Position", &record.start)];
    for (name, value) in more {
        if let Some(value) = value {
            tag(name, value);
        }
    }
    let black_first = record.start.as_deref().and_then(|start| start.split_whitespace().nth(1)) == Some("b");
    let first = usize::from(black_first);
    let mut words = Vec::new();
    let mut numbered = false;
    for (ply, mv) in record.moves.iter().enumerate() {
        let number = usize::midpoint(ply, first) + 1;
        let comment = comments.get(ply).and_then(Option::as_ref);
        let mark = comment.map_or("", |comment| comment.mark);
        words.push(match Color::BOTH[(ply + first) % 2] {
            Color::White => format!("{number}. {mv}{mark}"),
            Color::Black if numbered => format!("{mv}{mark}"),
            Color::Black => format!("{number}... {mv}{mark}"),
        });
        if let Some(comment) = comment {
            words.push(braced(&comment.text));
        }
        numbered = comment.is_none();
    }
    words.extend(remarks.iter().map(|remark| braced(remark)));
    words.push(outcome.text().to_owned());
    text.push('\n');
    text + &wrap(&words)
}

/// Words in lines of up to 100 characters.
fn wrap(words: &[String]) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for word in words {
        let more = word.chars().count() + 1;
        if length > 0 {
            text.push(if length + more > 100 { '\n' } else { ' ' });
        }
        length = if length + more > 100 { more } else { length + more };
        text += word;
    }
    text + "\n"
}
