//! `verify`: checks tables, or certificates of proofs.

use super::bars::Bars;
use super::{Common, certificate, exit, interrupt, log, memory, output, targets};
use clap::Args;
use cpu_time::ProcessTime;
use jungletb::analysis::verify::record::{self, Record};
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
/// pieces, and lists what was verified in the file VERIFIED of the folder; classes listed as proven are then not
/// checked again. Interrupt at any time; rerun to resume. Tables of named materials must exist.
#[derive(Args)]
pub struct Verify {
    /// A number of pieces (2 to 8), or materials such as `ERvL` [default: all existing tables]
    #[arg(value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// Check the checksums only
    #[arg(long)]
    checksums: bool,
    /// List what was verified in this file, and skip what it lists as proven [default: with a number of pieces, the
    /// file VERIFIED in the folder of tables]
    #[arg(long, value_name = "FILE", conflicts_with = "checksums")]
    log: Option<PathBuf>,
    /// Verify what is listed as proven again
    #[arg(long, conflicts_with = "checksums")]
    again: bool,
    /// Limit on memory, such as 4G [default: 80% of what the machine has, or the limits of this process allow]
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size)]
    memory: Option<u64>,
    /// Check a certificate of `prove` instead of tables; can be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = ["targets", "checksums", "log", "again", "memory"])]
    certificate: Vec<PathBuf>,
}

/// The outcome for a class without an error.
enum Outcome {
    /// The checksums are right.
    Intact,
    /// The checksums are right, and the log lists the class as proven.
    Recorded,
    /// Every position was checked.
    Verified(Verified),
}

impl Outcome {
    const fn verified(&self) -> Option<&Verified> {
        match self {
            Self::Verified(verified) => Some(verified),
            _ => None,
        }
    }

    const fn standing(&self) -> Option<Standing> {
        match self {
            Self::Intact => None,
            Self::Recorded => Some(Standing::Proven),
            Self::Verified(verified) => Some(verified.standing),
        }
    }
}

/// A class, and its outcome or fault.
type Checked<'a> = (&'a Arc<Class>, Result<Outcome, String>);

impl Verify {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        if !self.certificate.is_empty() {
            return certificate::verify(common, &tables, &self.certificate);
        }
        let classes = self.classes(&tables)?;
        let mut record = self.record_path(&tables).map(|path| Record::read(&path)).transpose()?;
        let cancel = interrupt::cancel();
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        let bars = Bars::new(common, positions(classes.iter()));
        let memory = self.memory.unwrap_or_else(memory::usable);
        let mut verifier = Verifier::new(&tables, &cancel)?.with_memory(memory);
        if !self.checksums {
            check_memory(common, &verifier, &classes, memory)?;
        }
        let mut results: Vec<Checked<'_>> = Vec::new();
        let mut code = exit::GOOD;
        for class in &classes {
            bars.begin(class);
            let result = self.check(&tables, &mut verifier, class, record.as_ref(), &bars);
            let line = match &result {
                Ok(Outcome::Verified(verified)) => format!("  {}", record::line(&tables, class, verified)),
                Ok(Outcome::Recorded) => "  listed as proven".to_owned(),
                _ => String::new(),
            };
            bars.end_with(class, &line);
            if result.as_ref().is_err_and(|error| matches!(**error, VerifyError::Interrupted)) {
                bars.clear();
                return Err(VerifyError::Interrupted.into());
            }
            if let (Ok(Outcome::Verified(verified)), Some(record)) = (&result, &mut record) {
                record.add(&tables, class, verified)?;
            }
            let result = result.map_err(|error| {
                let error = anyhow::Error::from(*error);
                // The worst code counts: a damaged table before a missing one.
                code = if code == exit::DAMAGED { code } else { exit::code(&error) };
                exit::line(&error)
            });
            results.push((class, result));
        }
        bars.clear();
        let (seconds, cpu_seconds) = (clock.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        let faults: Vec<&String> = results.iter().filter_map(|(_, result)| result.as_ref().err()).collect();
        if common.json {
            self.print_json(&tables, &results, seconds, cpu_seconds)?;
        } else if faults.is_empty() {
            output::text(&format!(
                "{}, {}: {} ({seconds:.1} s)\n",
                output::count(classes.len() as u64, "class", "classes"),
                output::count(positions(classes.iter()), "position", "positions"),
                if self.checksums { "all checksums hold".to_owned() } else { standings(&results) },
            ))?;
            output::text(&not_checked(&results))?;
        }
        for fault in faults {
            exit::print_error(fault);
        }
        for unlisted in verifier.unlisted() {
            exit::print_error(&format!("{unlisted}; its values hold"));
        }
        Ok(code)
    }

    /// Checks a class, as far as it is not recorded.
    fn check(
        &self,
        tables: &Tablebase,
        verifier: &mut Verifier<'_>,
        class: &Arc<Class>,
        record: Option<&Record>,
        bars: &Bars,
    ) -> Result<Outcome, Box<VerifyError>> {
        let is_recorded = record.is_some_and(|record| !self.again && record.is_proven(tables, class));
        if self.checksums || is_recorded {
            bars.add(class.stored_positions());
            verifier.checksums(class)?;
            return Ok(if is_recorded { Outcome::Recorded } else { Outcome::Intact });
        }
        let progress = |positions| bars.checked(class, positions);
        Ok(Outcome::Verified(verifier.class(class, &progress)?))
    }

