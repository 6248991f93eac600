//! `puzzles`: finds positions with one way to win, in tables and games.

use super::exit::BadArgument;
use super::probe::board;
use super::proofs::{ProofArgs, threads};
use super::{Common, bars, certificate, exit, input, interrupt, output, targets};
use anyhow::Context;
use clap::{Args, ValueEnum};
use jungletb::material::{Class, graph};
use jungletb::play::evidence::Evidence;
use jungletb::play::puzzle::{Choice, First, Puzzle, Source, Wanted, choose, from_game, from_table};
use jungletb::play::record::{Encoding, Record, RecordError, Records};
use jungletb::probe::Tablebase;
use jungletb::proof::{Limits, ProofError, Prover};
use jungletb::system::Cancel;
use rayon::prelude::*;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Find positions with one way to win, with their solutions
///
/// The first move of a puzzle is the only one that wins, and every later move of the winner the only quickest one.
/// Puzzles come from tables or, with --games, from game records; there, --prove decides positions beyond the tables.
/// --json prints one JSON object per line.
#[derive(Args)]
pub struct Puzzles {
    /// Numbers of pieces, or materials [default: all existing tables]
    #[arg(value_name = "N|MATERIAL")]
    targets: Vec<String>,
    /// Take puzzles from these game records instead (- for standard input); can be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "targets")]
    games: Vec<PathBuf>,
    /// Encoding of the records, as for `check games`
    #[arg(long, value_name = "LABEL", value_parser = super::check::encoding, requires = "games")]
    encoding: Option<Encoding>,
    #[command(flatten)]
    proofs: ProofArgs,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 20)]
    count: usize,
    /// Seed; the same seed gives the same puzzles
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Moves of the winner: a number or a range such as 3..5 or 4..
    #[arg(long, value_name = "RANGE", default_value = "2..", value_parser = range)]
    moves: RangeInclusive<u16>,
    /// Pieces on the board: a number or a range such as 3..5 or ..8
    #[arg(long, value_name = "RANGE", default_value = "2..16", value_parser = range)]
    pieces: RangeInclusive<u16>,
    /// Requirement on the first move: the only winning one, or the only quickest one (other winning moves are listed)
    #[arg(long, value_enum, default_value = "only")]
    first: FirstMove,
    /// Print the hardest first: long solutions, natural moves that do not win, quiet first moves, sacrifices
    #[arg(long)]
    hardest: bool,
    /// Write a certificate of each puzzle's win to this folder: 001.jtc, 002.jtc, and so on
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    /// Allow later moves of the winner with equally quick alternatives; the solution lists them
    #[arg(long)]
    duals: bool,
}

/// Requirement on the first move of a puzzle.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FirstMove {
    Only,
    Quickest,
}

/// Parses `3`, `3..5`, `..5` or `3..`.
fn range(text: &str) -> Result<RangeInclusive<u16>, String> {
    let advice = || "give a number or a range such as 3, 3..5, ..5 or 3..".to_owned();
    let number = |text: &str, default: u16| {
        if text.is_empty() { Ok(default) } else { text.parse::<u16>().map_err(|_| advice()) }
    };
    let (first, last) = match text.split_once("..") {
        None => {
            let number = text.parse::<u16>().map_err(|_| advice())?;
            (number, number)
        }
        Some((first, last)) => (number(first, 1)?, number(last.trim_start_matches('='), u16::MAX)?),
    };
    if first == 0 || first > last { Err(advice()) } else { Ok(first..=last) }
}

