//! Reviews of games, as `check games` grades them: by the tables or, on request, by proofs as well.

use super::batch;
use super::error::ApiError;
use super::events::{self, Tell};
use super::payload::{Freshness, Payload};
use super::prove::time_limit;
use super::routes::Peer;
use super::service::{RuleSet, Service};
use crate::play::evidence::{Budget, Evidence};
use crate::play::record::{Record, Records};
use crate::play::review::Review;
use crate::proof::Options;
use crate::system::Cancel;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A game to review.
struct Job {
    set: Arc<RuleSet>,
    record: Record,
    /// Whether the annotated game is requested.
    annotate: bool,
    /// Time for the proof of each position; `None` for tables only.
    time: Option<Duration>,
    memory: usize,
}

/// Responds to a game: an object as in files of JSON lines, with `time` for proofs and `annotate` for the game as text.
///
/// # Errors
/// Returns an error if the body is malformed or has too many moves, or if the service is overloaded.
pub async fn respond(service: &Arc<Service>, set: Arc<RuleSet>, request: Request) -> Result<Response, ApiError> {
    let headers = request.headers().clone();
    let peer = request.extensions().get::<Peer>().copied();
    let body = batch::body(&service.settings, request).await?;
    let job = Job::new(service, set, &body)?;
    service.charge(peer, job.record.moves.len() + 1);
    if job.time.is_some() {
        return events::respond(service, &headers, "review", move |cancel, tell| job.prove(cancel, tell)).await;
    }
    Ok(service.workers.run(move |_| job.by_tables()).await?.into_response())
}

impl Job {
    fn new(service: &Service, set: Arc<RuleSet>, body: &[u8]) -> Result<Self, ApiError> {
        let settings = &service.settings;
        let mut value: Value = serde_json::from_slice(body).map_err(|error| ApiError::Body(error.to_string()))?;
        let object = value.as_object_mut().ok_or_else(|| ApiError::Body("give a JSON object with moves".to_owned()))?;
        let annotate = object.remove("annotate").is_some_and(|wanted| wanted == true);
        let time = match object.remove("time") {
            None | Some(Value::Null) => None,
            Some(time) => Some(time_limit(settings, time.as_f64().or(Some(f64::NAN)))?),
        };
        // As JSON is written, without line breaks.
        let text = value.to_string();
        let record = match Records::new(text.as_bytes()).next() {
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                let text = error.to_string();
                return Err(ApiError::Game(text.strip_prefix("line 1: ").unwrap_or(&text).to_owned()));
            }
            None => return Err(ApiError::Game("no moves".to_owned())),
        };
        let positions = record.moves.len() + 1;
        if positions > settings.positions {
            return Err(ApiError::TooManyPositions { found: positions, limit: settings.positions });
        }
        let share = settings.review_time / u32::try_from(positions).unwrap_or(u32::MAX);
        let time = time.map(|time| time.min(share));
        Ok(Self { set, record, annotate, time, memory: settings.prove_memory })
    }

    fn by_tables(&self) -> Payload {
        self.payload(&Review::new(self.set.current(), &self.record))
    }

    fn prove(&self, cancel: &Cancel, tell: Tell<'_>) -> Result<Payload, ApiError> {
        let options = Options { memory: self.memory, threads: 1 };
        let budget = Budget { time: self.time, positions: None };
        let evidence = Evidence::proofs(self.set.current(), &options, budget, cancel.clone())?;
        let mut done = |progress: crate::play::review::Progress| {
            tell(&|| json!({"done": progress.done, "of": progress.of}));
        };
        let review = Review::by(&evidence, &self.record, &mut done);
        // Cancelled: nobody waits for the answer.
        review.map(|review| self.payload(&review)).ok_or(ApiError::Overloaded)
    }

    fn payload(&self, review: &Review) -> Payload {
        let rules = self.set.tables.rules();
        let mut value = review.json(rules);
        value["rules"] = rules.name().into();
        value["start"] = review.start.map(|start| start.to_text(rules)).into();
        value["result"] = self.record.result.clone().into();
        if self.annotate {
            value["annotated"] = review.annotated(rules, &self.record).into();
        }
        Payload::json(&value, Freshness::Checked)
    }
}
