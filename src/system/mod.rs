//! Operating system services: files, locks, memory, and cancellation of work.

mod cancel;
mod files;
mod limits;
mod lock;
mod memory;

pub use cancel::{Cancel, CancelOnDrop};
pub use files::{Output, Stream, WholeFile, open_regular, remove_unfinished};
pub(crate) use files::{is_live, open_at_once, read_at, reserve};
pub use limits::raise_open_files;
pub use lock::{Lock, LockError};
pub use memory::{fallibly, may_fail, memory_limit};
pub(crate) use memory::{filled, room, zeroed};
