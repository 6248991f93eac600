//! The Go Text Protocol as used by Jungle engines.
//!
//! `clear_board` starts a game, `setfen <ranks> <w|b>` sets a position. A move takes two steps: `genmove w` gives the
//! from-square, the next `genmove w` the to-square; `play w d7`, `play w d8` send the opponent's move. An engine may
//! answer with both squares at once. `time_settings 0 <seconds> 1` sets a time limit if the engine supports it; GTP has
//! no depth limit. `showboard` shows the engine's board after an illegal answer.
//!
//! Each answer is `=` or `?` with a text, ended by an empty line.

use super::process::Process;
use super::{Dialogue, Failure, Limit, MoveRequest, Quirk, Setup};
use crate::game::{Color, Move, Position, Square};
use crate::text::excerpt;
use std::time::Instant;

/// The state of the engine as far as known.
#[derive(Default)]
pub struct Gtp {
    /// The position on its board.
    board: Option<Position>,
    knows_time: bool,
    knows_showboard: bool,
}

/// Sends a command; returns the text of the answer, as an inner error if the answer reports failure.
fn command(process: &mut Process, text: &str, deadline: Instant) -> Result<Result<String, String>, Failure> {
    let asked = Instant::now();
    process.send(text);
    let mut answer: Option<(bool, String)> = None;
    loop {
        let line = process.receive(asked, deadline)?;
        if let Some((good, text)) = &mut answer {
            if line.is_empty() {
                let text = std::mem::take(text);
                return Ok(if *good { Ok(text) } else { Err(text) });
            }
            // An engine that prints without end runs into the deadline; the excess output is dropped.
            if text.len() < 4096 {
                text.push('\n');
                text.push_str(&line);
            }
        } else if let Some(rest) = line.strip_prefix('=') {
            answer = Some((true, after_id(rest)));
        } else if let Some(rest) = line.strip_prefix('?') {
            answer = Some((false, after_id(rest)));
        }
    }
}

/// The text of an answer without the optional number before it.
fn after_id(text: &str) -> String {
    let text = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    text.trim().to_owned()
}

/// A side as the engine names it.
fn letter(setup: &Setup, color: Color) -> char {
    match (color, setup.has(Quirk::FirstSideBlack)) {
        (Color::White, false) | (Color::Black, true) => 'w',
        (Color::Black, false) | (Color::White, true) => 'b',
    }
}

impl Gtp {
    /// Sends a command that every engine must support.
    fn must(process: &mut Process, text: &str, deadline: Instant) -> Result<String, Failure> {
        let answer = command(process, text, deadline)?;
        answer.map_err(|error| Failure::Unparsable(format!("{text}: ? {}", excerpt(&error))))
    }

    /// Sets up the position of a question on the engine's board.
    fn set(&mut self, process: &mut Process, setup: &Setup, question: &MoveRequest) -> Result<(), Failure> {
        let deadline = Instant::now() + setup.patience;
        let before = self.board.take();
        if before == Some(question.position) {
            return Ok(());
        }
        let last = question.moves.last().filter(|_| !setup.has(Quirk::WholePosition));
        if let Some((board, &mv)) = before.zip(last)
            && board.play(question.rules, mv) == Some(question.position)
        {
            let (color, mv) = (letter(setup, board.to_move()), setup.translate(mv));
            for square in [mv.from, mv.to] {
                Self::must(process, &format!("play {color} {square}"), deadline)?;
            }
        } else {
            let text = setup.position(question.rules, &question.position);
            Self::must(process, &format!("setfen {text}"), deadline)?;
        }
        Ok(())
    }
}

impl Dialogue for Gtp {
    fn greet(&mut self, process: &mut Process, setup: &Setup) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + setup.start_patience;
        let name = command(process, "name", deadline)?.ok().map(|name| excerpt(&name));
        let mut knows = |what: &str| -> Result<bool, Failure> {
            let answer = command(process, &format!("known_command {what}"), deadline)?;
            Ok(answer.is_ok_and(|answer| answer.eq_ignore_ascii_case("true")))
        };
        self.knows_time = knows("time_settings")?;
        self.knows_showboard = knows("showboard")?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, setup: &Setup) -> Result<(), Failure> {
        self.board = None;
        let deadline = Instant::now() + setup.start_patience;
        Self::must(process, "clear_board", deadline)?;
        if let (Limit::Time(time), true) = (setup.limit, self.knows_time) {
            Self::must(process, &format!("time_settings 0 {} 1", time.as_secs().max(1)), deadline)?;
        }
        Ok(())
    }

    fn ask(&mut self, process: &mut Process, setup: &Setup, question: &MoveRequest) -> Result<Move, Failure> {
        self.set(process, setup, question)?;
        let deadline = setup.deadline();
        let genmove = format!("genmove {}", letter(setup, question.position.to_move()));
        let mut squares: Vec<Square> = Vec::new();
        while squares.len() < 2 {
            let answer = match command(process, &genmove, deadline)? {
                Ok(answer) => answer.to_ascii_lowercase(),
                Err(error) => return Err(Failure::NoMove(format!("? {}", excerpt(&error)))),
            };
            if matches!(answer.as_str(), "pass" | "resign" | "none" | "0000") {
                return Err(Failure::NoMove(answer));
            }
            if let Some(mv) = Move::parse(&answer).filter(|_| squares.is_empty()) {
                squares.extend([mv.from, mv.to]);
            } else if let Some(square) = Square::parse(&answer) {
                squares.push(square);
            } else {
                return Err(Failure::Unparsable(format!("= {}", excerpt(&answer))));
            }
        }
        let mv = setup.translate(Move { from: squares[0], to: squares[1] });
        self.board = question.position.play(question.rules, mv);
        Ok(mv)
    }

    fn quit(&mut self, process: &mut Process) {
        process.send("quit");
        process.wait();
    }

    fn explain(&mut self, process: &mut Process, setup: &Setup) -> Option<String> {
        self.board = None;
        let deadline = Instant::now() + setup.patience;
        self.knows_showboard.then(|| command(process, "showboard", deadline).ok()?.ok()).flatten()
    }
}
