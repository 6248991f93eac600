//! Response caches, and the cached list of tables.

use super::payload::Payload;
use crate::game::{Piece, Position};
use crate::material::Material;
use crate::table::Metric;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Mutex;
use std::time::Instant;

/// Type of a query about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionQuery {
    /// Category, distance, moves, best line.
    Probe,
    /// The best line with its positions.
    Line,
}

/// Type of a query about a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaterialQuery {
    /// Counts and distances, as in the summary of its table.
    Stats,
    /// Results with each piece on each square, which requires reading the whole table.
    Heat,
    /// A plot of these, with the heat map of one piece or of all.
    Plot(Option<Piece>),
}

/// Key of a response about a position: number of the rule set, query, position. Independent of spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey(pub usize, pub PositionQuery, pub Position);

/// Key of a response about a material: number of the rule set, query, material, metric of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaterialKey(pub usize, pub MaterialQuery, pub Material, pub Metric);

/// Responses cached up to a number of bytes.
pub type Kept<Key> = Cache<Key, Payload, ByBytes>;

/// A cache of this size in bytes, for responses of about `usual` bytes each.
pub fn keep<Key: Eq + std::hash::Hash + Clone>(bytes: u64, usual: u64) -> Kept<Key> {
    Cache::with_weighter((bytes / usual) as usize, bytes, ByBytes)
}

/// Typical size of a response about a position, in bytes.
pub const POSITION_BYTES: u64 = 1 << 10;
/// Typical size of a response about a material, in bytes.
pub const MATERIAL_BYTES: u64 = 8 << 10;

/// Weighs cached responses by size.
#[derive(Clone)]
pub struct ByBytes;

impl<Key> Weighter<Key, Payload> for ByBytes {
    fn weight(&self, _: &Key, payload: &Payload) -> u64 {
        payload.weight()
    }
}

/// The cached list of tables.
#[derive(Debug, Default)]
pub struct Listing(pub Mutex<Option<Listed>>);

/// A list of tables with its time.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The list.
    pub payload: Payload,
    /// Generation of the registry at that time.
    pub generation: u64,
    /// When it was computed.
    pub made: Instant,
}
