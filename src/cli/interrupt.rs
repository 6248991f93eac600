//! SIGINT and SIGTERM: the first asks the work to stop, the second stops the program at once.

use jungletb::system::Cancel;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Becomes true when a signal has come in.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// The request to stop that the first signal makes.
pub fn cancel() -> Cancel {
    CANCEL.clone()
}

/// Listens from now on.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(super::exit::INTERRUPTED.into());
        }
        CANCEL.cancel();
    })?;
    Ok(())
}
