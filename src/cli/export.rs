//! `export`: writes a table as a data set.

use super::exit::BadArgument;
use super::{Common, exit, output, targets};
use anyhow::Context;
use clap::{Args, ValueEnum};
use jungletb::analysis::export::{Format, export};
use jungletb::game::Color;
use jungletb::system::Cancel;
use std::path::{Path, PathBuf};

/// Write a whole material as a data set, with the columns of the data set of van Rijn & Vis
#[derive(Args)]
pub struct Export {
    /// A material such as `ERvL`
    #[arg(required = true, num_args = 1..)]
    material: Vec<String>,
    /// Format of the data set
    #[arg(long, value_enum)]
    format: FormatChoice,
    /// Side to move
    #[arg(long, value_enum, default_value = "white")]
    to_move: ColorChoice,
    /// Write to a file instead of standard output (`-`)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatChoice {
    Csv,
    Arff,
}

#[derive(Clone, Copy, ValueEnum)]
enum ColorChoice {
    White,
    Black,
}

impl Export {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        if common.json {
            return Err(BadArgument("export has no JSON form: leave out --json".to_owned()).into());
        }
        let tables = common.tablebase()?;
        let material = targets::material(&self.material, tables.rules())?;
        let (format, ending, other) = match self.format {
            FormatChoice::Csv => (Format::Csv, "csv", "arff"),
            FormatChoice::Arff => (Format::Arff, "arff", "csv"),
        };
        let path = self.out.as_deref().unwrap_or(Path::new("-"));
        output::check_ending(path, &format!("a data set as {ending}"), ending, &[other])?;
        let to_move = match self.to_move {
            ColorChoice::White => Color::White,
            ColorChoice::Black => Color::Black,
        };
        // A missing table is reported before the output file is created.
        tables.table(material)?;
        let mut out = output::create(path)?;
        export(&tables, material, to_move, format, &mut out, &Cancel::new())?;
        out.finish().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(exit::GOOD)
    }
}
