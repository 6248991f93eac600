//! SIGINT and SIGTERM: the first asks the work to stop, the second stops the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Becomes true when a signal has come in.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(super::exit::INTERRUPTED.into());
        }
    })?;
    Ok(())
}
