//! Proofs: a search off the threads that talk to clients, bounded by the service, cancelled when its client goes, and
//! told of on the way if the client wants to hear it.

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

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    position: String,
    /// Seconds.
    time: Option<f64>,
    positions: Option<u64>,
    plies: Option<u16>,
}

/// A search that is to be made.
struct Job {
    set: Arc<RuleSet>,
    position: Position,
    options: Options,
    limits: Limits,
}

/// Content type of events.
const EVENTS: &str = "text/event-stream";
/// Time between two events of progress, at least.
const STEP: Duration = Duration::from_millis(200);

/// Answers a request for a proof.
///
/// # Errors
/// A body that is not understood, a bad position, a damaged table, too much to do.
pub async fn respond(service: &Arc<Service>, set: Arc<RuleSet>, request: Request) -> Result<Response, ApiError> {
    let wants_events = wants_events(request.headers());
    let body = batch::body(&service.settings, request).await?;
    let question: Question = serde_json::from_slice(&body).map_err(|error| ApiError::Body(error.to_string()))?;
    let job = Job::new(service, set, &question)?;
    if wants_events {
        return Ok(events(Arc::clone(service), job));
    }
    Ok(service.provers.run(move |cancel| job.run(cancel, &mut |_| {})).await??.into_response())
}

/// Whether the client asks for events rather than for one answer.
fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| one.split(';').next().is_some_and(|kind| kind.trim() == EVENTS))
}

impl Job {
    fn new(service: &Service, set: Arc<RuleSet>, question: &Question) -> Result<Self, ApiError> {
        let position = Position::parse(set.tables.rules(), &question.position)?;
        let settings = &service.settings;
        let time = match question.time {
            None => settings.prove_time,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| ApiError::Body("time must be a number of seconds above 0".to_owned()))?,
        };
        // More than the service gives is not refused: the answer says what was excluded by then.
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

/// A response of events: `progress` now and then, at the end `proof` or `error`.
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
            // The client has gone: the job gives up its place in the queue, or is cancelled.
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
    // A proxy that gathers answers would keep the progress back.
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

/// Sends an event. JSON on one line has no line ends in it. Whether somebody still listens is not asked here.
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
