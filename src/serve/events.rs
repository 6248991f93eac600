//! Work that takes a while: a single response at its end or, if the client requests them, server-sent events with its
//! progress. It is cancelled when its client disconnects.

use super::error::ApiError;
use super::payload::Payload;
use super::service::Service;
use crate::system::Cancel;
use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Bytes, Frame};
use serde_json::Value;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Content type of server-sent events.
const EVENTS: &str = "text/event-stream";
/// Minimum time between two progress events.
const STEP: Duration = Duration::from_millis(200);

/// Reports progress; the value is made only if it is sent.
pub type Tell<'a> = &'a mut dyn FnMut(&dyn Fn() -> Value);

/// Runs a job among the proofs. With events, its end is called `name`.
///
/// # Errors
/// Returns an error if the job does, or if the service is overloaded.
pub async fn respond(
    service: &Arc<Service>,
    headers: &HeaderMap,
    name: &'static str,
    job: impl FnOnce(&Cancel, Tell<'_>) -> Result<Payload, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    if wants_events(headers) {
        return Ok(stream(Arc::clone(service), name, job));
    }
    Ok(service.provers.run(move |cancel| job(cancel, &mut |_| {})).await??.into_response())
}

/// Whether the client requests events rather than a single response.
fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|one| one.split(';').next().is_some_and(|kind| kind.trim() == EVENTS))
}

/// A response of events: `progress` repeatedly, at the end `name` or `error`.
fn stream(
    service: Arc<Service>,
    name: &'static str,
    job: impl FnOnce(&Cancel, Tell<'_>) -> Result<Payload, ApiError> + Send + 'static,
) -> Response {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(async move {
        let events = sender.clone();
        let mut last: Option<Instant> = None;
        let mut tell = move |progress: &dyn Fn() -> Value| {
            if last.is_none_or(|last| last.elapsed() >= STEP) {
                last = Some(Instant::now());
                send(&events, "progress", &progress().to_string());
            }
        };
        let answer = tokio::select! {
            answer = service.provers.run(move |cancel| job(cancel, &mut tell)) => answer,
            // The client has disconnected: the job leaves the queue, or is cancelled.
            () = sender.closed() => return,
        };
        match answer.and_then(|answer| answer) {
            Ok(answer) => send(&sender, name, &String::from_utf8_lossy(answer.body())),
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
