//! What the library asks of the operating system, and how long work is told to stop.

mod cancel;

pub use cancel::Cancel;
