//! A small engine for JCEI, UCI and GTP that misbehaves on request: a template for adapters, and the opponent in the
//! tests of `check engine`.
//!
//! `cargo run --example engine -- uci best`: plays the best move by the tables in `$JUNGLETB_TABLES`, by default the
//! shipped ones. Other modes: `random`, `illegal`, `crash`, `slow`, `silent`, `deaf`, `chatty`, `upper` (case),
//! `garbage`, `no-move`, `twice`, `orphan` (starts a child that holds its output), `refuse` (to start). With a number N
//! after the mode, only every Nth move uses it; the others are best moves.

use jungletb::game::{Move, Position, Rules, Square};
use jungletb::probe::Tablebase;
use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

struct Engine {
    rules: Rules,
    tables: Tablebase,
    position: Option<Position>,
    /// The to-square of a move whose from-square was sent by GTP.
    pending: Option<Square>,
    /// The from-square of a move being received.
    played: Option<Square>,
    manner: String,
    every: usize,
    asked: usize,
    random: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, manner, rest @ ..] = arguments.as_slice() else { return Err("give protocol and manner".into()) };
    let rules = Rules::standard();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases");
    let tables = std::env::var_os("JUNGLETB_TABLES").unwrap_or_else(|| shipped.into());
    let tables = Tablebase::open(tables, &rules)?;
    let mut engine = Engine {
        rules,
        tables,
        position: None,
        pending: None,
        played: None,
        manner: manner.clone(),
        every: rest.first().map_or(Ok(1), |every| every.parse())?,
        asked: 0,
        random: 0x1234_5678_9abc_def1,
    };
    if manner == "refuse" {
        return Err("I would rather not".into());
    }
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match protocol.as_str() {
            "gtp" => engine.gtp(&words)?,
            protocol => engine.uci(protocol, &words)?,
        }
    }
    Ok(())
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

impl Engine {
    fn uci(&mut self, protocol: &str, words: &[&str]) -> io::Result<()> {
        match words {
            [hello] if *hello == protocol => say(&format!("id name example {}\n{protocol}ok", self.manner)),
            ["isready"] => say("readyok"),
            ["position", "fen", ranks, side, rest @ ..] => {
                let mut position = Position::parse(&self.rules, &format!("{ranks} {side}")).ok();
                for text in rest.iter().skip_while(|word| **word != "moves").skip(1) {
                    position =
                        position.zip(Move::parse(text)).and_then(|(position, mv)| position.play(&self.rules, mv));
                }
                self.position = position;
                Ok(())
            }
            ["go", ..] => match self.answer()? {
                Some(mv) if self.manner == "upper" => say(&format!("BestMove {}", mv.to_uppercase())),
                Some(mv) if self.manner == "twice" => say(&format!("info depth 1\nbestmove {mv}\nbestmove a1a2")),
                Some(mv) => say(&format!("info depth 1 score cp 0\nbestmove {mv} ponder a1a2")),
                None => say("bestmove 0000"),
            },
            ["quit"] => exit(0),
            _ => Ok(()),
        }
    }

    fn gtp(&mut self, words: &[&str]) -> io::Result<()> {
        let good = |text: &str| say(&format!("= {text}\n"));
        match words {
            ["name"] => good(&format!("example {}", self.manner)),
            ["known_command", what] => good(if *what == "showboard" { "true" } else { "false" }),
            ["clear_board"] => {
                (self.position, self.pending, self.played) = (None, None, None);
                good("")
            }
            ["setfen", ranks, side, ..] => {
                self.position = Position::parse(&self.rules, &format!("{ranks} {side}")).ok();
                if self.position.is_some() { good("") } else { say("? no position\n") }
            }
            ["showboard"] => good(&self.position.map_or_else(|| "empty".into(), |at| at.to_text(&self.rules))),
            ["play", _, square] => {
                let square = Square::parse(square);
                let Some(from) = self.played.take() else {
                    self.played = square;
                    return good("");
                };
                self.position =
                    self.position.zip(square).and_then(|(position, to)| position.play(&self.rules, Move { from, to }));
                if self.position.is_some() { good("") } else { say("? illegal move\n") }
            }
            ["genmove", _] => {
                if let Some(to) = self.pending.take() {
                    return good(&to.to_string());
                }
                let Some(text) = self.answer()? else { return good("pass") };
                let Some(mv) = Move::parse(&text) else { return good(&text) };
                self.pending = Some(mv.to);
                self.position = self.position.and_then(|position| position.play(&self.rules, mv));
                good(&if self.manner == "upper" { mv.from.to_string().to_uppercase() } else { mv.from.to_string() })
            }
            ["quit"] => exit(0),
            _ => say("? unknown command\n"),
        }
    }

    /// The answer to a move request; `None` for no move.
    fn answer(&mut self) -> io::Result<Option<String>> {
        let Some(position) = self.position else { return Ok(None) };
        let moves = self.tables.moves(&position).unwrap_or_default();
        let best = moves.first().map(|best| best.mv.to_string());
        self.asked += 1;
        if !self.asked.is_multiple_of(self.every) {
            return Ok(best);
        }
        Ok(match self.manner.as_str() {
            "random" => {
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let choice = (self.random >> 33) as usize % moves.len().max(1);
                moves.get(choice).map(|ranked| ranked.mv.to_string())
            }
            "illegal" => Some("a1g9".to_owned()),
            "garbage" => Some("z9\u{fffd}-?".to_owned()),
            "no-move" => None,
            "crash" => exit(7),
            "slow" => {
                sleep(Duration::from_millis(150));
                best
            }
            "silent" => loop {
                sleep(Duration::from_mins(1));
            },
            "deaf" => exit(Command::new("sleep").arg("60").status()?.code().unwrap_or(1)),
            "chatty" => loop {
                say(&"info string I have so much to say ".repeat(40))?;
            },
            "orphan" => {
                Command::new("sleep").arg("60").spawn()?;
                exit(0)
            }
            _ => best,
        })
    }
}
