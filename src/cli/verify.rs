//! `verify`: prove that tables are right.

use super::bars::Bars;
use super::{Common, certificate, exit, interrupt, output};
use clap::Args;
use jungletb::analysis::verify::{Verifier, VerifyError};
use jungletb::material::{Class, Material, graph};
use jungletb::probe::Tablebase;
use jungletb::table::Metric;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Check the checksums, then every position against its successors; or check certificates
///
/// Without materials, verifies all tables of the folder.
#[derive(Args)]
pub struct Verify {
    /// Materials whose tables to check
    materials: Vec<String>,
    /// Check the checksums only
    #[arg(long)]
    checksums: bool,
    /// Check a certificate of `prove` instead of tables; can be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["materials", "checksums"])]
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
                "{} classes, {} positions: {} hold ({:.1} s)\n",
                classes.len(),
                output::grouped(positions),
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
        if !self.materials.is_empty() {
            let mut classes = Vec::new();
            for text in &self.materials {
                let class = &tables.place(Material::parse(rules, text)?)?.class;
                if !classes.contains(class) {
                    classes.push(Arc::clone(class));
                }
            }
            return Ok(classes);
        }
        let pieces = jungletb::analysis::inventory::most_pieces(tables);
        let mut classes = graph::up_to(tables.classes(), rules, pieces);
        classes.retain(|class| {
            [Metric::Wdl, Metric::Dtw].iter().any(|&metric| tables.store().find(class, metric).exists())
        });
        if classes.is_empty() {
            // Asking for any table names the folder and the command that fills it.
            let first = graph::up_to(tables.classes(), rules, 2);
            tables.table(first[0].representative)?;
        }
        Ok(classes)
    }
}
