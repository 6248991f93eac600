//! Parsing of the protocols `jcei` and `uci`, which differ in little more than their greeting.

use super::clock::Limits;
use crate::text::quoted;
use std::time::Duration;

/// A command of the other program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `jcei`: requests name and options.
    Greet(Dialect),
    /// `isready`
    IsReady,
    /// `newgame`, `ucinewgame`
    NewGame,
    /// `position`
    Position {
        /// `None` for `startpos`, else the text of a position.
        from: Option<String>,
        /// Moves from that position.
        moves: Vec<String>,
    },
    /// `go`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`: the predicted move was played.
    PonderHit,
    /// `quit`
    Quit,
    /// `setoption name Hash value`, in MiB.
    Hash(u64),
    /// `setoption name Clear Hash`
    ClearHash,
    /// `setoption name TablePath value`: folders of tables, separated as in `$PATH`.
    TablePath(String),
    /// An empty line, or a command without effect.
    Nothing,
}

/// The content of a `go`. It is always answered, even if malformed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Limits of the search.
    pub limits: Limits,
    /// Whether to withhold the answer until `stop` or `ponderhit`, even if it is found earlier.
    pub holds: bool,
    /// The words after `searchmoves`.
    pub moves: Vec<String>,
    /// Errors in the command, one line each.
    pub faults: Vec<String>,
}

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The protocol of chess programs, for Jungle.
    Uci,
    /// A variant with fewer commands.
    Jcei,
}

/// Maximum size of the hash table, in MiB.
pub const MOST_HASH: u64 = 1 << 16;

impl Command {
    /// Parses a line.
    ///
    /// # Errors
    /// Returns a one-line message if the line is malformed.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        Ok(match words.next() {
            None | Some("debug" | "register") => Self::Nothing,
            Some("uci") => Self::Greet(Dialect::Uci),
            Some("jcei") => Self::Greet(Dialect::Jcei),
            Some("isready") => Self::IsReady,
            Some("newgame" | "ucinewgame") => Self::NewGame,
            Some("position") => return position(words),
            Some("go") => Self::Go(go(words)),
            Some("setoption") => return option(line),
            Some("stop") => Self::Stop,
            Some("ponderhit") => Self::PonderHit,
            Some("quit") => Self::Quit,
            Some(other) => return Err(format!("unknown command {}", quoted(other))),
        })
    }
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let from = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(words.by_ref().take_while(|&word| word != "moves").collect::<Vec<_>>().join(" ")),
        _ => return Err("position: write `position startpos` or `position fen RANKS w|b`, then `moves …`".to_owned()),
    };
    // After `fen` the word `moves` has been consumed already.
    let moves = words.enumerate().filter(|&(n, word)| n > 0 || word != "moves");
    let moves = moves.map(|(_, word)| word.to_owned()).collect();
    Ok(Command::Position { from, moves })
}

/// Words of `go` that are followed by a number.
const NUMBERS: [&str; 9] = ["depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo"];
/// Its other words.
const OTHERS: [&str; 3] = ["infinite", "ponder", "searchmoves"];

/// Search time if all limits are malformed.
const FALLBACK: Duration = Duration::from_secs(1);

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Go {
    let mut go = Go::default();
    let mut words = words.peekable();
    let is_known = |word: &str| NUMBERS.contains(&word) || OTHERS.contains(&word);
    while let Some(word) = words.next() {
        match word {
            // The engine does not think on the opponent's time, but withholds the answer until requested.
            "infinite" | "ponder" => go.holds = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !is_known(word)) {
                    go.moves.push(mv.to_owned());
                }
            }
            _ if NUMBERS.contains(&word) => match words.next_if(|word| !is_known(word)) {
                None => go.faults.push(format!("go: a number must follow {word}")),
                Some(text) => match number(text) {
                    None => go.faults.push(format!("go: {word} {} is not a number", quoted(text))),
                    Some(number) => limit(&mut go.limits, word, number),
                },
            },
            // The protocol requires that unknown words be ignored.
            _ => {}
        }
    }
    if !go.faults.is_empty() && !go.holds && go.limits == Limits::default() {
        go.limits.move_time = Some(FALLBACK);
    }
    go
}

fn limit(limits: &mut Limits, word: &str, number: i64) {
    // An expired clock is still a clock.
    let count = number.max(0) as u64;
    let small = u32::try_from(count).unwrap_or(u32::MAX);
    // Limits the time to about a century.
    let time = Duration::from_millis(count.min(1 << 42));
    match word {
        "depth" => limits.depth = Some(small),
        // A win in this number of full moves is found at twice as many plies.
        "mate" => limits.depth = Some(small.max(1).saturating_mul(2)),
        "nodes" => limits.nodes = Some(count),
        "movetime" => limits.move_time = Some(time),
        "wtime" => limits.clock[0] = Some(time),
        "btime" => limits.clock[1] = Some(time),
        "winc" => limits.increment[0] = time,
        "binc" => limits.increment[1] = time,
        _ => limits.moves_to_go = Some(small),
    }
}

