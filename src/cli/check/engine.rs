//! `check engine`: grades the moves of an engine.

use super::FailOn;
use super::trials::TrialReport;
use crate::cli::exit::BadArgument;
use crate::cli::proofs::{ProofArgs, threads};
use crate::cli::{Common, bars, exit, input, interrupt, output, targets};
use anyhow::Context;
use clap::{Args, ValueEnum, builder::PossibleValue};
use jungletb::game::Position;
use jungletb::material::graph;
use jungletb::play::adapters::{Failure, Limit, Protocol, Quirk, Setup};
use jungletb::play::sample::sample;
use jungletb::play::trial::{self, Abort, Plan, Proofs, Trial};
use jungletb::probe::Tablebase;
use jungletb::text::Items;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Grade the moves of an engine
///
/// Positions are sampled from materials, spread over outcomes and distances, or read from a file. A crash, a hang, or
/// an illegal or malformed answer is counted, and the engine is restarted. With --prove, positions may have no table;
/// play-outs need one.
#[derive(Args)]
pub struct CheckEngine {
    /// The engine and its arguments
    ///
    /// Options of the engine itself come after `--`: `check engine --depth 4 -- ./engine --uci`.
    #[arg(required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// Protocol of the engine
    #[arg(long, value_enum, default_value = "uci")]
    protocol: Named<Protocol>,
    /// Deviation of the engine from its protocol: White is r in positions (first-side-r), no moves after a position
    /// (whole-position), files reversed (mirrored), "- - 0 1" after the side to move (clock-fields), the leopard is J
    /// (leopard-j), black is the first side in GTP (first-side-black); can be repeated
    #[arg(long, value_enum, value_delimiter = ',')]
    quirk: Vec<Named<Quirk>>,
    /// Set an option of the engine; can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Sample from these materials
    #[arg(long, value_name = "MATERIAL", value_delimiter = ',')]
    materials: Vec<String>,
    /// Sample from every class of up to N pieces [default: 3, if neither materials nor a file are given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=8))]
    pieces: Option<u8>,
    /// Read positions from a file, one per line (- for standard input); # begins a comment
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Number of positions to sample per material
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Seed of the sample; the same seed gives the same sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Milliseconds per move [default: 100]
    #[arg(long, value_name = "MS", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Option<u64>,
    /// Search depth per move, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds to wait for an answer, beyond the time of the move [default: 2000, with --depth 60000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    patience: Option<u64>,
    /// Number of engine processes [default: one per thread]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    processes: Option<u16>,
    /// Play won positions out against the longest resistance
    #[arg(long)]
    play_out: bool,
    /// Plies beyond the shortest win after which a play-out ends
    #[arg(long, value_name = "N", default_value_t = 200, requires = "play_out")]
    extra: u16,
    #[command(flatten)]
    proofs: ProofArgs,
    /// Exit with 1 if any of these occurs: mistake (any), sooner, slower, draw-loss, win-draw, win-loss, into-loss,
    /// failure (any), start, crash, hang, unparsable, no-move, illegal, not-won; can be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = fail_on)]
    fail_on: Vec<FailOn>,
}

/// A value selected by name.
#[derive(Clone, Copy, Debug)]
struct Named<T>(&'static str, T);

macro_rules! named {
    ($type:ty) => {
        impl ValueEnum for Named<$type> {
            fn value_variants<'a>() -> &'a [Self] {
                const { &named_all(<$type>::ALL) }
            }
            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.0))
            }
        }
    };
}

