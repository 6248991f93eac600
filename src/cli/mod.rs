//! The command line: one file per subcommand.

mod allocator;
mod bars;
mod certificate;
mod check;
mod completions;
mod engine;
mod exit;
mod export;
mod generate;
mod input;
mod interrupt;
mod list;
mod log;
mod man;
mod memory;
mod output;
mod perft;
mod plan;
mod plot;
mod probe;
mod proofs;
mod prove;
mod puzzles;
mod reencode;
mod rules;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod stats;
mod targets;
mod verify;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use jungletb::game::Rules;
use jungletb::probe::{Options, Tablebase};
use jungletb::table::{Access, Registry};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

pub use allocator::Allocator;

/// Endgame tablebases for Jungle (Dou Shou Qi): generate, verify and probe.
#[derive(Parser)]
#[command(name = "jungletb", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Options of every subcommand.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Rule set: a preset (see `jungletb rules`) or a rule file ending in .toml [default: standard]
    #[arg(long, global = true, value_name = "PRESET|FILE.toml")]
    rules: Vec<OsString>,
    /// Folder of tables, with one folder per rule set [default: `$JUNGLETB_TABLES`, else the usual places]
    ///
    /// Can be given several times: a table is searched in all folders, in order. New tables are written to the first
    /// folder; the others are only read. `$JUNGLETB_TABLES` can list several folders, separated as in `$PATH`.
    ///
    /// The usual places, as far as they exist: ./tablebases, tablebases beside the program,
    /// ../share/jungletb/tablebases from there, jungletb/tablebases in the user's data folder (~/.local/share), in
    /// /usr/local/share and in /usr/share, and the tables of up to three pieces that are part of the program. New
    /// tables are written to ./tablebases if it exists, else to the user's data folder.
    #[arg(long, global = true, value_name = "DIR")]
    tables: Vec<PathBuf>,
    /// Number of threads [default: one per processor]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON value to standard output and nothing else
    #[arg(long, global = true)]
    json: bool,
    /// Show no progress
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more detail on standard error
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Generate),
    Plan(plan::PlanCommand),
    Probe(probe::Probe),
    Prove(prove::Prove),
    Verify(verify::Verify),
    Stats(stats::Stats),
    List(list::List),
    Perft(perft::Perft),
    Rules(rules::RulesCommand),
    Export(export::Export),
    Check(check::Check),
    Puzzles(puzzles::Puzzles),
    Engine(engine::Engine),
    Plot(plot::Plot),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    #[command(name = "re-encode")]
    Reencode(reencode::Reencode),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Common {
    fn rules(&self) -> anyhow::Result<Rules> {
        match &self.rules[..] {
            [] => Ok(Rules::standard()),
            [one, ..] => Ok(Rules::load(one)?),
        }
    }

    fn tablebase(&self) -> anyhow::Result<Tablebase> {
        self.tablebase_with(Options::default().cache_bytes)
    }

    /// The tables, with a limit in bytes for the cache of unpacked blocks.
    fn tablebase_with(&self, cache_bytes: u64) -> anyhow::Result<Tablebase> {
        let options = Options::default().cache_bytes(cache_bytes);
        Ok(Tablebase::open_path(&self.search_path(), &self.rules()?, options)?)
    }

    /// The tables of these rules, for commands that write them.
    fn store(&self, rules: &Rules) -> Registry {
        Registry::over(&self.search_path().without_stores(), rules, Access::default())
    }

    /// Rejects folders, or rules, given both before and after the subcommand: the parser would drop the former, and a
    /// read-only folder could come first.
    fn check_repeated(&self) -> anyhow::Result<()> {
        for (name, kept) in [("--tables", self.tables.len()), ("--rules", self.rules.len())] {
            let is_given = |argument: &OsString| {
                let rest = argument.as_encoded_bytes().strip_prefix(name.as_bytes());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
            };
            let given = std::env::args_os().take_while(|argument| argument != "--").filter(is_given).count();
            if given > kept {
                let what =
                    format!("{name} is given both before and after the subcommand: give all of them in one place");
                return Err(exit::BadArgument(what).into());
            }
        }
        Ok(())
    }
}

/// Runs the program.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let what = info.payload_as_str().unwrap_or("unknown").replace('\n', " ");
        exit::print_error(&if what.starts_with("failed to spawn thread") {
            // Threads of the standard library and others panic with this text. It is a limit, not a bug.
            "cannot start a thread: not enough memory, or too many threads".to_owned()
        } else {
            format!("internal error{place}: {what}; please report it with the command that caused it")
        });
        jungletb::system::remove_unfinished();
        log::flush();
        std::process::exit(exit::OTHER.into());
    }));
    jungletb::system::raise_open_files();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = exit::arguments(&error);
            log::flush();
            return code;
        }
    };
    let code = match dispatch(&cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => exit::report(&error),
    };
    log::flush();
    code
}

fn dispatch(cli: &Cli) -> anyhow::Result<u8> {
    let common = &cli.common;
    common.check_repeated()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(common.threads.unwrap_or(0).into()).build_global();
    pool.context("cannot start that many threads; give a smaller --threads")?;
    #[cfg(feature = "serve")]
    let is_service = matches!(cli.command, Command::Serve(_));
    #[cfg(not(feature = "serve"))]
    let is_service = false;
    if !is_service {
        interrupt::listen()?;
    }
    if common.rules.len() > 1 && !is_service {
        return Err(exit::BadArgument("--rules: only `serve` takes more than one rule set".to_owned()).into());
    }
    match &cli.command {
        Command::Generate(command) => command.run(common),
        Command::Plan(command) => command.run(common),
        Command::Probe(command) => command.run(common),
        Command::Prove(command) => command.run(common),
        Command::Verify(command) => command.run(common),
        Command::Stats(command) => command.run(common),
        Command::List(command) => command.run(common),
        Command::Perft(command) => command.run(common),
        Command::Rules(command) => command.run(common),
        Command::Export(command) => command.run(common),
        Command::Check(command) => command.run(common),
        Command::Puzzles(command) => command.run(common),
        Command::Engine(_) => engine::Engine::run(common),
        Command::Plot(command) => command.run(common),
        #[cfg(feature = "serve")]
        Command::Serve(command) => command.run(common),
        Command::Reencode(command) => command.run(common),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}