impl Puzzles {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        if self.games.is_empty() && self.proofs.asked() {
            return Err(BadArgument("--prove: tables need no proofs; give --games too".to_owned()).into());
        }
        let cancel = interrupt::cancel();
        let tables = self.proofs.tablebase(common)?;
        let wanted = Wanted {
            moves: self.moves.clone(),
            pieces: usize::from(*self.pieces.start())..=usize::from(*self.pieces.end()),
            first: match self.first {
                FirstMove::Only => First::Only,
                FirstMove::Quickest => First::Quickest,
            },
            duals: self.duals,
        };
        let mut unreadable = false;
        let found = if self.games.is_empty() {
            self.look_in_tables(common, &tables, &cancel, &wanted)?
        } else {
            self.look_in_games(common, &tables, &cancel, &wanted, &mut unreadable)?
        };
        let choice = Choice { count: self.count, hardest: self.hardest, seed: self.seed };
        let puzzles = choose(tables.classes(), tables.rules(), found, choice);
        let certificates = match &self.certificates {
            Some(folder) => Some(self.certificates(common, &tables, folder)?),
            None => None,
        };
        let mut out = output::stdout();
        for (puzzle, number) in puzzles.iter().zip(1..) {
            let file = certificates.as_ref().map(|to| to.write(common, puzzle, number, &cancel)).transpose()?.flatten();
            if cancel.is_cancelled() {
                break;
            }
            if common.json {
                let mut object = puzzle.json(tables.rules());
                object["certificate"] = file.map(|file| file.to_string_lossy().into_owned()).into();
                writeln!(out, "{object}")?;
            } else {
                out.write_all(text(&tables, puzzle, number, file.as_deref()).as_bytes())?;
            }
        }
        out.flush()?;
        if cancel.is_cancelled() {
            return Ok(exit::INTERRUPTED);
        }
        if puzzles.len() < self.count && !common.quiet {
            exit::print_error(&format!("{} of {} puzzles found", puzzles.len(), self.count));
        }
        Ok(if unreadable { exit::BAD_INPUT } else { exit::GOOD })
    }

    fn certificates<'a>(
        &self,
        common: &Common,
        tables: &'a Tablebase,
        folder: &'a Path,
    ) -> anyhow::Result<Certificates<'a>> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        // The certificate itself takes at most as much again.
        let options = self.proofs.options(common, 2)?;
        Ok(Certificates { folder, tables, prover: Prover::new(tables, &options)?, memory: options.memory as u64 })
    }

    /// Searches the tables of classes, in an order given by the seed, until there are enough puzzles to choose from.
    fn look_in_tables(
        &self,
        common: &Common,
        tables: &Tablebase,
        cancel: &Cancel,
        wanted: &Wanted,
    ) -> anyhow::Result<Vec<Puzzle>> {
        let mut classes = self.classes(tables)?;
        classes.retain(|class| wanted.pieces.contains(&class.pieces()));
        fastrand::Rng::with_seed(self.seed).shuffle(&mut classes);
        let bar = bars::counting(common, classes.len() as u64, "classes");
        let mut found: Vec<Puzzle> = Vec::new();
        // Choosing the hardest needs all puzzles.
        let at_once = if self.hardest { classes.len() } else { self.count.saturating_mul(2) }.max(1);
        for some in classes.chunks(at_once) {
            let look = |class: &Arc<Class>| {
                if cancel.is_cancelled() {
                    return Ok(Vec::new());
                }
                let puzzles = from_table(tables, class.representative, wanted, self.seed);
                bar.inc(1);
                puzzles
            };
            let puzzles: Result<Vec<Vec<Puzzle>>, ProofError> = some.par_iter().map(look).collect();
            found.extend(puzzles?.into_iter().flatten());
            if found.len() >= self.count.saturating_mul(4) {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(found)
    }

    /// The classes to search; without named classes, only those with a table.
    fn classes(&self, tables: &Tablebase) -> anyhow::Result<Vec<Arc<Class>>> {
        let rules = tables.rules();
        let (numbers, materials): (Vec<String>, Vec<String>) =
            self.targets.iter().cloned().partition(|target| target.starts_with(|c: char| c.is_ascii_digit()));
        let mut classes = targets::only(&materials, rules, tables.classes())?;
        let mut pieces = Vec::new();
        for number in &numbers {
            let parsed = number.parse().ok().filter(|pieces| (2..=8_usize).contains(pieces));
            pieces.push(parsed.ok_or_else(|| BadArgument(format!("{number:?} pieces: give a number from 2 to 8")))?);
        }
        if self.targets.is_empty() {
            pieces.extend(2..=tables.most_pieces());
        }
        for &pieces in &pieces {
            let with_pieces = tables.classes().with_pieces(rules, pieces);
            classes.extend(with_pieces.into_iter().filter(|class| tables.table(class.representative).is_ok()));
        }
        if classes.is_empty() {
            // Requesting any table gives an error with the folder and the command that fills it.
            let first = graph::up_to(tables.classes(), rules, pieces.first().copied().unwrap_or(2));
            if let Some(class) = first.last() {
                tables.table(class.representative)?;
            }
        }
        Ok(classes)
    }

    /// Searches games, in parallel.
    fn look_in_games(
        &self,
        common: &Common,
        tables: &Tablebase,
        cancel: &Cancel,
        wanted: &Wanted,
        unreadable: &mut bool,
    ) -> anyhow::Result<Vec<Puzzle>> {
        let mut records: Vec<(String, Record)> = Vec::new();
        for file in &self.games {
            let name = file.display().to_string();
            for record in Records::in_encoding(input::open(file)?, self.encoding) {
                match record {
                    Ok(record) => records.push((name.clone(), record)),
                    Err(RecordError::Io(error)) => {
                        return Err(input::unreadable(file, error));
                    }
                    Err(error) => {
                        *unreadable = true;
                        exit::print_error(&exit::line(&anyhow::Error::new(error).context(name.clone())));
                    }
                }
            }
        }
        let workers = threads(common).min(records.len()).max(1);
        let options = if self.proofs.asked() { Some(self.proofs.options(common, workers)?) } else { None };
        let bar = bars::counting(common, records.len() as u64, "games");
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<(usize, Vec<Puzzle>)>> = Mutex::default();
        let work = || -> Result<(), ProofError> {
            let evidence = match &options {
                None => Evidence::tables(tables),
                Some(options) => Evidence::proofs(tables, options, self.proofs.budget(), cancel.clone())?,
            };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((name, record)) = records.get(number) else { return Ok(()) };
                if cancel.is_cancelled() {
                    return Ok(());
                }
                let Some(puzzles) = from_game(&evidence, name, record, wanted)? else { return Ok(()) };
                found.lock().unwrap_or_else(PoisonError::into_inner).push((number, puzzles));
                bar.inc(1);
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let results = workers.into_iter().map(|worker| worker.join().unwrap_or(Ok(())));
            results.collect::<Result<Vec<()>, ProofError>>()
        })?;
        bar.finish_and_clear();
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(number, _)| *number);
        Ok(found.into_iter().flat_map(|(_, puzzles)| puzzles).collect())
    }
}

