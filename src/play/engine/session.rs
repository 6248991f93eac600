//! A conversation: commands are carried out, searches run beside it.

use super::choice::Choice;
use super::clock::Limits;
use super::protocol::{Command, Dialect, Line, MOST_HASH, quoted, read_line};
use super::score::Score;
use super::searcher::{Game, Progress, Searcher, USUAL_HASH};
use crate::game::{Category, Move, Position, Rules};
use crate::probe::{Answer, Tablebase};
use crate::system::Cancel;
use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle, scope};
use std::time::Instant;

/// Speaks `jcei` and `uci` until `quit` or the end of the input. A search that would end by itself is then waited for,
/// any other is stopped. Whatever comes in, it is answered or reported in an `info string error: …` line.
///
/// # Errors
/// Those of input and output.
///
/// ```
/// use jungletb::game::Rules;
/// use jungletb::play::engine::run;
/// use jungletb::probe::Tablebase;
///
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &Rules::standard())?;
/// let mut output = Vec::new();
/// run(&tables, &b"position fen 7/7/2r4/3L3/7/3c3/7/7/7 w\ngo movetime 100\n"[..], &mut output)?;
/// assert!(output.ends_with(b"bestmove d6d7\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(tables: &Tablebase, mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Output(Mutex::new(output));
    scope(|scope| {
        let mut session = Session {
            scope,
            output: &output,
            searcher: Some(Searcher::new(tables)),
            running: None,
            rules: tables.rules(),
            game: Position::start(tables.rules()).map(Game::new),
        };
        let ended = session.talk(&mut input);
        // Whatever went wrong, no search may outlive the conversation.
        if ended.is_err() {
            session.stop();
        }
        session.finish().and(ended)
    })
}

/// Where lines go, from the conversation and from the search beside it.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn say(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    }

    fn best_move(&self, best: Option<Move>) -> io::Result<()> {
        match best {
            Some(mv) => self.say(&format!("bestmove {mv}")),
            None => self.say("bestmove 0000"),
        }
    }

    fn complain(&self, searcher: &mut Searcher) -> io::Result<()> {
        searcher.complaints().iter().try_for_each(|line| self.say(&format!("info string {line}; playing without it")))
    }
}

struct Session<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    /// Away while a search is running.
    searcher: Option<Searcher<'env>>,
    running: Option<Running<'scope, 'env>>,
    rules: &'env Rules,
    /// `None` before the first position on a board that has no start position.
    game: Option<Game>,
}

/// A `go` that was not answered yet.
enum Running<'scope, 'env> {
    /// The answer is known, and is to be given at `stop`.
    Held(Option<Move>),
    Search {
        thread: ScopedJoinHandle<'scope, Searched<'env>>,
        stop: Cancel,
        /// Whether it ends by itself.
        is_limited: bool,
        /// Whether its answer is still to be given when it is over.
        holds: bool,
    },
}

/// What a search leaves behind.
struct Searched<'env> {
    searcher: Searcher<'env>,
    best: Option<Move>,
    said: io::Result<()>,
}

impl<'env, W: Write + Send> Session<'_, 'env, W> {
    fn talk(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        loop {
            let line = match read_line(input)? {
                Line::Text(line) => line,
                Line::Bad(what) => {
                    self.error(what)?;
                    continue;
                }
                Line::End => return Ok(()),
            };
            let received = Instant::now();
            match Command::parse(&line) {
                Ok(Command::Quit) => {
                    self.stop();
                    return Ok(());
                }
                Ok(command) => self.obey(command, received)?,
                Err(error) => self.error(&error)?,
            }
        }
    }

    fn obey(&mut self, command: Command, received: Instant) -> io::Result<()> {
        match command {
            Command::Greet(dialect) => self.greet(dialect),
            Command::IsReady => self.output.say("readyok"),
            Command::NewGame => {
                self.searcher()?.clear();
                self.game = Position::start(self.rules).map(Game::new);
                Ok(())
            }
            Command::Position { from, moves } => match set_up(self.rules, from.as_deref(), &moves) {
                Ok(game) => {
                    self.game = Some(game);
                    Ok(())
                }
                Err(error) => self.error(&error),
            },
            Command::Go { limits, holds } => self.go(&limits, holds, received),
            Command::Stop => {
                self.stop();
                self.finish()
            }
            Command::Hash(size) => {
                if self.searcher()?.set_hash((size as usize) << 20) {
                    return Ok(());
                }
                self.error(&format!("setoption: Hash {size}: there is no memory for it; the former table stays"))
            }
            Command::ClearHash => {
                self.searcher()?.clear();
                Ok(())
            }
            Command::Quit | Command::Nothing => Ok(()),
        }
    }

    fn greet(&self, dialect: Dialect) -> io::Result<()> {
        self.output.say(concat!("id name jungletb ", env!("CARGO_PKG_VERSION")))?;
        self.output.say("id author the jungletb authors")?;
        if dialect == Dialect::Jcei {
            return self.output.say("jceiok");
        }
        let usual = USUAL_HASH >> 20;
        self.output.say(&format!("option name Hash type spin default {usual} min 1 max {MOST_HASH}"))?;
        self.output.say("option name Clear Hash type button")?;
        self.output.say("uciok")
    }

    fn go(&mut self, limits: &Limits, holds: bool, received: Instant) -> io::Result<()> {
        self.searcher()?;
        let Some(game) = self.game.clone() else {
            self.error("go: no position given, and this board has no start position")?;
            return self.answer(None, holds);
        };
        let position = &game.position;
        if let Some((over, category)) = position.over(self.rules) {
            let answer = Answer { category, dtw: (category != Category::Draw).then_some(0), over: None };
            self.output.say(&format!("info depth 0 score {}", Score(Score::of(answer, 0, 0))))?;
            self.output.say(&format!("info string the game is over: {}", over.name()))?;
            return self.answer(None, holds);
        }
        let (output, rules) = (self.output, self.rules);
        let searcher = self.searcher()?;
        let choice = searcher.choose(position);
        output.complain(searcher)?;
        if let Some(choice) = choice {
            let line = line_from(searcher, rules, position, &choice);
            output.say(&describe(&choice, &line, received))?;
            return self.answer(Some(choice.mv), holds);
        }
        let is_limited = !holds && limits.is_limited(position.to_move());
        let stop = Cancel::new();
        let Some(searcher) = self.searcher.take() else { return Ok(()) };
        let work = {
            let (stop, limits) = (stop.clone(), limits.clone());
            move || search(searcher, &game, &limits, holds, received, &stop, output)
        };
        let thread = self.scope.spawn(work);
        self.running = Some(Running::Search { thread, stop, is_limited, holds });
        Ok(())
    }

    /// Gives the answer to a `go`, or keeps it until `stop`.
    fn answer(&mut self, best: Option<Move>, holds: bool) -> io::Result<()> {
        if holds {
            self.running = Some(Running::Held(best));
            return Ok(());
        }
        self.output.best_move(best)
    }

    /// Tells a running search to stop.
    fn stop(&self) {
        if let Some(Running::Search { stop, .. }) = &self.running {
            stop.cancel();
        }
    }

    /// Waits for what is running if it ends by itself or was stopped, else stops it; its answer is given.
    fn finish(&mut self) -> io::Result<()> {
        match self.running.take() {
            None => Ok(()),
            Some(Running::Held(best)) => self.output.best_move(best),
            Some(Running::Search { thread, stop, is_limited, holds }) => {
                if !is_limited {
                    stop.cancel();
                }
                let searched = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                self.searcher = Some(searched.searcher);
                searched.said?;
                if holds { self.output.best_move(searched.best) } else { Ok(()) }
            }
        }
    }

    /// The searcher, for which whatever is running is stopped first.
    fn searcher(&mut self) -> io::Result<&mut Searcher<'env>> {
        self.stop();
        self.finish()?;
        Ok(self.searcher.as_mut().expect("the searcher is back once nothing is running"))
    }

    fn error(&self, what: &str) -> io::Result<()> {
        self.output.say(&format!("info string error: {what}"))
    }
}

