//! A winning strategy as a graph: one move where the winner is to move, all replies where the other side is.
//!
//! The graph is built from the root down. For each position with the winner to move, a [`Source`] is queried for a move
//! that wins in time; positions that a move of the winner can end at once, and those with a table value, are not stored
//! but recomputed when the strategy is written. Each position is stored once, for all paths that lead to it, with its
//! height: the plies within which the strategy ends the game from there. A position that is needed within fewer plies
//! than its height gets a faster strategy, which also serves the earlier paths. Heights only decrease, and the height
//! of a position is greater than those of the positions it leads to, so the graph has no cycle.

use super::wire::PackedPosition;
use crate::game::{Category, Color, Move, Position, Rules, Successor};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::{Metric, TableError};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// Source of the moves of a strategy: a prover, or any other.
pub trait Source {
    /// The known value of a position without a search: win or loss for the side to move, with the plies within which
    /// the game ends.
    fn known(&mut self, position: &Position) -> Option<(Category, u16)>;

    /// A move that wins within this number of plies, counting itself; searches if necessary.
    ///
    /// # Errors
    /// Returns an error if no move was found, or the search was stopped.
    fn winning_move(&mut self, position: &Position, plies: u16) -> Result<Move, SourceError>;

    /// Called repeatedly with the number of positions of the strategy so far.
    fn progress(&mut self, positions: usize) {
        let _ = positions;
    }
}

/// Why a source has no move for a won position.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// It was cancelled.
    #[error("interrupted")]
    Interrupted,
    /// The source reached a limit.
    #[error("{0}")]
    Limit(String),
    /// A table could not be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Why a strategy could not be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// The game is over in the position.
    #[error("the game is over in {0}: there is nothing to certify")]
    Over(String),
    /// The source has no move for a position.
    #[error("no move was found again for {position}, which is won in at most {plies} plies: {cause}")]
    NoMove {
        /// The position.
        position: String,
        /// The plies within which it is won.
        plies: u16,
        /// The cause.
        cause: Box<SourceError>,
    },
    /// The source's claim contradicts the rules or the tables.
    #[error("internal error: {position} is not won in {plies} plies as claimed; please report it")]
    Contradiction {
        /// The position.
        position: String,
        /// The plies within which it was claimed to be won.
        plies: u16,
    },
    /// The graph exceeds its memory limit.
    #[error("the strategy exceeds the memory limit of {limit} bytes; give more with --memory")]
    Memory {
        /// The limit in bytes.
        limit: u64,
    },
    /// A table could not be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The certificate could not be written.
    #[error("cannot write the certificate: {0}")]
    Io(#[from] io::Error),
    /// The work was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl From<TableError> for StrategyError {
    fn from(error: TableError) -> Self {
        Self::Probe(error.into())
    }
}

/// How the strategy continues from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// A move enters the den or captures the last piece.
    LastMove,
    /// The game is over: the side to move has no legal move, which loses.
    Over,
    /// The table of this class gives its distance.
    Table(Material, u16),
    /// A stored position.
    Kept(u32),
}

/// A stored position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The plies within which the game ends.
    pub height: u16,
    /// The winner's move; `None` if the loser is to move.
    pub mv: Option<Move>,
    /// Number of moves that lead here, once counted.
    pub ways: u32,
    /// Its label, if it has one.
    pub label: Option<u32>,
}

/// A winning strategy for one position.
pub struct Strategy<'a> {
    pub(super) tables: &'a Tablebase,
    pub(super) rules: &'a Rules,
    pub(super) root: Position,
    pub(super) winner: Color,
    pub(super) nodes: Vec<Node>,
    numbers: HashMap<PackedPosition, u32>,
    memory: u64,
}

/// Resources for building a strategy.
pub struct Build<'a> {
    /// Tables whose distances end the strategy.
    pub tables: &'a Tablebase,
    /// Maximum size of the graph in bytes.
    pub memory: u64,
    /// Cancellation of the work.
    pub cancel: &'a Cancel,
}

