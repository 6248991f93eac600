//! Answers about materials: which there are, and what is known of one.

use super::answer::{self, Answer, ByBytes, Freshness, SVG};
use super::error::ApiError;
use super::service::{RuleSet, Service};
use crate::analysis::heat::Heat;
use crate::analysis::inventory::{self, Entry};
use crate::analysis::plot;
use crate::analysis::stats::MaterialStats;
use crate::game::Piece;
use crate::material::{Material, graph};
use crate::system::Cancel;
use crate::table::Metric;
use axum::http::HeaderValue;
use axum::response::Response;
use quick_cache::sync::Cache;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use xxhash_rust::xxh3::xxh3_64;

/// What is asked about a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Counts and distances, as in the summary of its table.
    Stats,
    /// How it fares with each piece on each square, which takes reading the whole table.
    Heat,
    /// The picture of all that, with the heat map of one piece or of all.
    Plot(Option<Piece>),
}

/// Which answer it is: the number of the rule set, the question, the material, what its table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(usize, Question, Material, Metric);

/// Answers that are kept.
pub type Kept = Cache<Key, Answer, ByBytes>;

/// A usual answer in bytes, to size the cache by.
const USUAL_ANSWER: u64 = 8 << 10;

/// Room for answers of so many bytes.
pub fn keep(bytes: u64) -> Kept {
    Cache::with_weighter((bytes / USUAL_ANSWER) as usize, bytes, ByBytes)
}

/// The response to a question about a material. Its tag comes from the checksum of the table, so that nothing is
/// counted for a client that has the answer.
///
/// # Errors
/// A missing or damaged table, too many positions, too much to do.
pub async fn respond(
    service: &Service,
    set: &Arc<RuleSet>,
    question: Question,
    material: Material,
    known: Option<&HeaderValue>,
) -> Result<Response, ApiError> {
    // Where there is only a table of results, one of distances may come at any time.
    if let Some(answer) = service.kept_materials.get(&Key(set.number, question, material, Metric::Dtw)) {
        return Ok(answer.respond(known));
    }
    if question != Question::Stats {
        check_size(service, set, material)?;
    }
    let (tag, metric) = {
        let set = Arc::clone(set);
        service.workers.run(move |_| tag(&set, question, material)).await??
    };
    let key = Key(set.number, question, material, metric);
    let freshness = if metric == Metric::Dtw { Freshness::Lasting } else { Freshness::Checked };
    if let Some(response) = answer::not_modified(known, &tag, freshness) {
        return Ok(response);
    }
    let made = async {
        let set = Arc::clone(set);
        let workers = if question == Question::Stats { &service.workers } else { &service.counters };
        let answer = workers.run(move |cancel| make(&set, question, material, cancel)).await??;
        Ok::<_, ApiError>(answer.with_tag(tag).with_freshness(freshness))
    };
    // Whoever asks meanwhile waits for the same answer.
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

fn tag(set: &RuleSet, question: Question, material: Material) -> Result<(HeaderValue, Metric), ApiError> {
    let table = set.tables.table(material)?;
    let checksum = table.checksum();
    let rules = set.tables.rules().name();
    let what = format!("{checksum:x} {rules} {material} {question:?} {}", env!("CARGO_PKG_VERSION"));
    Ok((answer::tag(xxh3_64(what.as_bytes())), table.header().metric))
}

fn make(set: &RuleSet, question: Question, material: Material, cancel: &Cancel) -> Result<Answer, ApiError> {
    let tables = &set.tables;
    let value = match question {
        Question::Stats => {
            let table = tables.table(material)?;
            let stats = MaterialStats::new(tables.rules(), tables.place(material)?, &table);
            stats.json(tables, material)
        }
        Question::Heat => Heat::new(tables, material, cancel)?.json(tables, material),
        Question::Plot(piece) => {
            return Ok(Answer::new(SVG, plot::svg(tables, material, piece, cancel)?, Freshness::Lasting));
        }
    };
    Ok(Answer::json(&value, Freshness::Lasting))
}

/// The list of tables as it was last made.
#[derive(Debug, Default)]
pub struct Listing(Mutex<Option<Listed>>);

#[derive(Clone, Debug)]
struct Listed {
    answer: Answer,
    /// When the folders were last written to: tables come into them by being renamed.
    folders: Vec<Option<SystemTime>>,
    made: Instant,
}

/// How long a list is good if nobody writes to the folders: a file may still be spoilt where it is.
const LISTED_FOR: Duration = Duration::from_mins(1);

/// What `list` says of the tables, by their headers alone. Made anew when a folder has changed.
pub fn all(set: &RuleSet) -> Answer {
    let tables = &set.tables;
    let written = |folder: &PathBuf| folder.metadata().and_then(|metadata| metadata.modified()).ok();
    let folders: Vec<_> = tables.store().folders().iter().map(written).collect();
    // Held while the list is made: whoever else asks would only make the same.
    let mut last = set.listing.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listed) = last.as_ref().filter(|listed| listed.folders == folders && listed.made.elapsed() < LISTED_FOR)
    {
        return listed.answer.clone();
    }
    let pieces = inventory::most_pieces(tables).max(2);
    let classes = graph::up_to(tables.classes(), tables.rules(), pieces);
    let list: Vec<Value> = classes.iter().map(|class| entry(&Entry::from_headers(tables, class))).collect();
    let answer = Answer::json(&json!({"rules": tables.rules().name(), "tables": list}), Freshness::Checked);
    *last = Some(Listed { answer: answer.clone(), folders, made: Instant::now() });
    answer
}

/// An entry without what the error tells of the machine.
fn entry(entry: &Entry) -> Value {
    let mut value = entry.json();
    if let (Some(error), Some(object)) = (&entry.error, value.as_object_mut()) {
        tracing::error!("{error}");
        object.insert("error".into(), "damaged; whoever runs this service finds more in its log".into());
    }
    value
}
