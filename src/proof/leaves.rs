//! The tables as a search needs them; which there are is for the registry to remember. Shared by all threads.

use super::ground::Ground;
use super::node::Node;
use super::table::{NEVER, Span};
use crate::game::Category;
use crate::probe::{Answer, ProbeError, Tablebase};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Tables, with what went wrong with them.
pub struct Leaves<'a> {
    pub tables: &'a Tablebase,
    failed: AtomicBool,
    error: Mutex<Option<ProbeError>>,
}

impl<'a> Leaves<'a> {
    pub fn new(tables: &'a Tablebase) -> Self {
        Self { tables, failed: AtomicBool::new(false), error: Mutex::new(None) }
    }

    /// Whether a table could not be read: the search is to be given up.
    #[inline]
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// What was wrong with it.
    pub fn take_error(&self) -> Option<ProbeError> {
        self.failed.store(false, Ordering::Relaxed);
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What the tables say of both sides' wins in a position in which the game goes on; `None` if they say nothing.
    #[inline]
    pub fn ask(&self, node: &Node) -> Option<[Span; 2]> {
        // What follows from other tables the search finds by itself.
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

/// What an answer says of both sides' wins.
pub fn spans(answer: Answer, side: usize) -> [Span; 2] {
    let never = Span { low: NEVER, high: NEVER };
    // A table of results alone does not say how soon.
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

/// The same for a position in which the game is over.
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
