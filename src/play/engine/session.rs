//! Protocol sessions: executes commands and runs searches in parallel.

use super::choice::Choice;
use super::clock::Limits;
use super::game::Game;
use super::protocol::{Command, Dialect, Go, MAX_LINE, MOST_HASH};
use super::root::Progress;
use super::score::Score;
use super::searcher::{Searcher, USUAL_HASH};
use super::tables::{announce, folders};
use crate::game::{Category, Move, Position, Rules};
use crate::probe::{Answer, Options, Tablebase};
use crate::system::Cancel;
use crate::table::SearchPath;
use crate::text::{Line, LineReader, bytes, quoted};
use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle, scope};
use std::time::Instant;

/// Runs the protocols `jcei` and `uci` until `quit` or the end of the input. A search with a limit is then awaited, any
/// other is stopped. All input is answered or reported in an `info string error: …` line.
///
/// # Errors
/// Returns the errors of input and output.
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
pub fn run(tables: &Tablebase, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Output(Mutex::new(output));
    let mut input = LineReader::new(input, MAX_LINE);
    let game = Position::start(tables.rules()).map(Game::new);
    let mut kept = Kept { game, hash: USUAL_HASH, has_told_of_tables: false };
    let mut opened: Option<Tablebase> = None;
    loop {
        let tables = opened.as_ref().unwrap_or(tables);
        let ended = scope(|scope| {
            let mut searcher = Searcher::new(tables);
            searcher.set_hash(kept.hash);
            let mut session =
                Session { scope, output: &output, tables, searcher: Some(searcher), running: None, kept: &mut kept };
            let ended = session.talk(&mut input);
            // After any error, no search may outlive the session.
            if ended.is_err() {
                session.stop();
            }
            session.finish().and(ended)
        });
        match ended? {
            Ended::Quit => return Ok(()),
            Ended::Tables(tables) => opened = Some(*tables),
        }
    }
}

/// Why a session over some tables ended.
enum Ended {
    /// The input ended, or `quit`.
    Quit,
    /// It continues with these tables.
    Tables(Box<Tablebase>),
}

/// State that is kept when tables change.
struct Kept {
    /// `None` before the first position on a board that has no start position.
    game: Option<Game>,
    /// Size of the hash table in bytes.
    hash: usize,
    has_told_of_tables: bool,
}

/// Output shared by the session and the running search.
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

struct Session<'scope, 'env, 'kept, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    /// `None` while a search is running.
    searcher: Option<Searcher<'env>>,
    running: Option<Running<'scope, 'env>>,
    tables: &'env Tablebase,
    kept: &'kept mut Kept,
}

/// A `go` without an answer yet.
enum Running<'scope, 'env> {
    /// The answer is known and withheld until `stop`.
    Held(Option<Move>),
    Search {
        thread: ScopedJoinHandle<'scope, Searched<'env>>,
        stop: Cancel,
        /// Whether it ends on its own.
        is_limited: bool,
        /// Whether its answer is withheld when it is over.
        holds: bool,
    },
}

/// The state a search leaves behind.
struct Searched<'env> {
    searcher: Searcher<'env>,
    best: Option<Move>,
    said: io::Result<()>,
}

impl<'env, W: Write + Send> Session<'_, 'env, '_, W> {
    fn talk(&mut self, input: &mut LineReader<impl BufRead>) -> io::Result<Ended> {
        while let Some(line) = input.read()? {
            let received = Instant::now();
            let Some(line) = self.text(line)? else { continue };
            match Command::parse(line) {
                Ok(Command::Quit) => {
                    self.stop();
                    return Ok(Ended::Quit);
                }
                Ok(Command::TablePath(path)) => match self.open(&path) {
                    Ok(tables) => {
                        self.stop();
                        return Ok(Ended::Tables(Box::new(tables)));
                    }
                    Err(error) => self.error(&format!("setoption: TablePath: {error}"))?,
                },
                Ok(command) => self.obey(command, received)?,
                Err(error) => self.error(&error)?,
            }
        }
        Ok(Ended::Quit)
    }

