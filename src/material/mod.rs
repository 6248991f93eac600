//! Which positions share a table, and where in it each one is.
//!
//! A [`Material`] says which animals are on the board. Materials that are the same game under other
//! names form one [`Class`]; a [`Place`] ties a material to its class. The [`Index`] numbers the
//! placements of a class without holes; [`graph`] says what captures lead to.

mod canonical;
mod class;
mod classes;
pub mod graph;
mod group;
mod index;
#[allow(clippy::module_inception)]
mod material;
mod part;
mod placement;
mod runs;
mod sameness;
mod sets;
mod side;
mod signature;
mod words;

pub use class::{Casting, Class, Place};
pub use classes::Classes;
pub use group::Group;
pub use index::{Index, Run};
pub use material::{Material, MaterialError};
pub use placement::{MAX_PIECES, Sets};
pub use runs::Runs;
pub use sameness::same_game_key;
pub use sets::{binomial, rank_set, unrank_set};
pub use side::Side;
