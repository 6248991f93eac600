//! `verify`: verifies tables and certificates.

use super::bars::Bars;
use super::{Common, certificate, exit, interrupt, output, targets};
use clap::Args;
use jungletb::analysis::verify::{Standing, Verified, Verifier, VerifyError};
use jungletb::material::{Class, graph};
use jungletb::probe::{ProbeError, Tablebase};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Check the checksums, then every position against its successors; or check certificates
///
/// By default, checks all tables of the folder. With a number of pieces, checks the existing tables of up to that many
/// pieces; tables of named materials must exist.
#[derive(Args)]
pub struct Verify {
    /// A number of pieces (2 to 8), or materials such as `ERvL` [default: all existing tables]
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
                verifier.checksums(class).map(|()| None)
            } else {
                verifier.class(class, &|positions| bars.add(positions)).map(Some)
            };
            bars.end(class);
            if let Err(VerifyError::Interrupted) = result {
                bars.clear();
                return Err(VerifyError::Interrupted.into());
            }
            let result = result.map_err(anyhow::Error::from).map_err(|error| {
                // The worst code counts: a damaged table before a missing one.
                code = if code == exit::DAMAGED { code } else { exit::code(&error) };
                exit::line(&error)
            });
            results.push((class, result));
        }
        bars.clear();
        let faults: Vec<&String> = results.iter().filter_map(|(_, result)| result.as_ref().err()).collect();
        let verified: Vec<(&Class, &Verified)> =
            results.iter().filter_map(|(class, result)| Some((&***class, result.as_ref().ok()?.as_ref()?))).collect();
        if common.json {
            let each: Vec<_> = results
                .iter()
                .map(|(class, result)| {
                    let verified = result.as_ref().ok().and_then(Option::as_ref);
                    json!({
                        "class": class.name(),
                        "positions_stored": class.stored_positions(),
                        "ok": result.is_ok(),
                        "standing": verified.map(|verified| verified.standing.name()),
                        "distances_bounded": verified.map(|verified| verified.bounded),
                        "without_distances": verified.map(|verified| &verified.without_distances),
                        "error": result.as_ref().err(),
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
                "{}, {}: {} ({:.1} s)\n",
                output::count(classes.len() as u64, "class", "classes"),
                output::count(positions, "position", "positions"),
                if self.checksums { "all checksums hold".to_owned() } else { standings(&verified) },
                clock.elapsed().as_secs_f64()
            ))?;
            output::text(&not_checked(&verified))?;
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
        let available: Vec<Arc<Class>> = tables.available().into_iter().map(|available| available.class).collect();
        if !self.targets.is_empty() {
            let numbers = |target: &&String| target.starts_with(|c: char| c.is_ascii_digit());
            let named: Vec<String> = self.targets.iter().filter(|target| !numbers(target)).cloned().collect();
            let named = targets::materials(&named, rules)?.into_iter().map(|material| tables.place(material));
            let named = named.map(|place| Ok(&place?.class)).collect::<Result<Vec<_>, ProbeError>>()?;
            let mut classes = targets::only(&self.targets, rules, tables.classes())?;
            classes.retain(|class| named.contains(&class) || available.contains(class));
            return Self::some(tables, classes);
        }
        Self::some(tables, available)
    }

    /// These classes; an error if there are none.
    fn some(tables: &Tablebase, classes: Vec<Arc<Class>>) -> anyhow::Result<Vec<Arc<Class>>> {
        let rules = tables.rules();
        if classes.is_empty() {
            // Requesting any table gives an error with the folder and the command that fills it.
            let first = graph::up_to(tables.classes(), rules, 2);
            tables.table(first[0].representative)?;
        }
        Ok(classes)
    }
}

/// The outcome for the verified tables: `all values hold; 50 proven, 2 consistent (WDL)`.
fn standings(verified: &[(&Class, &Verified)]) -> String {
    let count = |standing: Standing| verified.iter().filter(|(_, verified)| verified.standing == standing).count();
    match (count(Standing::Proven), count(Standing::Consistent)) {
        (_, 0) => "all values proven".to_owned(),
        (0, _) => "all values consistent".to_owned(),
        (proven, consistent) => format!("all values hold, {proven} classes proven, {consistent} consistent"),
    }
}

/// What could not be checked, one line per class.
fn not_checked(verified: &[(&Class, &Verified)]) -> String {
    let lines =
        verified.iter().filter(|(_, verified)| !verified.without_distances.is_empty()).map(|(class, verified)| {
            format!(
                "{}: distances of {} stored positions compared with bounds only: WDL only for {}\n",
                class.name(),
                output::grouped(verified.bounded),
                verified.without_distances.join(", ")
            )
        });
    lines.collect()
}
