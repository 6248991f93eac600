//! `probe`: shows the value of positions.

use super::{Common, exit, input, output};
use clap::Args;
use jungletb::analysis::report::PositionReport;
use jungletb::game::{Category, Color, Over, Position, Square};
use jungletb::material::Material;
use jungletb::probe::fault;
use jungletb::probe::{Answer, ProbeError, Tablebase};
use jungletb::text::{Items, quote};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show the value of a position, all moves ranked, and the best line
#[derive(Args)]
pub struct Probe {
    /// A position: ranks 9 to 1 and the side to move, as in "7/3L3/7/7/7/7/7/7/c6 w"; `startpos`; or a link to the page
    #[arg(required_unless_present = "batch", conflicts_with = "batch", num_args = 1..)]
    position: Vec<String>,
    /// Read one position per line from a file (- for standard input), write one JSON object per line
    ///
    /// Empty lines and lines that begin with # are skipped and give no output. An invalid line gives
    /// {"position","error","code"} in its place, and the exit code is 2 at the end.
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
}

impl Probe {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        if let Some(file) = &self.batch {
            return batch(&tables, file);
        }
        let report = PositionReport::new(&tables, &self.position.join(" "))?;
        if common.json {
            output::json(&report.json(&tables))?;
        } else if report.answer.is_ok() {
            output::text(&text(&report, &tables))?;
        }
        match report.answer {
            Ok(_) => Ok(exit::GOOD),
            Err(error @ (ProbeError::MissingTable(_) | ProbeError::TooManyPieces { .. })) => {
                let prove = prove_command(common, &report.position.to_text(tables.rules()));
                exit::print_error(&format!("{error}; or try to prove its value with `{prove}`"));
                Ok(exit::probe(&error))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The command that searches for the value of a position with the same rules and tables.
fn prove_command(common: &Common, position: &str) -> String {
    let rules = common.rules.iter().map(|rules| ("--rules", rules.as_os_str()));
    let tables = common.tables.iter().map(|folder| ("--tables", folder.as_os_str()));
    let options = rules.chain(tables).map(|(option, value)| format!(" {option} {}", quote(value)));
    format!("jungletb prove {}{}", quote(position.as_ref()), options.collect::<String>())
}

fn batch(tables: &Tablebase, file: &Path) -> anyhow::Result<u8> {
    let mut items = Items::new(input::open(file)?);
    let mut out = output::stdout();
    let mut code = exit::GOOD;
    while let Some(item) = items.read().map_err(|error| input::unreadable(file, error))? {
        let object = match (item.error.as_deref(), PositionReport::new(tables, &item.text)) {
            (None, Ok(report)) => {
                code = exit::worst(code, report.answer.as_ref().map_or_else(exit::probe, |_| exit::GOOD));
                report.json(tables)
            }
            (None, Err(error)) => {
                code = exit::worst(code, exit::probe(&error));
                let name = error.code();
                fault::json(Some(&item.excerpt()), exit::line(&error.into()), name)
            }
            (Some(error), _) => {
                code = exit::worst(code, exit::BAD_INPUT);
                fault::json(Some(&item.excerpt()), format_args!("bad position: {error}"), "bad-position")
            }
        };
        writeln!(out, "{object}")?;
        // A client that waits for an answer before its next question gets it.
        if items.is_drained() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(code)
}

/// The report as text for people.
fn text(report: &PositionReport, tables: &Tablebase) -> String {
    let us = report.position.to_move();
    let mut text = board(tables, &report.position);
    let material = Material::of(&report.position);
    match &report.class {
        Some(class) => text += &format!("\n{material} (class {class}), rules {}\n", tables.rules().name()),
        None => text += &format!("\n{material}, rules {}\n", tables.rules().name()),
    }
    if let Ok(answer) = &report.answer {
        text += &format!("{}\n", sentence(*answer, us));
    }
    if !report.moves.is_empty() {
        text += "\n";
    }
    for mv in &report.moves {
        let what = match mv.answer {
            Some(answer) => answer.before().short(),
            None => format!("unknown{}", mv.missing.map(|material| no_table(tables, material)).unwrap_or_default()),
        };
        let capture = mv.capture.map(|animal| format!(", takes the {}", animal.name())).unwrap_or_default();
        let den = if mv.den { ", enters the den" } else { "" };
        text += &format!("{}  {what}{capture}{den}\n", mv.mv);
    }
    if !report.line.is_empty() {
        text += &format!("\nbest line  {}\n", report.line.join(" "));
    }
    text
}

/// Why a move is unknown.
fn no_table(tables: &Tablebase, material: Material) -> String {
    match tables.place(material) {
        Ok(place) => format!(": no table for {material} (class {})", place.class.name()),
        Err(error) => format!(": {error}"),
    }
}

fn sentence(answer: Answer, us: Color) -> String {
    let over = answer.over.map(|over| match over {
        Over::Den => "a den has been entered",
        Over::NoPieces => "a side has no piece left",
        Over::NoMoves => "the side to move has no move",
    });
    let winner = match answer.category {
        Category::Win => Some(us),
        Category::Loss => Some(us.other()),
        Category::Draw => None,
    };
    match (winner, over, answer.dtw) {
        (Some(winner), Some(over), _) => format!("{winner} has won: {over}."),
        (None, Some(over), _) => format!("Drawn: {over}."),
        (Some(winner), None, Some(plies)) => {
            format!("{us} to move, {winner} wins in {}.", output::plies(plies))
        }
        (Some(winner), None, None) => format!("{us} to move, {winner} wins."),
        (None, None, _) => format!("{us} to move, a draw."),
    }
}

/// The board as a drawing: letters for pieces, `~` water, `#` traps, `*` dens.
pub fn board(tables: &Tablebase, position: &Position) -> String {
    let board = tables.rules().board();
    let mut text = String::new();
    for rank in (0..board.ranks).rev() {
        text += &format!("{} ", rank + 1);
        for file in 0..Square::FILES {
            let square = Square::at(file, rank);
            let symbol = match position.piece_at(square) {
                Some(piece) => piece.letter(),
                None if board.water.has(square) => '~',
                None if (board.traps[0] | board.traps[1]).has(square) => '#',
                None if board.both_dens().has(square) => '*',
                None => '.',
            };
            text += &format!(" {symbol}");
        }
        text.push('\n');
    }
    text + "   a b c d e f g\n"
}
