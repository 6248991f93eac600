//! `prove`: proves values by search.

use super::exit::BadArgument;
use super::{Common, bars, certificate, exit, input, interrupt, memory, output};
use clap::Args;
use indicatif::ProgressBar;
use jungletb::game::{Position, Rules};
use jungletb::probe::fault;
use jungletb::proof::{Basis, Bound, Limits, Options, Progress, Proof, Prover};
use jungletb::system::Cancel;
use jungletb::text::Items;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds per position if no limit is given.
const USUAL_TIME: u64 = 10;

/// Prove the value of a position that the tables do not have
///
/// Searches for a forced win of either side, down to ends of the game and the existing tables. The answer is exact, or
/// the number of plies within which neither side forces a win.
#[derive(Args)]
pub struct Prove {
    /// A position: ranks 9 to 1 and the side to move, as in "7/3L3/7/7/7/7/7/7/c6 w"
    #[arg(required_unless_present = "batch", conflicts_with = "batch", num_args = 1..)]
    position: Vec<String>,
    /// Read one position per line (- for standard input), write one JSON object per line
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Time limit per position, such as 2s, 500ms or 5min; without a unit, seconds [default: 10s, without --positions]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Limit of searched positions; with --threads 1 the answer is reproducible
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Longest win to search for, in plies
    #[arg(long, value_name = "N")]
    plies: Option<u16>,
    /// Write the winner's strategy to a file, for `verify --certificate`, if there is a proven win
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    certificate: Option<PathBuf>,
    /// Memory for the proof table; a certificate takes at most as much again
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size, default_value = "256M")]
    memory: u64,
}

impl Prove {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        let rules = tables.rules();
        let position =
            if self.batch.is_none() { Some(Position::parse(rules, &self.position.join(" "))?) } else { None };
        if self.memory > memory::usable() {
            let most = output::bytes(memory::usable());
            return Err(BadArgument(format!("--memory: this process may use {most}; give less")).into());
        }
        let threads = common.threads.map(usize::from);
        let options = Options { memory: self.memory as usize, threads: threads.unwrap_or(Options::default().threads) };
        let prover = Prover::new(&tables, &options)?;
        let usual = if self.positions.is_none() { Some(Duration::from_secs(USUAL_TIME)) } else { None };
        let limits = Limits { time: self.time.or(usual), positions: self.positions, plies: self.plies };
        let cancel = interrupt::cancel();
        if let Some(file) = &self.batch {
            return batch(&prover, rules, &limits, &cancel, file);
        }
        let Some(position) = position else { return Ok(exit::GOOD) };
        let bar = Bar::new(common);
        let proof = prover.prove(&position, &limits, &cancel, &mut |progress| bar.show(progress));
        bar.clear();
        let proof = proof?;
        // The answer is printed even if the certificate fails.
        let written = match &self.certificate {
            None => Ok(None),
            Some(file) => certificate::write(common, &tables, &prover, &proof, file, self.memory),
        };
        let file = self.certificate.as_deref().filter(|_| matches!(written, Ok(Some(_))));
        if common.json {
            let mut value = json_of(&proof, rules);
            value["certificate"] = file.map(|file| file.to_string_lossy().into_owned()).into();
            output::json(&value)?;
        } else {
            output::text(&text(&proof, rules))?;
            if let (Ok(Some(written)), Some(file)) = (&written, file) {
                output::text(&certificate::written(file, written))?;
            }
        }
        if written?.is_none() && self.certificate.is_some() {
            exit::print_error("no certificate was written: no win that the game still has to decide is proven");
        }
        Ok(if cancel.is_cancelled() { exit::INTERRUPTED } else { exit::GOOD })
    }
}

/// The answer as JSON, as documented.
fn json_of(proof: &Proof, rules: &Rules) -> Value {
    let mut value = proof.json(rules);
    value["certificate"] = Value::Null;
    value
}

