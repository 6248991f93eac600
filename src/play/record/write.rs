//! Writing of the tagged format, which the parent module describes.

use super::{NoteKind, Outcome, Record};
use crate::game::Color;

/// The annotation of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// `?!`, `?`, `??`, or empty. Replaces a mark of that kind in the record.
    pub mark: &'static str,
    /// The comment.
    pub text: String,
}

/// Writes a record with an optional comment per move, and remarks after the last move. The record's own notes stay in
/// place, after the new comment.
pub fn write(record: &Record, comments: &[Option<Comment>], remarks: &[String]) -> String {
    let mut text = tags(record);
    let black_first = record.start.as_deref().and_then(|start| start.split_whitespace().nth(1)) == Some("b");
    let first = usize::from(black_first);
    let mut words = notes(record, 0..1);
    let mut numbered = false;
    for (ply, mv) in record.moves.iter().enumerate() {
        let number = usize::midpoint(ply, first) + 1;
        let comment = comments.get(ply).and_then(Option::as_ref);
        let mark = comment.map_or("", |comment| comment.mark);
        let mark = if mark.is_empty() { own_mark(record, ply + 1) } else { mark };
        words.push(match Color::BOTH[(ply + first) % 2] {
            Color::White => format!("{number}. {mv}{mark}"),
            Color::Black if numbered => format!("{mv}{mark}"),
            Color::Black => format!("{number}... {mv}{mark}"),
        });
        let before = words.len();
        words.extend(comment.map(|comment| braced(&comment.text)));
        words.extend(notes(record, ply + 1..ply + 2));
        numbered = words.len() == before;
    }
    // Notes after moves that are not written come last.
    words.extend(notes(record, record.moves.len() + 1..usize::MAX));
    words.extend(remarks.iter().map(|remark| braced(remark)));
    words.push(record.outcome().text().to_owned());
    text.push('\n');
    text + &wrap(&words)
}

fn tags(record: &Record) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for (name, value) in &record.tags {
        tag(name, value);
    }
    tag("White", record.players[0].as_deref().unwrap_or("?"));
    tag("Black", record.players[1].as_deref().unwrap_or("?"));
    tag("Result", record.outcome().text());
    let more = [("Reason", &record.reason), ("Rules", &record.rules), ("Position", &record.start)];
    for (name, value) in more {
        if let Some(value) = value {
            tag(name, value);
        }
    }
    text
}

/// The `!` and `?` of a move in the record.
fn own_mark(record: &Record, ply: usize) -> &str {
    let mut marks = record.notes.iter().filter(|note| note.ply == ply && note.kind == NoteKind::Mark);
    marks.find(|note| !note.text.starts_with('$')).map_or("", |note| &note.text)
}

/// The record's notes after these moves, without the `!` and `?` of the moves themselves.
fn notes(record: &Record, plies: std::ops::Range<usize>) -> Vec<String> {
    let notes = record.notes.iter().filter(|note| plies.contains(&note.ply));
    let text = |note: &super::Note| match note.kind {
        NoteKind::Comment => Some(braced(&note.text)),
        NoteKind::Variation => Some(format!("({})", note.text)),
        NoteKind::Mark => note.text.starts_with('$').then(|| note.text.clone()),
    };
    notes.filter_map(text).collect()
}

fn braced(text: &str) -> String {
    format!("{{{}}}", text.replace(['{', '}'], "|").replace(char::is_control, " "))
}

/// Wraps words in lines of up to 100 characters.
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

impl Record {
    /// The outcome by the result; [`Outcome::Open`] if there is none.
    fn outcome(&self) -> Outcome {
        self.result.as_deref().and_then(Outcome::parse).unwrap_or(Outcome::Open)
    }
}
