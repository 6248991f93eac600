//! `generate`: solve classes into tables.

use super::bars::Bars;
use super::exit::BadArgument;
use super::interrupt::{self, INTERRUPTED};
use super::{Common, exit, output};
use clap::{Args, ValueEnum};
use cpu_time::ProcessTime;
use jungletb::game::Rules;
use jungletb::material::{Class, Classes, MAX_PIECES, Material, graph};
use jungletb::solve::{Generator, Origin, Report, memory_need};
use jungletb::table::{Metric, Store};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Solve all classes up to N pieces, or materials and all they depend on
///
/// Finished valid tables are kept; tables of another rule set in which a class is the same game are taken over.
/// The run can be stopped at any time and goes on where it was.
#[derive(Args)]
pub struct Generate {
    /// A number of pieces (2 to 8), or materials such as `ERvL`
    #[arg(required = true, value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// What to make: results only, or distances as well
    #[arg(long, value_enum, default_value = "dtw")]
    metric: MetricChoice,
    /// Memory to use at most, such as 4G [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Seconds between checkpoints of a class, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    checkpoint: u64,
    /// Print what would be solved and what it takes, and solve nothing
    #[arg(long)]
    estimate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MetricChoice {
    Wdl,
    Dtw,
}

impl Generate {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let rules = common.rules()?;
        let classes = Classes::new(&rules);
        let wanted = self.wanted(&rules, &classes)?;
        let distances = self.metric == MetricChoice::Dtw;
        if self.estimate {
            return estimate(common, &rules, &wanted, distances, &Store::new(&common.tables, &rules));
        }
        interrupt::listen()?;
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        let store = Store::new(&common.tables, &rules);
        let positions = wanted.iter().map(|class| class.stored_positions()).sum();
        let bars = Bars::new(common, positions, &INTERRUPTED);
        let memory = self.memory.unwrap_or_else(super::memory::usable);
        let mut generator = Generator::new(&rules, &classes, &store, &bars);
        generator.distances = distances;
        generator.memory = memory;
        generator.checkpoint_interval = Duration::from_secs(self.checkpoint);
        let reports = generator.run(&wanted);
        bars.clear();
        summarize(common, &rules, &reports?, clock.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64())?;
        Ok(exit::GOOD)
    }

    fn wanted(&self, rules: &Rules, classes: &Classes) -> anyhow::Result<Vec<Arc<Class>>> {
        let mut materials = Vec::new();
        for target in &self.targets {
            if target.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
                let pieces = target.parse().ok().filter(|pieces| (2..=MAX_PIECES).contains(pieces));
                let pieces = pieces
                    .ok_or_else(|| BadArgument(format!("{target:?} pieces: give a number from 2 to {MAX_PIECES}")))?;
                materials.extend(graph::up_to(classes, rules, pieces).iter().map(|class| class.representative));
            } else {
                let material = Material::parse(rules, target)?;
                if material.len() > MAX_PIECES {
                    let pieces = material.len();
                    let what = format!("{target}: {pieces} pieces; no table has more than {MAX_PIECES}");
                    return Err(BadArgument(what).into());
                }
                materials.push(material);
            }
        }
        Ok(graph::closure(classes, rules, &materials))
    }
}

