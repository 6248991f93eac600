//! A whole material as a data set, in the columns of van Rijn & Vis's published two-piece table.
//!
//! For each piece its strength (0 for the weakest possible animal), file (0 = a) and rank (0 = rank 1), White's
//! pieces first, strongest first; then the result for White: `w`in, `d`raw or `b` for a win of Black. With one piece
//! a side the columns are named as theirs; otherwise the pieces of a side are numbered.

use crate::game::{Category, Color, Piece, Position, Rules, Square};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::table::{Table, Value};
use std::io::{self, Write};
use thiserror::Error;

/// Form of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a line of column names.
    Csv,
    /// Weka's attribute-relation file format.
    Arff,
}

/// Why a material could not be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// Its table cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Nobody takes the output.
    #[error("cannot write the data set: {0}")]
    Output(#[from] io::Error),
}

/// Writes all positions of a material with a side to move.
///
/// # Errors
/// A missing or damaged table; output that cannot be written.
///
/// # Panics
/// Never: every position of the material is in its table.
pub fn export(
    tables: &Tablebase,
    material: Material,
    to_move: Color,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let rules = tables.rules();
    let pieces: Vec<Piece> = Color::BOTH
        .into_iter()
        .flat_map(|color| material.animals(color).rev().map(move |animal| Piece { color, animal }))
        .collect();
    let columns = columns(&pieces);
    match format {
        Format::Csv => writeln!(out, "{},result", columns.join(","))?,
        Format::Arff => {
            writeln!(
                out,
                "@relation jungle_{}_{material}_{}_to_move",
                rules.name(),
                to_move.to_string().to_lowercase()
            )?;
            writeln!(out)?;
            for column in &columns {
                writeln!(out, "@attribute {column} numeric")?;
            }
            writeln!(out, "@attribute result {{w,d,b}}")?;
            writeln!(out)?;
            writeln!(out, "@data")?;
        }
    }
    let place = tables.place(material)?;
    let table = tables.table(material)?;
    let (_, side) = place.casting(to_move);
    let values = whole(&table, side, place.class.index().len()).map_err(ProbeError::from)?;
    let mut write_row = |position: &Position| -> Result<(), ExportError> {
        let (sets, side) = place.sets(rules, position);
        debug_assert_eq!(side, place.casting(to_move).1);
        let value = values[place.class.index().encode(&sets) as usize];
        for &piece in &pieces {
            let square = position.square(piece).expect("all pieces are placed");
            write!(out, "{},{},{},", rules.keys().strength[piece.animal.index()] - 1, square.file(), square.rank())?;
        }
        let result = match (value.category(), to_move) {
            (Category::Draw, _) => "d",
            (Category::Win, Color::White) | (Category::Loss, Color::Black) => "w",
            _ => "b",
        };
        writeln!(out, "{result}")?;
        Ok(())
    };
    place_all(rules, &pieces, Position::empty(to_move), &mut write_row)
}

fn columns(pieces: &[Piece]) -> Vec<String> {
    let mut names = Vec::new();
    for color in Color::BOTH {
        let count = pieces.iter().filter(|piece| piece.color == color).count();
        for n in 1..=count {
            let number = if count == 1 { String::new() } else { n.to_string() };
            for what in ["strength", "file", "rank"] {
                names.push(format!("{}{number}_{what}", color.to_string().to_lowercase()));
            }
        }
    }
    names
}

fn whole(table: &Table, side: crate::material::Side, len: u64) -> Result<Vec<Value>, crate::table::TableError> {
    let mut values = vec![Value::DRAW; len as usize];
    table.read(side, 0, &mut values)?;
    Ok(values)
}

/// Places the pieces one after the other, file by file and rank by rank.
fn place_all(
    rules: &Rules,
    pieces: &[Piece],
    position: Position,
    row: &mut dyn FnMut(&Position) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let Some((&piece, later)) = pieces.split_first() else { return row(&position) };
    let domain = rules.movement(piece.color, piece.animal).domain;
    let taken = position.occupied(Color::White) | position.occupied(Color::Black);
    for file in 0..Square::FILES {
        for rank in 0..rules.board().ranks {
            let square = Square::at(file, rank);
            if domain.has(square) && !taken.has(square) {
                let mut position = position;
                position.set(piece, Some(square));
                place_all(rules, later, position, row)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Animal;

    #[test]
    fn columns_are_the_published_ones_for_two_pieces() {
        let piece = |color, animal| Piece { color, animal };
        let two = [piece(Color::White, Animal::Elephant), piece(Color::Black, Animal::Rat)];
        let names = "white_strength,white_file,white_rank,black_strength,black_file,black_rank";
        assert_eq!(columns(&two).join(","), names);
        let three = [two[0], piece(Color::White, Animal::Cat), two[1]];
        assert_eq!(columns(&three)[3], "white2_strength");
        assert_eq!(columns(&three)[6], "black_strength");
    }
}
