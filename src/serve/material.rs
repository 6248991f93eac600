//! Answers about materials: which there are, and what is known of one.

use super::answer::{Answer, Freshness};
use super::error::ApiError;
use super::service::RuleSet;
use crate::inventory::{self, Entry};
use crate::material::{Material, graph};
use crate::stats::MaterialStats;
use serde_json::{Value, json};

/// What `stats` says of a material.
///
/// # Errors
/// A missing or damaged table.
pub fn stats(set: &RuleSet, material: Material) -> Result<Answer, ApiError> {
    let tables = &set.tables;
    let table = tables.table(material)?;
    let stats = MaterialStats::new(tables.rules(), tables.place(material)?, &table);
    Ok(Answer::json(&stats.json(tables, material), Freshness::Lasting))
}

/// What `list` says of the tables, by their headers alone.
pub fn all(set: &RuleSet) -> Answer {
    let tables = &set.tables;
    let pieces = inventory::most_pieces(tables).max(2);
    let classes = graph::up_to(tables.classes(), tables.rules(), pieces);
    let list: Vec<Value> = classes.iter().map(|class| Entry::from_headers(tables, class).json()).collect();
    Answer::json(&json!({"rules": tables.rules().name(), "tables": list}), Freshness::Checked)
}
