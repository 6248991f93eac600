//! Files of games, read as `check games` reads them: every game with its moves, as far as they are legal, and its
//! variations.

use super::ask::Ask;
use super::batch;
use super::error::ApiError;
use super::payload::{Freshness, Payload};
use super::service::Service;
use crate::game::{Color, Position, Rules};
use crate::play::record::{Note, NoteKind, Record, RecordError, Records};
use crate::play::review::{Replay, read_move};
use axum::extract::Request;
use serde_json::{Value, json};
use std::sync::Arc;

/// Maximum nesting depth of variations; deeper ones are left out.
const DEEPEST: usize = 8;

/// Responds to a file of games.
///
/// # Errors
/// Returns an error if the body is too long, if it holds no game, or if the service is overloaded.
pub async fn respond(service: &Service, ask: &Ask, request: Request) -> Result<Payload, ApiError> {
    let settings = &service.settings;
    let encoding = ask.encoding()?;
    let body = batch::body_within(settings.games_bytes, settings, request).await?;
    let (set, most) = (Arc::clone(&ask.set), settings.games);
    let read = move |_: &_| {
        let rules = set.tables.rules();
        let mut games = Vec::new();
        let mut errors = Vec::new();
        let mut records = Records::in_encoding(&body[..], encoding);
        let mut is_cut = false;
        for record in &mut records {
            if games.len() + errors.len() == most {
                is_cut = true;
                break;
            }
            match record {
                Ok(record) => games.push(game(rules, &record)),
                Err(error @ RecordError::Bad { line, .. }) => {
                    errors.push(json!({"line": line, "error": error.to_string()}));
                }
                Err(error @ RecordError::Io(_)) => errors.push(json!({"line": null, "error": error.to_string()})),
            }
        }
        json!({"rules": rules.name(), "games": games, "errors": errors, "cut": is_cut})
    };
    Ok(Payload::json(&service.workers.run(read).await?, Freshness::Checked))
}

fn game(rules: &Rules, record: &Record) -> Value {
    let replay = Replay::new(rules, record);
    let moves: Vec<String> = replay.moves.iter().map(ToString::to_string).collect();
    let start = replay.positions.first();
    let tree = start.map(|start| tree(rules, start, &moves, &record.notes, 0));
    let comments = record.notes.iter().filter(|note| note.kind == NoteKind::Comment);
    let findings = replay
        .findings
        .iter()
        .map(|finding| json!({"ply": finding.ply, "kind": finding.kind.name(), "what": finding.what}));
    let player = |color: Color| &record.players[color.index()];
    json!({
        "line": record.line,
        "white": player(Color::White),
        "black": player(Color::Black),
        "result": record.result,
        "reason": record.reason,
        "layout": replay.layout.name(),
        "start": start.map(|start| start.to_text(rules)),
        "position": replay.positions.last().map(|last| last.to_text(rules)),
        "moves": moves,
        "tree": tree.unwrap_or_default(),
        "comments": comments.map(|note| json!({"ply": note.ply, "text": note.text})).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

/// Moves with variations, as in the addresses of the page: `d6d7(d6d5d4d3)c7c8`. A variation stands in parentheses
/// after the move that it replaces. Moves are followed as far as they are legal.
fn tree(rules: &Rules, start: &Position, moves: &[String], notes: &[Note], depth: usize) -> String {
    let mut text = String::new();
    let mut position = *start;
    for (mv, ply) in moves.iter().filter_map(|text| read_move(text)).zip(1..) {
        let Some(next) = position.play(rules, mv) else { break };
        text += &mv.to_string();
        let variations = notes.iter().filter(|note| note.ply == ply && note.kind == NoteKind::Variation);
        for note in variations.take_while(|_| depth < DEEPEST) {
            let variation = Record::of_variation(&note.text);
            let inside = tree(rules, &position, &variation.moves, &variation.notes, depth + 1);
            if !inside.is_empty() {
                text += &format!("({inside})");
            }
        }
        position = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_are_followed_as_far_as_they_are_legal() {
        let rules = Rules::standard();
        let text = "[Position \"7/7/2r4/3L3/7/3c3/7/7/7 w\"]\n\n1. d6d7 (1. d6d5 {or} (1. d6a6 c7c8) d4d3 2. a1a2) \
                    (1. a1a2) c7c8 (1... c7b7) (d9d8) 2. d7d6 *\n";
        let record = Records::new(text.as_bytes()).next().unwrap().unwrap();
        let value = game(&rules, &record);
        assert_eq!(value["tree"], "d6d7(d6d5(d6a6c7c8)d4d3)c7c8(c7b7)d7d6");
        assert_eq!(value["moves"], json!(["d6d7", "c7c8", "d7d6"]));
        let deep = format!(
            "[Position \"7/7/2r4/3L3/7/3c3/7/7/7 w\"]\n\n1. d6d7 {} *\n",
            "(d6d5 ".repeat(99) + &")".repeat(99)
        );
        let record = Records::new(deep.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game(&rules, &record)["tree"], format!("d6d7{}{}", "(d6d5".repeat(DEEPEST), ")".repeat(DEEPEST)));
    }
}
