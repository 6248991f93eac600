//! The search interface: takes a game, returns a move.

use super::choice::{Choice, Past, choose};
use super::clock::{Deadline, Limits};
use super::game::Game;
use super::hash::HashTable;
use super::knowledge::Knowledge;
use super::line::Lines;
use super::node::Ground;
use super::order::History;
use super::root::{Progress, SearchResult};
use super::score::Score;
use super::state::{MAX_DEPTH, Search};
use crate::game::{Move, Position};
use crate::probe::Tablebase;
use crate::system::Cancel;
use std::convert::Infallible;
use std::time::Instant;

/// Default size of the hash table, in bytes.
pub const USUAL_HASH: usize = 16 << 20;

/// Searches positions, and keeps its findings from one search to the next.
///
/// ```
/// use jungletb::game::{Position, Rules};
/// use jungletb::play::engine::{Game, Limits, Searcher};
/// use jungletb::probe::Tablebase;
///
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &Rules::standard())?;
/// let game = Game::new(Position::start(tables.rules()).expect("this board has a start position"));
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let report = Searcher::new(&tables).search(&game, &limits, &mut |_| {});
/// assert_eq!(report.depth, 4);
/// assert!(report.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<'a> {
    pub(super) knowledge: Knowledge<'a>,
    ground: Ground,
    pub(super) hash: HashTable,
    history: History,
}

impl<'a> Searcher<'a> {
    /// A searcher that uses these tables, with a hash table of 16 MiB.
    ///
    /// # Panics
    /// Panics if the memory is not available.
    pub fn new(tables: &'a Tablebase) -> Self {
        Self {
            knowledge: Knowledge::new(tables),
            ground: Ground::new(tables.rules()),
            hash: HashTable::new(USUAL_HASH).expect("there is memory for a hash table of 16 MiB"),
            history: History::new(),
        }
    }

    /// Replaces the hash table by one of at most this many bytes. Returns whether the memory is available; if not,
    /// nothing changes.
    pub fn set_hash(&mut self, bytes: usize) -> bool {
        let table = HashTable::new(bytes);
        let is_there = table.is_some();
        self.hash = table.unwrap_or_else(|| std::mem::replace(&mut self.hash, HashTable::none()));
        is_there
    }

    /// Clears all findings, including which tables are missing, as before a new game.
    pub fn clear(&mut self) {
        self.hash.clear();
        self.history = History::new();
        self.knowledge.look_again();
    }

    /// The estimate of a position for the side to move, without a search.
    pub fn estimate(&self, position: &Position) -> Score {
        Score(self.ground.node(position, &[]).estimate())
    }

    /// Errors of table files since the last call, one line per file. Such a file is treated as missing.
    pub fn complaints(&mut self) -> Vec<String> {
        self.knowledge.complaints()
    }

    /// The best move by the tables, as of [`best`](super::best); a damaged table counts as missing.
    pub fn choose(&mut self, position: &Position) -> Option<Choice> {
        self.choose_in(&Game::new(*position), &[])
    }

    /// The best move in a game by the tables. Repetition decides between equal moves; a winning side avoids a third
    /// occurrence, a losing side seeks it. If `only` names legal moves, the best of these.
    pub fn choose_in(&mut self, game: &Game, only: &[Move]) -> Option<Choice> {
        let past = Past::new(&game.position, &game.earlier);
        let knowledge = &mut self.knowledge;
        let Ok(choice) = choose(&self.ground.rules, &game.position, &past, only, &mut |position| {
            Ok::<_, Infallible>(knowledge.ask(position))
        });
        choice
    }

    /// Searches until a limit is reached. Reports each finished depth to `listener`.
    pub fn search(&mut self, game: &Game, limits: &Limits, listener: &mut dyn FnMut(&Progress)) -> SearchResult {
        self.search_until(game, limits, Instant::now(), &Cancel::new(), listener)
    }

    /// Searches until a limit is reached, counting time from `start`, or until `stop` is cancelled.
    pub fn search_until(
        &mut self,
        game: &Game,
        limits: &Limits,
        start: Instant,
        stop: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> SearchResult {
        self.begin(game, limits, start, stop).deepen(game, limits, listener)
    }

    /// The initial state of a search.
    pub(super) fn begin<'s>(
        &'s mut self,
        game: &Game,
        limits: &Limits,
        start: Instant,
        stop: &'s Cancel,
    ) -> Search<'s, 'a> {
        self.hash.begin_search();
        self.history.age();
        self.knowledge.hits = 0;
        Search {
            path: game.earlier.iter().map(|before| self.ground.key(before)).collect(),
            lines: Lines::new(MAX_DEPTH),
            killers: [[None; 2]; MAX_DEPTH + 1],
            ground: &self.ground,
            knowledge: &mut self.knowledge,
            hash: &mut self.hash,
            history: &mut self.history,
            deadline: Deadline::new(limits, game.position.to_move(), start),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            stop,
            stopped: false,
            nodes: 0,
            seldepth: 0,
        }
    }
}
