//! Table files: writing the tables of a class and reading them back.
//!
//! A class has two files, `CLASS.wdl` and `CLASS.dtw`, in a folder named after the rules; `FORMAT.md` next to this file
//! specifies every byte. A file is written under a temporary name, synced and renamed, so a final name always means a
//! complete table. The reader validates every byte it uses.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing))]

mod block;
mod block_table;
mod cell;
pub mod checksums;
mod decompress;
mod error;
mod files;
mod folders;
mod header;
mod pending;
mod reader;
#[cfg(not(target_family = "wasm"))]
mod reencode;
mod registry;
mod search_path;
mod shelf;
#[cfg(feature = "shipped")]
mod shipped;
mod source;
mod store;
mod summary;
mod value;
pub(crate) mod wire;
#[cfg(not(target_family = "wasm"))]
mod writer;

pub use checksums::Checksums;
pub use error::{Limit, TableError};
pub use folders::Folders;
pub use header::{Header, HeaderGroup, Metric};
pub(crate) use pending::Pending;
pub use reader::Table;
#[cfg(not(target_family = "wasm"))]
pub use reencode::reencode;
pub use registry::{Listed, Registry, State};
pub use search_path::SearchPath;
#[cfg(feature = "shipped")]
pub use shipped::Shipped;
pub use source::{Access, ByteSource};
pub use store::Store;
pub use summary::{SideSummary, Summary};
pub use value::Value;
#[cfg(not(target_family = "wasm"))]
pub use writer::{Encoding, Values, adopt, write};
