//! `plan`: the class graph and the estimated cost of generating it.

use super::generate::MetricChoice;
use super::{Common, exit, output, targets};
use clap::Args;
use jungletb::material::Classes;
use jungletb::solve::plan::{Plan, Totals};

/// Estimate the memory, disk and time that generating takes
///
/// Solves and writes nothing. --json lists every class with its dependencies, each class after those it depends on.
#[derive(Args)]
pub struct PlanCommand {
    /// A number of pieces (2 to 8), or materials such as `ERvL`
    #[arg(required = true, value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// What would be generated: WDL only, or DTW as well
    #[arg(long, value_enum, default_value = "dtw")]
    metric: MetricChoice,
}

impl PlanCommand {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let rules = common.rules()?;
        let classes = Classes::new(&rules);
        let wanted = targets::closure(&self.targets, &rules, &classes)?;
        let store = common.store(&rules);
        let plan = Plan::new(&rules, &classes, &store, &wanted, self.metric == MetricChoice::Dtw);
        if common.json {
            output::json(&plan.json())?;
        } else {
            output::text(&text(&plan))?;
        }
        Ok(exit::GOOD)
    }
}

fn text(plan: &Plan) -> String {
    let what = if plan.distances { "WDL and DTW" } else { "WDL" };
    let mut text = format!("rules {}, {what}; sizes and times are estimates\n\n", plan.rules);
    text += &format!(
        "{:<7} {:>7} {:>7} {:>22} {:>10} {:>10} {:>10} {:>12}\n",
        "pieces", "classes", "present", "positions", "memory", "scratch", "disk", "CPU time"
    );
    let mut line = |name: &str, there: usize, totals: Totals| {
        text += &format!(
            "{name:<7} {:>7} {there:>7} {:>22} {:>10} {:>10} {:>10} {:>12}\n",
            totals.classes,
            output::grouped(totals.positions),
            output::bytes(totals.memory),
            output::bytes(totals.scratch[0]),
            output::bytes(totals.disk),
            output::duration(totals.cpu_seconds),
        );
    };
    let there = plan.steps.iter().filter(|step| step.is_there);
    for pieces in plan.pieces() {
        let there = there.clone().filter(|step| step.class.pieces() == pieces).count();
        line(&pieces.to_string(), there, plan.totals(|step| step.class.pieces() == pieces));
    }
    line("all", there.count(), plan.totals(|_| true));
    let missing = plan.totals(|step| !step.is_there);
    if missing.classes > 0 && missing.classes < plan.steps.len() {
        line("missing", 0, missing);
    }
    let path = plan.longest_path();
    let names: Vec<String> = path.iter().map(|step| step.class.name()).collect();
    let seconds = path.iter().map(|step| step.cpu_seconds).sum();
    text + &format!("\nlongest path  {} CPU time: {}\n", output::duration(seconds), names.join(" "))
}
