//! Trials: runs an engine on many positions in several processes, and grades its answers.

use super::adapters::{Engine, Failure, MoveRequest, Setup};
use super::evidence::{Budget, Evidence};
use super::grade::{Grade, GradeError, grade, grade_from};
use super::known::{Known, Source};
use super::playout::{Playout, play_out};
use crate::game::{Category, Move, Position};
use crate::probe::{ProbeError, Tablebase};
use crate::proof::{Options, ProofError};
use crate::system::Cancel;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use thiserror::Error;

/// Consecutive failed starts after which the trial is aborted.
const STARTS: usize = 3;

/// Options of a trial.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Number of parallel engine processes.
    pub processes: usize,
    /// Whether won positions are played out, and the maximum plies beyond the minimum.
    pub play_out: Option<usize>,
    /// Whether moves are graded by proofs where there is no table.
    pub proofs: Option<Proofs>,
}

/// Options for grading moves beyond the tables.
#[derive(Clone, Debug)]
pub struct Proofs {
    /// Options of the prover that runs next to each engine process.
    pub options: Options,
    /// Limits for proving one position.
    pub budget: Budget,
    /// Cancels a running search.
    pub cancel: Cancel,
}

impl Plan {
    fn evidence<'a>(&self, tables: &'a Tablebase) -> Result<Evidence<'a>, ProofError> {
        match &self.proofs {
            None => Ok(Evidence::tables(tables)),
            Some(proofs) => Evidence::proofs(tables, &proofs.options, proofs.budget, proofs.cancel.clone()),
        }
    }
}

/// The result of an engine for one position.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The position.
    pub position: Position,
    /// Its value.
    pub answer: Known,
    /// Its graded move, or the failure.
    pub reply: Result<Grade, Failure>,
    /// The engine's view of the board after an illegal move.
    pub explanation: Option<String>,
    /// The continuation, if the position was won and played out.
    pub playout: Option<Playout>,
}

/// Why a trial ended before its last position.
#[derive(Debug, Error)]
pub enum Abort {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The prover failed.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The engine failed to start several times in a row.
    #[error("the engine {0}")]
    NoStart(Failure),
    /// Cancellation was requested.
    #[error("interrupted")]
    Interrupted,
}

/// Requests a move from an engine, checks that it is legal, and grades it by tables.
///
/// # Errors
/// Returns an error if a table is missing or damaged, or on interruption. Failures of the engine are part of the
/// result.
pub(super) fn ask(
    tables: &Tablebase,
    engine: &mut Engine,
    question: &MoveRequest,
) -> Result<Result<Grade, Failure>, Abort> {
    ask_and(engine, question, |mv| grade(tables, &question.position, mv))
}

fn ask_and(
    engine: &mut Engine,
    question: &MoveRequest,
    grade: impl FnOnce(Move) -> Result<Grade, GradeError>,
) -> Result<Result<Grade, Failure>, Abort> {
    let mv = match engine.ask(question) {
        Ok(mv) => mv,
        Err(Failure::Interrupted) => return Err(Abort::Interrupted),
        Err(failure) => return Ok(Err(failure)),
    };
    match grade(mv) {
        Ok(grade) => Ok(Ok(grade)),
        Err(GradeError::Illegal { mv, .. }) => Ok(Err(Failure::Illegal(mv))),
        Err(GradeError::Probe(error)) => Err(error.into()),
        Err(GradeError::Proof(error)) => Err(error.into()),
    }
}

/// Outcome of a trial.
#[derive(Debug, Default)]
pub struct Trials {
    /// The results, in the order of the positions, without those that were not reached.
    pub trials: Vec<Trial>,
    /// The name that the engine gave.
    pub name: Option<String>,
    /// Why the trial ended early, if it did.
    pub abort: Option<Abort>,
}

/// Runs an engine on positions. Finished games are skipped. `done` is called after each position.
pub fn run(
    tables: &Tablebase,
    setup: &Setup,
    positions: &[Position],
    plan: &Plan,
    done: &(dyn Fn(&Trial) + Sync),
) -> Trials {
    let next = AtomicUsize::new(0);
    let all: Mutex<(Vec<(usize, Trial)>, Trials)> = Mutex::default();
    let failed_starts = AtomicUsize::new(0);
    let work = || {
        let mut engine = Engine::new(setup);
        let evidence = plan.evidence(tables);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&position) = positions.get(number) else { break };
            let trial = match &evidence {
                Ok(evidence) => one(evidence, &mut engine, position, plan.play_out),
                Err(ProofError::Memory { bytes }) => Err(ProofError::Memory { bytes: *bytes }.into()),
                Err(_) => break,
            };
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            let abort = match trial {
                Ok(None) => None,
                Ok(Some(trial)) => {
                    done(&trial);
                    let abort = given_up(&trial, &failed_starts);
                    all.0.push((number, trial));
                    abort
                }
                Err(abort) => Some(abort),
            };
            if let Some(abort) = abort {
                // The receiver is gone.
                next.store(positions.len(), Ordering::Relaxed);
                all.1.abort.get_or_insert(abort);
            }
        }
        if let Some(name) = engine.name() {
            all.lock().unwrap_or_else(PoisonError::into_inner).1.name = Some(name.to_owned());
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.processes.clamp(1, positions.len().max(1)) {
            scope.spawn(work);
        }
    });
    let (mut numbered, mut trials) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    numbered.sort_by_key(|(number, _)| *number);
    trials.trials = numbered.into_iter().map(|(_, trial)| trial).collect();
    trials
}

/// Whether the engine has failed to start too often.
fn given_up(trial: &Trial, failed_starts: &AtomicUsize) -> Option<Abort> {
    let Err(failure @ Failure::Start(_)) = &trial.reply else {
        failed_starts.store(0, Ordering::Relaxed);
        return None;
    };
    let starts = failed_starts.fetch_add(1, Ordering::Relaxed) + 1;
    (starts >= STARTS).then(|| Abort::NoStart(failure.clone()))
}

/// Runs one position; `None` if its game is over.
fn one(
    evidence: &Evidence,
    engine: &mut Engine,
    position: Position,
    play_out_for: Option<usize>,
) -> Result<Option<Trial>, Abort> {
    let (rules, tables) = (evidence.rules(), evidence.tablebase());
    // Independent of other positions, so that a result does not depend on their order.
    evidence.clear();
    let before = if evidence.proves() {
        evidence.prove(&position)?
    } else {
        Known::table(position.to_move(), tables.value(&position)?)
    };
    if evidence.is_cancelled() {
        return Err(Abort::Interrupted);
    }
    if position.over(rules).is_some() {
        return Ok(None);
    }
    let question = MoveRequest { rules, start: position, moves: &[], position };
    let reply = match engine.new_game() {
        Ok(()) => ask_and(engine, &question, |mv| grade_from(evidence, &position, &before, mv))?,
        Err(Failure::Interrupted) => return Err(Abort::Interrupted),
        Err(failure) => Err(failure),
    };
    if evidence.is_cancelled() {
        return Err(Abort::Interrupted);
    }
    let explanation = if let Err(Failure::Illegal(_)) = reply { engine.explain() } else { None };
    let answer = reply.as_ref().map_or(before, |grade| grade.before);
    // Against the longest resistance, which only tables know.
    let won = answer.exact().filter(|_| answer.category == Some(Category::Win) && answer.by == Source::Table);
    let playout = match (play_out_for, won) {
        (Some(most), Some(dtw)) if reply.is_ok() => Some(play_out(tables, engine, position, dtw, most)?),
        _ => None,
    };
    Ok(Some(Trial { position, answer, reply, explanation, playout }))
}
