//! Which positions share a table, and where in it each one is.
//!
//! A [`Material`] says which animals are on the board. Materials that are the same game under other
//! names form one [`Class`]; a [`Place`] ties a material to its class. The [`Index`] numbers the
//! placements of a class without holes; [`graph`] says what captures lead to.

mod canonical;
mod class;
pub mod graph;
mod index;
#[allow(clippy::module_inception)]
mod material;
mod part;
mod sets;
mod signature;

pub use class::{Casting, Class, Classes, Group, MAX_PIECES, Place, Side};
pub use index::{Index, Run, Sets};
pub use material::{Material, MaterialError};
pub use sets::{binomial, rank_set, unrank_set};