    /// The path of the log, if there is to be one.
    fn record_path(&self, tables: &Tablebase) -> Option<PathBuf> {
        let all_up_to = self.targets.iter().any(|target| is_number(target)) && !self.checksums;
        let folder = all_up_to.then(|| tables.registry().tables()).filter(|folder| folder.is_dir());
        let default = folder.map(|folder| folder.join(record::FILE_NAME));
        self.log.clone().or(default)
    }

    fn print_json(
        &self,
        tables: &Tablebase,
        results: &[Checked<'_>],
        seconds: f64,
        cpu_seconds: f64,
    ) -> anyhow::Result<()> {
        let each: Vec<_> = results
            .iter()
            .map(|(class, result)| {
                let outcome = result.as_ref().ok();
                let verified = outcome.and_then(Outcome::verified);
                json!({
                    "class": class.name(),
                    "positions_stored": class.stored_positions(),
                    "ok": result.is_ok(),
                    "standing": outcome.and_then(Outcome::standing).map(Standing::name),
                    "recorded": matches!(outcome, Some(Outcome::Recorded)),
                    "distances_bounded": verified.map(|verified| verified.bounded),
                    "without_distances": verified.map(|verified| &verified.without_distances),
                    "error": result.as_ref().err(),
                })
            })
            .collect();
        let is_verified = |(_, result): &&Checked<'_>| matches!(result, Ok(Outcome::Verified(_)));
        let verified = positions(results.iter().filter(is_verified).map(|(class, _)| *class));
        let rate = if cpu_seconds > 0.0 { verified as f64 / cpu_seconds } else { 0.0 };
        Ok(output::json(&json!({
            "rules": tables.rules().name(),
            "checked": if self.checksums { "checksums" } else { "positions" },
            "ok": results.iter().all(|(_, result)| result.is_ok()),
            "positions_verified": verified,
            "seconds": (seconds * 1000.0).round() / 1000.0,
            "cpu_seconds": (cpu_seconds * 1000.0).round() / 1000.0,
            "positions_per_cpu_second": rate.round() as u64,
            "tables": each,
        }))?)
    }

    fn classes(&self, tables: &Tablebase) -> anyhow::Result<Vec<Arc<Class>>> {
        let rules = tables.rules();
        let available: Vec<Arc<Class>> = tables.available().into_iter().map(|available| available.class).collect();
        if !self.targets.is_empty() {
            let named: Vec<String> = self.targets.iter().filter(|target| !is_number(target)).cloned().collect();
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

/// Tells what the class that needs the most memory needs; an error if that is more than allowed.
fn check_memory(common: &Common, verifier: &Verifier<'_>, classes: &[Arc<Class>], limit: u64) -> anyhow::Result<()> {
    // A missing or damaged table is reported when its class is verified.
    let needs = classes.iter().filter_map(|class| Some((verifier.memory_need(class).ok()?, class)));
    let Some((need, class)) = needs.max_by_key(|(need, _)| *need) else { return Ok(()) };
    if need > limit {
        return Err(VerifyError::NeedsMemory { class: class.name(), need, limit }.into());
    }
    if common.verbose {
        log::line(&format!("memory needed: {} for {}", output::bytes(need), class.name()));
    }
    Ok(())
}

fn is_number(target: &str) -> bool {
    target.starts_with(|c: char| c.is_ascii_digit())
}

fn positions<'a>(classes: impl Iterator<Item = &'a Arc<Class>>) -> u64 {
    classes.map(|class| class.stored_positions()).sum()
}

/// The outcome for the tables: `all values hold; 50 classes proven, 2 consistent`.
fn standings(results: &[Checked<'_>]) -> String {
    let outcomes = || results.iter().filter_map(|(_, result)| result.as_ref().ok());
    let count = |standing| outcomes().filter(|outcome| outcome.standing() == Some(standing)).count();
    let listed = outcomes().filter(|outcome| matches!(outcome, Outcome::Recorded)).count();
    let text = match (count(Standing::Proven), count(Standing::Consistent)) {
        (_, 0) => "all values proven".to_owned(),
        (0, _) => "all values consistent".to_owned(),
        (proven, consistent) => format!("all values hold, {proven} classes proven, {consistent} consistent"),
    };
    if listed == 0 { text } else { format!("{text}, {listed} of them before") }
}

/// What could not be checked, one line per class.
fn not_checked(results: &[Checked<'_>]) -> String {
    let verified = results.iter().filter_map(|(class, result)| Some((class, result.as_ref().ok()?.verified()?)));
    let lines = verified.filter(|(_, verified)| !verified.without_distances.is_empty()).map(|(class, verified)| {
        format!(
            "{}: distances of {} stored positions compared with bounds only: WDL only for {}\n",
            class.name(),
            output::grouped(verified.bounded),
            verified.without_distances.join(", ")
        )
    });
    lines.collect()
}
