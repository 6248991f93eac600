//! `generate`: solves classes and writes their tables.

use super::bars::Bars;
use super::{Common, exit, interrupt, memory, output, targets};
use clap::{Args, ValueEnum};
use cpu_time::ProcessTime;
use jungletb::game::Rules;
use jungletb::material::Classes;
use jungletb::solve::plan::Plan;
use jungletb::solve::{ClassResult, Generator, Origin};
use jungletb::table::Registry;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Solve all classes of up to N pieces, or materials and all they depend on
///
/// Valid tables are kept; tables of another rule set in which a class is the same game are adopted. Interrupt at any
/// time; rerun to resume.
#[derive(Args)]
pub struct Generate {
    /// A number of pieces (2 to 8), or materials such as `ERvL`
    #[arg(required = true, value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// Solve the materials only: the tables that they depend on must exist
    #[arg(long)]
    only: bool,
    /// What to generate: WDL only, or DTW as well
    #[arg(long, value_enum, default_value = "dtw")]
    metric: MetricChoice,
    /// Limit on memory, such as 4G [default: 80% of what the machine has, or the limits of this process allow]
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size)]
    memory: Option<u64>,
    /// Folder for scratch files [default: that of the tables]
    ///
    /// Classes of more than 100 million positions keep a journal there, from which an interrupted run resumes, and
    /// those that do not fit in memory their bit planes.
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Minimum number of seconds between checkpoints of a class
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    checkpoint: u64,
    /// Print what would be solved, with estimates of memory, disk and time; solve nothing
    #[arg(long)]
    estimate: bool,
}

/// The metrics to generate.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MetricChoice {
    /// WDL only
    Wdl,
    /// DTW as well
    Dtw,
}

impl Generate {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let rules = common.rules()?;
        let classes = Classes::new(&rules);
        let wanted = if self.only {
            // The dependencies of all classes up to a number of pieces are among these classes.
            targets::materials(&self.targets, &rules)?;
            targets::only(&self.targets, &rules, &classes)?
        } else {
            targets::closure(&self.targets, &rules, &classes)?
        };
        let store = common.store(&rules);
        let distances = self.metric == MetricChoice::Dtw;
        if self.estimate {
            return estimate(common, &Plan::new(&rules, &classes, &store, &wanted, distances));
        }
        let cancel = interrupt::cancel();
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        let positions = wanted.iter().map(|class| class.stored_positions()).sum();
        let bars = Bars::new(common, positions);
        let mut generator = Generator::new(&rules, &classes, &store, &bars);
        generator.distances = distances;
        generator.memory = self.memory.unwrap_or_else(memory::usable);
        generator.scratch.clone_from(&self.scratch);
        generator.cancel = cancel;
        generator.checkpoint_interval = Duration::from_secs(self.checkpoint);
        let reports = generator.run(&wanted);
        bars.clear();
        summarize(common, &store, &rules, &reports?, clock.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64())?;
        Ok(exit::GOOD)
    }
}

fn summarize(
    common: &Common,
    store: &Registry,
    rules: &Rules,
    reports: &[ClassResult],
    seconds: f64,
    cpu: f64,
) -> anyhow::Result<()> {
    let stored = |report: &ClassResult| report.class.stored_positions();
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
            "folder": store.tables().display().to_string(),
        }))?);
    }
    let grouped = output::grouped;
    let mut text = format!(
        "rules                    {}\n\
         classes                  {} ({} solved, {} taken over, {} existing)\n\
         positions stored         {}\n\
         seconds                  {seconds:.2}\n\
         CPU seconds              {cpu:.2}\n\
         positions per CPU second {}\n\
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
        text += &format!("longest win              {} in {class}\n", output::plies(plies));
    }
    text += &format!("folder                   {}\n", store.folder().display());
    Ok(output::text(&text)?)
}

/// Prints the estimate of a run.
fn estimate(common: &Common, plan: &Plan) -> anyhow::Result<u8> {
    if common.json {
        output::json(&plan.json())?;
        return Ok(exit::GOOD);
    }
    let all = plan.totals(|_| true);
    let missing = plan.totals(|step| !step.is_there);
    // The number of passes of a class is the number of plies of its longest win, which is known if it has a table.
    let known: Vec<u16> = plan.steps.iter().filter_map(|step| step.longest_plies).collect();
    output::text(&format!(
        "rules              {}\n\
         classes            {} ({} missing)\n\
         positions stored   {}\n\
         memory, at most    {}, or {} with up to {} of scratch space\n\
         scratch, at most   {}\n\
         disk, about        {}\n\
         CPU time, about    {} ({} for those missing)\n\
         passes             {}\n",
        plan.rules,
        all.classes,
        missing.classes,
        output::grouped(all.positions),
        output::bytes(all.memory),
        output::bytes(all.memory_least),
        output::bytes(all.scratch[1]),
        output::bytes(all.scratch[0]),
        output::bytes(all.disk),
        output::duration(all.cpu_seconds),
        output::duration(missing.cpu_seconds),
        match known.iter().max() {
            Some(most) => {
                let verb = if known.len() == 1 { "exists" } else { "exist" };
                let classes = output::count(known.len() as u64, "class", "classes");
                format!("up to {most} in the {classes} that {verb}")
            }
            None => "unknown: no table exists".to_owned(),
        },
    ))?;
    Ok(exit::GOOD)
}
