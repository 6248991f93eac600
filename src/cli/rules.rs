//! `rules`: lists the presets, or prints a rule set.

use super::{Common, exit, output};
use anyhow::Context;
use clap::Args;
use jungletb::game::{PRESETS, Rules};
use serde_json::{Map, Value, json};
use std::ffi::OsString;

/// List the presets, or print a rule set as a rule file
#[derive(Args)]
pub struct RulesCommand {
    /// A preset or a rule file
    name: Option<OsString>,
}

/// Description of each preset, in the order of [`PRESETS`].
const DESCRIPTIONS: [&str; PRESETS.len()] = [
    "what most programs play",
    "van Rijn & Vis 2014: elephant takes rat, rats fight across the bank, dog above wolf",
    "traps weaken their owner's pieces too",
    "elephant takes rat, rat in the water takes rat on land, tiger jumps along files only",
    "dog above wolf",
    "7x7 board without water and traps; rat, dog, tiger and elephant",
];

impl RulesCommand {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let Some(name) = &self.name else {
            let presets = PRESETS.iter().zip(DESCRIPTIONS);
            if common.json {
                let list: Vec<Value> = presets.map(|(name, what)| json!({"name": name, "description": what})).collect();
                output::json(&list.into())?;
            } else {
                let lines: Vec<String> = presets.map(|(name, what)| format!("{name:<16} {what}\n")).collect();
                output::text(&lines.concat())?;
            }
            return Ok(exit::GOOD);
        };
        let rules = Rules::load(name)?;
        let text = rules.keys().to_toml();
        if common.json {
            let mut object = Map::new();
            object.insert("name".into(), rules.name().into());
            let keys: Map<String, Value> = toml::from_str(&text).context("cannot print the rules")?;
            object.extend(keys);
            output::json(&object.into())?;
        } else {
            output::text(&text)?;
        }
        Ok(exit::GOOD)
    }
}
