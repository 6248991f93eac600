//! `check`: grades games and engines by the tables.

mod engine;
mod games;
mod sums;
mod trials;

use super::Common;
use clap::{Args, Subcommand};
use jungletb::play::record::Encoding;
use jungletb::play::{Tally, Verdict};

/// Grade games or engines with the tables
#[derive(Args)]
pub struct Check {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Games),
    Engine(engine::CheckEngine),
}

impl Check {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        match &self.command {
            Command::Games(command) => command.run(common),
            Command::Engine(command) => command.run(common),
        }
    }
}

/// Parses the label of an encoding.
pub fn encoding(label: &str) -> Result<Encoding, String> {
    let advice = "unknown encoding; give a label such as gbk, euc-kr, windows-1251 or latin1";
    Encoding::named(label).ok_or_else(|| advice.to_owned())
}

/// A value of `--fail-on`.
#[derive(Clone, Debug)]
struct FailOn(String);

impl FailOn {
    /// Any move that was not the best.
    const MISTAKE: &str = "mistake";

    /// Parses a kind: `mistake`, the name of a mistake verdict, or one of `others`.
    fn parse(text: &str, others: &[&str]) -> Result<Self, String> {
        let name = text.replace("->", "→").replace("win-draw", "win→draw").replace("win-loss", "win→loss");
        let name = name.replace("draw-loss", "draw→loss").replace("into-loss", Verdict::IntoLoss.name());
        let into_loss = std::iter::once(Verdict::IntoLoss.name());
        let verdicts = Verdict::NAMES.into_iter().skip(Verdict::Sooner(0).kind()).chain(into_loss);
        let mut known = std::iter::once(Self::MISTAKE).chain(verdicts).chain(others.iter().copied());
        if known.clone().any(|known| known == name) {
            return Ok(Self(name));
        }
        let first = known.next().unwrap_or_default().to_owned();
        let list = known.fold(first, |list, name| list + ", " + &name.replace('→', "-").replace(" a ", "-"));
        Err(format!("give one of {list}"))
    }

    /// Whether the tally has a move of this kind.
    fn is_in(&self, tally: &Tally) -> bool {
        if self.0 == Self::MISTAKE {
            return tally.mistakes() > 0;
        }
        let kind = Verdict::NAMES.iter().position(|name| *name == self.0);
        kind.is_some_and(|kind| tally.of_kind(kind) > 0)
    }
}

/// A number with its noun: `1 game`, `2 games`.
fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A tally as a line: `17 moves graded, 15 best, 2 slower, 0.25 plies lost per move`.
fn tally(tally: &Tally) -> String {
    let mut parts = vec![format!("{} graded", count(tally.graded() as usize, "move"))];
    for (kind, name) in Verdict::NAMES.iter().enumerate() {
        if tally.of_kind(kind) > 0 {
            parts.push(format!("{} {name}", tally.of_kind(kind)));
        }
    }
    if let Some(mean) = tally.mean_plies_lost() {
        parts.push(format!("{mean:.2} plies lost per move"));
    }
    parts.join(", ")
}
