//! The words of the protocols `jcei` and `uci`, which differ in little more than their greeting.

use super::clock::Limits;
use std::io::{self, BufRead};
use std::time::Duration;

/// A command of the other program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `jcei`: asks for name and options.
    Greet(Dialect),
    /// `isready`
    IsReady,
    /// `newgame`, `ucinewgame`
    NewGame,
    /// `position`
    Position {
        /// `None` for `startpos`, else the text of a position.
        from: Option<String>,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// `go`
    Go {
        /// When to answer.
        limits: Limits,
        /// Whether to keep the answer until `stop`, even if it is found before.
        holds: bool,
    },
    /// `stop`
    Stop,
    /// `quit`
    Quit,
    /// `setoption name Hash value`, in MiB.
    Hash(u64),
    /// `setoption name Clear Hash`
    ClearHash,
    /// An empty line, or a command without effect.
    Nothing,
}

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// That of chess programs, for Jungle.
    Uci,
    /// The same with fewer words.
    Jcei,
}

/// The largest hash table that can be asked for, in MiB.
pub const MOST_HASH: u64 = 1 << 16;

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// Returns what is wrong with the line, in one line.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        Ok(match words.next() {
            None | Some("debug" | "register" | "ponderhit") => Self::Nothing,
            Some("uci") => Self::Greet(Dialect::Uci),
            Some("jcei") => Self::Greet(Dialect::Jcei),
            Some("isready") => Self::IsReady,
            Some("newgame" | "ucinewgame") => Self::NewGame,
            Some("position") => return position(words),
            Some("go") => return go(words),
            Some("setoption") => return option(words),
            Some("stop") => Self::Stop,
            Some("quit") => Self::Quit,
            Some(other) => return Err(format!("unknown command {}", quoted(other))),
        })
    }
}

/// An excerpt of foreign text, short and printable within a line.
pub fn quoted(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("{short:?}")
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let from = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(words.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>().join(" ")),
        _ => return Err("position: write `position startpos` or `position fen RANKS w|b`, then `moves …`".to_owned()),
    };
    // After a `fen` the word `moves` has been read already.
    let moves = words.enumerate().filter(|&(n, word)| n > 0 || word != "moves");
    let moves = moves.map(|(_, word)| word.to_owned()).collect();
    Ok(Command::Position { from, moves })
}

fn go<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let mut limits = Limits::default();
    let mut holds = false;
    while let Some(word) = words.next() {
        if word == "infinite" {
            holds = true;
            continue;
        }
        let known = ["depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo"];
        if !known.contains(&word) {
            return Err(format!("go: unknown limit {}; limits are infinite and {}", quoted(word), known.join(", ")));
        }
        let text = words.next().ok_or_else(|| format!("go: a number must follow {word}"))?;
        let number = number(text).ok_or_else(|| format!("go: {word} {} is no number", quoted(text)))?;
        // A clock that has run out is still a clock.
        let count = number.max(0) as u64;
        let small = u32::try_from(count).unwrap_or(u32::MAX);
        // The longest time that can be given: a century.
        let time = Duration::from_millis(count.min(1 << 42));
        match word {
            "depth" => limits.depth = Some(small),
            "nodes" => limits.nodes = Some(count),
            "movetime" => limits.move_time = Some(time),
            "wtime" => limits.clock[0] = Some(time),
            "btime" => limits.clock[1] = Some(time),
            "winc" => limits.increment[0] = time,
            "binc" => limits.increment[1] = time,
            _ => limits.moves_to_go = Some(small),
        }
    }
    Ok(Command::Go { limits, holds })
}

fn option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    if words.next() != Some("name") {
        return Err("setoption: write `setoption name NAME`, or `setoption name NAME value VALUE`".to_owned());
    }
    let name = words.by_ref().take_while(|&word| word != "value").collect::<Vec<_>>().join(" ");
    let value = words.collect::<Vec<_>>().join(" ");
    match name.to_ascii_lowercase().as_str() {
        "hash" => match number(&value) {
            Some(size) if (1..=MOST_HASH as i64).contains(&size) => Ok(Command::Hash(size as u64)),
            _ => Err(format!("setoption: Hash {}: give a number of MiB from 1 to {MOST_HASH}", quoted(&value))),
        },
        "clear hash" => Ok(Command::ClearHash),
        _ => Err(format!("setoption: no option {}; there are Hash and Clear Hash", quoted(&name))),
    }
}

/// A whole number, saturating.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// The longest line that is read: a game of many thousand moves.
pub const MAX_LINE: usize = 1 << 20;

/// Outcome of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// A malformed line, and why.
    Bad(&'static str),
    /// The end of the input.
    End,
}