/// The position of a `position` command.
fn set_up(rules: &Rules, from: Option<&str>, moves: &[String]) -> Result<Game, String> {
    let position = match from {
        None => Position::start(rules)
            .ok_or_else(|| format!("position: the board of {} has no start position", rules.name()))?,
        Some(text) => Position::parse(rules, text).map_err(|error| format!("position: {error}"))?,
    };
    let mut game = Game::new(position);
    for (n, text) in moves.iter().enumerate() {
        let mv = Move::parse(text).ok_or_else(|| format!("position: move {}, {}, is no move", n + 1, quoted(text)))?;
        if !game.play(rules, mv) {
            let before = game.position.to_text(rules);
            return Err(format!("position: move {}, {mv}, is not legal in {before}", n + 1));
        }
    }
    Ok(game)
}

/// The work of a search's thread.
fn search<'env>(
    mut searcher: Searcher<'env>,
    game: &Game,
    limits: &Limits,
    holds: bool,
    received: Instant,
    stop: &Cancel,
    output: &Output<impl Write>,
) -> Searched<'env> {
    let mut said = Ok(());
    let mut listener = |progress: &Progress| {
        if said.is_ok() {
            said = output.say(&info(progress));
        }
        if said.is_err() {
            stop.cancel();
        }
    };
    let best = searcher.search_until(game, limits, received, stop, &mut listener).best;
    let mut said = said.and_then(|()| output.complain(&mut searcher));
    if !holds && said.is_ok() {
        said = output.best_move(best);
    }
    Searched { searcher, best, said }
}

fn info(progress: &Progress) -> String {
    let Progress { depth, seldepth, score, nodes, time, hash_permille, table_hits, line } = progress;
    let nps = u128::from(*nodes) * 1_000_000 / time.as_micros().max(1);
    let time = time.as_millis();
    format!(
        "info depth {depth} seldepth {seldepth} score {score} nodes {nodes} nps {nps} hashfull {hash_permille} \
         tbhits {table_hits} time {time} pv {}",
        text(line)
    )
}

fn text(line: &[Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// How much of a line from the tables is told: the answer must not wait for it.
const TOLD_PLIES: usize = 12;

/// The beginning of the line that the tables say is best.
fn line_from(searcher: &mut Searcher, rules: &Rules, position: &Position, choice: &Choice) -> Vec<Move> {
    let mut line = vec![choice.mv];
    let mut next = position.play(rules, choice.mv);
    while line.len() < TOLD_PLIES && choice.answer.category != Category::Draw {
        let Some(position) = next else { break };
        let Some(choice) = searcher.choose(&position) else { break };
        line.push(choice.mv);
        next = position.play(rules, choice.mv);
    }
    line
}

fn describe(choice: &Choice, line: &[Move], received: Instant) -> String {
    let score = Score(Score::of(choice.answer, 0, 0));
    let time = received.elapsed().as_millis();
    let plies = line.len();
    format!("info depth {plies} seldepth {plies} score {score} nodes 1 nps 0 tbhits 1 time {time} pv {}", text(line))
}
