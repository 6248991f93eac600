//! `man`: the manual page.

use super::{Cli, exit, output};
use clap::{Args, CommandFactory};

/// Print the manual page
#[derive(Args)]
pub struct Man;

impl Man {
    /// Runs the subcommand.
    #[allow(clippy::unused_self)]
    pub fn run(&self) -> anyhow::Result<u8> {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        output::text(&String::from_utf8_lossy(&page))?;
        Ok(exit::GOOD)
    }
}
