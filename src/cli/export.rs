//! `export`: writes a table as a data set.

use super::exit::BadArgument;
use super::{Common, exit, output, targets};
use anyhow::Context;
use clap::{Args, ValueEnum};
use jungletb::analysis::export::{Format, export};
use jungletb::game::Color;
use jungletb::system::Cancel;
use std::path::{Path, PathBuf};

/// Write a whole material as a data set
///
/// CSV and ARFF have the columns of the data set of van Rijn & Vis, with the result for White. Parquet has the square of
/// each piece, the side to move, and category and distance for that side; its metadata names rules, class and version.
#[derive(Args)]
pub struct Export {
    /// A material such as `ERvL`
    #[arg(required = true, num_args = 1..)]
    material: Vec<String>,
    /// Format of the data set
    #[arg(long, value_enum)]
    format: FormatChoice,
    /// Side to move [default: white; both for parquet]
    #[arg(long, value_enum)]
    to_move: Option<Sides>,
    /// Write to a file instead of standard output (`-`)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatChoice {
    Csv,
    Arff,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl FormatChoice {
    /// The format, and the usual extension of its files.
    const fn format(self) -> (Format, &'static str) {
        match self {
            Self::Csv => (Format::Csv, "csv"),
            Self::Arff => (Format::Arff, "arff"),
            #[cfg(feature = "parquet")]
            Self::Parquet => (Format::Parquet, "parquet"),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Sides {
    White,
    Black,
    Both,
}

impl Export {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        if common.json {
            return Err(BadArgument("export has no JSON form: leave out --json".to_owned()).into());
        }
        let tables = common.tablebase()?;
        let material = targets::material(&self.material, tables.rules())?;
        let (format, ending) = self.format.format();
        let others: Vec<&str> = FormatChoice::value_variants().iter().map(|choice| choice.format().1).collect();
        let others: Vec<&str> = others.into_iter().filter(|other| *other != ending).collect();
        let path = self.out.as_deref().unwrap_or(Path::new("-"));
        output::check_ending(path, &format!("a data set as {ending}"), ending, &others)?;
        let to_move = match self.to_move {
            Some(Sides::White) => &Color::BOTH[..1],
            Some(Sides::Black) => &Color::BOTH[1..],
            None if matches!(format, Format::Csv | Format::Arff) => &Color::BOTH[..1],
            Some(Sides::Both) | None => &Color::BOTH[..],
        };
        // A missing table is reported before the output file is created.
        tables.table(material)?;
        let mut out = output::create(path)?;
        export(&tables, material, to_move, format, &mut out, &Cancel::new())?;
        out.finish().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(exit::GOOD)
    }
}
