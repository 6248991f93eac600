//! Text that all interfaces share: what is read from people and other programs, and how it is told to them.
//!
//! Positions and materials are read where their notation is (`game`, `material`); here is what comes before that:
//! lines and files with a bound, marks around a value, links, and what messages quote.

mod excerpt;
mod file;
mod items;
mod lines;
mod link;
mod numbers;
mod shell;
mod tidy;

pub use excerpt::{MOST_QUOTED, excerpt, quoted};
pub use file::read_text;
pub use items::{Item, Items};
pub use lines::{Line, LineReader};
pub use link::Link;
pub use numbers::{bytes, count, grouped, plies};
pub use shell::quote;
pub use tidy::tidy;
