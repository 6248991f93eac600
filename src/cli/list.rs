//! `list`: which tables are there.

use super::{Common, exit, output};
use clap::Args;
use jungletb::material::{Class, MAX_PIECES, graph};
use jungletb::probe::Tablebase;
use jungletb::table::{Checksums, Metric, State, TableError, checksums};
use serde_json::{Value, json};
use std::sync::Arc;

/// Tables present, missing, damaged
#[derive(Args)]
pub struct List {
    /// List classes of up to so many pieces [default: as many as the largest table has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: Option<u8>,
    /// Print the lines of a CHECKSUMS file for the tables that are there
    #[arg(long, conflicts_with = "json")]
    checksums: bool,
}

/// The tables of a class.
struct Entry {
    class: Arc<Class>,
    materials: Vec<String>,
    state: &'static str,
    metrics: Vec<&'static str>,
    bytes: u64,
    error: Option<String>,
}

impl List {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        let pieces = self.pieces.map_or_else(|| most_pieces(&tables).max(2), usize::from);
        let classes = graph::up_to(tables.classes(), tables.rules(), pieces);
        if self.checksums {
            let lines = classes.iter().map(|class| checksum_lines(&tables, class)).collect::<Result<Vec<_>, _>>()?;
            output::text(&lines.concat())?;
            return Ok(exit::GOOD);
        }
        let known = Checksums::read(tables.store().tables())?;
        let entries: Vec<Entry> = classes.iter().map(|class| entry(&tables, class, &known)).collect();
        if common.json {
            let list: Vec<Value> = entries
                .iter()
                .map(|entry| {
                    json!({
                        "class": entry.class.name(),
                        "materials": entry.materials,
                        "pieces": entry.class.pieces(),
                        "state": entry.state,
                        "metrics": entry.metrics,
                        "bytes": entry.bytes,
                        "error": entry.error,
                    })
                })
                .collect();
            output::json(&json!({"rules": tables.rules().name(), "tables": list}))?;
        } else {
            output::text(&text(&tables, &entries))?;
        }
        for error in entries.iter().filter_map(|entry| entry.error.as_ref()) {
            exit::print_error(error);
        }
        Ok(if entries.iter().any(|entry| entry.state == "damaged") { exit::DAMAGED } else { exit::GOOD })
    }
}

fn entry(tables: &Tablebase, class: &Arc<Class>, known: &Checksums) -> Entry {
    let materials = tables.classes().materials(tables.rules(), class);
    let mut entry = Entry {
        class: Arc::clone(class),
        materials: materials.iter().map(ToString::to_string).collect(),
        state: "missing",
        metrics: Vec::new(),
        bytes: 0,
        error: None,
    };
    for metric in [Metric::Wdl, Metric::Dtw] {
        match tables.store().state(tables.rules(), class, metric) {
            State::Ok(table) => {
                entry.metrics.push(metric.name());
                entry.bytes += table.file_len();
                if let Err(error) = known.check(tables.rules(), class, metric, &table) {
                    entry.fault(error);
                } else if entry.state == "missing" {
                    entry.state = "ok";
                }
            }
            State::Missing => {}
            State::Damaged(error) => entry.fault(error),
        }
    }
    entry
}

impl Entry {
    fn fault(&mut self, error: TableError) {
        self.state = "damaged";
        self.error = Some(exit::line(&error.into()));
    }
}

fn checksum_lines(tables: &Tablebase, class: &Class) -> Result<String, TableError> {
    let mut lines = String::new();
    for metric in [Metric::Wdl, Metric::Dtw] {
        match tables.store().state(tables.rules(), class, metric) {
            State::Ok(table) => lines += &checksums::line(tables.rules(), class, metric, &table),
            State::Missing => {}
            State::Damaged(error) => return Err(error),
        }
    }
    Ok(lines)
}

fn text(tables: &Tablebase, entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let others = entry.materials.len() - 1;
        let others = if others > 0 { format!("and {others} more") } else { String::new() };
        text += &format!(
            "{:<9} {:<12} {:<8} {:<8} {:>12}\n",
            entry.class.name(),
            others,
            entry.state,
            entry.metrics.join("+"),
            if entry.bytes > 0 { output::grouped(entry.bytes) } else { String::new() },
        );
    }
    let count = |state| entries.iter().filter(|entry| entry.state == state).count();
    text + &format!(
        "{}: {} tables ok, {} missing, {} damaged, {}\n",
        tables.store().folder().display(),
        count("ok"),
        count("missing"),
        count("damaged"),
        output::bytes(entries.iter().map(|entry| entry.bytes).sum()),
    )
}

/// The number of pieces of the largest table there is, by the names of the files; 0 if there is none.
pub fn most_pieces(tables: &Tablebase) -> usize {
    let files = tables.store().folder().read_dir().into_iter().flatten().flatten();
    let pieces = files.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (class, metric) = name.split_once('.')?;
        let material = jungletb::material::Material::parse(tables.rules(), class).ok()?;
        matches!(metric, "wdl" | "dtw").then(|| material.len())
    });
    pieces.max().unwrap_or(0).min(MAX_PIECES)
}
