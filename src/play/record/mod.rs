//! Game records as text: JSON lines, plain lines of moves, and a tagged interchange format modelled on PGN.
//!
//! Reading keeps the text as written; [`super::review`] decides whether the moves are legal and the result is correct.
//! A malformed record is an error with its line number, and reading continues after it.
//!
//! The first line that is neither empty nor a comment determines the format of a file.
//!
//! **JSON lines**: one object per line, `{"moves":["a1b1",…],"start":"…","result":"1-0","reason":"den","white":"…",
//! "black":"…"}`. Only `moves` is required.
//!
//! **Lines**: one game per line, `[position …] a1b1 g9f9 … 1-0 # comment`. Only the moves are required; a position on a
//! line of its own applies to the next game.
//!
//! **Tagged**: tags, an empty line, numbered moves with comments, the result.
//!
//! ```text
//! [White "Anna"]
//! [Black "Ben"]
//! [Result "1-0"]
//! [Reason "den"]
//! [Rules "standard"]
//! [Position "7/7/2r4/3L3/7/3c3/7/7/7 w"]
//!
//! 1. d6g6?! {loss in 6; sooner by 2; best d6d7} c7c8 … 1-0
//! ```
//!
//! Moves are from-square and to-square. `{…}` and `;` to the end of the line are comments, `(…)` are variations and
//! `$n`, `!`, `?` are marks: all are kept as [`Note`]s. In tag values `\"` and `\\` stand for `"` and `\`.
//!
//! Text is UTF-8 unless a byte order mark at its start says otherwise. A line that is not UTF-8 is read as
//! Windows-1252, which includes Latin-1; other encodings need [`Records::in_encoding`].

mod json;
mod lines;
mod source;
mod tagged;
mod write;

pub use source::Encoding;
pub use write::{Comment, write};

use crate::game::Color;
use source::Lines;
use std::io::{self, Read};
use thiserror::Error;

/// The result of a game by its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A side won.
    Won(Color),
    /// Neither side won.
    Drawn,
    /// The game is unfinished, or its result unknown.
    Open,
}

impl Outcome {
    /// Parses `1-0`, `white`, `draw`, `1/2-1/2`, `*` and similar; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text.trim().to_lowercase().as_str() {
            "1-0" | "w" | "white" | "white wins" | "white won" | "white-wins" | "r" | "red" => Self::Won(Color::White),
            "0-1" | "b" | "black" | "black wins" | "black won" | "black-wins" => Self::Won(Color::Black),
            "1/2-1/2" | "½-½" | "0.5-0.5" | "1/2" | "d" | "draw" | "drawn" => Self::Drawn,
            "*" | "" | "?" | "-" | "open" | "ongoing" | "unknown" | "none" | "unfinished" => Self::Open,
            _ => return None,
        })
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Open => "*",
        }
    }
}

/// A game as recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The first line of the record, from 1.
    pub line: usize,
    /// The start position, as text; `None` for the standard one.
    pub start: Option<String>,
    /// The moves, as text.
    pub moves: Vec<String>,
    /// The result, as text.
    pub result: Option<String>,
    /// Why the game ended, as text.
    pub reason: Option<String>,
    /// The name of the rules.
    pub rules: Option<String>,
    /// The names of White and Black.
    pub players: [Option<String>; 2],
    /// Other tags of the tagged format, in order.
    pub tags: Vec<(String, String)>,
    /// Comments, variations and marks, in order.
    pub notes: Vec<Note>,
}

impl Record {
    /// The moves and notes of a variation, as the text of its note has them. What is not closed in it is left out.
    pub fn of_variation(text: &str) -> Self {
        tagged::variation(text)
    }
}

/// A comment, variation or mark of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Number of moves of the record before it.
    pub ply: usize,
    /// Its kind.
    pub kind: NoteKind,
    /// Its text, without the braces or parentheses around it.
    pub text: String,
}

/// A kind of [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// `{…}`, or `; …` to the end of the line, or `# …` after a line of moves.
    Comment,
    /// `(…)`.
    Variation,
    /// `$4`, or `!`, `?` and similar after a move.
    Mark,
}

/// Why a record or a file cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is not a valid record.
    #[error("line {line}: {what}")]
    Bad {
        /// The line, from 1.
        line: usize,
        /// What is wrong and what is expected.
        what: String,
    },
    /// Reading the file failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The three formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Lines,
    Tagged,
}

/// Iterator over the records of a file.
pub struct Records<R> {
    lines: Lines<R>,
    format: Option<Format>,
    /// A position on a line of its own, for the next game.
    start: Option<String>,
    ended: bool,
}

impl<R: Read> Records<R> {
    /// Reads records; the first line that is neither empty nor a comment determines the format.
    pub fn new(input: R) -> Self {
        Self::in_encoding(input, None)
    }

    /// Reads records in a known encoding, unless a byte order mark says otherwise.
    pub fn in_encoding(input: R, encoding: Option<Encoding>) -> Self {
        Self { lines: Lines::new(input, encoding), format: None, start: None, ended: false }
    }

