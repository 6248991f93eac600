//! Engines of others, behind the protocols they speak.
//!
//! Nothing an engine does is trusted: it may answer late, never, with nonsense, an illegal move, or die. Each of these
//! is a [`Failure`], and none of them can hang or end the caller. Whether a move is legal is for the referee
//! ([`super::trial`]) to say, not for the engine.

mod gtp;
mod process;
mod uci;

use crate::game::{Color, Move, Position, Rules};
use crate::system::Cancel;
use process::Process;
use std::ffi::OsString;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `jcei`, answered by `jceiok`; otherwise like UCI. Engines stop thinking when their input ends, so it is held
    /// open until the answer is there.
    Jcei,
    /// UCI as chess engines speak it, with Jungle's positions and moves.
    Uci,
    /// The Go Text Protocol with `setfen`, and moves in two steps: `genmove` gives the from-square, the next `genmove`
    /// the to-square; `play` likewise.
    Gtp,
}

impl Protocol {
    /// The protocols by name.
    pub const ALL: [(&str, Self); 3] = [("jcei", Self::Jcei), ("uci", Self::Uci), ("gtp", Self::Gtp)];
}

/// In what an engine differs from others of its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// The first side is `r` (red) in positions instead of `w`.
    FirstSideR,
    /// It knows no `moves`: send the position after them instead, every time.
    WholePosition,
    /// Its files run the other way, a to g from the right: mirror positions and moves.
    Mirrored,
    /// It wants `- - 0 1` after the side to move, as in chess.
    ClockFields,
    /// The leopard is `J` in positions.
    LeopardJ,
    /// GTP's `b` is the first side, as in Go. In positions it is `w` still.
    FirstSideBlack,
}

impl Quirk {
    /// The quirks by name.
    pub const ALL: [(&str, Self); 6] = [
        ("first-side-r", Self::FirstSideR),
        ("whole-position", Self::WholePosition),
        ("mirrored", Self::Mirrored),
        ("clock-fields", Self::ClockFields),
        ("leopard-j", Self::LeopardJ),
        ("first-side-black", Self::FirstSideBlack),
    ];
}

/// How long an engine may think about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So much time.
    Time(Duration),
    /// So many plies of search.
    Depth(u32),
}

/// How an engine is run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// What it speaks.
    pub protocol: Protocol,
    /// How it differs.
    pub quirks: Vec<Quirk>,
    /// Options to set, by name and value; protocols of the UCI kind only.
    pub options: Vec<(String, String)>,
    /// The limit of each move.
    pub limit: Limit,
    /// How long to wait for an answer beyond a limit of time, or for it at all with a limit of depth.
    pub patience: Duration,
    /// How long it may take to start.
    pub start_patience: Duration,
    /// Looked at while waiting.
    pub cancel: Cancel,
}

impl Setup {
    fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// A position as the engine reads it.
    fn position(&self, rules: &Rules, position: &Position) -> String {
        let position = if self.has(Quirk::Mirrored) { position.mirror() } else { *position };
        let mut text = position.to_text(rules);
        if self.has(Quirk::LeopardJ) {
            text = text.replace('P', "J").replace('p', "j");
        }
        if self.has(Quirk::FirstSideR) && position.to_move() == Color::White {
            text.pop();
            text.push('r');
        }
        if self.has(Quirk::ClockFields) {
            text += " - - 0 1";
        }
        text
    }

    /// A move as the engine writes it, or the reverse.
    fn translate(&self, mv: Move) -> Move {
        if self.has(Quirk::Mirrored) { Move { from: mv.from.mirror(), to: mv.to.mirror() } } else { mv }
    }

    /// When the answer to a question asked now must be there.
    fn deadline(&self) -> Instant {
        Instant::now()
            + self.patience
            + match self.limit {
                Limit::Time(time) => time,
                Limit::Depth(_) => Duration::ZERO,
            }
    }
}

