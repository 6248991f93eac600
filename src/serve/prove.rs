//! Proofs: a search on worker threads, limited by the service.

use super::batch;
use super::error::ApiError;
use super::events::{self, Tell};
use super::payload::{Freshness, Payload};
use super::service::{RuleSet, Service, Settings};
use crate::game::Position;
use crate::proof::{Limits, Options, Progress, Proof, ProofError, Prover};
use crate::system::Cancel;
use axum::extract::Request;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A request for a proof.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProveRequest {
    position: String,
    /// Time limit in seconds.
    time: Option<f64>,
    positions: Option<u64>,
    plies: Option<u16>,
}

/// A search to run.
struct Job {
    set: Arc<RuleSet>,
    position: Position,
    options: Options,
    limits: Limits,
}

/// Responds to a request for a proof.
///
/// # Errors
/// Returns an error if the body is malformed, the position is invalid, a table is damaged, or the service is
/// overloaded.
pub async fn respond(service: &Arc<Service>, set: Arc<RuleSet>, request: Request) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    let body = batch::body(&service.settings, request).await?;
    let question: ProveRequest = serde_json::from_slice(&body).map_err(|error| ApiError::Body(error.to_string()))?;
    let job = Job::new(service, set, &question)?;
    events::respond(service, &headers, "proof", move |cancel, tell| job.run(cancel, tell)).await
}

/// A time limit in seconds, by default and at most that of the service. A longer one is not an error: the response
/// states what was excluded within the limit.
pub fn time_limit(settings: &Settings, seconds: Option<f64>) -> Result<Duration, ApiError> {
    let Some(seconds) = seconds else { return Ok(settings.prove_time) };
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    let wrong = || ApiError::Body("time must be a number of seconds above 0".to_owned());
    Ok(time.ok_or_else(wrong)?.min(settings.prove_time))
}

impl Job {
    fn new(service: &Service, set: Arc<RuleSet>, question: &ProveRequest) -> Result<Self, ApiError> {
        let position = Position::parse(set.tables.rules(), &question.position)?;
        let settings = &service.settings;
        let time = Some(time_limit(settings, question.time)?);
        let options = Options { memory: settings.prove_memory, threads: 1 };
        let limits = Limits { time, positions: question.positions, plies: question.plies };
        Ok(Self { set, position, options, limits })
    }

    fn run(&self, cancel: &Cancel, tell: Tell<'_>) -> Result<Payload, ApiError> {
        let tables = &self.set.tables;
        let mut listener = |progress: &Progress| tell(&|| progress_json(progress));
        let proof = Prover::new(tables, &self.options)?.prove(&self.position, &self.limits, cancel, &mut listener)?;
        self.count(&proof, cancel);
        let mut value = proof.json(tables.rules());
        if let Some(object) = value.as_object_mut() {
            object.insert("certificate".into(), Value::Null);
        }
        Ok(Payload::json(&value, Freshness::Checked))
    }

    fn count(&self, proof: &Proof, cancel: &Cancel) {
        let metrics = &self.set.metrics;
        let result = match proof.category {
            Some(_) => &metrics.proven,
            None if cancel.is_cancelled() => &metrics.proofs_cancelled,
            None => &metrics.not_proven,
        };
        result.inc();
        metrics.proof_positions.inc_by(proof.positions);
    }
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Position(error) => Self::Position(error),
            ProofError::Table(error) => error.into(),
            ProofError::Memory { .. } => Self::Overloaded,
        }
    }
}

fn progress_json(progress: &Progress) -> Value {
    json!({
        "not_before": progress.plies + 1,
        "looking_for": {"winner": progress.winner.to_string().to_lowercase(), "plies": progress.looking_for},
        "positions": progress.positions,
        "seconds": (progress.time.as_secs_f64() * 1000.0).round() / 1000.0,
    })
}
