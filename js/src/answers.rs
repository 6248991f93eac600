//! Answers as JSON, with the names of all other interfaces.

use crate::material;
use jungletb::analysis::report::{PositionReport, moves_json};
use jungletb::game::{Animal, Over, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Answer, ProbeError, Tablebase, fault};
use jungletb::table::{Metric, TableError};
use serde_json::{Value, json};

/// The preset of a name, or the rules of a rule file, under the name.
pub fn rules(name: &str, toml: Option<String>) -> Result<Rules, String> {
    let rules = match toml {
        Some(text) => Rules::from_toml(name, &text),
        // There are no files here.
        None => Rules::load(name.trim_end_matches(".toml")),
    };
    rules.map_err(|error| error.to_string())
}

/// An answer as text; empty if bytes are on their way.
pub fn text(tables: &Tablebase, answer: Result<Value, ProbeError>) -> String {
    match answer {
        Ok(value) => value.to_string(),
        Err(error) if is_pending(&error) => String::new(),
        Err(error) => failure(tables, &error).to_string(),
    }
}

/// An error: message, code, and what is known of the table.
fn failure(tables: &Tablebase, error: &ProbeError) -> Value {
    let mut failure = fault::json(None, error, error.code());
    match error {
        ProbeError::MissingTable(missing) => {
            failure["material"] = missing.material().to_string().into();
            failure["class"] = missing.class().to_string().into();
            let rules = tables.rules().name();
            let files = Metric::ALL.map(|metric| format!("{rules}/{}.{}", missing.class(), metric.name()));
            failure["files"] = files.to_vec().into();
        }
        ProbeError::Table(error) => {
            failure["path"] = error.path().display().to_string().into();
            if let TableError::Damaged { what, .. } = error {
                failure["what"] = what.as_str().into();
            }
        }
        _ => {}
    }
    failure
}

/// Everything about a position.
pub fn report(tables: &Tablebase, position: &Position, line: bool) -> Result<Value, ProbeError> {
    // All questions come before the first error, so that the bytes of all of them are asked for.
    let (answer, moves) = (tables.value(position), tables.moves(position));
    let answer = match answer {
        Err(error @ (ProbeError::Position(_) | ProbeError::Table(_))) => return Err(error),
        answer => answer,
    };
    let line = if line && answer.is_ok() { tables.line(position)? } else { Vec::new() };
    let report = PositionReport {
        position: *position,
        class: tables.place(Material::of(position)).ok().map(|place| place.class.name()),
        answer,
        moves: moves?,
        line: line.iter().map(ToString::to_string).collect(),
    };
    Ok(report.json(tables))
}

/// The legal moves, best first, as in a report.
pub fn moves(tables: &Tablebase, position: &Position) -> Result<Value, ProbeError> {
    Ok(moves_json(tables, &tables.moves(position)?))
}

/// A value.
pub fn value(answer: Answer) -> Value {
    json!({ "category": answer.category.name(), "dtw": answer.dtw, "over": answer.over.map(Over::name) })
}

/// The legal moves with the positions after them.
pub fn successors(rules: &Rules, position: &Position) -> Value {
    let successors = position.successors(rules).map(|successor| {
        json!({
            "move": successor.mv.to_string(),
            "position": successor.position.to_text(rules),
            "capture": successor.capture.map(Animal::letter),
            "den": successor.den,
        })
    });
    successors.collect()
}

/// Whether a material has a usable table.
pub fn has(tables: &Tablebase, name: &str) -> String {
    let found = material(tables.rules(), name).map(|material| tables.table(material));
    match found {
        Ok(Err(error)) if is_pending(&error) => String::new(),
        Ok(found) => Value::from(found.is_ok()).to_string(),
        Err(error) => fault::json(None, error, "bad-material").to_string(),
    }
}

/// The classes that have tables.
pub fn available(tables: &Tablebase) -> String {
    let classes = tables.available().into_iter().map(|available| {
        let metrics: Vec<&str> = available.metrics.iter().map(|metric| metric.name()).collect();
        json!({ "class": available.class.name(), "pieces": available.class.pieces(), "metrics": metrics })
    });
    classes.collect::<Value>().to_string()
}

/// Cost of probing.
pub fn statistics(tables: &Tablebase) -> String {
    let statistics = tables.statistics();
    let json = json!({
        "hits": statistics.hits,
        "misses": statistics.misses,
        "bytes_unpacked": statistics.bytes_unpacked,
        "bytes_kept": statistics.bytes_kept,
    });
    json.to_string()
}

fn is_pending(error: &ProbeError) -> bool {
    matches!(error, ProbeError::Table(error) if error.is_pending())
}
