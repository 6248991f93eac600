//! Limits of a search.

use super::leaves::Leaves;
use crate::system::Cancel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limits of a search; without any, it runs until the value is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time.
    pub time: Option<Duration>,
    /// Number of positions searched, by all threads together.
    pub positions: Option<u64>,
    /// Length in plies: longer wins are not searched for.
    pub plies: Option<u16>,
}

/// Positions between two checks of the clock: about 50 µs.
const LOOK: u64 = 256;

/// The limits of a running search, shared by its threads.
pub struct Stop<'s> {
    cancel: &'s Cancel,
    leaves: &'s Leaves<'s>,
    deadline: Option<Instant>,
    most: u64,
    taken: AtomicU64,
    stopped: AtomicBool,
    /// Some thread has found the answer.
    answered: AtomicBool,
}

impl<'s> Stop<'s> {
    pub fn new(limits: &Limits, start: Instant, cancel: &'s Cancel, leaves: &'s Leaves<'s>) -> Self {
        Self {
            cancel,
            leaves,
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            most: limits.positions.unwrap_or(u64::MAX),
            taken: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            answered: AtomicBool::new(false),
        }
    }

    /// Reserves positions that a thread may search next: none if it must stop.
    pub fn take(&self) -> u64 {
        if self.is_over() {
            return 0;
        }
        let before = self.taken.fetch_add(LOOK, Ordering::Relaxed);
        let left = self.most.saturating_sub(before).min(LOOK);
        if left == 0 {
            self.stopped.store(true, Ordering::Relaxed);
        }
        left
    }

    /// Sets whether the answer has been found.
    pub fn set_answered(&self, answered: bool) {
        self.answered.store(answered, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        if self.stopped.load(Ordering::Relaxed) || self.answered.load(Ordering::Relaxed) {
            return true;
        }
        let over = self.cancel.is_cancelled()
            || self.leaves.failed()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if over {
            self.stopped.store(true, Ordering::Relaxed);
        }
        over
    }
}