/// What an engine did instead of giving a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// It cannot be started, or does not speak the protocol.
    #[error("cannot be started: {0}")]
    Start(String),
    /// It ended, or closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It said nothing in time.
    #[error("no answer within {} ms", .0.as_millis())]
    Hang(Duration),
    /// Its answer is no move.
    #[error("unparsable answer {0:?}")]
    Unparsable(String),
    /// It gave no move though there is one.
    #[error("no move given: {0:?}")]
    NoMove(String),
    /// Its move is not legal.
    #[error("illegal move {0}")]
    Illegal(Move),
    /// The caller was interrupted while waiting.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The kinds of failures that are an engine's, by name.
    pub const NAMES: [&str; 6] = ["start", "crash", "hang", "unparsable", "no-move", "illegal"];

    /// `crash`, `hang`, …
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => Self::NAMES[0],
            Self::Crash(_) => Self::NAMES[1],
            Self::Hang(_) => Self::NAMES[2],
            Self::Unparsable(_) => Self::NAMES[3],
            Self::NoMove(_) => Self::NAMES[4],
            Self::Illegal(_) => Self::NAMES[5],
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the program must be started again.
    const fn is_fatal(&self) -> bool {
        matches!(self, Self::Start(_) | Self::Crash(_) | Self::Hang(_) | Self::Interrupted)
    }
}

/// A position as a game has come to it.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Where the game began.
    pub start: Position,
    /// The moves since.
    pub moves: &'a [Move],
    /// Where they lead.
    pub position: Position,
}

/// One protocol's way to say things.
trait Dialogue: Send {
    /// Greets the engine and sets its options; its name, if it tells one.
    fn greet(&mut self, process: &mut Process, setup: &Setup) -> Result<Option<String>, Failure>;
    /// Begins a game.
    fn new_game(&mut self, process: &mut Process, setup: &Setup) -> Result<(), Failure>;
    /// Asks for a move.
    fn ask(&mut self, process: &mut Process, setup: &Setup, question: &Question) -> Result<Move, Failure>;
    /// Says good-bye.
    fn quit(&mut self, process: &mut Process);
    /// Whatever the engine can say about an illegal answer of its own.
    fn explain(&mut self, process: &mut Process, setup: &Setup) -> Option<String>;
}

/// An engine; its program runs from the first question on, and is started again after a crash or a hang.
pub struct Engine<'a> {
    setup: &'a Setup,
    running: Option<Running>,
    name: Option<String>,
}

struct Running {
    process: Process,
    dialogue: Box<dyn Dialogue>,
}

impl<'a> Engine<'a> {
    /// An engine whose program does not run yet.
    pub const fn new(setup: &'a Setup) -> Self {
        Self { setup, running: None, name: None }
    }

    /// The name that it gave.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Begins a game, starting the program if need be.
    ///
    /// # Errors
    /// A program that cannot be started or fails.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.with(|running, setup| running.dialogue.new_game(&mut running.process, setup))
    }

    /// Asks for a move, within the limit of the setup. The move need not be legal.
    ///
    /// # Errors
    /// Anything but a move.
    pub fn ask(&mut self, question: &Question) -> Result<Move, Failure> {
        self.with(|running, setup| running.dialogue.ask(&mut running.process, setup, question))
    }

    /// What the engine can say about an illegal answer of its own, as its picture of the board.
    pub fn explain(&mut self) -> Option<String> {
        let running = self.running.as_mut()?;
        running.dialogue.explain(&mut running.process, self.setup)
    }

    fn with<T>(&mut self, say: impl FnOnce(&mut Running, &Setup) -> Result<T, Failure>) -> Result<T, Failure> {
        if self.running.is_none() {
            let mut process = Process::start(&self.setup.command, &self.setup.cancel)?;
            let mut dialogue: Box<dyn Dialogue> = match self.setup.protocol {
                Protocol::Jcei => Box::new(uci::Uci::JCEI),
                Protocol::Uci => Box::new(uci::Uci::UCI),
                Protocol::Gtp => Box::new(gtp::Gtp::default()),
            };
            let name = dialogue.greet(&mut process, self.setup).map_err(|failure| match failure {
                Failure::Interrupted => failure,
                failure => Failure::Start(failure.to_string()),
            })?;
            self.name = name.or(self.name.take());
            self.running = Some(Running { process, dialogue });
        }
        let Some(running) = self.running.as_mut() else { return Err(Failure::Start("it does not run".to_owned())) };
        let said = say(running, self.setup);
        if said.as_ref().is_err_and(Failure::is_fatal) {
            self.running = None;
        }
        said
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        if let Some(running) = &mut self.running {
            running.dialogue.quit(&mut running.process);
        }
    }
}
