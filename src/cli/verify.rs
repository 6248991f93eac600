//! `verify`: prove that tables are right.

use super::bars::Bars;
use super::{Common, certificate, exit, interrupt, output, targets};
use clap::Args;
use jungletb::analysis::verify::{Verifier, VerifyError};
use jungletb::material::{Class, graph};
use jungletb::probe::{ProbeError, Tablebase};
use jungletb::table::Metric;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Check the checksums, then every position against its successors; or check certificates
///
/// By default, all tables of the folder. With a number of pieces, those tables of up to so many pieces that are present;
/// tables of materials that are named must be present.
#[derive(Args)]
pub struct Verify {
    /// A number of pieces (2 to 8), or materials such as `ERvL` [default: all tables that are present]
    #[arg(value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// Check the checksums only
    #[arg(long)]
    checksums: bool,
    /// Check a certificate of `prove` instead of tables; can be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["targets", "checksums"])]
    certificate: Vec<PathBuf>,
}

impl Verify {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        if !self.certificate.is_empty() {
            return certificate::verify(common, &tables, &self.certificate);
        }
        let classes = self.classes(&tables)?;
        let cancel = interrupt::cancel();
        let clock = Instant::now();
        let positions = classes.iter().map(|class| class.stored_positions()).sum();
        let bars = Bars::new(common, positions);
        let mut verifier = Verifier::new(&tables, &cancel)?;
        let mut results = Vec::new();
        let mut code = exit::GOOD;
        for class in &classes {
            bars.begin(class);
            let result = if self.checksums {
                bars.add(class.stored_positions());
                verifier.checksums(class)
            } else {
                verifier.class(class, &|positions| bars.add(positions))
            };
            bars.end(class);
            if let Err(VerifyError::Interrupted) = result {
                bars.clear();
                return Err(VerifyError::Interrupted.into());
            }
            let error = result.err().map(anyhow::Error::from);
            if let Some(error) = &error {
                // The worst counts: a damaged table before a missing one.
                code = if code == exit::DAMAGED { code } else { exit::code(error) };
            }
            results.push((class, error.map(|error| exit::line(&error))));
        }
        bars.clear();
        let faults: Vec<&String> = results.iter().filter_map(|(_, error)| error.as_ref()).collect();
        if common.json {
            let each: Vec<_> = results
                .iter()
                .map(|(class, error)| {
                    json!({
                        "class": class.name(),
                        "positions_stored": class.stored_positions(),
                        "ok": error.is_none(),
                        "error": error,
                    })
                })
                .collect();
            output::json(&json!({
                "rules": tables.rules().name(),
                "checked": if self.checksums { "checksums" } else { "positions" },
                "ok": faults.is_empty(),
                "tables": each,
            }))?;
        } else if faults.is_empty() {
            let positions = classes.iter().map(|class| class.stored_positions()).sum();
            output::text(&format!(
                "{}, {}: {} hold ({:.1} s)\n",
                output::count(classes.len() as u64, "class", "classes"),
                output::count(positions, "position", "positions"),
                if self.checksums { "all checksums" } else { "all values" },
                clock.elapsed().as_secs_f64()
            ))?;
        }
        for fault in faults {
            exit::print_error(fault);
        }
        for unlisted in verifier.unlisted() {
            exit::print_error(&format!("{unlisted}; its values hold"));
        }
        Ok(code)
    }

    fn classes(&self, tables: &Tablebase) -> anyhow::Result<Vec<Arc<Class>>> {
        let rules = tables.rules();
        let is_there = |class: &Arc<Class>| {
            [Metric::Wdl, Metric::Dtw].iter().any(|&metric| tables.store().find(class, metric).exists())
        };
        if !self.targets.is_empty() {
            let numbers = |target: &&String| target.starts_with(|c: char| c.is_ascii_digit());
            let named: Vec<String> = self.targets.iter().filter(|target| !numbers(target)).cloned().collect();
            let named = targets::materials(&named, rules)?.into_iter().map(|material| tables.place(material));
            let named = named.map(|place| Ok(&place?.class)).collect::<Result<Vec<_>, ProbeError>>()?;
            let mut classes = targets::only(&self.targets, rules, tables.classes())?;
            classes.retain(|class| named.contains(&class) || is_there(class));
            return Self::some(tables, classes);
        }
        let pieces = jungletb::analysis::inventory::most_pieces(tables);
        let mut classes = graph::up_to(tables.classes(), rules, pieces);
        classes.retain(is_there);
        Self::some(tables, classes)
    }

    /// These classes, if there are any.
    fn some(tables: &Tablebase, classes: Vec<Arc<Class>>) -> anyhow::Result<Vec<Arc<Class>>> {
        let rules = tables.rules();
        if classes.is_empty() {
            // Asking for any table names the folder and the command that fills it.
            let first = graph::up_to(tables.classes(), rules, 2);
            tables.table(first[0].representative)?;
        }
        Ok(classes)
    }
}