/// The folder for certificates, and the prover of their wins.
struct Certificates<'a> {
    folder: &'a Path,
    tables: &'a Tablebase,
    prover: Prover<'a>,
    memory: u64,
}

impl Certificates<'_> {
    /// Proves the win of a puzzle again and writes its certificate; returns the file, or `None` if it was interrupted.
    fn write(
        &self,
        common: &Common,
        puzzle: &Puzzle,
        number: usize,
        cancel: &Cancel,
    ) -> anyhow::Result<Option<PathBuf>> {
        let limits = Limits { plies: u16::try_from(puzzle.plies()).ok(), ..Limits::default() };
        let proof = self.prover.prove(&puzzle.position, &limits, cancel, &mut |_| {})?;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let file = self.folder.join(format!("{number:03}.jtc"));
        let written = certificate::write(common, self.tables, &self.prover, &proof, &file, self.memory)?;
        Ok(written.map(|_| file))
    }
}

/// A puzzle as text for people.
fn text(tables: &Tablebase, puzzle: &Puzzle, number: usize, certificate: Option<&Path>) -> String {
    let rules = tables.rules();
    let us = puzzle.position.to_move();
    let source = match &puzzle.source {
        Source::Table { class } => format!("table {class}"),
        Source::Game { file, line, ply } => format!("{file}:{line}, after ply {ply}"),
    };
    let moves = if puzzle.moves() == 1 { "move" } else { "moves" };
    let mut text = format!("{number}. {us} to move wins in {} {moves}    ({source})\n\n", puzzle.moves());
    text += &board(tables, &puzzle.position);
    text += &format!("\n{}\n\n", puzzle.position.to_text(rules));
    text += &format!("solution  {}\n", solution(puzzle));
    if !puzzle.slower.is_empty() {
        let moves: Vec<_> = puzzle.slower.iter().map(ToString::to_string).collect();
        text += &format!("{} wins too, but takes longer\n", moves.join(", "));
    }
    if let Some(plies) = puzzle.no_other_win_before {
        text += &format!("no other first move wins within {} plies\n", plies.saturating_sub(1));
    }
    text += &format!("{}\n", hardness(puzzle));
    if let Some(file) = certificate {
        text += &format!("certificate {}\n", file.display());
    }
    text += "\n\n";
    output::printable(&text)
}

/// `1. d6d7! c7c8 2. d7d8 (or d7e7) …`
fn solution(puzzle: &Puzzle) -> String {
    let mut words = Vec::new();
    for (at, step) in puzzle.line.iter().enumerate() {
        let mut word = if at % 2 == 0 { format!("{}. {}", at / 2 + 1, step.mv) } else { step.mv.to_string() };
        if at == 0 {
            word.push('!');
        }
        if !step.also.is_empty() {
            let also: Vec<_> = step.also.iter().map(ToString::to_string).collect();
            word += &format!(" (or {})", also.join(", "));
        }
        words.push(word);
    }
    words.join(" ")
}

fn hardness(puzzle: &Puzzle) -> String {
    let traits = puzzle.traits;
    let mut parts = vec![format!("difficulty {}", puzzle.difficulty())];
    if traits.quiet {
        parts.push("quiet".to_owned());
    }
    if traits.sacrifice {
        parts.push("lets a piece be taken".to_owned());
    }
    parts.push(format!("{} other moves, {} of them natural", traits.others, traits.natural));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges() {
        assert_eq!(range("3"), Ok(3..=3));
        assert_eq!(range("3..5"), Ok(3..=5));
        assert_eq!(range("..5"), Ok(1..=5));
        assert_eq!(range("3.."), Ok(3..=u16::MAX));
        for bad in ["", "..0", "0", "5..3", "a", "3..b", "-1"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}
