//! JCEI and UCI, which differ in a few words.
//!
//! `jcei` → `jceiok`, `isready` → `readyok`, `newgame`, `position fen <ranks> <w|b> [moves …]`,
//! `go depth N|movetime MS` → `bestmove a1a2`, or `bestmove 0000` for no move, `quit`. UCI uses `uci`, `uciok` and
//! `ucinewgame`. `setoption name N value V` sets options in both. All other lines of an engine are skipped.
//!
//! Before each question the adapter sends `isready`, and drops output before `readyok`, so a second answer to an
//! earlier question does no harm. Words and squares may be in upper case.

use super::process::Process;
use super::{Dialogue, Failure, Limit, MoveRequest, Quirk, Setup};
use crate::game::Move;
use crate::text::excerpt;
use std::time::Instant;

/// The words of one of the two protocols.
pub struct Uci {
    hello: &'static str,
    hello_answer: &'static str,
    new_game: &'static str,
}

impl Uci {
    /// The Jungle chess engine interface.
    pub const JCEI: Self = Self { hello: "jcei", hello_answer: "jceiok", new_game: "newgame" };

    /// The universal chess interface.
    pub const UCI: Self = Self { hello: "uci", hello_answer: "uciok", new_game: "ucinewgame" };
}

/// The rest of the first line that begins with a word; `each` receives the lines before it.
fn wait_for(
    process: &mut Process,
    word: &str,
    deadline: Instant,
    mut each: impl FnMut(&str),
) -> Result<String, Failure> {
    let asked = Instant::now();
    loop {
        let line = process.receive(asked, deadline)?;
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        if first.eq_ignore_ascii_case(word) {
            return Ok(rest.trim().to_owned());
        }
        each(&line);
    }
}

fn ready(process: &mut Process, deadline: Instant) -> Result<(), Failure> {
    process.send("isready");
    wait_for(process, "readyok", deadline, |_| {}).map(|_| ())
}

impl Dialogue for Uci {
    fn greet(&mut self, process: &mut Process, setup: &Setup) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + setup.start_patience;
        let mut name = None;
        process.send(self.hello);
        wait_for(process, self.hello_answer, deadline, |line| {
            name = line.strip_prefix("id name ").map(|text| excerpt(text.trim())).or(name.take());
        })?;
        for (option, value) in &setup.options {
            process.send(&format!("setoption name {option} value {value}"));
        }
        ready(process, deadline)?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, setup: &Setup) -> Result<(), Failure> {
        process.send(self.new_game);
        ready(process, Instant::now() + setup.start_patience)
    }

    fn ask(&mut self, process: &mut Process, setup: &Setup, question: &MoveRequest) -> Result<Move, Failure> {
        let mut command = "position fen ".to_owned();
        if setup.has(Quirk::WholePosition) || question.moves.is_empty() {
            command += &setup.position(question.rules, &question.position);
        } else {
            command += &setup.position(question.rules, &question.start);
            command += " moves";
            for &mv in question.moves {
                command += &format!(" {}", setup.translate(mv));
            }
        }
        process.send(&command);
        ready(process, Instant::now() + setup.patience)?;
        process.send(&match setup.limit {
            Limit::Time(time) => format!("go movetime {}", time.as_millis()),
            Limit::Depth(depth) => format!("go depth {depth}"),
        });
        let answer = wait_for(process, "bestmove", setup.deadline(), |_| {})?;
        let word = answer.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        match word.as_str() {
            "0000" | "(none)" | "none" | "null" => Err(Failure::NoMove(format!("bestmove {}", excerpt(&answer)))),
            word => {
                let mv = Move::parse(word).map(|mv| setup.translate(mv));
                mv.ok_or_else(|| Failure::Unparsable(format!("bestmove {}", excerpt(&answer)).trim_end().to_owned()))
            }
        }
    }

    fn quit(&mut self, process: &mut Process) {
        process.send("quit");
        process.wait();
    }

    fn explain(&mut self, _: &mut Process, _: &Setup) -> Option<String> {
        None
    }
}
