//! Text handling shared by all interfaces: input from people and programs, and formatting for messages.
//!
//! Positions and materials are parsed with their notation (`game`, `material`); this module handles the steps before:
//! bounded lines and files, characters around a value, links, and excerpts for messages.

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
