//! `list`: lists the tables.

use super::{Common, exit, interrupt, output, targets};
use clap::Args;
use jungletb::analysis::inventory::{self, ClassTables};
use jungletb::material::{Class, graph};
use jungletb::probe::Tablebase;
use jungletb::table::{Metric, State, TableError, checksums};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// List tables that are present, missing or damaged
#[derive(Args)]
pub struct List {
    /// A number of pieces (2 to 8), or materials such as `ERvL` [default: all]
    #[arg(value_name = "N|MATERIAL", conflicts_with = "pieces")]
    targets: Vec<String>,
    /// List classes of up to N pieces [default: as many as the largest table has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: Option<u8>,
    /// Print the lines of a CHECKSUMS file for the tables that exist
    #[arg(long, conflicts_with = "json")]
    checksums: bool,
}

impl List {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        let classes = self.classes(&tables)?;
        if self.checksums {
            let lines = classes.iter().map(|class| checksum_lines(&tables, class)).collect::<Result<Vec<_>, _>>()?;
            output::text(&lines.concat())?;
            return Ok(exit::GOOD);
        }
        let entries = inventory::of_classes(&tables, &classes, &interrupt::cancel())?;
        if common.json {
            let list: Vec<Value> = entries.iter().map(|entry| with_folder(&tables, entry)).collect();
            output::json(&json!({"rules": tables.rules().name(), "tables": list}))?;
        } else {
            output::text(&text(&tables, &entries))?;
        }
        let mut code = exit::GOOD;
        for error in entries.into_iter().filter_map(|entry| entry.error) {
            let error = error.into();
            exit::print_error(&exit::line(&error));
            code = exit::worst(code, exit::code(&error));
        }
        Ok(code)
    }
}

impl List {
    fn classes(&self, tables: &Tablebase) -> anyhow::Result<Vec<Arc<Class>>> {
        if !self.targets.is_empty() {
            return targets::only(&self.targets, tables.rules(), tables.classes());
        }
        let pieces = self.pieces.map_or_else(|| tables.most_pieces().max(2), usize::from);
        Ok(graph::up_to(tables.classes(), tables.rules(), pieces))
    }
}

/// The entry as JSON, with the folder of its tables: the one for tables of all rule sets.
fn with_folder(tables: &Tablebase, entry: &ClassTables) -> Value {
    let mut json = entry.json();
    json["folder"] = folder(tables, entry).map(|folder| folder.display().to_string()).into();
    json
}

/// The folder that holds the tables of a class.
fn folder(tables: &Tablebase, entry: &ClassTables) -> Option<PathBuf> {
    let metric = entry.metrics.last()?;
    let path = tables.registry().find(&entry.class, *metric);
    Some(path.parent()?.parent()?.to_owned())
}

fn checksum_lines(tables: &Tablebase, class: &Class) -> Result<String, TableError> {
    let mut lines = String::new();
    for metric in Metric::ALL {
        match tables.registry().examine(class, metric) {
            State::Ok(table) => lines += &checksums::line(tables.rules(), class, metric, &table),
            State::Missing => {}
            State::Damaged(error) => return Err(error),
        }
    }
    Ok(lines)
}

fn text(tables: &Tablebase, entries: &[ClassTables]) -> String {
    let mut text = String::new();
    for entry in entries {
        let metrics: Vec<&str> = entry.metrics.iter().map(|metric| metric.name()).collect();
        let others = entry.materials.len() - 1;
        let others = if others > 0 { format!("and {others} more") } else { String::new() };
        let line = format!(
            "{:<9} {:<12} {:<8} {:<8} {:>12}  {}",
            entry.class.name(),
            others,
            entry.state(),
            metrics.join("+"),
            if entry.bytes > 0 { output::grouped(entry.bytes) } else { String::new() },
            folder(tables, entry).map(|folder| folder.display().to_string()).unwrap_or_default(),
        );
        text += line.trim_end();
        text.push('\n');
    }
    let count = |state| entries.iter().filter(|entry| entry.state() == state).count();
    let folders: Vec<String> =
        tables.registry().places().searched().map(|folder| folder.display().to_string()).collect();
    text + &format!(
        "{}: {} ok, {} missing, {} damaged, {}\n",
        folders.join(", "),
        output::count(count("ok") as u64, "table", "tables"),
        count("missing"),
        count("damaged"),
        output::bytes(entries.iter().map(|entry| entry.bytes).sum()),
    )
}
