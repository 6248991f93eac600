//! Options of the commands that use proofs beyond the tables.

use super::exit::BadArgument;
use super::prove::parse_time;
use super::{Common, memory, output};
use clap::Args;
use jungletb::play::evidence::Budget;
use jungletb::probe::Tablebase;
use jungletb::proof::Options;
use std::thread;
use std::time::Duration;

/// Options for proofs beyond the tables.
#[derive(Args)]
pub struct ProofArgs {
    /// Prove values beyond the tables, with this time limit per position, such as 2s or 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    prove: Option<Duration>,
    /// Prove values beyond the tables, with this limit of searched positions per position; with --threads 1, and
    /// without --prove, the results are reproducible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    prove_positions: Option<u64>,
    /// Memory for proofs and tables of all threads together [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size)]
    memory: Option<u64>,
}

/// Memory for everything except proofs and tables: the program, records, results.
const RESERVE: u64 = 48 << 20;
/// Minimum useful memory.
const LEAST: u64 = 96 << 20;
/// Maximum memory for unpacked blocks of tables.
const BLOCKS: u64 = 128 << 20;

impl ProofArgs {
    /// Whether proofs are requested.
    pub const fn asked(&self) -> bool {
        self.prove.is_some() || self.prove_positions.is_some()
    }

    /// Limits for proving one position.
    pub const fn budget(&self) -> Budget {
        Budget { time: self.prove, positions: self.prove_positions }
    }

    /// The tables; with proofs, their block cache is limited to stay within the memory.
    pub fn tablebase(&self, common: &Common) -> anyhow::Result<Tablebase> {
        if !self.asked() {
            if self.memory.is_some() {
                let what = "--memory: it is for proofs; give --prove or --prove-positions too";
                return Err(BadArgument(what.to_owned()).into());
            }
            return common.tablebase();
        }
        common.tablebase_with(self.blocks()?)
    }

    /// Options for a number of parallel provers: their memory and threads.
    pub fn options(&self, common: &Common, provers: usize) -> anyhow::Result<Options> {
        let provers = provers.max(1);
        let memory = (self.total()? - self.blocks()? - RESERVE) / provers as u64;
        Ok(Options { memory: memory as usize, threads: (threads(common) / provers).max(1) })
    }

    fn blocks(&self) -> anyhow::Result<u64> {
        Ok((self.total()? / 4).min(BLOCKS))
    }

    fn total(&self) -> anyhow::Result<u64> {
        let usable = memory::usable();
        let total = self.memory.unwrap_or((1 << 30).min(usable));
        if total < LEAST {
            let least = output::bytes(LEAST);
            return Err(BadArgument(format!("--memory: proofs need at least {least}; give more")).into());
        }
        if total > usable {
            let most = output::bytes(usable);
            return Err(BadArgument(format!("--memory: this machine has {most} to use; give less")).into());
        }
        Ok(total)
    }
}

/// Number of threads to use.
pub fn threads(common: &Common) -> usize {
    common.threads.map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from)
}