fn summarize(common: &Common, rules: &Rules, reports: &[Report], seconds: f64, cpu: f64) -> anyhow::Result<()> {
    let stored = |report: &Report| report.class.stored_positions();
    let count = |origin| reports.iter().filter(|report| report.origin == origin).count();
    let positions: u64 = reports.iter().map(stored).sum();
    let solved: u64 = reports.iter().filter(|report| report.origin == Origin::Solved).map(stored).sum();
    let bytes: u64 = reports.iter().map(|report| report.bytes).sum();
    let rate = if cpu > 0.0 { solved as f64 / cpu } else { 0.0 };
    let longest = reports.iter().max_by_key(|report| report.summary.longest_plies());
    let longest = longest.map(|report| (report.summary.longest_plies(), report.class.name()));
    if common.json {
        return Ok(output::json(&json!({
            "rules": rules.name(),
            "classes": reports.len(),
            "solved": count(Origin::Solved),
            "adopted": count(Origin::Adopted),
            "skipped": count(Origin::Kept),
            "positions_stored": positions,
            "positions_solved": solved,
            "seconds": (seconds * 1000.0).round() / 1000.0,
            "cpu_seconds": (cpu * 1000.0).round() / 1000.0,
            "positions_per_cpu_second": rate.round() as u64,
            "bytes": bytes,
            "longest": longest.map(|(plies, class)| json!({"plies": plies, "class": class})),
        }))?);
    }
    let grouped = output::grouped;
    let mut text = format!(
        "rules                    {}\n\
         classes                  {} ({} solved, {} taken over, {} there already)\n\
         positions stored         {}\n\
         seconds                  {seconds:.2}\n\
         CPU seconds              {cpu:.2}\n\
         positions a CPU second   {}\n\
         bytes                    {} ({})\n",
        rules.name(),
        reports.len(),
        count(Origin::Solved),
        count(Origin::Adopted),
        count(Origin::Kept),
        grouped(positions),
        grouped(rate.round() as u64),
        grouped(bytes),
        output::bytes(bytes),
    );
    if let Some((plies, class)) = longest.filter(|(plies, _)| *plies > 0) {
        text += &format!("longest win              {plies} plies in {class}\n");
    }
    Ok(output::text(&text)?)
}

/// What a run would take.
fn estimate(
    common: &Common,
    rules: &Rules,
    wanted: &[Arc<Class>],
    distances: bool,
    store: &Store,
) -> anyhow::Result<u8> {
    // Bits a stored position, as measured over all classes of four pieces under the standard rules.
    let bits = if distances { 0.71 } else { 0.17 };
    // A class takes as many passes as its longest win has plies; that is known where there is a table.
    let passes = |class: &Class| {
        let table = store.table(rules, class, Metric::Dtw).ok();
        table.map(|table| table.summary().longest_plies())
    };
    let known: Vec<u16> = wanted.iter().filter_map(|class| passes(class)).collect();
    let disk = |positions: u64| (positions as f64 * bits / 8.0) as u64;
    let positions: u64 = wanted.iter().map(|class| class.stored_positions()).sum();
    let memory = wanted.iter().map(|class| memory_need(rules, class, usize::from(distances))).max().unwrap_or(0);
    if common.json {
        let classes: Vec<_> = wanted
            .iter()
            .map(|class| {
                json!({
                    "class": class.name(),
                    "pieces": class.pieces(),
                    "positions_stored": class.stored_positions(),
                    "memory": memory_need(rules, class, usize::from(distances)),
                    "disk": disk(class.stored_positions()),
                    "passes": passes(class),
                })
            })
            .collect();
        output::json(&json!({
            "rules": rules.name(),
            "classes": wanted.len(),
            "positions_stored": positions,
            "memory": memory,
            "disk": disk(positions),
            "each": classes,
        }))?;
    } else {
        output::text(&format!(
            "rules              {}\n\
             classes            {}\n\
             positions stored   {}\n\
             memory, at most    {}\n\
             disk, about        {}\n\
             passes             {}\n",
            rules.name(),
            wanted.len(),
            output::grouped(positions),
            output::bytes(memory),
            output::bytes(disk(positions)),
            match known.iter().max() {
                Some(most) => format!("up to {most} in the {} classes that are there", known.len()),
                None => "not known: no class is there".to_owned(),
            },
        ))?;
    }
    Ok(exit::GOOD)
}

/// Reads `800M`, `4G`, `4GiB`, `1.5g` or a number of bytes; the units are powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[number.len()..] {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err("give a number with K, M, G or T, as in 4G".to_owned()),
    };
    let value: f64 = number.parse().map_err(|_| "give a number with K, M, G or T, as in 4G".to_owned())?;
    if value.is_finite() && value > 0.0 && value < 1e9 * 1e6 {
        Ok((value * (1_u64 << unit) as f64) as u64)
    } else {
        Err("give a positive size, as in 4G".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("1.5gib"), Ok(3 << 29));
        assert_eq!(parse_size("1000"), Ok(1000));
        for bad in ["", "G", "-1G", "4X", "nan", "inf", "0"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
