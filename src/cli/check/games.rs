//! `check games`: grades the moves of game records.

use super::FailOn;
use super::sums::{Sums, game_json, game_text};
use crate::cli::exit::BadArgument;
use crate::cli::input::{self, Input};
use crate::cli::proofs::{ProofArgs, threads};
use crate::cli::{Common, bars, exit, interrupt, output};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use jungletb::game::Rules;
use jungletb::play::evidence::Evidence;
use jungletb::play::record::{Encoding, Record, RecordError, Records};
use jungletb::play::review::{FindingKind, Review};
use jungletb::probe::Tablebase;
use jungletb::proof::ProofError;
use jungletb::system::{Cancel, Output};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

/// Grade the moves of game records
///
/// Grades every move whose position has a table or, with --prove, a proof. Files hold JSON lines
/// ({"moves":["a1b1",…],"start":…,"result":…,"reason":…,"white":…,"black":…}), one game per line ([position …] a1b1
/// g9f9 … 1-0), or games with tags as in PGN. A game without a position starts from the standard one; whether left and
/// right are exchanged is recognized by its moves.
#[derive(Args)]
pub struct Games {
    /// Files of game records (- for standard input)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all games to this file, with tags, values and best moves
    #[arg(long, value_name = "OUT")]
    annotate: Option<PathBuf>,
    /// Encoding of the files, such as gbk, euc-kr or windows-1251 [default: UTF-8, or what a byte order mark says; a
    /// line that is neither is read as Windows-1252]
    #[arg(long, value_name = "LABEL", value_parser = super::encoding)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    proofs: ProofArgs,
    /// Exit with 1 if any of these occurs: mistake (any), sooner, slower, draw-loss, win-draw, win-loss, into-loss,
    /// illegal, result, repetition; can be repeated
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = fail_on)]
    fail_on: Vec<FailOn>,
}

fn fail_on(text: &str) -> Result<FailOn, String> {
    let findings = [FindingKind::Illegal, FindingKind::Result, FindingKind::Repetition];
    FailOn::parse(text, &findings.map(FindingKind::name))
}

impl Games {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let cancel = interrupt::cancel();
        let tables = self.proofs.tablebase(common)?;
        let mut report = GamesReport {
            rules: tables.rules(),
            json: common.json,
            quiet: common.quiet,
            sums: Sums::new(self.proofs.asked()),
            games: Vec::new(),
            annotated: self.annotate.as_deref().map(Annotated::create).transpose()?,
            out: output::stdout(),
        };
        let finished = if self.proofs.asked() {
            self.with_proofs(common, &tables, &cancel, &mut report)?
        } else {
            self.with_tables(&tables, &cancel, &mut report)?
        };
        let interrupted = !finished;
        if interrupted && !self.proofs.asked() {
            report.out.flush()?;
            return Ok(exit::INTERRUPTED);
        }
        let sums = report.finish()?;
        if interrupted {
            exit::print_error(&format!("interrupted: {} not finished", super::count(sums.unfinished, "game")));
            return Ok(exit::INTERRUPTED);
        }
        Ok(self.code(&sums))
    }

    /// Reviews games one after the other while reading; returns whether it reached the end.
    fn with_tables(&self, tables: &Tablebase, cancel: &Cancel, report: &mut GamesReport) -> anyhow::Result<bool> {
        for file in &self.files {
            let name = file.display().to_string();
            for record in self.records(file)? {
                if cancel.is_cancelled() {
                    return Ok(false);
                }
                match record {
                    Ok(record) => report.add(&name, &record, &Review::new(tables, &record))?,
                    Err(error) => report.bad(&name, &error)?,
                }
            }
        }
        Ok(true)
    }

    /// Reviews games in parallel, and reports them in order; returns whether it reached the end.
    fn with_proofs(
        &self,
        common: &Common,
        tables: &Tablebase,
        cancel: &Cancel,
        report: &mut GamesReport,
    ) -> anyhow::Result<bool> {
        let mut batch = Vec::new();
        for file in &self.files {
            let name: Arc<str> = file.display().to_string().into();
            for record in self.records(file)? {
                batch.push((Arc::clone(&name), record));
                if batch.len() == BATCH
                    && !self.prove_batch(common, tables, cancel, &std::mem::take(&mut batch), report)?
                {
                    return Ok(false);
                }
            }
        }
        self.prove_batch(common, tables, cancel, &batch, report)
    }

    fn prove_batch(
        &self,
        common: &Common,
        tables: &Tablebase,
        cancel: &Cancel,
        batch: &[ReadRecord],
        report: &mut GamesReport,
    ) -> anyhow::Result<bool> {
        let records: Vec<(usize, &Record)> =
            batch.iter().enumerate().filter_map(|(at, (_, record))| Some((at, record.as_ref().ok()?))).collect();
        let workers = threads(common).min(records.len());
        let options = self.proofs.options(common, workers)?;
        let positions = records.iter().map(|(_, record)| record.moves.len() as u64 + 1).sum();
        let bar = bars::counting(common, positions, "positions");
        let next = AtomicUsize::new(0);
        let (send, receive) = mpsc::channel();
        let work = |send: mpsc::Sender<(usize, Result<Review, ProofError>)>| {
            let evidence = Evidence::proofs(tables, &options, self.proofs.budget(), cancel.clone());
            let evidence = match evidence {
                Ok(evidence) => evidence,
                Err(error) => return drop(send.send((0, Err(error)))),
            };
            while let Some((at, record)) = records.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut shown = 0;
                let review = Review::by(&evidence, record, &mut |progress| {
                    bar.inc((progress.done - shown) as u64);
                    shown = progress.done;
                });
                bar.inc((record.moves.len() + 1).saturating_sub(shown) as u64);
                let Some(review) = review else { return };
                if send.send((*at, Ok(review))).is_err() {
                    return;
                }
            }
        };
        let result = thread::scope(|scope| {
            for _ in 0..workers {
                let send = send.clone();
                scope.spawn(|| work(send));
            }
            drop(send);
            let result = report_in_order(batch, &receive, &bar, report);
            if result.is_err() {
                // The consumer has stopped: the other games need not finish.
                cancel.cancel();
            }
            result
        });
        bar.finish_and_clear();
        result
    }

    fn records(&self, file: &Path) -> anyhow::Result<Records<Input>> {
        Ok(Records::in_encoding(input::open(file)?, self.encoding))
    }

    fn code(&self, sums: &Sums) -> u8 {
        let found = |fail_on: &FailOn| fail_on.is_in(&sums.total) || sums.named(&fail_on.0) > 0;
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

/// Maximum number of games read before the first of them is reported, when games are proven in parallel.
const BATCH: usize = 1000;

/// The name of the file, and a record of it or an error.
type ReadRecord = (Arc<str>, Result<Record, RecordError>);

/// Reports games in the order of their records, each as soon as it and all earlier ones are done; returns whether all
/// were reported.
fn report_in_order(
    batch: &[ReadRecord],
    receive: &mpsc::Receiver<(usize, Result<Review, ProofError>)>,
    bar: &ProgressBar,
    report: &mut GamesReport,
) -> anyhow::Result<bool> {
    let mut ready: BTreeMap<usize, Review> = BTreeMap::new();
    let mut finished = true;
    for (at, (name, record)) in batch.iter().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                bar.suspend(|| report.bad(name, error))?;
                continue;
            }
        };
        while !ready.contains_key(&at) {
            // Disconnected: the work was interrupted; finished later games are reported too.
            let Ok((number, review)) = receive.recv() else { break };
            ready.insert(number, review?);
        }
        if let Some(review) = ready.remove(&at) {
            bar.suspend(|| report.add(name, record, &review))?;
        } else {
            finished = false;
            report.sums.unfinished += 1;
        }
    }
    Ok(finished)
}