    /// The text of a line; errors in it are reported.
    fn text<'l>(&self, line: Line<'l>) -> io::Result<Option<&'l str>> {
        if line.is_cut {
            self.error(&format!("the line is longer than {}", bytes(MAX_LINE as u64)))?;
            return Ok(None);
        }
        let text = std::str::from_utf8(line.bytes);
        if text.is_err() {
            self.error("the line is not UTF-8")?;
        }
        Ok(text.ok())
    }

    /// Opens tables of the same rules in folders separated as in `$PATH`. Tables that are part of the program stay.
    fn open(&mut self, path: &str) -> Result<Tablebase, String> {
        let folders = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty());
        let mut search = SearchPath::new(folders);
        if search.folders().is_empty() {
            return Err("give a folder of tables".to_owned());
        }
        for store in self.tables.registry().search_path().stores() {
            search = search.with_store(Arc::clone(store));
        }
        let tables = Tablebase::open_path(&search, self.tables.rules(), Options::default());
        let tables = tables.map_err(|error| error.to_string())?;
        self.kept.has_told_of_tables = true;
        // A write error shows again with the next line.
        self.output.say(&announce(&tables)).map_err(|error| error.to_string())?;
        Ok(tables)
    }

    /// Reports once how many tables there are, and where.
    fn tell_of_tables(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.kept.has_told_of_tables, true) {
            return Ok(());
        }
        self.output.say(&announce(self.tables))
    }

    /// Reports once if there are no tables.
    fn tell_of_missing_tables(&mut self) -> io::Result<()> {
        if self.tables.most_pieces() == 0 { self.tell_of_tables() } else { Ok(()) }
    }

    fn obey(&mut self, command: Command, received: Instant) -> io::Result<()> {
        match command {
            Command::Greet(dialect) => self.greet(dialect),
            Command::IsReady => {
                self.tell_of_tables()?;
                self.output.say("readyok")
            }
            Command::NewGame => {
                self.searcher()?.clear();
                self.kept.game = Position::start(self.tables.rules()).map(Game::new);
                Ok(())
            }
            Command::Position { from, moves } => match set_up(self.tables.rules(), from.as_deref(), &moves) {
                Ok(game) => {
                    self.kept.game = Some(game);
                    Ok(())
                }
                Err(error) => self.error(&error),
            },
            Command::Go(go) => self.go(go, received),
            Command::Stop => {
                self.stop();
                self.finish()
            }
            Command::PonderHit => match self.running {
                Some(Running::Held(_) | Running::Search { holds: true, .. }) => {
                    self.stop();
                    self.finish()
                }
                _ => Ok(()),
            },
            Command::Hash(size) => {
                let bytes = (size as usize) << 20;
                if self.searcher()?.set_hash(bytes) {
                    self.kept.hash = bytes;
                    return Ok(());
                }
                self.error(&format!("setoption: Hash {size}: not enough memory; the previous table stays"))
            }
            Command::ClearHash => {
                self.searcher()?.clear();
                Ok(())
            }
            Command::Quit | Command::TablePath(_) | Command::Nothing => Ok(()),
        }
    }

    fn greet(&mut self, dialect: Dialect) -> io::Result<()> {
        self.output.say(concat!("id name jungletb ", env!("CARGO_PKG_VERSION")))?;
        self.output.say("id author the jungletb authors")?;
        if dialect == Dialect::Jcei {
            self.tell_of_missing_tables()?;
            return self.output.say("jceiok");
        }
        let usual = USUAL_HASH >> 20;
        self.output.say(&format!("option name Hash type spin default {usual} min 1 max {MOST_HASH}"))?;
        self.output.say("option name Clear Hash type button")?;
        let folders = folders(self.tables);
        self.output.say(&format!("option name TablePath type string default {folders}"))?;
        self.tell_of_missing_tables()?;
        self.output.say("uciok")
    }

    /// Answers with exactly one `bestmove`, now or later, even if the `go` is malformed.
    fn go(&mut self, go: Go, received: Instant) -> io::Result<()> {
        // The previous search is answered before anything is reported about this one.
        self.searcher()?;
        self.tell_of_missing_tables()?;
        for fault in &go.faults {
            self.error(fault)?;
        }
        let Go { mut limits, holds, moves, .. } = go;
        let Some(game) = self.kept.game.clone() else {
            self.error("go: no position given, and this board has no start position")?;
            return self.answer(None, holds);
        };
        let (output, rules) = (self.output, self.tables.rules());
        let position = &game.position;
        if let Some((over, category)) = position.over(rules) {
            let answer = Answer { category, dtw: (category != Category::Draw).then_some(0), over: None };
            self.output.say(&format!("info depth 0 score {}", Score(Score::of(answer, 0, 0))))?;
            self.output.say(&format!("info string the game is over: {}", over.name()))?;
            return self.answer(None, holds);
        }
        for text in &moves {
            match Move::parse(text).filter(|&mv| position.play(rules, mv).is_some()) {
                Some(mv) => limits.moves.push(mv),
                None => self.error(&format!("go: searchmoves {} is not legal here", quoted(text)))?,
            }
        }
        if limits.moves.is_empty() && !moves.is_empty() {
            self.error("go: searchmoves names no legal move: choosing from all moves")?;
        }
        let searcher = self.searcher()?;
        let choice = searcher.choose_in(&game, &limits.moves);
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
            let stop = stop.clone();
            move || search(searcher, &game, &limits, holds, received, &stop, output)
        };
        let thread = self.scope.spawn(work);
        self.running = Some(Running::Search { thread, stop, is_limited, holds });
        Ok(())
    }

    /// Sends the answer to a `go`, or withholds it until `stop`.
    fn answer(&mut self, best: Option<Move>, holds: bool) -> io::Result<()> {
        if holds {
            self.running = Some(Running::Held(best));
            return Ok(());
        }
        self.output.best_move(best)
    }

    /// Stops a running search.
    fn stop(&self) {
        if let Some(Running::Search { stop, .. }) = &self.running {
            stop.cancel();
        }
    }

    /// Waits for the running search if it is limited or stopped, else stops it; its answer is sent.
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

    /// The searcher; a running search is stopped first.
    fn searcher(&mut self) -> io::Result<&mut Searcher<'env>> {
        self.stop();
        self.finish()?;
        Ok(self.searcher.as_mut().expect("the searcher is back once nothing is running"))
    }

    fn error(&self, what: &str) -> io::Result<()> {
        self.output.say(&format!("info string error: {what}"))
    }
}

/// The game of a `position` command.
fn set_up(rules: &Rules, from: Option<&str>, moves: &[String]) -> Result<Game, String> {
    let position = match from {
        None => Position::start(rules)
            .ok_or_else(|| format!("position: the board of {} has no start position", rules.name()))?,
        Some(text) => Position::parse(rules, text).map_err(|error| format!("position: {error}"))?,
    };
    let mut game = Game::new(position);
    for (n, text) in moves.iter().enumerate() {
        let mv =
            Move::parse(text).ok_or_else(|| format!("position: move {}, {}, is not a move", n + 1, quoted(text)))?;
        if !game.play(rules, mv) {
            let before = game.position.to_text(rules);
            return Err(format!("position: move {}, {mv}, is not legal in {before}", n + 1));
        }
    }
    Ok(game)
}

/// The search thread.
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

/// Maximum plies of a table line to report: the answer must not wait for it.
const TOLD_PLIES: usize = 12;

/// The beginning of the best line by the tables.
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
