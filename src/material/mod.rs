//! Material and index: which positions share a table, and the number of each position in it.
//!
//! A [`Material`] is the set of animals on the board. Materials that are the same game under other names form one
//! [`Class`]; a [`Place`] maps a material to its class. The [`Index`] numbers the placements of a class without gaps;
//! [`graph`] gives the results of captures.

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
