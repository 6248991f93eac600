//! SIGINT, SIGTERM and SIGHUP. A command that can stop cleanly calls [`cancel`]; the first signal then requests
//! cancellation. For other commands, and on the second signal, the program ends at once. Neither way leaves a partial
//! file.

use super::{exit, log};
use anyhow::Context;
use jungletb::system::{Cancel, remove_unfinished};
use std::sync::OnceLock;

/// The cancellation that the first signal requests, if any.
static CANCEL: OnceLock<Cancel> = OnceLock::new();

/// Installs the signal handlers.
pub fn listen() -> anyhow::Result<()> {
    #[cfg(unix)]
    let survives_hangup = is_hangup_ignored();
    let handle = || match CANCEL.get() {
        Some(cancel) if !cancel.is_cancelled() => cancel.cancel(),
        _ => {
            remove_unfinished();
            exit::print_error("interrupted");
            log::flush();
            std::process::exit(exit::INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handle).context("cannot listen for signals")?;
    #[cfg(unix)]
    if survives_hangup {
        use nix::sys::signal::{SigHandler, Signal, signal};
        // SAFETY: ignoring a signal runs no code of ours.
        unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) }.context("cannot listen for signals")?;
    }
    Ok(())
}

/// The cancellation that the first signal requests from now on.
pub fn cancel() -> Cancel {
    CANCEL.get_or_init(Cancel::new).clone()
}

/// Whether hangups are ignored, as under `nohup`: the program then continues when the terminal closes.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}
