//! Proving positions beyond the tables: a search on its own threads, without the interpreter lock, that an interrupt
//! cancels.

use crate::errors;
use crate::tables::Tables;
use crate::values::category;
use jungletb::game::Position;
use jungletb::probe::Tablebase;
use jungletb::proof::{Limits, Options, Proof, ProofError, Prover};
use jungletb::system::Cancel;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Position, category, distance, kind of distance, not before, line, positions, seconds.
pub type ProofTuple = (String, Option<i8>, Option<u16>, &'static str, Option<u16>, Vec<String>, u64, f64);

/// Interval between checks for an interrupt.
const STEP: Duration = Duration::from_millis(20);

/// Limits of a search, as passed from Python.
pub struct Cost {
    pub seconds: Option<f64>,
    pub positions: Option<u64>,
    pub plies: Option<u16>,
    pub memory: usize,
    pub threads: Option<usize>,
}

/// Proves a position.
pub fn prove(py: Python<'_>, tables: &Tables, text: &str, cost: &Cost) -> PyResult<ProofTuple> {
    let tables = tables.get()?;
    let rules = tables.rules();
    let position = Position::parse(rules, text).map_err(|error| errors::position(&error, ""))?;
    let limits = Limits {
        // A time too long for a `Duration` is no limit.
        time: cost.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        positions: cost.positions,
        plies: cost.plies,
    };
    let threads = cost.threads.unwrap_or(Options::default().threads);
    let options = Options { memory: cost.memory, threads };
    let proof = search(py, &tables, &position, &options, &limits)?;
    Ok((
        position.to_text(rules),
        proof.category.map(category),
        proof.dtw,
        proof.bound.name(),
        proof.not_before,
        proof.line.iter().map(ToString::to_string).collect(),
        proof.positions,
        proof.time.as_secs_f64(),
    ))
}

/// Searches on another thread while this one checks for signals, which only Python's main thread receives.
fn search(
    py: Python<'_>,
    tables: &Tablebase,
    position: &Position,
    options: &Options,
    limits: &Limits,
) -> PyResult<Proof> {
    let cancel = Cancel::new();
    let (done, mut is_done) = channel();
    std::thread::scope(|scope| {
        let seen = cancel.clone();
        let work = std::thread::Builder::new().name("jungletb-prove".to_owned()).spawn_scoped(scope, move || {
            let proof =
                Prover::new(tables, options).and_then(|prover| prover.prove(position, limits, &seen, &mut |_| {}));
            // The receiver waits until this is sent, or the thread panics.
            let _ = done.send(proof);
        });
        work.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        loop {
            // A receiver is `Send`, but not `Sync`.
            let receiver = &mut is_done;
            match py.detach(move || receiver.recv_timeout(STEP)) {
                Ok(proof) => return proof.map_err(|error| failure(&error)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("internal error in a search; please report it"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals() {
                        cancel.cancel();
                        // The scope ends when the search has stopped.
                        let receiver = &mut is_done;
                        let _ = py.detach(move || receiver.recv());
                        return Err(interrupt);
                    }
                }
            }
        }
    })
}

fn failure(error: &ProofError) -> PyErr {
    match error {
        ProofError::Position(error) => errors::position(error, ""),
        ProofError::Table(error) => errors::probe(error, "", None),
        ProofError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}
