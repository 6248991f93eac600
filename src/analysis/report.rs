//! Position reports: what `probe` prints and the HTTP service returns.

use crate::game::{Animal, Over, Position};
use crate::material::Material;
use crate::probe::{Answer, ProbeError, RankedMove, Tablebase};
use serde::Serialize;
use serde_json::Value;

/// Everything known about a position from the existing tables.
#[derive(Debug)]
pub struct PositionReport {
    /// The position.
    pub position: Position,
    /// The class of its material; `None` if it has more pieces than any table.
    pub class: Option<String>,
    /// Its value, or the missing table.
    pub answer: Result<Answer, ProbeError>,
    /// Its legal moves, best first.
    pub moves: Vec<RankedMove>,
    /// The best line, as the texts of its moves.
    pub line: Vec<String>,
}

impl PositionReport {
    /// Probes a position given as text.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged; a missing table is part of the report.
    pub fn new(tables: &Tablebase, text: &str) -> Result<Self, ProbeError> {
        Self::of(tables, &Position::parse(tables.rules(), text)?)
    }

    /// Probes a position.
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
    /// move; distances are in plies, null for a draw or if unknown. A move with unknown value names the class whose
    /// table is missing.
    ///
    /// # Panics
    /// Never panics: a report holds plain values.
    pub fn json(&self, tables: &Tablebase) -> Value {
        serde_json::to_value(self.fields(tables)).expect("a report is plain values")
    }

    /// The report as JSON text.
    ///
    /// # Panics
    /// Never panics: a report holds plain values.
    pub fn json_text(&self, tables: &Tablebase) -> String {
        serde_json::to_string(&self.fields(tables)).expect("a report is plain values")
    }

    fn fields<'a>(&'a self, tables: &'a Tablebase) -> Fields<'a> {
        let answer = self.answer.as_ref().ok();
        Fields {
            position: self.position.to_text(tables.rules()),
            rules: tables.rules().name(),
            material: Material::of(&self.position).to_string(),
            class: self.class.as_deref(),
            category: category(answer),
            dtw: answer.and_then(|answer| answer.dtw),
            over: answer.and_then(|answer| answer.over).map(Over::name),
            error: self.answer.as_ref().err().map(ToString::to_string),
            code: self.answer.as_ref().err().map(ProbeError::code),
            moves: move_fields(tables, &self.moves),
            line: &self.line,
        }
    }
}

/// Moves as in the JSON of a report.
///
/// # Panics
/// Never panics: moves are plain values.
pub fn moves_json(tables: &Tablebase, moves: &[RankedMove]) -> Value {
    serde_json::to_value(move_fields(tables, moves)).expect("moves are plain values")
}

fn move_fields(tables: &Tablebase, moves: &[RankedMove]) -> Vec<MoveFields> {
    let fields = moves.iter().map(|mv| MoveFields {
        mv: mv.mv.to_string(),
        category: category(mv.answer.as_ref()),
        dtw: mv.answer.and_then(|answer| answer.dtw),
        capture: mv.capture.map(Animal::letter),
        den: mv.den,
        missing: mv.missing.map(|material| {
            let class = tables.place(material).map(|place| place.class.representative);
            class.unwrap_or(material).to_string()
        }),
    });
    fields.collect()
}

/// A report with the names and order of its JSON fields.
#[derive(Serialize)]
struct Fields<'a> {
    position: String,
    rules: &'a str,
    material: String,
    class: Option<&'a str>,
    category: &'static str,
    dtw: Option<u16>,
    over: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    moves: Vec<MoveFields>,
    line: &'a [String],
}

#[derive(Serialize)]
struct MoveFields {
    #[serde(rename = "move")]
    mv: String,
    category: &'static str,
    dtw: Option<u16>,
    capture: Option<char>,
    den: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

/// The name of a category; `unknown` without an answer.
fn category(answer: Option<&Answer>) -> &'static str {
    answer.map_or("unknown", |answer| answer.category.name())
}