    fn read(&mut self) -> Result<Option<Record>, RecordError> {
        while let Some((number, line)) = self.lines.next()? {
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') || text.starts_with('%') {
                continue;
            }
            let format = *self.format.get_or_insert_with(|| Self::format_of(text));
            let bad = |what| RecordError::Bad { line: number, what };
            match format {
                Format::Json => return json::read(number, text).map(Some).map_err(bad),
                Format::Lines => match lines::read(number, text).map_err(bad)? {
                    record if record.moves.is_empty() && record.result.is_none() => self.start = record.start,
                    mut record => {
                        record.start = record.start.or(self.start.take());
                        return Ok(Some(record));
                    }
                },
                Format::Tagged => {
                    self.lines.pending = Some((number, line));
                    return tagged::read(&mut self.lines);
                }
            }
        }
        Ok(None)
    }

    fn format_of(text: &str) -> Format {
        if text.starts_with('{') {
            Format::Json
        } else if tagged::tag(text).is_some() {
            Format::Tagged
        } else {
            Format::Lines
        }
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.read();
        self.ended = matches!(record, Ok(None) | Err(RecordError::Io(_)));
        record.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<Record, String>> {
        Records::new(text.as_bytes()).map(|record| record.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn the_three_formats_tell_the_same_game() {
        let json = r#"{"moves":["a3a4","g7g6"],"start":"7/7/7/7/7/7/7/7/L5r w","result":"1-0","reason":"time","white":"A","black":"B"}"#;
        let tagged = "[White \"A\"]\n[Black \"B\"]\n[Position \"7/7/7/7/7/7/7/7/L5r w\"]\n[Result \"1-0\"]\n\
                      [Reason \"time\"]\n\n1. a3a4 {win in 3} g7g6 $4 ( g7g5 ) 1-0\n";
        let json = read(json)[0].clone().unwrap();
        let mut tagged = read(tagged)[0].clone().unwrap();
        let notes = std::mem::take(&mut tagged.notes);
        assert_eq!(json, tagged);
        let notes: Vec<_> = notes.iter().map(|note| (note.ply, note.kind, note.text.as_str())).collect();
        let expected =
            [(1, NoteKind::Comment, "win in 3"), (2, NoteKind::Mark, "$4"), (2, NoteKind::Variation, "g7g5")];
        assert_eq!(notes, expected);
        let mut lines =
            read("# a game\n[position 7/7/7/7/7/7/7/7/L5r w] a3a4 g7-g6 1-0 # no names\n")[0].clone().unwrap();
        assert_eq!(lines.line, 2);
        lines.line = 1;
        assert_eq!(lines.moves, ["a3a4", "g7-g6"]);
        assert_eq!((&lines.start, &lines.result), (&json.start, &json.result));
    }

    #[test]
    fn a_bad_record_is_an_error_and_the_rest_is_read() {
        let records = read("{\"moves\":[\"a1b1\"]}\n{\"moves\":[\"a1\n{\"moves\":3}\n\n{\"moves\":[]}\n");
        assert_eq!(records.len(), 4);
        assert!(records[0].is_ok() && records[3].is_ok());
        assert!(records[1].as_ref().unwrap_err().starts_with("line 2: "), "{records:?}");
        assert!(records[2].as_ref().unwrap_err().starts_with("line 3: "), "{records:?}");
        let long = format!("a3a4\n{}\na3a4\n", "a".repeat(source::LONGEST_LINE + 5));
        let records = read(&long);
        assert_eq!((records.len(), records[1].is_err()), (3, true));
    }

    #[test]
    fn a_position_on_its_own_line_is_the_next_games() {
        let records = read("[position 7/7/7/7/7/7/7/7/L5r w]\na1a2\na3a4\n");
        assert_eq!(records[0].as_ref().unwrap().start.as_deref(), Some("7/7/7/7/7/7/7/7/L5r w"));
        assert_eq!(records[1].as_ref().unwrap().start, None);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let game = Record {
            line: 1,
            start: Some("7/7/7/7/7/7/7/7/L5r b".to_owned()),
            moves: ["g1g2", "a1a2", "g2g3"].map(str::to_owned).to_vec(),
            result: Some("0-1".to_owned()),
            reason: Some("a \"quoted\" \\ reason".to_owned()),
            rules: Some("standard".to_owned()),
            players: [Some("Ä".to_owned()), None],
            tags: vec![("Event".to_owned(), "Cup".to_owned())],
            notes: Vec::new(),
        };
        let comment = |text: &str| Comment { mark: "?!", text: text.to_owned() };
        let comments = vec![Some(comment("slower by 2 { } plies")), None, Some(comment("x"))];
        let text = write(&game, &comments, &["a remark".to_owned()]);
        let again = read(&format!("{text}\n{text}"));
        assert_eq!(again.len(), 2, "{text}");
        let (again, second) = (again[0].clone().unwrap(), again[1].clone().unwrap());
        let notes: Vec<_> = again.notes.iter().map(|note| (note.ply, note.text.as_str())).collect();
        let expected = [(1, "?!"), (1, "slower by 2 | | plies"), (3, "?!"), (3, "x"), (3, "a remark")];
        assert_eq!(notes, expected, "{text}");
        assert_eq!(Record { notes: Vec::new(), ..again.clone() }, game, "{text}");
        assert_eq!(second.moves, game.moves);
        // Notes are written at their original places.
        assert_eq!(write(&again, &[], &[]), text);
    }

    #[test]
    fn notes_of_all_kinds_come_through() {
        let text = "{before} 1. a1a2!? ; to the end\n(1. a1b1 {a ) here} (1. a1a3)) g1g2 $1 $14 {after} * {behind}\n";
        let text = format!("[White \"A\"]\n\n{text}[White \"B\"]\n\n1. a1a2 *\n");
        let records = read(&text);
        assert_eq!(records.len(), 2, "{records:?}");
        let record = records[0].clone().unwrap();
        let notes: Vec<_> = record.notes.iter().map(|note| (note.ply, note.kind, note.text.as_str())).collect();
        let expected = [
            (0, NoteKind::Comment, "before"),
            (1, NoteKind::Mark, "!?"),
            (1, NoteKind::Comment, "to the end"),
            (1, NoteKind::Variation, "1. a1b1 {a ) here} (1. a1a3)"),
            (2, NoteKind::Mark, "$1"),
            (2, NoteKind::Mark, "$14"),
            (2, NoteKind::Comment, "after"),
            (2, NoteKind::Comment, "behind"),
        ];
        assert_eq!(notes, expected);
        let again = read(&write(&record, &[], &[]))[0].clone().unwrap();
        assert_eq!(Record { line: 1, result: None, ..again }, Record { line: 1, result: None, ..record });
    }

    #[test]
    fn what_is_not_closed_or_is_no_tag_loses_its_own_game_only() {
        let game = |name: &str, moves: &str| format!("[White \"{name}\"]\n[Black \"-\"]\n\n{moves}\n\n");
        for (bad, line, phrase) in [
            (game("A", "1. a1a2 {not closed g1g2 1-0"), 9, "a comment begins here and is not closed before"),
            (game("A", "1. a1a2 {not closed g1g2 1-0").trim_end().to_owned() + "\n", 9, "a comment begins here"),
            (game("A", "1. a1a2 (1. a1b1 (1. a1a3) g1g2 1-0"), 9, "a variation begins here"),
            ("[Event \"A\"]\n[White Anna]\n[Black \"-\"]\n\n1. a1a2 1-0\n\n".to_owned(), 7, "not a tag"),
            (format!("[Event \"A\"]\n\n1. {}\na1a2 1-0\n\n", "a".repeat(source::LONGEST_LINE)), 8, "longer than"),
        ] {
            let text = [game("first", "1. a1a2 *"), bad, game("B", "1. a1a2 {closed} 1-0"), game("C", "*")].concat();
            let records = read(&text);
            let names: Vec<_> =
                records.iter().map(|record| record.as_ref().map(|record| record.players[0].clone())).collect();
            let [Ok(first), Err(error), Ok(b), Ok(c)] = &names[..] else { panic!("{text:.300}: {records:?}") };
            let named = [first, b, c].map(|name| name.as_deref().unwrap());
            assert_eq!(named, ["first", "B", "C"], "{text:.300}");
            assert!(error.starts_with(&format!("line {line}: ")) && error.contains(phrase), "{error}");
        }
        let last = read("[White \"A\"]\n\n1. a1a2 {to the end\n1-0\n");
        assert_eq!(last.len(), 1);
        assert!(last[0].as_ref().unwrap_err().starts_with("line 3: a comment begins here"), "{last:?}");
    }

    #[test]
    fn marks_and_comments_outside_of_games_are_no_games() {
        for text in [
            "\u{feff}[White \"A\"]\n\n1. a1a2 *\n",
            "[White \"A\"]\n\n1. a1a2 *\n{a farewell}\n",
            "\u{feff}\r\n[White \"A\"]\r\n\r\n1. a1a2 *\r\n",
            "\u{feff}{\"moves\":[\"a1a2\"],\"white\":\"A\"}\n",
        ] {
            let records = read(text);
            assert_eq!(records.len(), 1, "{text:?}: {records:?}");
            let record = records[0].as_ref().unwrap();
            assert_eq!((record.players[0].as_deref(), record.moves.len()), (Some("A"), 1), "{text:?}");
        }
        // Concatenated files, each with its byte order mark.
        let both = "\u{feff}[White \"A\"]\n\n1. a1a2 *\n\u{feff}[White \"B\"]\n\n1. a1a2 *\n";
        assert_eq!(read(both).len(), 2);
    }
}
