//! The format of one game per line: `[position …] a1b1 g9f9 … 1-0 # comment`. Position, result and comment are
//! optional; a position on a line of its own applies to the next game.

use super::{Note, NoteKind, Outcome, Record};

/// Parses a record.
pub fn read(line: usize, text: &str) -> Result<Record, String> {
    let (text, comment) = text.split_once('#').unwrap_or((text, ""));
    let (text, comment) = (text.trim(), comment.trim());
    let mut record = Record { line, ..Record::default() };
    let moves = match text.strip_prefix('[') {
        None => text,
        Some(rest) => {
            let (inside, rest) = rest.split_once(']').ok_or("the bracket is not closed; write [position …] moves")?;
            let start = inside.trim().strip_prefix("position").filter(|start| start.starts_with(char::is_whitespace));
            record.start = Some(start.ok_or("unknown bracket; write [position …] moves")?.trim().to_owned());
            rest
        }
    };
    for word in moves.split_whitespace() {
        if record.result.is_some() {
            return Err(format!("{word:?} comes after the result"));
        }
        // Digits alone are move numbers.
        let bare = word.trim_end_matches('.');
        if bare.len() < word.len() && bare.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        if word.len() > 1 && Outcome::parse(word).is_some() || word == "*" {
            record.result = Some(word.to_owned());
        } else {
            record.moves.push(word.to_owned());
        }
    }
    if !comment.is_empty() {
        let text = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        record.notes.push(Note { ply: record.moves.len(), kind: NoteKind::Comment, text });
    }
    Ok(record)
}
