//! Searching: games in, moves out.

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

/// Memory for the hash table of a new searcher, in bytes.
pub const USUAL_HASH: usize = 16 << 20;

/// Searches positions, and remembers from one search to the next what it has found.
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
    /// If there is no memory for it.
    pub fn new(tables: &'a Tablebase) -> Self {
        Self {
            knowledge: Knowledge::new(tables),
            ground: Ground::new(tables.rules()),
            hash: HashTable::new(USUAL_HASH).expect("there is memory for a hash table of 16 MiB"),
            history: History::new(),
        }
    }

    /// Takes a hash table of at most so many bytes. Tells whether there is the memory; if not, all stays as it was.
    pub fn set_hash(&mut self, bytes: usize) -> bool {
        let table = HashTable::new(bytes);
        let is_there = table.is_some();
        self.hash = table.unwrap_or_else(|| std::mem::replace(&mut self.hash, HashTable::none()));
        is_there
    }

    /// Forgets all it has found, as before a new game, and which tables are missing.
    pub fn clear(&mut self) {
        self.hash.clear();
        self.history = History::new();
        self.knowledge.look_again();
    }

    /// The estimate of a position for the side to move, without any search.
    pub fn estimate(&self, position: &Position) -> Score {
        Score(self.ground.node(position, &[]).estimate())
    }

    /// What has been found wrong with table files since last asked, a line for each file. Such a file is treated as
    /// if it were missing.
    pub fn complaints(&mut self) -> Vec<String> {
        self.knowledge.complaints()
    }

    /// The best move by the tables, as [`best`](super::best) has it; a damaged table counts as missing.
    pub fn choose(&mut self, position: &Position) -> Option<Choice> {
        self.choose_in(&Game::new(*position), &[])
    }

    /// The best move in a game by the tables. Repetition decides between equal moves; a third time on the board is
    /// avoided by a side that wins and taken by one that loses. If `only` names legal moves, it is the best of these.
    pub fn choose_in(&mut self, game: &Game, only: &[Move]) -> Option<Choice> {
        let past = Past::new(&game.position, &game.earlier);
        let knowledge = &mut self.knowledge;
        let Ok(choice) = choose(&self.ground.rules, &game.position, &past, only, &mut |position| {
            Ok::<_, Infallible>(knowledge.ask(position))
        });
        choice
    }

    /// Searches until a limit is reached. Each finished depth is told to `listener`.
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

    /// A search that has not looked at anything yet.
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
