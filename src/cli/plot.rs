//! `plot`: draws a material.

use super::exit::BadArgument;
use super::{Common, exit, output, targets};
use anyhow::Context;
use clap::Args;
use jungletb::analysis::plot;
use jungletb::game::Piece;
use jungletb::material::Material;
use jungletb::system::Cancel;
use std::io::Write;
use std::path::PathBuf;

/// Draw a material as SVG: outcomes, histogram of distances, heat map of the board
#[derive(Args)]
pub struct Plot {
    /// A material such as `ERvL`
    #[arg(required = true, num_args = 1..)]
    material: Vec<String>,
    /// The file to write; `-` for standard output
    #[arg(long, value_name = "FILE.svg")]
    out: PathBuf,
    /// Draw the heat map of one piece: an upper-case letter for White's, a lower-case one for Black's
    #[arg(long, value_name = "LETTER")]
    piece: Option<char>,
}

impl Plot {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        output::check_ending(&self.out, "an SVG picture", "svg", &OTHER_PICTURES)?;
        let tables = common.tablebase()?;
        let material = targets::material(&self.material, tables.rules())?;
        let piece = self.piece.map(|letter| piece(material, letter)).transpose()?;
        let mut out = output::create(&self.out)?;
        let picture = plot::svg(&tables, material, piece, &Cancel::new())?;
        let write = out.write_all(picture.as_bytes()).and_then(|()| out.finish());
        write.with_context(|| format!("cannot write {}", self.out.display()))?;
        Ok(exit::GOOD)
    }
}

/// File extensions of other image formats.
const OTHER_PICTURES: [&str; 11] = ["svgz", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "eps"];

fn piece(material: Material, letter: char) -> Result<Piece, BadArgument> {
    Piece::from_letter(letter).filter(|&piece| material.has(piece)).ok_or_else(|| {
        let pieces = material.pieces().map(|piece| piece.letter().to_string()).collect::<Vec<_>>().join(" ");
        BadArgument(format!("--piece {letter:?}: {material} has no such piece; its pieces are {pieces}"))
    })
}
