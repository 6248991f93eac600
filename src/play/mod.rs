//! Play: grading of moves, games and engines against solved results, and an engine.
//!
//! A move is graded by what is known before and after it ([`grade()`]): it is best, it takes longer than needed, or it
//! gives away a win or a draw. Tables give exact values; proofs may give bounds, or only exclude near forced wins. The
//! other modules build on this scale:
//!
//! | module | does |
//! |---|---|
//! | [`known`] | known values of positions: exact, bounded, or unknown |
//! | [`evidence`] | the sources of these values: tables and the prover |
//! | [`verdict`] | verdicts on moves, by the values before and after |
//! | [`mod@grade`] | grades one move |
//! | [`tally`] | sums over many moves |
//! | [`record`] | games as text, in three formats |
//! | [`review`] | a whole game: replayed, refereed, graded |
//! | [`sample`] | test positions for engines, spread over values and distances |
//! | [`adapters`] | adapters for other engines, by protocol |
//! | [`trial`] | runs an engine on many positions, in several processes |
//! | [`playout`] | plays a won position to its end against the longest resistance |
//! | [`puzzle`] | positions with one way to win, from tables and games |
//! | [`engine`] | the built-in engine |

pub mod adapters;
mod ending;
pub mod engine;
pub mod evidence;
pub mod grade;
pub mod known;
pub mod playout;
pub mod puzzle;
pub mod record;
pub mod review;
pub mod sample;
pub mod tally;
pub mod trial;
pub mod verdict;

pub use grade::{Grade, GradeError, grade};
pub use tally::Tally;
pub use verdict::Verdict;
