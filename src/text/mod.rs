//! Text that all interfaces share.

mod numbers;

pub use numbers::grouped;
