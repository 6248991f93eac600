//! Responses about a position: its value with all moves, and its best line.

use super::error::ApiError;
use super::kept::{PositionKey, PositionQuery};
use super::payload::{Freshness, JSON, Payload};
use super::service::{RuleSet, Service};
use crate::analysis::report::PositionReport;
use crate::game::{Category, Over, Position};
use crate::probe::fault;
use crate::probe::{self, ProbeError};
use crate::system::Cancel;
use crate::text::excerpt;
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;

/// The response to a query about the position in this text.
///
/// # Errors
/// Returns an error if the position is invalid, a table is damaged, or the service is overloaded.
pub async fn answer(
    service: &Service,
    set: &Arc<RuleSet>,
    query: PositionQuery,
    text: &str,
) -> Result<Payload, ApiError> {
    let position = Position::parse(set.tables.rules(), text)?;
    let key = PositionKey(set.number, query, position);
    set.metrics.probes.inc();
    if let Some(answer) = service.kept.get(&key) {
        set.metrics.hits.inc();
        return Ok(answer);
    }
    set.metrics.misses.inc();
    let job = {
        let set = Arc::clone(set);
        move |_: &Cancel| match query {
            PositionQuery::Probe => report(&set, &position),
            PositionQuery::Line => line(&set, &position),
        }
    };
    let answer = service.workers.run(job).await??;
    if answer.is_lasting() {
        service.kept.insert(key, answer.clone());
    }
    Ok(answer)
}

fn report(set: &RuleSet, position: &Position) -> Result<Payload, ApiError> {
    let report = PositionReport::of(set.current(), position)?;
    if report.answer.is_ok() {
        let values = report.moves.iter().map(|mv| mv.answer).chain([report.answer.as_ref().ok().copied()]);
        return Ok(Payload::new(JSON, report.json_text(&set.tables), freshness(values)));
    }
    let (value, error) = unknown(set, report);
    let status = error.map_or(StatusCode::OK, |error| error.row().0);
    Ok(Payload::json(&value, Freshness::Checked).with_status(status))
}

/// A report without an answer because the position's own table is missing; sent as an error.
fn unknown(set: &RuleSet, report: PositionReport) -> (Value, Option<ApiError>) {
    let mut value = report.json(&set.tables);
    let error = report.answer.err().map(ApiError::from);
    if let (Some(error), Some(object)) = (&error, value.as_object_mut()) {
        object.insert("error".into(), error.to_string().into());
        object.insert("code".into(), error.row().1.into());
    }
    (value, error)
}

fn line(set: &RuleSet, position: &Position) -> Result<Payload, ApiError> {
    let rules = set.tables.rules();
    let value = set.current().value(position)?;
    let line = set.tables.line(position)?;
    let positions: Vec<String> = line
        .iter()
        .scan(*position, |at, &mv| {
            *at = at.play(rules, mv)?;
            Some(at.to_text(rules))
        })
        .collect();
    let freshness = freshness([Some(value)]);
    let value = json!({
        "position": position.to_text(rules),
        "rules": rules.name(),
        "category": value.category.name(),
        "dtw": value.dtw,
        "over": value.over.map(Over::name),
        "line": line.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "positions": positions,
    });
    Ok(Payload::json(&value, freshness))
}

/// Values are final once they have a distance or are draws; a table added later may refine others.
fn freshness(values: impl IntoIterator<Item = Option<probe::Answer>>) -> Freshness {
    let is_whole = |value: Option<probe::Answer>| {
        value.is_some_and(|value| value.dtw.is_some() || value.category == Category::Draw)
    };
    if values.into_iter().all(is_whole) { Freshness::Lasting } else { Freshness::Checked }
}

/// The values of many positions, in order; an error takes the place of an invalid one. Stops when no client waits for
/// it.
pub fn many(set: &RuleSet, positions: &[String], cancel: &Cancel) -> Payload {
    let tables = set.current();
    let mut text = "[".to_owned();
    for position in positions.iter().take_while(|_| !cancel.is_cancelled()) {
        set.metrics.probes.inc();
        if text.len() > 1 {
            text.push(',');
        }
        text += &match PositionReport::new(tables, position) {
            Ok(report) if report.answer.is_ok() => report.json_text(tables),
            Ok(report) => unknown(set, report).0.to_string(),
            Err(error) => bad(position, error).to_string(),
        };
    }
    Payload::new(JSON, text + "]", Freshness::Checked)
}

fn bad(text: &str, error: ProbeError) -> Value {
    let error = ApiError::from(error);
    if matches!(error, ApiError::Table(_) | ApiError::Unavailable(_)) {
        error.log();
    }
    fault::json(Some(&excerpt(text)), &error, error.row().1)
}
