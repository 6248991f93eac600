//! `stats`: statistics of materials.

use super::{Common, exit, output, targets};
use clap::Args;
use jungletb::analysis::stats::MaterialStats;
use jungletb::game::Color;
use jungletb::material::Material;
use jungletb::probe::Tablebase;
use serde_json::Value;

/// Count wins, draws and losses of materials; longest win, histogram of distances
///
/// Counts are of all legal positions with no piece in a den, without any reduction by symmetry.
#[derive(Args)]
pub struct Stats {
    /// Materials such as `ERvL`
    #[arg(required = true)]
    materials: Vec<String>,
    /// Print the histograms as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Stats {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        let mut all = Vec::new();
        for material in targets::materials(&self.materials, tables.rules())? {
            let table = tables.table(material)?;
            all.push((material, MaterialStats::new(tables.rules(), tables.place(material)?, &table)));
        }
        if common.json {
            let all: Vec<Value> = all.iter().map(|(material, stats)| stats.json(&tables, *material)).collect();
            output::json(&all.into())?;
        } else if self.csv {
            let mut text = "material,plies,wins,losses\n".to_owned();
            for (material, stats) in &all {
                for (plies, (wins, losses)) in &stats.histogram {
                    text += &format!("{material},{plies},{wins},{losses}\n");
                }
            }
            output::text(&text)?;
        } else {
            let texts: Vec<String> = all.iter().map(|(material, stats)| to_text(&tables, *material, stats)).collect();
            output::text(&texts.join("\n"))?;
        }
        Ok(exit::GOOD)
    }
}

fn to_text(tables: &Tablebase, material: Material, stats: &MaterialStats) -> String {
    let class = tables.place(material).map(|place| place.class.name()).unwrap_or_default();
    let mut text = format!("{material} (class {class}), rules {}\n\n", tables.rules().name());
    text += "                            win             draw             loss\n";
    for (color, summary) in Color::BOTH.into_iter().zip(&stats.by_color) {
        let share = |count: u64| {
            let percent = 100.0 * count as f64 / summary.total().max(1) as f64;
            format!("{:>11} {percent:4.1}%", output::grouped(count))
        };
        let (wins, draws, losses) = (share(summary.wins), share(summary.draws), share(summary.losses));
        text += &format!("{color} to move  {wins} {draws} {losses}\n");
    }
    if let Some((plies, position)) = stats.longest {
        text += &format!("\nlongest win  {}: {}\n", output::plies(plies), position.to_text(tables.rules()));
    }
    let most = stats.histogram.values().map(|(wins, losses)| wins + losses).max().unwrap_or(0);
    if most > 0 {
        text += "\nplies     positions\n";
    }
    for (plies, (wins, losses)) in &stats.histogram {
        let count = wins + losses;
        let bar = "#".repeat((40 * count).div_ceil(most) as usize);
        let what = if plies % 2 == 1 { "won " } else { "lost" };
        text += &format!("{plies:>5} {:>13} {what} {bar}\n", output::grouped(count));
    }
    text
}