fn option(line: &str) -> Result<Command, String> {
    let usage = "setoption: write `setoption name NAME`, or `setoption name NAME value VALUE`";
    let (_, rest) = split_at_word(line, "setoption").ok_or(usage)?;
    let (before, rest) = split_at_word(rest, "name").ok_or(usage)?;
    if !before.is_empty() {
        return Err(usage.to_owned());
    }
    let (name, value) = split_at_word(rest, "value").unwrap_or((rest.trim(), ""));
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.to_ascii_lowercase().as_str() {
        "hash" => match number(value) {
            Some(size) if (1..=MOST_HASH as i64).contains(&size) => Ok(Command::Hash(size as u64)),
            _ => Err(format!("setoption: Hash {}: give a number of MiB from 1 to {MOST_HASH}", quoted(value))),
        },
        "clear hash" => Ok(Command::ClearHash),
        "tablepath" if value.is_empty() => Err("setoption: TablePath: give a folder of tables".to_owned()),
        "tablepath" => Ok(Command::TablePath(value.to_owned())),
        _ => {
            Err(format!("setoption: unknown option {}; the options are Hash, Clear Hash and TablePath", quoted(&name)))
        }
    }
}

/// The parts before and after the first such word; spaces within the parts are kept.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let is_word = |&(at, _): &(usize, &str)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        before.chars().next_back().is_none_or(char::is_whitespace)
            && behind.chars().next().is_none_or(char::is_whitespace)
    };
    let (at, _) = text.match_indices(word).find(is_word)?;
    Some((text[..at].trim(), text[at + word.len()..].trim()))
}

/// An integer; saturates if out of range.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// Maximum line length in bytes: a game of many thousand moves.
pub const MAX_LINE: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Go {
        match Command::parse(text) {
            Ok(Command::Go(go)) => go,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn go(text: &str) -> (Limits, bool) {
        let go = parsed(text);
        assert_eq!(go.faults, [""; 0], "{text}");
        (go.limits, go.holds)
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
        assert_eq!(go("go mate 3").0.depth, Some(6));
        assert_eq!(go("go sideways wtime 5 twice").0.clock, [Some(ms(5)), None]);
        assert_eq!(go("go ponder wtime 5"), (go("go wtime 5").0, true));
        let asked = parsed("go depth 3 searchmoves a1a2 x9 b1b2 movetime 7 searchmoves c1c2");
        assert_eq!(asked.moves, ["a1a2", "x9", "b1b2", "c1c2"]);
        assert_eq!((asked.limits.depth, asked.limits.move_time), (Some(3), Some(ms(7))));
    }

    /// A program that waits for a move would wait forever if a `go` were refused.
    #[test]
    fn a_go_with_faults_is_a_go() {
        for (text, fault, limits) in [
            ("go depth", "a number must follow depth", Limits { move_time: Some(FALLBACK), ..Limits::default() }),
            ("go depth movetime 9", "a number must follow depth", go("go movetime 9").0),
            ("go depth x", "depth \"x\" is not a number", Limits { move_time: Some(FALLBACK), ..Limits::default() }),
            ("go movetime 1.5 depth 2", "movetime \"1.5\" is not a number", go("go depth 2").0),
            ("go infinite depth x", "depth \"x\" is not a number", Limits::default()),
        ] {
            let go = parsed(text);
            assert!(go.faults.len() == 1 && go.faults[0].contains(fault), "{text}: {go:?}");
            assert_eq!(go.limits, limits, "{text}");
        }
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
            ("setoption Hash", "write `setoption name NAME`"),
            ("setoption name Hash value 0", "Hash \"0\": give a number of MiB from 1 to 65536"),
            ("setoption name Hash value 99999999999999999999", "give a number of MiB"),
            ("setoption name Hash", "Hash \"\": give"),
            ("setoption name TablePath", "give a folder"),
            ("setoption value 7 name Hash", "write `setoption name NAME`"),
            ("setoption name Ponder value true", "unknown option \"Ponder\""),
        ] {
            let error = Command::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains(char::is_control), "{text:?} gave {error:?}");
        }
        assert_eq!(Command::parse("setoption name hash value 7"), Ok(Command::Hash(7)));
        assert_eq!(Command::parse("setoption name  Clear  Hash "), Ok(Command::ClearHash));
        let path = Command::parse(" setoption name TablePath value /my  tables/value here \r");
        assert_eq!(path, Ok(Command::TablePath("/my  tables/value here".to_owned())));
    }
}