/// Bytes per stored position: the node and its entry in the map with a byte of overhead, both in containers that may be
/// half empty.
const NODE_BYTES: u64 = 2 * (size_of::<Node>() + size_of::<(PackedPosition, u32)>() + 1) as u64;

impl<'a> Strategy<'a> {
    /// Builds the strategy with which `winner` wins `root` within `plies`.
    ///
    /// # Errors
    /// Returns an error if the game is over, the source finds no move, memory is insufficient, or a table is damaged.
    pub fn build(
        with: &Build<'a>,
        root: &Position,
        winner: Color,
        plies: u16,
        source: &mut dyn Source,
    ) -> Result<Self, StrategyError> {
        let rules = with.tables.rules();
        if root.over(rules).is_some() {
            return Err(StrategyError::Over(root.to_text(rules)));
        }
        let strategy = Self {
            tables: with.tables,
            rules,
            root: *root,
            winner,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            memory: with.memory,
        };
        let mut builder = Builder { strategy, source, cancel: with.cancel, added: 0 };
        if root.to_move() == winner {
            builder.winner_to_move(root, plies)?;
        } else {
            builder.loser_to_move(root, plies)?;
        }
        Ok(builder.strategy)
    }

    /// Number of stored positions: those that neither end at once nor in a table.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// How the strategy continues from a position.
    pub(super) fn rest(&self, position: &Position) -> Result<Option<Rest>, StrategyError> {
        if let Some(rest) = self.end(position)? {
            return Ok(Some(rest));
        }
        Ok(self.numbers.get(&PackedPosition::of(position)).map(|&number| Rest::Kept(number)))
    }

    /// How a position ends without a strategy: at once, or by a table. `None` if it does not, or not for the winner.
    fn end(&self, position: &Position) -> Result<Option<Rest>, StrategyError> {
        if position.to_move() == self.winner {
            if self.last_move(position).is_some() {
                return Ok(Some(Rest::LastMove));
            }
        } else if let Some((_, category)) = position.over(self.rules) {
            return Ok((category == Category::Loss).then_some(Rest::Over));
        }
        let expected = if position.to_move() == self.winner { Category::Win } else { Category::Loss };
        let material = Material::of(position);
        let Ok(place) = self.tables.place(material) else { return Ok(None) };
        let class = Arc::clone(&place.class);
        match self.tables.registry().table(&class, Metric::Dtw) {
            Err(TableError::Missing { .. }) => return Ok(None),
            table => table?,
        };
        let answer = self.tables.value(position)?;
        let plies = answer.dtw.filter(|_| answer.category == expected);
        Ok(plies.map(|plies| Rest::Table(class.representative, plies)))
    }

    /// A move that ends the game at once.
    pub(super) fn last_move(&self, position: &Position) -> Option<Successor> {
        position.successors(self.rules).find(|successor| successor.position.conversion(self.rules).is_some())
    }

    /// The plies within which the strategy ends the game; `None` for a position not in the strategy.
    pub(super) fn height(&self, rest: Rest) -> u16 {
        match rest {
            Rest::LastMove => 1,
            Rest::Over => 0,
            Rest::Table(_, plies) => plies,
            Rest::Kept(number) => self.nodes.get(number as usize).map_or(0, |node| node.height),
        }
    }

    /// Stores a position, or a faster strategy for it.
    fn keep(&mut self, position: &Position, height: u16, mv: Option<Move>) -> Result<(), StrategyError> {
        let number = self.nodes.len() as u32;
        let key = PackedPosition::of(position);
        if let Some(node) = self.numbers.get(&key).and_then(|&number| self.nodes.get_mut(number as usize)) {
            // Building this strategy may have reached the position itself, needed in fewer plies.
            if height < node.height {
                *node = Node { height, mv, ..*node };
            }
            return Ok(());
        }
        if (u64::from(number) + 1) * NODE_BYTES > self.memory {
            return Err(StrategyError::Memory { limit: self.memory });
        }
        self.numbers.insert(key, number);
        self.nodes.push(Node { height, mv, ways: 0, label: None });
        Ok(())
    }
}

