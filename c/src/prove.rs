//! Proving positions: the search runs on its own threads, while the calling thread polls the caller's `stop` function.

use crate::status::Failure;
use crate::types::{RawPosition, RawStep, UNKNOWN, category};
use crate::{get, put, text};
use jungletb::game::Position;
use jungletb::probe::Tablebase;
use jungletb::proof::{Bound, Limits, Options, Proof, Prover};
use jungletb::system::Cancel;
use std::ffi::{c_char, c_int, c_void};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// `JUNGLETB_MAX_LINE`.
const MAX_LINE: usize = 512;

/// Interval between calls of `stop`.
const STEP: Duration = Duration::from_millis(20);

/// `jungletb_prove_options`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawProveOptions {
    milliseconds: u64,
    positions: u64,
    memory: u64,
    threads: u32,
    plies: u32,
    stop: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    stop_data: *mut c_void,
}

/// `jungletb_proof`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawProof {
    category: i32,
    dtw: i32,
    bound: i32,
    not_before: i32,
    positions: u64,
    microseconds: u64,
    line_length: u32,
    line: [RawStep; MAX_LINE],
}

impl From<&Proof> for RawProof {
    fn from(proof: &Proof) -> Self {
        let mut line = [RawStep::default(); MAX_LINE];
        let mut line_length = 0;
        for (step, mv) in line.iter_mut().zip(&proof.line) {
            *step = mv.into();
            line_length += 1;
        }
        Self {
            category: proof.category.map_or(UNKNOWN, category),
            dtw: proof.dtw.map_or(-1, i32::from),
            bound: match proof.bound {
                Bound::None => 0,
                Bound::AtMost => 1,
                Bound::Exact => 2,
            },
            not_before: proof.not_before.map_or(-1, i32::from),
            positions: proof.positions,
            microseconds: proof.time.as_micros().try_into().unwrap_or(u64::MAX),
            line_length,
            line,
        }
    }
}

/// Proves a position; calls `stop` on the calling thread.
fn prove(tables: &Tablebase, position: &Position, raw: Option<&RawProveOptions>) -> Result<RawProof, Failure> {
    let mut options = Options::default();
    let mut limits = Limits::default();
    if let Some(raw) = raw {
        if raw.memory > 0 {
            options.memory = usize::try_from(raw.memory).unwrap_or(usize::MAX);
        }
        match raw.threads {
            0 => {}
            threads @ 1..=1024 => options.threads = threads as usize,
            found => return Err(Failure::Option { what: "threads", found, expected: "1 to 1024, or 0" }),
        }
        limits.time = (raw.milliseconds > 0).then(|| Duration::from_millis(raw.milliseconds));
        limits.positions = (raw.positions > 0).then_some(raw.positions);
        limits.plies = (raw.plies > 0).then(|| u16::try_from(raw.plies).unwrap_or(u16::MAX));
    }
    if limits == Limits::default() {
        limits.time = Some(Duration::from_secs(10));
    }
    let cancel = Cancel::new();
    let (done, is_done) = channel();
    std::thread::scope(|scope| {
        let seen = cancel.clone();
        let work = std::thread::Builder::new().name("jungletb-prove".to_owned()).spawn_scoped(scope, move || {
            let proof =
                Prover::new(tables, &options).and_then(|prover| prover.prove(position, &limits, &seen, &mut |_| {}));
            // The receiver waits until this is sent, or this thread panics.
            let _ = done.send(proof);
        });
        let work = work.map_err(Failure::Thread)?;
        loop {
            match is_done.recv_timeout(STEP) {
                Ok(proof) => return Ok(RawProof::from(&proof?)),
                // The search panicked: resume the panic in this call.
                Err(RecvTimeoutError::Disconnected) => match work.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => return Err(Failure::Search),
                },
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(raw) = raw
                        && let Some(stop) = raw.stop
                    {
                        // SAFETY: the caller's promise: `stop` may be called with `stop_data` on this thread during
                        // this call.
                        if unsafe { stop(raw.stop_data) } != 0 {
                            cancel.cancel();
                        }
                    }
                }
            }
        }
    })
}

/// `jungletb_prove` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; the options' function may be called with the options' data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_prove(
    tables: *const Tablebase,
    position: *const RawPosition,
    options: *const RawProveOptions,
    proof: *mut RawProof,
) -> c_int {
    crate::status::guard(|| {
        // SAFETY: the caller's promise.
        let (tables, position) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
        if proof.is_null() {
            return Err(Failure::Null("proof"));
        }
        // SAFETY: the caller's promise.
        let found = prove(tables, &position.read(tables.rules())?, unsafe { options.as_ref() })?;
        // SAFETY: the caller's promise.
        unsafe { put(proof, "proof", found) }
    })
}

/// `jungletb_prove_text` of the header.
///
/// # Safety
/// As [`jungletb_prove`]; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_prove_text(
    tables: *const Tablebase,
    position: *const c_char,
    options: *const RawProveOptions,
    proof: *mut RawProof,
) -> c_int {
    crate::status::guard(|| {
        // SAFETY: the caller's promise.
        let (tables, position) = unsafe { (get(tables, "tables")?, text(position, "text")?) };
        if proof.is_null() {
            return Err(Failure::Null("proof"));
        }
        let position = Position::parse(tables.rules(), position)?;
        // SAFETY: the caller's promise.
        let found = prove(tables, &position, unsafe { options.as_ref() })?;
        // SAFETY: the caller's promise.
        unsafe { put(proof, "proof", found) }
    })
}
