//! `check games`: game records, every known move graded.

use super::FailOn;
use crate::cli::exit::BadArgument;
use crate::cli::{Common, exit, interrupt, output};
use anyhow::Context;
use clap::Args;
use jungletb::game::Color;
use jungletb::play::Tally;
use jungletb::play::record::{Outcome, Record, RecordError, Records};
use jungletb::play::review::{FindingKind, GradedMove, Layout, Review};
use jungletb::probe::Tablebase;
use jungletb::system::Output;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Grade the moves of game records
///
/// Every move is graded whose position the tables have. Files hold JSON lines
/// ({"moves":["a1b1",…],"start":…,"result":…,"reason":…,"white":…,"black":…}), one game per line
/// ([position …] a1b1 g9f9 … 1-0), or games with tags as in PGN. A game without a position starts from the usual one;
/// whether left and right are exchanged is recognized by its moves.
#[derive(Args)]
pub struct Games {
    /// Files of game records (- for standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all games to this file, with tags, values and best moves
    #[arg(long, value_name = "OUT")]
    annotate: Option<PathBuf>,
    /// Exit with 1 if there is one: mistake (any), sooner, slower, draw-loss, win-draw, win-loss, illegal, result,
    /// repetition; can be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = fail_on)]
    fail_on: Vec<FailOn>,
}

fn fail_on(text: &str) -> Result<FailOn, String> {
    let findings = [FindingKind::Illegal, FindingKind::Result, FindingKind::Repetition];
    FailOn::parse(text, &findings.map(FindingKind::name))
}

/// Sums over all files.
#[derive(Default)]
struct Sums {
    games: usize,
    moves: usize,
    /// By name, if they have one.
    players: BTreeMap<String, (usize, Tally)>,
    total: Tally,
    findings: BTreeMap<&'static str, usize>,
    unreadable: usize,
}

impl Sums {
    fn add(&mut self, record: &Record, review: &Review) {
        self.games += 1;
        self.moves += review.plies;
        for (name, tally) in record.players.iter().zip(&review.tallies) {
            if let Some(name) = name {
                let (games, sum) = self.players.entry(name.clone()).or_default();
                *games += 1;
                sum.merge(tally);
            }
            self.total.merge(tally);
        }
        for finding in &review.findings {
            *self.findings.entry(finding.kind.name()).or_default() += 1;
        }
    }

    fn count(&self, kind: FindingKind) -> usize {
        self.findings.get(kind.name()).copied().unwrap_or(0)
    }

    fn json(&self) -> Value {
        let players = self.players.iter().map(|(name, (games, tally))| {
            let mut player = json!({"name": name, "games": games});
            if let (Value::Object(player), Value::Object(tally)) = (&mut player, tally.json()) {
                player.extend(tally);
            }
            player
        });
        json!({
            "games": self.games,
            "moves": self.moves,
            "unreadable": self.unreadable,
            "findings": self.findings,
            "players": players.collect::<Vec<_>>(),
            "total": self.total.json(),
        })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (name, (games, tally)) in &self.players {
            text += &format!("{name}: {}, {}\n", super::count(*games, "game"), super::tally(tally));
        }
        let (games, moves) = (super::count(self.games, "game"), super::count(self.moves, "move"));
        text += &format!("total: {games}, {moves}, {}", super::tally(&self.total));
        for (kind, count) in &self.findings {
            text += &format!(", {count} {kind}");
        }
        if self.unreadable > 0 {
            text += &format!(", {} not readable", self.unreadable);
        }
        text + "\n"
    }
}

