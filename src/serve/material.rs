//! Responses about materials: the list, and statistics of one.

use super::error::ApiError;
use super::kept::{Listed, MaterialKey, MaterialQuery};
use super::payload::{self, Freshness, Payload, SVG};
use super::service::{RuleSet, Service};
use crate::analysis::heat::Heat;
use crate::analysis::inventory::ClassTables;
use crate::analysis::plot;
use crate::analysis::stats::MaterialStats;
use crate::material::{Material, graph};
use crate::system::Cancel;
use crate::table::Metric;
use axum::http::HeaderValue;
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// The response to a query about a material. Its entity tag is derived from the checksum of the table, so nothing is
/// counted for a client that has the response.
///
/// # Errors
/// Returns an error if a table is missing or damaged, if there are too many positions, or if the service is overloaded.
pub async fn respond(
    service: &Service,
    set: &Arc<RuleSet>,
    query: MaterialQuery,
    material: Material,
    known: Option<&HeaderValue>,
) -> Result<Response, ApiError> {
    // If there is only a WDL table, a DTW table may still be added at any time.
    if let Some(answer) = service.kept_materials.get(&MaterialKey(set.number, query, material, Metric::Dtw)) {
        return Ok(answer.respond(known));
    }
    if query != MaterialQuery::Stats {
        check_size(service, set, material)?;
    }
    let (tag, metric) = {
        let set = Arc::clone(set);
        service.workers.run(move |_| tag(&set, query, material)).await??
    };
    let key = MaterialKey(set.number, query, material, metric);
    let freshness = if metric == Metric::Dtw { Freshness::Lasting } else { Freshness::Checked };
    if let Some(response) = payload::not_modified(known, &tag, freshness) {
        return Ok(response);
    }
    let made = async {
        let set = Arc::clone(set);
        let workers = if query == MaterialQuery::Stats { &service.workers } else { &service.counters };
        let answer = workers.run(move |cancel| make(&set, query, material, cancel)).await??;
        Ok::<_, ApiError>(answer.with_tag(tag).with_freshness(freshness))
    };
    // Concurrent requests wait for the same response.
    Ok(service.kept_materials.get_or_insert_async(&key, made).await?.respond(known))
}

fn check_size(service: &Service, set: &RuleSet, material: Material) -> Result<(), ApiError> {
    let positions = set.tables.place(material)?.class.stored_positions();
    let limit = service.settings.heat_positions;
    if positions > limit {
        return Err(ApiError::TooLarge { material: material.to_string(), positions, limit });
    }
    Ok(())
}

fn tag(set: &RuleSet, query: MaterialQuery, material: Material) -> Result<(HeaderValue, Metric), ApiError> {
    let table = set.current().table(material)?;
    let checksum = table.checksum();
    let rules = set.tables.rules().name();
    let what = format!("{checksum:x} {rules} {material} {query:?} {}", env!("CARGO_PKG_VERSION"));
    Ok((payload::tag(xxh3_64(what.as_bytes())), table.header().metric))
}

fn make(set: &RuleSet, query: MaterialQuery, material: Material, cancel: &Cancel) -> Result<Payload, ApiError> {
    let tables = &set.tables;
    let value = match query {
        MaterialQuery::Stats => {
            let table = tables.table(material)?;
            let stats = MaterialStats::new(tables.rules(), tables.place(material)?, &table);
            stats.json(tables, material)
        }
        MaterialQuery::Heat => Heat::new(tables, material, cancel)?.json(tables, material),
        MaterialQuery::Plot(piece) => {
            return Ok(Payload::new(SVG, plot::svg(tables, material, piece, cancel)?, Freshness::Lasting));
        }
    };
    Ok(Payload::json(&value, Freshness::Lasting))
}

/// Maximum age of a list if the folders are not written to: a file may still be damaged in place.
const LISTED_FOR: Duration = Duration::from_mins(1);

/// The output of `list`, judged by headers only. Recomputed when the tables have changed.
pub fn all(set: &RuleSet) -> Payload {
    let tables = set.current();
    let generation = tables.registry().generation();
    // Held while the list is computed: concurrent requests would only compute the same.
    let mut last = set.listing.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listed) =
        last.as_ref().filter(|listed| listed.generation == generation && listed.made.elapsed() < LISTED_FOR)
    {
        return listed.payload.clone();
    }
    let pieces = tables.most_pieces().max(2);
    let classes = graph::up_to(tables.classes(), tables.rules(), pieces);
    let list: Vec<Value> = classes.iter().map(|class| entry(&ClassTables::from_headers(tables, class))).collect();
    let answer = Payload::json(&json!({"rules": tables.rules().name(), "tables": list}), Freshness::Checked);
    *last = Some(Listed { payload: answer.clone(), generation, made: Instant::now() });
    answer
}

/// An entry without details of the machine from its error.
fn entry(entry: &ClassTables) -> Value {
    let mut value = entry.json();
    if let (Some(error), Some(object)) = (&entry.error, value.as_object_mut()) {
        tracing::error!("{error}");
        object.insert("error".into(), "damaged; the log of the service has details".into());
    }
    value
}
