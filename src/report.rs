//! All that tables say of a position, in one value: what `probe` prints and the HTTP service answers.

use crate::game::{Over, Position};
use crate::material::Material;
use crate::probe::{Answer, ProbeError, RankedMove, Tablebase};
use serde_json::{Map, Value, json};

/// What is known of a position, as far as tables are there.
#[derive(Debug)]
pub struct PositionReport {
    /// The position.
    pub position: Position,
    /// The class of its material, `None` if no table has so many pieces.
    pub class: Option<String>,
    /// Its value, or the table that is missing.
    pub answer: Result<Answer, ProbeError>,
    /// Its legal moves, best first.
    pub moves: Vec<RankedMove>,
    /// The best line, one move's text after the other.
    pub line: Vec<String>,
}

impl PositionReport {
    /// Asks the tables about a position given as text.
    ///
    /// # Errors
    /// A bad position or a damaged table; a missing one is part of the report.
    pub fn new(tables: &Tablebase, text: &str) -> Result<Self, ProbeError> {
        Self::of(tables, &Position::parse(tables.rules(), text)?)
    }

    /// Asks the tables about a position.
    ///
    /// # Errors
    /// As [`PositionReport::new`].
    pub fn of(tables: &Tablebase, position: &Position) -> Result<Self, ProbeError> {
        let answer = match tables.value(position) {
            Err(error @ (ProbeError::Position(_) | ProbeError::Table(_))) => return Err(error),
            answer => answer,
        };
        let line = if answer.is_ok() { tables.line(position)? } else { Vec::new() };
        Ok(Self {
            position: *position,
            class: tables.place(Material::of(position)).ok().map(|place| place.class.name()),
            answer,
            moves: tables.moves(position)?,
            line: line.iter().map(ToString::to_string).collect(),
        })
    }

    /// The report as JSON. A move's category and distance are those of the position after it, for the side then to
    /// move; distances are in plies, null for a draw or where they are not known.
    pub fn json(&self, tables: &Tablebase) -> Value {
        let answer = self.answer.as_ref().ok();
        let mut object = Map::new();
        object.insert("position".into(), self.position.to_text(tables.rules()).into());
        object.insert("rules".into(), tables.rules().name().into());
        object.insert("material".into(), Material::of(&self.position).to_string().into());
        object.insert("class".into(), self.class.clone().into());
        object.insert("category".into(), category(answer).into());
        object.insert("dtw".into(), answer.and_then(|answer| answer.dtw).into());
        object.insert("over".into(), answer.and_then(|answer| answer.over).map(Over::name).into());
        if let Err(error) = &self.answer {
            object.insert("error".into(), error.to_string().into());
        }
        let moves = self.moves.iter().map(|mv| {
            json!({
                "move": mv.mv.to_string(),
                "category": category(mv.answer.as_ref()),
                "dtw": mv.answer.and_then(|answer| answer.dtw),
                "capture": mv.capture.map(|animal| animal.letter().to_string()),
                "den": mv.den,
            })
        });
        object.insert("moves".into(), moves.collect());
        object.insert("line".into(), self.line.clone().into());
        object.into()
    }
}

/// The name of a category, `unknown` without an answer.
fn category(answer: Option<&Answer>) -> &'static str {
    answer.map_or("unknown", |answer| answer.category.name())
}
