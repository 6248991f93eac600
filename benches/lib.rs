//! Shared code of the benchmarks.

/// The folder of the shipped tables.
pub const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebases");
