//! CSV and ARFF, in the columns of van Rijn & Vis's published two-piece table.
//!
//! For each piece its strength (0 for the weakest possible animal), file (0 = a) and rank (0 = rank 1), White's pieces
//! first, strongest first; then the result for White: `w`in, `d`raw or `b` for a win of Black. With one piece per side
//! the columns are named as in theirs; otherwise the pieces of a side are numbered. With both sides to move, the column
//! `to_move` precedes the result.

use super::super::rows::Rows;
use super::{ExportError, for_each_chunk};
use crate::game::{Category, Color, Piece, Square};
use crate::material::Material;
use crate::probe::Tablebase;
use crate::system::Cancel;
use std::io::Write;

/// Writes the positions with these sides to move as CSV or ARFF.
pub fn export(
    tables: &Tablebase,
    material: Material,
    to_move: &[Color],
    is_arff: bool,
    out: &mut dyn Write,
    cancel: &Cancel,
) -> Result<(), ExportError> {
    let pieces: Vec<Piece> = material.pieces().collect();
    let columns = columns(&pieces);
    let has_side = to_move.len() > 1;
    if is_arff {
        let sides: Vec<String> = to_move.iter().map(|&color| name(color)).collect();
        writeln!(out, "@relation jungle_{}_{material}_{}_to_move", tables.rules().name(), sides.join("_or_"))?;
        writeln!(out)?;
        for column in &columns {
            writeln!(out, "@attribute {column} numeric")?;
        }
        if has_side {
            writeln!(out, "@attribute to_move {{white,black}}")?;
        }
        writeln!(out, "@attribute result {{w,d,b}}")?;
        writeln!(out)?;
        writeln!(out, "@data")?;
    } else {
        writeln!(out, "{},{}result", columns.join(","), if has_side { "to_move," } else { "" })?;
    }
    let strength = tables.rules().keys().strength;
    // By piece and square, its three fields.
    let fields = |piece: &Piece| {
        let strength = strength[piece.animal.index()] - 1;
        let fields = |square: Square| format!("{strength},{},{},", square.file(), square.rank());
        (0..Square::COUNT as u8).map(|number| fields(Square::new(number))).collect()
    };
    let fields: Vec<Vec<String>> = pieces.iter().map(fields).collect();
    let mut line = Vec::new();
    for &color in to_move {
        let rows = Rows::new(tables, material, color)?;
        let side = if has_side { format!("{},", name(color)) } else { String::new() };
        for_each_chunk(&rows, cancel, |chunk| {
            for (n, value) in chunk.values.iter().enumerate() {
                line.clear();
                for (column, fields) in chunk.squares.iter().zip(&fields) {
                    line.extend_from_slice(fields[usize::from(column[n])].as_bytes());
                }
                line.extend_from_slice(side.as_bytes());
                line.extend_from_slice(match (value.category(), color) {
                    (Category::Draw, _) => b"d\n",
                    (Category::Win, Color::White) | (Category::Loss, Color::Black) => b"w\n",
                    _ => b"b\n",
                });
                out.write_all(&line)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn name(color: Color) -> String {
    color.to_string().to_lowercase()
}

fn columns(pieces: &[Piece]) -> Vec<String> {
    let mut names = Vec::new();
    for color in Color::BOTH {
        let count = pieces.iter().filter(|piece| piece.color == color).count();
        for n in 1..=count {
            let number = if count == 1 { String::new() } else { n.to_string() };
            for what in ["strength", "file", "rank"] {
                names.push(format!("{}{number}_{what}", name(color)));
            }
        }
    }
    names
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
