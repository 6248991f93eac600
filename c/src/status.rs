//! Status of calls, and the last error of each thread.

use jungletb::game::{ConversionError, Move, PositionError, RulesError};
use jungletb::material::MaterialError;
use jungletb::probe::{Fault, MissingTable, ProbeError};
use jungletb::proof::ProofError;
use std::cell::{Cell, RefCell};
use std::ffi::{CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use thiserror::Error;

/// `jungletb_status` of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Ok = 0,
    System = 1,
    BadInput = 2,
    Damaged = 3,
    Missing = 4,
    Internal = 5,
    TooManyPieces = 6,
}

/// The reason for a failed call.
#[derive(Debug, Error)]
pub enum Failure {
    #[error("{0} is NULL")]
    Null(&'static str),
    #[error("{0} is not UTF-8")]
    NotUtf8(&'static str),
    #[error("to_move is {0}: give 0 for White or 1 for Black")]
    Side(c_int),
    #[error("options.{what} is {found}: give {expected}")]
    Option { what: &'static str, found: u32, expected: &'static str },
    #[error("{size} bytes are too few for the text of the position, which needs {needed}")]
    Buffer { size: usize, needed: usize },
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    #[error(transparent)]
    Conversion(#[from] ConversionError),
    #[error("{mv} is not legal in {position}")]
    Illegal { mv: Move, position: String },
    #[error("bad material: {0}")]
    Material(#[from] MaterialError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("a fault of jungletb: a search ended without an answer")]
    Search,
}

impl Failure {
    fn status(&self) -> Status {
        let by_fault = |error: &ProbeError| match (error, error.fault()) {
            (ProbeError::TooManyPieces { .. }, _) => Status::TooManyPieces,
            (_, Fault::Caller) => Status::BadInput,
            (_, Fault::Missing) => Status::Missing,
            (_, Fault::Damaged) => Status::Damaged,
            (_, Fault::System | Fault::Interrupted) => Status::System,
        };
        match self {
            Self::Probe(error) | Self::Proof(ProofError::Table(error)) => by_fault(error),
            Self::Proof(ProofError::Memory { .. }) | Self::Thread(_) => Status::System,
            Self::Search => Status::Internal,
            _ => Status::BadInput,
        }
    }

    /// The missing table, if that is the reason.
    fn missing(&self) -> Option<&MissingTable> {
        match self {
            Self::Probe(ProbeError::MissingTable(missing))
            | Self::Proof(ProofError::Table(ProbeError::MissingTable(missing))) => Some(missing),
            _ => None,
        }
    }
}

/// The last error of a thread. It is formatted on request: a search that probes many missing tables does not need the
/// messages.
struct Last {
    failure: Option<Failure>,
    text: Option<CString>,
    class: Option<CString>,
}

impl Last {
    const NONE: Self = Self { failure: None, text: None, class: None };
}

thread_local! {
    static LAST_ERROR: RefCell<Last> = const { RefCell::new(Last::NONE) };
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Runs a call and converts its result or panic into a status.
#[inline]
pub fn guard(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    // The tables stay usable after a panic: their locks never guard partial updates.
    let status = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(failure)) => {
            let status = failure.status();
            keep(Last { failure: Some(failure), ..Last::NONE });
            status
        }
        Err(_) => {
            let what = PANIC.try_with(Cell::take).ok().flatten().unwrap_or_default();
            keep(Last { text: Some(line(&format!("a fault of jungletb: {what}"))), ..Last::NONE });
            Status::Internal
        }
    };
    status as c_int
}

/// Keeps a failure for [`last_error`].
fn keep(last: Last) {
    // In a destructor of the caller, after the thread-local data is gone, the failure is dropped.
    let _ = LAST_ERROR.try_with(|kept| *kept.borrow_mut() = last);
}

/// Formats a message as one line.
fn line(message: &str) -> CString {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ").replace('\0', "");
    CString::new(line).unwrap_or_default()
}

/// Returns the last error of this thread, valid until the next one.
pub fn last_error() -> *const c_char {
    told(|Last { failure, text, .. }| {
        text.get_or_insert_with(|| line(&failure.as_ref().map(ToString::to_string).unwrap_or_default()))
    })
}

/// Returns the class of the table whose absence is the last error of this thread, valid until the next one.
pub fn missing_class() -> *const c_char {
    told(|Last { failure, class, .. }| {
        let missing = failure.as_ref().and_then(Failure::missing);
        class.get_or_insert_with(|| line(&missing.map(|missing| missing.class().to_string()).unwrap_or_default()))
    })
}

/// A text of the last error, empty if there is none.
fn told(text: impl FnOnce(&mut Last) -> &mut CString) -> *const c_char {
    // In a destructor of the caller, after the thread-local data is gone, there is none.
    LAST_ERROR.try_with(|last| text(&mut last.borrow_mut()).as_ptr()).unwrap_or(c"".as_ptr())
}

/// Sends panic messages to [`last_error`] instead of printing them. The hook belongs to this library's copy of the
/// standard library.
pub fn catch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let _ = PANIC.try_with(|last| last.set(Some(panic.to_string())));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text is this thread's last error, and none follows before it is copied.
        unsafe { CStr::from_ptr(last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn failures_and_panics_end_as_a_status_and_a_line() {
        catch_panics();
        assert_eq!(last(), "");
        assert_eq!(guard(|| Err(Failure::Null("text"))), Status::BadInput as c_int);
        assert_eq!(last(), "text is NULL");
        assert_eq!(guard(|| panic!("on\npurpose")), Status::Internal as c_int);
        assert!(last().starts_with("a fault of jungletb: panicked at c/src/status.rs:"), "{}", last());
        assert!(last().ends_with(" on purpose"), "{}", last());
        assert_eq!(guard(|| Ok(())), Status::Ok as c_int);
        assert!(last().ends_with(" on purpose"), "a call that succeeds leaves the last error");
        std::thread::spawn(|| assert_eq!(last(), "", "each thread has its own")).join().unwrap();
    }
}