/// Reads a line of any length and any bytes.
///
/// # Errors
/// Returns the errors of the input.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let (mut is_long, mut is_any) = (false, false);
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() && !is_any {
            return Ok(Line::End);
        }
        is_any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        is_long |= line.len() + part.len() > MAX_LINE;
        if !is_long {
            line.extend_from_slice(part);
        }
        let (is_whole, read) = (end.is_some() || bytes.is_empty(), end.map_or(bytes.len(), |end| end + 1));
        input.consume(read);
        if !is_whole {
            continue;
        }
        if is_long {
            return Ok(Line::Bad("the line is longer than a mebibyte"));
        }
        return Ok(String::from_utf8(line).map_or(Line::Bad("the line is not UTF-8"), Line::Text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> (Limits, bool) {
        match Command::parse(text) {
            Ok(Command::Go { limits, holds }) => (limits, holds),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn limits_are_read() {
        let ms = Duration::from_millis;
        assert_eq!(go("go"), (Limits::default(), false));
        assert_eq!(go(" go   infinite "), (Limits::default(), true));
        let (limits, _) = go("go wtime 60000 btime -5 winc 100 binc 200 movestogo 12");
        assert_eq!(limits.clock, [Some(ms(60_000)), Some(ms(0))]);
        assert_eq!((limits.increment, limits.moves_to_go), ([ms(100), ms(200)], Some(12)));
        let (limits, _) = go("go depth 99999999999999999999 nodes 99999999999999999999 movetime 99999999999999999999");
        assert_eq!((limits.depth, limits.nodes), (Some(u32::MAX), Some(i64::MAX as u64)));
        assert!(limits.move_time > Some(ms(1 << 41)));
    }

    #[test]
    fn positions_are_read() {
        let position = |text: &str| match Command::parse(text) {
            Ok(Command::Position { from, moves }) => (from, moves.join(",")),
            other => panic!("{text}: {other:?}"),
        };
        let fen = Some("7/7 w".to_owned());
        assert_eq!(position("position startpos"), (None, String::new()));
        assert_eq!(position("position startpos moves a1a2 b1b2"), (None, "a1a2,b1b2".to_owned()));
        assert_eq!(position("position fen 7/7 w"), (fen.clone(), String::new()));
        assert_eq!(position("position fen 7/7 w moves a1a2"), (fen, "a1a2".to_owned()));
        assert_eq!(position("position fen 7/7 w - 0 1 moves a1a2 b1b2").1, "a1a2,b1b2");
        assert_eq!(position("position fen"), (Some(String::new()), String::new()));
    }

    #[test]
    fn what_cannot_be_meant_is_said_in_one_line() {
        for (text, part) in [
            ("hello world", "unknown command \"hello\""),
            ("\u{7}\u{1b}[2J", "unknown command \"\\u{7}"),
            ("position", "write `position startpos`"),
            ("position 7/7 w", "write `position startpos`"),
            ("go depth", "a number must follow depth"),
            ("go depth x", "depth \"x\" is no number"),
            ("go movetime 1.5", "movetime \"1.5\" is no number"),
            ("go mate 3", "unknown limit \"mate\""),
            ("setoption Hash", "write `setoption name NAME`"),
            ("setoption name Hash value 0", "Hash \"0\": give a number of MiB from 1 to 65536"),
            ("setoption name Hash value 99999999999999999999", "give a number of MiB"),
            ("setoption name Hash", "Hash \"\": give"),
            ("setoption name Ponder value true", "no option \"Ponder\""),
        ] {
            let error = Command::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains(char::is_control), "{text:?} gave {error:?}");
        }
        assert_eq!(Command::parse("setoption name hash value 7"), Ok(Command::Hash(7)));
        assert_eq!(Command::parse("setoption name Clear Hash"), Ok(Command::ClearHash));
    }

    #[test]
    fn lines_of_all_kinds() {
        let long = "x".repeat(MAX_LINE + 1);
        let most = "y".repeat(MAX_LINE);
        let mut input = format!("one\r\n\n{long}\n{most}\n").into_bytes();
        input.extend(b"\xff\xfe\nlast");
        let mut input = io::BufReader::with_capacity(7, &input[..]);
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Line::Text("one\r".to_owned()));
        assert_eq!(next(), Line::Text(String::new()));
        assert_eq!(next(), Line::Bad("the line is longer than a mebibyte"));
        assert_eq!(next(), Line::Text(most));
        assert_eq!(next(), Line::Bad("the line is not UTF-8"));
        assert_eq!(next(), Line::Text("last".to_owned()));
        assert_eq!(next(), Line::End);
    }
}