impl Games {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let cancel = interrupt::cancel();
        let tables = common.tablebase()?;
        let mut annotated = self.annotate.as_deref().map(Annotated::create).transpose()?;
        let mut sums = Sums::default();
        let mut games: Vec<Value> = Vec::new();
        let mut out = output::stdout();
        for file in &self.files {
            let name = file.display().to_string();
            for record in Records::new(open(file)?) {
                if cancel.is_cancelled() {
                    out.flush()?;
                    return Ok(exit::INTERRUPTED);
                }
                let record = match record {
                    Ok(record) => record,
                    Err(RecordError::Io(error)) => {
                        return Err(error).with_context(|| format!("{name}: cannot read it"));
                    }
                    Err(error) => {
                        sums.unreadable += 1;
                        out.flush()?;
                        exit::print_error(&exit::line(&anyhow::Error::new(error).context(name.clone())));
                        continue;
                    }
                };
                let review = Review::new(&tables, &record);
                sums.add(&record, &review);
                if let Some(annotated) = &mut annotated {
                    annotated.add(&review.annotated(tables.rules(), &record))?;
                }
                if common.json {
                    games.push(to_json(&tables, &name, &record, &review));
                } else if !common.quiet {
                    out.write_all(to_text(&name, &record, &review).as_bytes())?;
                }
            }
        }
        if common.json {
            let mut all = json!({"rules": tables.rules().name()});
            if let (Value::Object(all), Value::Object(sums)) = (&mut all, sums.json()) {
                all.extend(sums);
            }
            all["games"] = games.into();
            writeln!(out, "{all}")?;
        } else {
            out.write_all(sums.text().as_bytes())?;
        }
        out.flush()?;
        if let Some(annotated) = annotated {
            annotated.finish()?;
        }
        Ok(self.code(&sums))
    }

    fn code(&self, sums: &Sums) -> u8 {
        let found = |fail_on: &FailOn| {
            fail_on.is_in(&sums.total) || sums.findings.get(fail_on.0.as_str()).is_some_and(|count| *count > 0)
        };
        if sums.count(FindingKind::Damaged) > 0 {
            exit::DAMAGED
        } else if sums.unreadable + sums.count(FindingKind::Unreadable) > 0 {
            exit::BAD_INPUT
        } else if self.fail_on.iter().any(found) {
            exit::OTHER
        } else {
            exit::GOOD
        }
    }
}

fn open(file: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if file.as_os_str() == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file).map_err(|error| BadArgument(format!("{}: {error}", file.display())))?;
    Ok(Box::new(BufReader::new(opened)))
}

fn to_json(tables: &Tablebase, file: &str, record: &Record, review: &Review) -> Value {
    let mut game = json!({
        "file": file,
        "line": record.line,
        "players": {"white": record.players[0], "black": record.players[1]},
        "result": record.result.as_deref().map(|text| Outcome::parse(text).map_or(text, |outcome| outcome.text())),
        "reason": record.reason,
    });
    if let (Value::Object(game), Value::Object(review)) = (&mut game, review.json(tables.rules())) {
        game.extend(review);
    }
    game
}

fn to_text(file: &str, record: &Record, review: &Review) -> String {
    let name = |color: Color| record.players[color.index()].clone().unwrap_or_else(|| color.to_string());
    let result =
        record.result.as_deref().map_or("*", |text| Outcome::parse(text).map_or(text, |outcome| outcome.text()));
    let reason = record.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let layout = if review.layout == Layout::Mirrored { ", left and right exchanged" } else { "" };
    let mut text = format!(
        "{file}:{}: {} – {}, {result}{reason}, {} plies{layout}\n",
        record.line,
        name(Color::White),
        name(Color::Black),
        review.plies
    );
    for GradedMove { ply, grade, .. } in &review.moves {
        if !grade.verdict.is_mistake() {
            continue;
        }
        let (verdict, best) = (grade.verdict.to_string(), grade.best_text());
        text += &format!("  ply {ply:>4}  {}  {verdict:<14}  best {best}, {}\n", grade.mv, grade.before.short());
    }
    for finding in &review.findings {
        text += &format!("  ply {:>4}  {}: {}\n", finding.ply, finding.kind.name(), finding.what);
    }
    for (color, tally) in Color::BOTH.into_iter().zip(&review.tallies) {
        if tally.graded() > 0 {
            text += &format!("  {}: {}\n", name(color), super::tally(tally));
        }
    }
    output::printable(&text)
}

/// The file of annotated games; it appears when it is whole.
struct Annotated<'a> {
    path: &'a Path,
    out: Output,
}

impl<'a> Annotated<'a> {
    fn create(path: &'a Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let what = "--annotate: standard output has the report; name a file, or /dev/stdout for both in one";
            return Err(BadArgument(what.to_owned()).into());
        }
        let out =
            Output::create(path).map_err(|error| BadArgument(format!("cannot write {}: {error}", path.display())));
        Ok(Self { path, out: out? })
    }

    fn add(&mut self, game: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{game}").with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn finish(self) -> anyhow::Result<()> {
        self.out.finish().with_context(|| format!("cannot write {}", self.path.display()))
    }
}
