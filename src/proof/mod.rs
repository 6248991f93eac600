//! Proofs beyond the tables.

pub mod certificate;
