//! `perft`: counts move sequences.

use super::exit::BadArgument;
use super::{Common, exit, output};
use anyhow::Context;
use clap::Args;
use jungletb::game::{Position, perft};
use serde_json::json;

/// Count the leaves of the move tree, for depths 1 to DEPTH
#[derive(Args)]
pub struct Perft {
    /// The position and the depth in plies
    #[arg(required = true, num_args = 2.., value_names = ["POSITION", "DEPTH"])]
    arguments: Vec<String>,
}

/// Deeper counts overflow.
const MAX_DEPTH: u32 = 12;

impl Perft {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let rules = common.rules()?;
        let (depth, position) = self.arguments.split_last().expect("clap asks for two arguments");
        let depth: u32 = depth
            .parse()
            .ok()
            .filter(|depth| (1..=MAX_DEPTH).contains(depth))
            .ok_or_else(|| BadArgument(format!("depth {depth:?}: give a number of plies from 1 to {MAX_DEPTH}")))?;
        let position = Position::parse(&rules, &position.join(" ")).context("bad position")?;
        let counts = (1..=depth).map(|depth| perft(&rules, &position, depth));
        if common.json {
            let counts: Vec<u64> = counts.collect();
            output::json(&json!({
                "position": position.to_text(&rules),
                "rules": rules.name(),
                "counts": counts,
            }))?;
        } else {
            for (depth, count) in (1..).zip(counts) {
                output::text(&format!("{depth:>2} {:>20}\n", output::grouped(count)))?;
            }
        }
        Ok(exit::GOOD)
    }
}
