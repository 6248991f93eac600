//! Adapters for other engines, by protocol.
//!
//! The output of an engine is not trusted: it may answer late, never, with nonsense, with an illegal move, or crash.
//! Each of these is a [`Failure`], and none of them can hang or end the caller. The referee ([`super::trial`]) decides
//! whether a move is legal, not the engine.

mod gtp;
mod process;
mod uci;

use crate::game::{Color, Move, Position, Rules};
use crate::system::Cancel;
use process::Process;
use std::ffi::OsString;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Supported protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `jcei`, answered by `jceiok`; otherwise like UCI. Engines stop thinking when their input ends, so it stays open
    /// until the answer arrives.
    Jcei,
    /// UCI as used by chess engines, with Jungle's positions and moves.
    Uci,
    /// The Go Text Protocol with `setfen`, and moves in two steps: `genmove` gives the from-square, the next `genmove`
    /// the to-square; `play` likewise.
    Gtp,
}

impl Protocol {
    /// The protocols by name.
    pub const ALL: [(&str, Self); 3] = [("jcei", Self::Jcei), ("uci", Self::Uci), ("gtp", Self::Gtp)];
}

/// Deviation of an engine from its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// The first side is `r` (red) in positions instead of `w`.
    FirstSideR,
    /// `moves` is not supported: send the resulting position instead, every time.
    WholePosition,
    /// Its files run from a to g from the right: mirror positions and moves.
    Mirrored,
    /// It expects `- - 0 1` after the side to move, as in chess.
    ClockFields,
    /// The leopard is `J` in positions.
    LeopardJ,
    /// GTP's `b` is the first side, as in Go. In positions the first side is still `w`.
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

/// Limit of the engine for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Time.
    Time(Duration),
    /// Search depth in plies.
    Depth(u32),
}

/// How to run an engine.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Its deviations.
    pub quirks: Vec<Quirk>,
    /// Options to set, by name and value; only for protocols of the UCI family.
    pub options: Vec<(String, String)>,
    /// Limit per move.
    pub limit: Limit,
    /// Time to wait for an answer beyond a time limit, or in total with a depth limit.
    pub patience: Duration,
    /// Time allowed for startup.
    pub start_patience: Duration,
    /// Checked while waiting.
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

    /// Converts a move to the engine's orientation, or back.
    fn translate(&self, mv: Move) -> Move {
        if self.has(Quirk::Mirrored) { Move { from: mv.from.mirror(), to: mv.to.mirror() } } else { mv }
    }

    /// The deadline for the answer to a question sent now.
    fn deadline(&self) -> Instant {
        Instant::now()
            + self.patience
            + match self.limit {
                Limit::Time(time) => time,
                Limit::Depth(_) => Duration::ZERO,
            }
    }
}

/// Why an engine gave no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// It cannot be started, or does not support the protocol.
    #[error("cannot be started: {0}")]
    Start(String),
    /// It ended, or closed its output.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not answer in time.
    #[error("no answer within {} ms", .0.as_millis())]
    Hang(Duration),
    /// Its answer is not a move.
    #[error("unparsable answer {0:?}")]
    Unparsable(String),
    /// It gave no move although one exists.
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
    /// The kinds of failures of engines, by name.
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

    /// Whether the program must be restarted.
    const fn is_fatal(&self) -> bool {
        matches!(self, Self::Start(_) | Self::Crash(_) | Self::Hang(_) | Self::Interrupted)
    }
}

/// A position with the game that led to it.
#[derive(Clone, Debug)]
pub struct MoveRequest<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The start position of the game.
    pub start: Position,
    /// The moves since then.
    pub moves: &'a [Move],
    /// The resulting position.
    pub position: Position,
}

/// The dialogue of one protocol.
trait Dialogue: Send {
    /// Greets the engine and sets its options; returns its name, if given.
    fn greet(&mut self, process: &mut Process, setup: &Setup) -> Result<Option<String>, Failure>;
    /// Starts a game.
    fn new_game(&mut self, process: &mut Process, setup: &Setup) -> Result<(), Failure>;
    /// Requests a move.
    fn ask(&mut self, process: &mut Process, setup: &Setup, question: &MoveRequest) -> Result<Move, Failure>;
    /// Tells the engine to quit.
    fn quit(&mut self, process: &mut Process);
    /// The engine's view of the board, after an illegal answer.
    fn explain(&mut self, process: &mut Process, setup: &Setup) -> Option<String>;
}

/// An engine; its program starts with the first question, and restarts after a crash or a hang.
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
    /// An engine whose program is not running yet.
    pub const fn new(setup: &'a Setup) -> Self {
        Self { setup, running: None, name: None }
    }

    /// The name that the engine gave.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Starts a game, and the program if necessary.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started or fails.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.with(|running, setup| running.dialogue.new_game(&mut running.process, setup))
    }

    /// Requests a move, within the limit of the setup. The move may be illegal.
    ///
    /// # Errors
    /// Returns an error if the engine gives no move.
    pub fn ask(&mut self, question: &MoveRequest) -> Result<Move, Failure> {
        self.with(|running, setup| running.dialogue.ask(&mut running.process, setup, question))
    }

    /// The engine's view of the board, after an illegal answer.
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
