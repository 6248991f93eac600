//! `engine`: plays by protocols on standard input and output.

use super::{Common, exit};
use clap::Args;
use jungletb::play::engine;
use std::io;

/// Play as an engine over UCI or JCEI, on standard input and output
#[derive(Args)]
pub struct Engine {}

impl Engine {
    /// Runs the subcommand.
    pub fn run(common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        engine::run(&tables, io::stdin().lock(), io::stdout())?;
        Ok(exit::GOOD)
    }
}
