//! Export of a material as a data set, in the columns of van Rijn & Vis's published two-piece table.
//!
//! For each piece its strength (0 for the weakest possible animal), file (0 = a) and rank (0 = rank 1), White's pieces
//! first, strongest first; then the result for White: `w`in, `d`raw or `b` for a win of Black. With one piece per side
//! the columns are named as in theirs; otherwise the pieces of a side are numbered.

use crate::distances::SideValues;
use crate::game::{Category, Color, Piece, Position, Rules, Square};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::system::{Cancel, filled};
use crate::table::{TableError, Value};
use rayon::prelude::*;
use std::io::{self, Write};
use thiserror::Error;

/// Format of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// Weka's attribute-relation file format.
    Arff,
}

/// Why a material could not be exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Its table cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The output cannot be written.
    #[error("cannot write the data set: {0}")]
    Output(#[from] io::Error),
}

/// Writes all positions of a material with a side to move.
///
/// # Errors
/// Returns an error if a table is missing or damaged, if the output cannot be written, or on cancellation.
pub fn export(
    tables: &Tablebase,
    material: Material,
    to_move: Color,
    format: Format,
    out: &mut dyn Write,
    cancel: &Cancel,
) -> Result<(), ExportError> {
    let rules = tables.rules();
    let pieces = pieces(material);
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
    let mut rows = 0_u32;
    positions(tables, material, to_move, |squares, value| {
        rows = rows.wrapping_add(1);
        if rows.is_multiple_of(1024) && cancel.is_cancelled() {
            let path = tables.table(material)?.path().to_owned();
            return Err(ProbeError::from(TableError::Interrupted { path }).into());
        }
        for (piece, square) in pieces.iter().zip(squares) {
            write!(out, "{},{},{},", rules.keys().strength[piece.animal.index()] - 1, square.file(), square.rank())?;
        }
        let result = match (value.category(), to_move) {
            (Category::Draw, _) => "d",
            (Category::Win, Color::White) | (Category::Loss, Color::Black) => "w",
            _ => "b",
        };
        writeln!(out, "{result}")?;
        Ok(())
    })
}

/// The pieces of a material in the order of its name: White's first, strongest first.
pub fn pieces(material: Material) -> Vec<Piece> {
    let of = |color| material.animals(color).rev().map(move |animal| Piece { color, animal });
    Color::BOTH.into_iter().flat_map(of).collect()
}

/// Calls `row` for every position of a material with a side to move and no piece in a den, with the squares of its
/// [`pieces`] and its value for the side to move. With a WDL table only the category of the value is meaningful.
///
/// # Errors
/// Returns an error if a table is missing or damaged; passes on errors of `row`.
pub fn positions<E, F>(tables: &Tablebase, material: Material, to_move: Color, mut row: F) -> Result<(), E>
where
    E: From<ProbeError>,
    F: FnMut(&[Square], Value) -> Result<(), E>,
{
    let place = tables.place(material)?;
    let (_, side) = place.casting(to_move);
    let values = whole(&tables.values(material, side)?, place.class.index().len()).map_err(ProbeError::from)?;
    let pieces = pieces(material);
    let mut squares = Vec::with_capacity(pieces.len());
    place_all(tables.rules(), &pieces, Position::empty(to_move), &mut squares, &mut |position, squares| {
        let (sets, side) = place.sets(tables.rules(), position);
        debug_assert_eq!(side, place.casting(to_move).1);
        row(squares, values[place.class.index().encode(&sets) as usize])
    })
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

fn whole(values: &SideValues, len: u64) -> Result<Vec<Value>, TableError> {
    let table = values.table();
    let mut all = filled(len as usize, Value::DRAW)
        .map_err(|_| TableError::io(table.path(), "load")(io::ErrorKind::OutOfMemory.into()))?;
    let step = u64::from(table.header().block_len);
    all.par_chunks_mut(step as usize).enumerate().try_for_each(|(n, part)| values.read(n as u64 * step, part))?;
    Ok(all)
}

/// Places the pieces one after the other, file by file and rank by rank.
fn place_all<E, F>(
    rules: &Rules,
    pieces: &[Piece],
    position: Position,
    squares: &mut Vec<Square>,
    row: &mut F,
) -> Result<(), E>
where
    F: FnMut(&Position, &[Square]) -> Result<(), E>,
{
    let Some((&piece, later)) = pieces.split_first() else { return row(&position, squares) };
    let domain = rules.movement(piece.color, piece.animal).domain;
    let taken = position.occupied(Color::White) | position.occupied(Color::Black);
    for file in 0..Square::FILES {
        for rank in 0..rules.board().ranks {
            let square = Square::at(file, rank);
            if domain.has(square) && !taken.has(square) {
                let mut position = position;
                position.set(piece, Some(square));
                squares.push(square);
                place_all(rules, later, position, squares, row)?;
                squares.pop();
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