/// Destination of reviews.
struct GamesReport<'a> {
    rules: &'a Rules,
    json: bool,
    quiet: bool,
    sums: Sums,
    games: Vec<Value>,
    annotated: Option<Annotated<'a>>,
    out: BufWriter<StdoutLock<'static>>,
}

impl GamesReport<'_> {
    fn add(&mut self, file: &str, record: &Record, review: &Review) -> anyhow::Result<()> {
        self.sums.add(record, review);
        if let Some(annotated) = &mut self.annotated {
            annotated.add(&review.annotated(self.rules, record))?;
        }
        if self.json {
            self.games.push(game_json(self.rules, file, record, review));
        } else if !self.quiet {
            self.out.write_all(game_text(file, record, review).as_bytes())?;
            if review.proofs {
                // The next game takes a while.
                self.out.flush()?;
            }
        }
        Ok(())
    }

    /// A malformed record.
    fn bad(&mut self, file: &str, error: &RecordError) -> anyhow::Result<()> {
        if let RecordError::Io(error) = error {
            let error = io::Error::new(error.kind(), error.to_string());
            return Err(input::unreadable(Path::new(file), error));
        }
        self.sums.unreadable += 1;
        self.out.flush()?;
        exit::print_error(&exit::line(&anyhow::anyhow!("{file}: {error}")));
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<Sums> {
        if self.json {
            let mut all = json!({"rules": self.rules.name()});
            if let (Value::Object(all), Value::Object(sums)) = (&mut all, self.sums.json()) {
                all.extend(sums);
            }
            all["games"] = self.games.into();
            writeln!(self.out, "{all}")?;
        } else {
            self.out.write_all(self.sums.text().as_bytes())?;
        }
        self.out.flush()?;
        if let Some(annotated) = self.annotated {
            annotated.finish()?;
        }
        Ok(self.sums)
    }
}

/// The file of annotated games, which appears once complete.
struct Annotated<'a> {
    path: &'a Path,
    out: Output,
}

impl<'a> Annotated<'a> {
    fn create(path: &'a Path) -> anyhow::Result<Self> {
        if path.as_os_str() == "-" {
            let what = "--annotate: the report goes to standard output; name a file, or /dev/stdout for both";
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
