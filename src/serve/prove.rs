//! Proofs: a search on worker threads, limited by the service, cancelled when its client disconnects, with progress
//! events if the client requests them.

use super::batch;
use super::error::ApiError;
use super::payload::{Freshness, Payload};
use super::service::{RuleSet, Service};
use crate::game::Position;
use crate::proof::{Limits, Options, Progress, Proof, ProofError, Prover};
use crate::system::Cancel;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

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

/// Content type of server-sent events.
const EVENTS: &str = "text/event-stream";
/// Minimum time between two progress events.
const STEP: Duration = Duration::from_millis(200);

/// Responds to a request for a proof.
///
/// # Errors
/// Returns an error if the body is malformed, the position is invalid, a table is damaged, or the service is
/// overloaded.
pub async fn respond(service: &Arc<Service>, set: Arc<RuleSet>, request: Request) -> Result<Response, ApiError> {
    let wants_events = wants_events(request.headers());
    let body = batch::body(&service.settings, request).await?;
    let question: ProveRequest = serde_json::from_slice(&body).map_err(|error| ApiError::Body(error.to_string()))?;
    let job = Job::new(service, set, &question)?;
    if wants_events {
        return Ok(events(Arc::clone(service), job));
    }
    Ok(service.provers.run(move |cancel| job.run(cancel, &mut |_| {})).await??.into_response())
}

/// Whether the client requests events rather than a single response.
fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| one.split(';').next().is_some_and(|kind| kind.trim() == EVENTS))
}

impl Job {
    fn new(service: &Service, set: Arc<RuleSet>, question: &ProveRequest) -> Result<Self, ApiError> {
        let position = Position::parse(set.tables.rules(), &question.position)?;
        let settings = &service.settings;
        let time = match question.time {
            None => settings.prove_time,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| ApiError::Body("time must be a number of seconds above 0".to_owned()))?,
        };
        // A longer time than the service allows is not an error: the response states what was excluded within the
        // limit.
        let time = Some(time.min(settings.prove_time));
        let options = Options { memory: settings.prove_memory, threads: 1 };
        let limits = Limits { time, positions: question.positions, plies: question.plies };
        Ok(Self { set, position, options, limits })
    }

    fn run(&self, cancel: &Cancel, listener: &mut dyn FnMut(&Progress)) -> Result<Payload, ApiError> {
        let tables = &self.set.tables;
        let proof = Prover::new(tables, &self.options)?.prove(&self.position, &self.limits, cancel, listener)?;
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

/// A response of events: `progress` repeatedly, at the end `proof` or `error`.
fn events(service: Arc<Service>, job: Job) -> Response {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        let events = sender.clone();
        let mut last: Option<Instant> = None;
        let mut tell = move |progress: &Progress| {
            if last.is_none_or(|last| last.elapsed() >= STEP) {
                last = Some(Instant::now());
                send(&events, "progress", &progress_json(progress).to_string());
            }
        };
        let answer = tokio::select! {
            answer = service.provers.run(move |cancel| job.run(cancel, &mut tell)) => answer,
            // The client has disconnected: the job leaves the queue, or is cancelled.
            () = sender.closed() => return,
        };
        match answer.and_then(|answer| answer) {
            Ok(answer) => send(&sender, "proof", &String::from_utf8_lossy(answer.body())),
            Err(error) => {
                error.log();
                send(&sender, "error", &error.json().to_string());
            }
        }
    });
    let mut response = Response::new(Body::new(Events(receiver)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A buffering proxy would delay the progress.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn progress_json(progress: &Progress) -> Value {
    json!({
        "not_before": progress.plies + 1,
        "looking_for": {"winner": progress.winner.to_string().to_lowercase(), "plies": progress.looking_for},
        "positions": progress.positions,
        "seconds": (progress.time.as_secs_f64() * 1000.0).round() / 1000.0,
    })
}

/// Sends an event. Single-line JSON contains no line breaks. Does not check whether the client still listens.
fn send(events: &UnboundedSender<Bytes>, name: &str, json: &str) {
    let _ = events.send(format!("event: {name}\ndata: {json}\n\n").into());
}

/// The body of a response of events.
struct Events(UnboundedReceiver<Bytes>);

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
    }
}
