//! When to stop.

use super::leaves::Leaves;
use crate::system::Cancel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search may cost; without any limit it goes on until the value is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time.
    pub time: Option<Duration>,
    /// Positions looked at, by all threads together.
    pub positions: Option<u64>,
    /// Plies: longer wins are not looked for.
    pub plies: Option<u16>,
}

/// Positions between two looks at the clock: some 50 µs.
const LOOK: u64 = 256;

/// The limits of a search under way, for all its threads.
pub struct Stop<'s> {
    cancel: &'s Cancel,
    leaves: &'s Leaves<'s>,
    deadline: Option<Instant>,
    most: u64,
    taken: AtomicU64,
    stopped: AtomicBool,
    /// Some thread has the answer that all are looking for.
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

    /// Takes some positions that a thread may look at next: none if it is to stop.
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

    /// Says whether the threads have the answer that they are looking for.
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
