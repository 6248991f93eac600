//! Play: moves, games and engines graded against solved results, and an engine that plays by them.
//!
//! A move is graded by what is known before and after it ([`grade()`]): it is the best one, it takes longer than
//! needed, or it gives a win or a draw away. Tables know exactly; proofs may know bounds, or only that no forced win is
//! near. Everything else here brings moves to that scale:
//!
//! | module | does |
//! |---|---|
//! | [`known`] | what is known of a position: exactly, within bounds, or not |
//! | [`evidence`] | tables and the prover, which give it |
//! | [`verdict`] | how good a move was, by what is known before and after it |
//! | [`mod@grade`] | one move |
//! | [`tally`] | sums over many moves |
//! | [`record`] | games as text, in three formats |
//! | [`review`] | a whole game: replayed, refereed, graded |
//! | [`sample`] | positions to ask engines about, spread over values and distances |
//! | [`adapters`] | engines of others, behind their protocols |
//! | [`trial`] | many positions put to an engine, in several processes |
//! | [`playout`] | a won position played to its end against the longest resistance |
//! | [`puzzle`] | positions with one way to win, from tables and games |
//! | [`engine`] | an engine of our own |

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
