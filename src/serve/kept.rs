//! What is kept between requests: answers by what they answer, and the list of tables.

use super::payload::Payload;
use crate::game::{Piece, Position};
use crate::material::Material;
use crate::table::Metric;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Mutex;
use std::time::Instant;

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionQuery {
    /// Category, distance, moves, best line.
    Probe,
    /// The best line with its positions.
    Line,
}

/// What is asked about a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaterialQuery {
    /// Counts and distances, as in the summary of its table.
    Stats,
    /// How it fares with each piece on each square, which takes reading the whole table.
    Heat,
    /// The picture of all that, with the heat map of one piece or of all.
    Plot(Option<Piece>),
}

/// An answer about a position: the number of the rule set, the query, the position. Spelling does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey(pub usize, pub PositionQuery, pub Position);

/// An answer about a material: the number of the rule set, the query, the material, what its table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaterialKey(pub usize, pub MaterialQuery, pub Material, pub Metric);

/// Answers that are kept, up to a number of bytes.
pub type Kept<Key> = Cache<Key, Payload, ByBytes>;

/// Room for so many bytes of answers, each of about `usual` bytes.
pub fn keep<Key: Eq + std::hash::Hash + Clone>(bytes: u64, usual: u64) -> Kept<Key> {
    Cache::with_weighter((bytes / usual) as usize, bytes, ByBytes)
}

/// A usual answer about a position, in bytes.
pub const POSITION_BYTES: u64 = 1 << 10;
/// A usual answer about a material, in bytes.
pub const MATERIAL_BYTES: u64 = 8 << 10;

/// Weighs answers that are kept by their bytes.
#[derive(Clone)]
pub struct ByBytes;

impl<Key> Weighter<Key, Payload> for ByBytes {
    fn weight(&self, _: &Key, payload: &Payload) -> u64 {
        payload.weight()
    }
}

/// The list of tables as it was last made.
#[derive(Debug, Default)]
pub struct Listing(pub Mutex<Option<Listed>>);

/// A list of tables and when it was made.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The list.
    pub payload: Payload,
    /// Of the registry at that time.
    pub generation: u64,
    /// When it was made.
    pub made: Instant,
}
