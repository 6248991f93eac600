//! Table access of a search, shared by all threads. The registry caches which tables exist.

use super::ground::Ground;
use super::node::Node;
use super::table::{NEVER, Span};
use crate::game::Category;
use crate::probe::{Answer, ProbeError, Tablebase};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tables, with an error of one if it cannot be read.
pub struct Leaves<'a> {
    pub tables: &'a Tablebase,
    failed: AtomicBool,
    error: Mutex<Option<ProbeError>>,
}

impl<'a> Leaves<'a> {
    pub fn new(tables: &'a Tablebase) -> Self {
        Self { tables, failed: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Whether a table could not be read, so that the search must be abandoned.
    #[inline]
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// The error of the table.
    pub fn take_error(&self) -> Option<ProbeError> {
        self.failed.store(false, Ordering::Relaxed);
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The distances of both sides' wins by the tables, in a position in which the game continues; `None` if the tables
    /// have none.
    #[inline]
    pub fn ask(&self, node: &Node) -> Option<[Span; 2]> {
        // The search itself finds what follows from other tables.
        if self.tables.is_missing(node.material()) {
            return None;
        }
        match self.tables.value(&node.position(self.tables.rules())) {
            Ok(answer) => Some(spans(answer, node.side)),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            }
        }
    }
}

/// Converts an answer to distances of both sides' wins.
pub fn spans(answer: Answer, side: usize) -> [Span; 2] {
    let never = Span { low: NEVER, high: NEVER };
    // A WDL table does not give the distance.
    let won = answer.dtw.map_or(Span::UNKNOWN, |plies| Span { low: plies, high: plies });
    let winner = match answer.category {
        Category::Draw => return [never; 2],
        Category::Win => side,
        Category::Loss => 1 - side,
    };
    let mut spans = [never; 2];
    spans[winner] = won;
    spans
}

/// The distances for a position in which the game is over.
pub fn over(ground: &Ground, node: &Node) -> Option<[Span; 2]> {
    let won_by = |winner: usize| {
        let mut spans = [Span { low: NEVER, high: NEVER }; 2];
        spans[winner] = Span { low: 0, high: 0 };
        spans
    };
    for side in 0..2 {
        if node.occupied[side] & ground.goal[side] != 0 || node.occupied[1 - side] == 0 {
            return Some(won_by(side));
        }
    }
    if node.has_move(ground, node.side) {
        return None;
    }
    Some(if ground.no_move_loses { won_by(1 - node.side) } else { [Span { low: NEVER, high: NEVER }; 2] })
}
