//! The JSON lines format: `{"moves":["a1b1",…],"start":"…","result":"1-0","reason":"den","white":"…","black":"…"}`.
//!
//! Only `moves` is required. `position` and `fen` are accepted for `start`, `termination` for `reason`, `winner` for
//! `result`, and `players` for both names in an array or an object. Other fields are ignored.

use super::Record;
use serde_json::{Map, Value};

/// Parses a record.
pub fn read(line: usize, text: &str) -> Result<Record, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let at = error.column();
        format!(
            "not a complete JSON object (character {at}): {}",
            error.to_string().split(" at line").next().unwrap_or("")
        )
    })?;
    let Value::Object(fields) = value else { return Err("not a JSON object; write {\"moves\":[…]}".to_owned()) };
    let moves = match fields.get("moves") {
        Some(Value::Array(moves)) => moves
            .iter()
            .map(|mv| mv.as_str().map(str::to_owned).ok_or_else(|| format!("moves: {mv} is not a string")))
            .collect::<Result<_, _>>()?,
        Some(Value::String(moves)) => moves.split_whitespace().map(str::to_owned).collect(),
        Some(_) => return Err("moves is not an array of strings such as \"a1b1\"".to_owned()),
        None => return Err("no moves; write {\"moves\":[\"a1b1\",…]}".to_owned()),
    };
    let player = |name: &str, number: usize| -> Result<Option<String>, String> {
        match fields.get("players") {
            Some(Value::Array(players)) => Ok(players.get(number).and_then(Value::as_str).map(str::to_owned)),
            Some(Value::Object(players)) => field(players, &[name]),
            _ => field(&fields, &[name]),
        }
    };
    Ok(Record {
        line,
        start: field(&fields, &["start", "position", "fen"])?,
        moves,
        result: field(&fields, &["result", "winner"])?,
        reason: field(&fields, &["reason", "termination"])?,
        rules: field(&fields, &["rules"])?,
        players: [player("white", 0)?, player("black", 1)?],
        ..Record::default()
    })
}

/// The text of the first of these fields that is present.
fn field(fields: &Map<String, Value>, names: &[&str]) -> Result<Option<String>, String> {
    for name in names {
        match fields.get(*name) {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => return Ok(Some(text.clone())),
            Some(other) => return Err(format!("{name} is {other}, not a string")),
        }
    }
    Ok(None)
}
