//! What the benchmarks share.

/// The folder of the tables that ship.
pub const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebases");