fn batch(prover: &Prover, rules: &Rules, limits: &Limits, cancel: &Cancel, file: &Path) -> anyhow::Result<u8> {
    let mut items = Items::new(input::open(file)?);
    let mut out = output::stdout();
    let mut code = exit::GOOD;
    while let Some(item) = items.read().map_err(|error| input::unreadable(file, error))? {
        let prove = |text: &str| {
            let position = Position::parse(rules, text)?;
            prover.prove(&position, limits, cancel, &mut |_| {})
        };
        let object = match item.error.as_deref().map_or_else(|| Ok(prove(&item.text)), Err) {
            Ok(Ok(proof)) => json_of(&proof, rules),
            Ok(Err(error)) => {
                let name = error.code();
                let error = error.into();
                code = exit::worst(code, exit::code(&error));
                fault::json(Some(&item.excerpt()), exit::line(&error), name)
            }
            Err(error) => {
                code = exit::worst(code, exit::BAD_INPUT);
                fault::json(Some(&item.excerpt()), format_args!("bad position: {error}"), "bad-position")
            }
        };
        // Each answer takes a while: flushed so that the reader gets it at once.
        writeln!(out, "{object}")?;
        out.flush()?;
        if cancel.is_cancelled() {
            return Ok(exit::INTERRUPTED);
        }
    }
    Ok(code)
}

/// The answer as text for people.
fn text(proof: &Proof, rules: &Rules) -> String {
    let us = proof.position.to_move();
    let mut text = format!("{}\n", proof.position.to_text(rules));
    let sentence = match (proof.category, proof.winner()) {
        (None, _) => {
            let plies = proof.not_before.map_or(0, |plies| plies.saturating_sub(1));
            format!("unknown: no forced win of either side within {}", output::plies(plies))
        }
        (Some(_), None) => "a draw".to_owned(),
        (Some(_), Some(winner)) => match (proof.dtw, proof.bound) {
            (Some(0), _) => format!("{winner} has won"),
            (Some(plies), Bound::AtMost) => format!("{winner} wins in at most {}", output::plies(plies)),
            (Some(plies), _) => format!("{winner} wins in {}, exact", output::plies(plies)),
            (None, _) => format!("{winner} wins; the tables do not say how soon"),
        },
    };
    let basis = match proof.basis {
        Some(Basis::Over) => " (the game is over)",
        Some(Basis::Table) => " (from its table)",
        _ => "",
    };
    text += &format!("{us} to move, {sentence}{basis}.\n");
    if !proof.line.is_empty() {
        let line: Vec<_> = proof.line.iter().map(ToString::to_string).collect();
        text += &format!("\nbest line  {}\n", line.join(" "));
    }
    text + &format!(
        "\n{} positions in {}\n",
        output::grouped(proof.positions),
        output::duration(proof.time.as_secs_f64())
    )
}

/// Progress on a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(common: &Common) -> Self {
        Self(bars::single(common, None, "{msg}, {elapsed}"))
    }

    fn show(&self, progress: &Progress) {
        let rate = progress.positions as f64 / progress.time.as_secs_f64().max(1e-3) / 1e6;
        self.0.set_message(format!(
            "no win within {}, looking for one of {} in {}: {} positions, {rate:.1} million/s",
            output::plies(progress.plies),
            progress.winner,
            progress.looking_for,
            output::grouped(progress.positions),
        ));
    }

    fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// Parses `2s`, `500ms`, `1.5min` or a number of seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let advice = || "give a time such as 2s, 500ms or 5min".to_owned();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(advice()),
    };
    let value: f64 = number.parse().map_err(|_| advice())?;
    Duration::try_from_secs_f64(value * unit).ok().filter(|time| !time.is_zero()).ok_or_else(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_time("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("3"), Ok(Duration::from_secs(3)));
        for bad in ["", "s", "-1s", "4x", "nan", "inf", "0", "1e300h"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
