//! Tables as files: what is written for a class, and how it is read back.
//!
//! Two files a class, `CLASS.wdl` and `CLASS.dtw`, in a folder named after the rules; `FORMAT.md` beside this
//! file describes them to the byte. A file is written beside its final name, synced and renamed, so that a name
//! that exists is a finished table. A reader trusts no byte of it.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::indexing_slicing))]

mod block;
mod cell;
pub mod checksums;
mod error;
mod files;
mod header;
mod reader;
mod reencode;
mod registry;
mod shelf;
mod source;
mod summary;
mod value;
pub(crate) mod wire;
mod writer;

pub use checksums::Checksums;
pub use error::{Limit, TableError};
pub use header::{Header, HeaderGroup, Metric};
pub use reader::Table;
pub use reencode::reencode;
pub use registry::{Folders, Listed, Registry, State};
pub use source::{Access, ByteSource};
pub use summary::{SideSummary, Summary};
pub use value::Value;
pub use writer::{Encoding, Values, adopt, write};
