//! Search limits and the deadlines derived from them.

use crate::game::{Color, Move};
use std::time::{Duration, Instant};

/// Limits of a search, and the moves to choose from. Without any limit the search runs until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of positions.
    pub nodes: Option<u64>,
    /// Time for this move, from the `go` command on.
    pub move_time: Option<Duration>,
    /// Time left on the clocks of White and Black.
    pub clock: [Option<Duration>; 2],
    /// Increments per move of White and Black.
    pub increment: [Duration; 2],
    /// Moves until the next time control; 0 means unknown.
    pub moves_to_go: Option<u32>,
    /// The moves to choose from; all if empty, or if none of them is legal.
    pub moves: Vec<Move>,
}

impl Limits {
    /// Whether a search for this side ends on its own in every position.
    pub fn is_limited(&self, color: Color) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some() || self.has_clock(color)
    }

    /// Whether this side's clock is running.
    pub const fn has_clock(&self, color: Color) -> bool {
        self.clock[color.index()].is_some()
    }
}

/// The deadlines of a search.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    start: Instant,
    /// No iteration starts after this.
    soft: Option<Duration>,
    /// The running iteration is abandoned after this.
    hard: Option<Duration>,
}

/// Time per move outside the search: waking up, printing, reading by the other program.
const OVERHEAD: Duration = Duration::from_millis(5);
/// Number of moves over which a side's time is divided if no time control is given.
const USUAL_MOVES: u32 = 30;

impl Deadline {
    /// The deadline of a search for this side requested at `start`.
    pub fn new(limits: &Limits, color: Color, start: Instant) -> Self {
        let safe = |time: Duration| time.saturating_sub(OVERHEAD + time / 50).max(time / 4);
        let mut deadline = Self { start, soft: None, hard: limits.move_time.map(safe) };
        if let Some(left) = limits.clock[color.index()] {
            let left = safe(left);
            let moves =
                limits.moves_to_go.filter(|&moves| moves > 0).map_or(USUAL_MOVES, |moves| moves.min(USUAL_MOVES));
            let share = left / moves + limits.increment[color.index()] * 3 / 4;
            // An iteration takes several times as long as the previous one.
            let most = (share * 3).min(if moves == 1 { left } else { left / 2 });
            let hard = deadline.hard.map_or(most, |hard| hard.min(most));
            deadline.soft = Some((share / 2).min(hard));
            deadline.hard = Some(hard);
        }
        deadline
    }

    /// Time since the search was requested.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether no further iteration should start.
    pub fn is_near(&self) -> bool {
        self.soft.or(self.hard).is_some_and(|soft| self.elapsed() >= soft)
    }

    /// Whether the search must end now.
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hard(limits: &Limits) -> Option<Duration> {
        let deadline = Deadline::new(limits, Color::White, Instant::now());
        assert!(deadline.soft.is_none_or(|soft| soft <= deadline.hard.unwrap()), "{limits:?}: {deadline:?}");
        deadline.hard
    }

    #[test]
    fn no_deadline_is_past_the_time_there_is() {
        let ms = Duration::from_millis;
        for time in [0, 1, 2, 5, 10, 100, 1000, 60_000, u64::MAX / 1000] {
            let move_time = hard(&Limits { move_time: Some(ms(time)), ..Limits::default() }).unwrap();
            assert!(move_time <= ms(time));
            assert!(time < 100 || move_time >= ms(time) * 9 / 10, "{time}");
            for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                for increment in [0, 100, 10_000, 1 << 40] {
                    let clock = [Some(ms(time)), None];
                    let increment = [ms(increment); 2];
                    let limits = Limits { clock, increment, moves_to_go, ..Limits::default() };
                    let most = hard(&limits).unwrap();
                    assert!(most <= ms(time) && (moves_to_go == Some(1) || most <= ms(time) / 2), "{limits:?}");
                }
            }
        }
    }

    #[test]
    fn only_the_own_clock_counts() {
        let limits = Limits { clock: [None, Some(Duration::from_secs(1))], ..Limits::default() };
        assert_eq!(hard(&limits), None);
        assert!(!limits.is_limited(Color::White) && limits.is_limited(Color::Black));
        assert!(Deadline::new(&limits, Color::Black, Instant::now()).hard.is_some());
    }
}
