//! Play: moves, games and engines graded against solved results, and an engine that plays by them.
//!
//! A move is graded by what the tables say before and after it ([`grade()`]): it is the best one, it takes longer than
//! needed, or it gives a win or a draw away. Everything else here brings moves to that scale:
//!
//! | module | does |
//! |---|---|
//! | [`mod@grade`] | one move |
//! | [`tally`] | sums over many moves |
//! | [`record`] | games as text, in three formats |
//! | [`review`] | a whole game: replayed, refereed, graded |
//! | [`sample`] | positions to ask engines about, spread over values and distances |
//! | [`adapters`] | engines of others, behind their protocols |
//! | [`trial`] | many positions put to an engine, in several processes |
//! | [`playout`] | a won position played to its end against the longest resistance |
//! | [`engine`] | an engine of our own |

pub mod adapters;
mod ending;
pub mod engine;
pub mod grade;
pub mod playout;
pub mod record;
pub mod review;
pub mod sample;
pub mod tally;
pub mod trial;

pub use grade::{Grade, GradeError, Verdict, grade};
pub use tally::Tally;