const fn named_all<T: Copy, const N: usize>(all: [(&'static str, T); N]) -> [Named<T>; N] {
    let mut named = [Named(all[0].0, all[0].1); N];
    let mut i = 1;
    while i < N {
        named[i] = Named(all[i].0, all[i].1);
        i += 1;
    }
    named
}

named!(Protocol);
named!(Quirk);

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    if name.trim().is_empty() || text.contains(char::is_control) {
        return Err("write NAME=VALUE".to_owned());
    }
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// Any failure of the engine.
pub const FAILURE: &str = "failure";
/// A won position that was played out and not won.
pub const NOT_WON: &str = "not-won";

fn fail_on(text: &str) -> Result<FailOn, String> {
    FailOn::parse(text, &[&[FAILURE, NOT_WON], &Failure::NAMES[..]].concat())
}

impl CheckEngine {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = self.proofs.tablebase(common)?;
        let positions = self.positions(&tables)?;
        let setup = self.setup()?;
        let processes = self.processes.map_or_else(|| threads(common), usize::from);
        let side_by_side = processes.clamp(1, positions.len().max(1));
        let proofs = if self.proofs.asked() {
            let options = self.proofs.options(common, side_by_side)?;
            Some(Proofs { options, budget: self.proofs.budget(), cancel: interrupt::cancel() })
        } else {
            None
        };
        let plan = Plan { processes, play_out: self.play_out.then_some(self.extra.into()), proofs };
        let bar = bars::counting(common, positions.len() as u64, "positions");
        let trials = trial::run(&tables, &setup, &positions, &plan, &|trial: &Trial| {
            bar.inc(1);
            if common.verbose
                && let Err(failure) = &trial.reply
            {
                let text = trial.position.to_text(tables.rules());
                bar.suspend(|| exit::print_error(&format!("{text}: {failure}")));
            }
        });
        bar.finish_and_clear();
        let report = TrialReport::new(&trials, self.proofs.asked());
        if common.json {
            output::json(&report.json(&tables, &setup, &trials))?;
        } else {
            output::text(&report.text(&tables, &trials, positions.len()))?;
        }
        match trials.abort {
            Some(Abort::Interrupted) => Ok(exit::INTERRUPTED),
            Some(Abort::Probe(error)) => Err(error.into()),
            Some(Abort::Proof(error)) => Err(error.into()),
            Some(abort @ Abort::NoStart(_)) => Err(abort.into()),
            None if self.fail_on.iter().any(|kind| report.has(kind)) => Ok(exit::OTHER),
            None => Ok(exit::GOOD),
        }
    }

    fn setup(&self) -> anyhow::Result<Setup> {
        let limit = match self.depth {
            Some(_) if matches!(self.protocol.1, Protocol::Gtp) => {
                return Err(BadArgument("gtp has no depth limit; give --movetime".to_owned()).into());
            }
            Some(depth) => Limit::Depth(depth),
            None => Limit::Time(Duration::from_millis(self.movetime.unwrap_or(100))),
        };
        let patience = self.patience.unwrap_or(if self.depth.is_some() { 60_000 } else { 2000 });
        Ok(Setup {
            command: self.command.clone(),
            protocol: self.protocol.1,
            quirks: self.quirk.iter().map(|quirk| quirk.1).collect(),
            options: self.options.clone(),
            limit,
            patience: Duration::from_millis(patience),
            start_patience: Duration::from_millis(patience.max(10_000)),
            cancel: interrupt::cancel(),
        })
    }

    /// The positions for the engine.
    fn positions(&self, tables: &Tablebase) -> anyhow::Result<Vec<Position>> {
        let rules = tables.rules();
        let mut positions = Vec::new();
        if let Some(file) = &self.positions {
            let mut items = Items::new(input::open(file)?);
            while let Some(item) = items.read().map_err(|error| input::unreadable(file, error))? {
                let place = || format!("{} line {}: bad position", file.display(), item.line);
                if let Some(error) = &item.error {
                    return Err(BadArgument(format!("{}: {error}", place())).into());
                }
                positions.push(Position::parse(rules, &item.text).with_context(place)?);
            }
        }
        let mut materials = targets::materials(&self.materials, rules)?;
        let default = (self.positions.is_none() && materials.is_empty()).then_some(3);
        if let Some(pieces) = self.pieces.or(default) {
            let classes = graph::up_to(tables.classes(), rules, pieces.into());
            materials.extend(classes.iter().map(|class| class.representative));
        }
        for material in materials {
            let sampled = sample(tables, material, self.count, self.seed)?;
            positions.extend(sampled.iter().map(|sampled| sampled.position));
        }
        if positions.is_empty() {
            return Err(BadArgument("there are no positions to grade".to_owned()).into());
        }
        Ok(positions)
    }
}