struct Builder<'a, 's> {
    strategy: Strategy<'a>,
    source: &'s mut dyn Source,
    cancel: &'s Cancel,
    added: u64,
}

impl Builder<'_, '_> {
    /// Ensures that a position with the winner to move has a strategy of at most this many plies; returns the plies it
    /// takes.
    fn winner_to_move(&mut self, position: &Position, plies: u16) -> Result<u16, StrategyError> {
        if position.conversion(self.strategy.rules).is_some() {
            return Err(self.contradiction(position, plies));
        }
        if let Some(height) = self.have(position, plies)? {
            return Ok(height);
        }
        let left = plies.checked_sub(1).ok_or_else(|| self.contradiction(position, plies))?;
        let successor = self.choose(position, plies)?;
        let height = 1 + self.loser_to_move(&successor.position, left)?;
        self.strategy.keep(position, height, Some(successor.mv))?;
        Ok(height)
    }

    /// The move to play: one that leads to a position already in the strategy, else the fastest known one within the
    /// limit, else the source's.
    fn choose(&mut self, position: &Position, plies: u16) -> Result<Successor, StrategyError> {
        let left = plies - 1;
        let mut successors: Vec<Successor> = position.successors(self.strategy.rules).collect();
        successors.sort_unstable_by_key(|successor| successor.mv);
        let mut best: Option<(u16, Successor)> = None;
        let quicker =
            |best: &Option<(u16, Successor)>, height: u16| best.as_ref().is_none_or(|(least, _)| height < *least);
        for successor in &successors {
            if let Some(rest) = self.strategy.rest(&successor.position)? {
                let height = self.strategy.height(rest);
                if height <= left && quicker(&best, height) {
                    best = Some((height, *successor));
                }
            }
        }
        if let Some((_, successor)) = best {
            return Ok(successor);
        }
        for successor in &successors {
            if let Some((Category::Loss, height)) = self.source.known(&successor.position)
                && height <= left
                && quicker(&best, height)
            {
                best = Some((height, *successor));
            }
        }
        if let Some((_, successor)) = best {
            return Ok(successor);
        }
        let mv = match self.source.winning_move(position, plies) {
            Ok(mv) => mv,
            Err(SourceError::Interrupted) => return Err(StrategyError::Interrupted),
            Err(source) => {
                let position = position.to_text(self.strategy.rules);
                return Err(StrategyError::NoMove { position, plies, cause: Box::new(source) });
            }
        };
        let successor = successors.into_iter().find(|successor| successor.mv == mv);
        successor.ok_or_else(|| self.contradiction(position, plies))
    }

    /// As [`Self::winner_to_move`], for a position with the loser to move.
    fn loser_to_move(&mut self, position: &Position, plies: u16) -> Result<u16, StrategyError> {
        if let Some(height) = self.have(position, plies)? {
            return Ok(height);
        }
        let left = plies.checked_sub(1).ok_or_else(|| self.contradiction(position, plies))?;
        let mut replies: Vec<Successor> = position.successors(self.strategy.rules).collect();
        if replies.is_empty() {
            // A draw by the rules.
            return Err(self.contradiction(position, plies));
        }
        replies.sort_unstable_by_key(|successor| successor.mv);
        let mut height = 0;
        for reply in replies {
            height = height.max(1 + self.winner_to_move(&reply.position, left)?);
        }
        self.strategy.keep(position, height, None)?;
        Ok(height)
    }

    /// The plies from a position by what is known already, if within the limit.
    fn have(&mut self, position: &Position, plies: u16) -> Result<Option<u16>, StrategyError> {
        self.added += 1;
        if self.added.is_multiple_of(1024) {
            if self.cancel.is_cancelled() {
                return Err(StrategyError::Interrupted);
            }
            self.source.progress(self.strategy.positions());
        }
        let rest = self.strategy.rest(position)?;
        Ok(rest.map(|rest| self.strategy.height(rest)).filter(|&height| height <= plies))
    }

    fn contradiction(&self, position: &Position, plies: u16) -> StrategyError {
        StrategyError::Contradiction { position: position.to_text(self.strategy.rules), plies }
    }
}
