//! `completions`: prints a shell completion script.

use super::{Cli, exit, output};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script
#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs the subcommand.
    pub fn run(&self) -> anyhow::Result<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "jungletb", &mut script);
        output::text(&String::from_utf8_lossy(&script))?;
        Ok(exit::GOOD)
    }
}
