//! `plot`: a picture of a material.

use super::exit::BadArgument;
use super::{Common, exit, output};
use anyhow::Context;
use clap::Args;
use jungletb::analysis::plot;
use jungletb::game::Piece;
use jungletb::material::Material;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Draw a material as SVG: outcomes, histogram of distances, heat map of the board
#[derive(Args)]
pub struct Plot {
    /// A material such as `ERvL`
    material: String,
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
        let tables = common.tablebase()?;
        let material = Material::parse(tables.rules(), &self.material)?;
        let piece = self.piece.map(|letter| piece(material, letter)).transpose()?;
        let picture = plot::svg(&tables, material, piece)?;
        if self.out.as_os_str() == "-" {
            output::text(&picture)?;
        } else {
            write(&self.out, &picture).with_context(|| format!("{}: cannot write it", self.out.display()))?;
        }
        Ok(exit::GOOD)
    }
}

fn piece(material: Material, letter: char) -> Result<Piece, BadArgument> {
    Piece::from_letter(letter).filter(|&piece| material.has(piece)).ok_or_else(|| {
        let pieces = material.pieces().map(|piece| piece.letter().to_string()).collect::<Vec<_>>().join(" ");
        BadArgument(format!("--piece {letter:?}: {material} has no such piece; its pieces are {pieces}"))
    })
}

/// Writes a file beside its place and puts it there when it is whole.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        // Temporary files are for nobody else; this one is to be a file like any other.
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path)?;
    Ok(())
}
