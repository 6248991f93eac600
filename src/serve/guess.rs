//! The engine's move where nothing is known: a guess, never a value.

use super::batch;
use super::error::ApiError;
use super::payload::{Freshness, Payload};
use super::prove::time_limit;
use super::service::{RuleSet, Service};
use crate::game::Position;
use crate::play::engine::{Game, Limits, Searcher};
use crate::system::Cancel;
use axum::extract::Request;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// A request for a move.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    position: String,
    /// Time limit in seconds.
    time: Option<f64>,
}

/// Responds with the move that the engine plays after a search within a time limit.
///
/// # Errors
/// Returns an error if the body is malformed, the position is invalid, or the service is overloaded.
pub async fn respond(service: &Service, set: Arc<RuleSet>, request: Request) -> Result<Payload, ApiError> {
    let body = batch::body(&service.settings, request).await?;
    let question: Question = serde_json::from_slice(&body).map_err(|error| ApiError::Body(error.to_string()))?;
    let position = Position::parse(set.tables.rules(), &question.position)?;
    let limits = Limits { move_time: Some(time_limit(&service.settings, question.time)?), ..Limits::default() };
    let search = move |cancel: &Cancel| {
        let tables = set.current();
        let game = Game::new(position);
        let found = Searcher::new(tables).search_until(&game, &limits, Instant::now(), cancel, &mut |_| {});
        let value = json!({
            "position": position.to_text(tables.rules()),
            "rules": tables.rules().name(),
            "move": found.best.map(|mv| mv.to_string()),
            "depth": found.depth,
            "positions": found.nodes,
        });
        Payload::json(&value, Freshness::Checked)
    };
    service.provers.run(search).await
}
