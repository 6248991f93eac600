//! Exit codes, and errors as single lines.

use clap::CommandFactory;
use jungletb::analysis::export::ExportError;
use jungletb::analysis::verify::VerifyError;
use jungletb::game::{PositionError, RulesError};
use jungletb::material::MaterialError;
use jungletb::probe::Fault;
use jungletb::probe::ProbeError;
use jungletb::proof::ProofError;
use jungletb::proof::certificate::{CheckError, StrategyError};
use jungletb::solve::SolveError;
use jungletb::table::TableError;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Success.
pub const GOOD: u8 = 0;
/// Input, output and other failures.
pub const OTHER: u8 = 1;
/// Invalid arguments or positions.
pub const BAD_INPUT: u8 = 2;
/// A damaged table or a failed verification.
pub const DAMAGED: u8 = 3;
/// A table is missing.
pub const MISSING: u8 = 4;
/// Interrupted by a signal.
pub const INTERRUPTED: u8 = 130;

/// An invalid argument.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct BadArgument(pub String);

/// The exit code of an error.
pub fn code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(code_of).unwrap_or(OTHER)
}

fn code_of(error: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if error.is::<BadArgument>()
        || error.is::<PositionError>()
        || error.is::<MaterialError>()
        || error.is::<RulesError>()
    {
        return Some(BAD_INPUT);
    }
    if let Some(error) = error.downcast_ref::<ProbeError>() {
        return Some(probe(error));
    }
    if let Some(error) = error.downcast_ref::<TableError>() {
        return Some(table(error));
    }
    match error.downcast_ref::<SolveError>() {
        Some(SolveError::Interrupted) => return Some(INTERRUPTED),
        Some(SolveError::Table(error)) => return Some(table(error)),
        Some(SolveError::NeedsMemory { .. }) => return Some(BAD_INPUT),
        Some(SolveError::MissingDependency { .. }) => return Some(MISSING),
        Some(_) => return Some(OTHER),
        None => {}
    }
    match error.downcast_ref::<VerifyError>() {
        Some(VerifyError::Interrupted) => return Some(INTERRUPTED),
        Some(VerifyError::Table(error)) => return Some(table(error)),
        Some(VerifyError::Probe(error)) => return Some(probe(error)),
        Some(VerifyError::NeedsMemory { .. }) => return Some(BAD_INPUT),
        Some(VerifyError::OutOfMemory(_)) => return Some(OTHER),
        Some(_) => return Some(DAMAGED),
        None => {}
    }
    if let Some(error) = error.downcast_ref::<CheckError>() {
        return Some(certificate(error));
    }
    match error.downcast_ref::<StrategyError>() {
        Some(StrategyError::Interrupted) => return Some(INTERRUPTED),
        Some(StrategyError::Over(_) | StrategyError::Memory { .. }) => return Some(BAD_INPUT),
        Some(StrategyError::Probe(error)) => return Some(probe(error)),
        Some(_) => return Some(OTHER),
        None => {}
    }
    match error.downcast_ref::<ProofError>() {
        Some(ProofError::Position(_)) => return Some(BAD_INPUT),
        Some(ProofError::Table(error)) => return Some(probe(error)),
        Some(_) => return Some(OTHER),
        None => {}
    }
    match error.downcast_ref::<ExportError>() {
        Some(ExportError::Probe(error)) => Some(probe(error)),
        _ => None,
    }
}

/// The exit code of a failed probe.
pub fn probe(error: &ProbeError) -> u8 {
    fault(error.fault())
}

fn table(error: &TableError) -> u8 {
    fault(error.fault())
}

/// The exit code of a certificate that failed its check. A missing file is a bad argument.
pub fn certificate(error: &CheckError) -> u8 {
    match error {
        CheckError::Io { cause, .. } if cause.kind() == io::ErrorKind::NotFound => BAD_INPUT,
        _ => fault(error.fault()),
    }
}

fn fault(fault: Fault) -> u8 {
    match fault {
        Fault::Caller => BAD_INPUT,
        Fault::Missing => MISSING,
        Fault::Damaged => DAMAGED,
        Fault::System => OTHER,
        Fault::Interrupted => INTERRUPTED,
    }
}

/// The exit code of several results: the worst of them.
pub fn worst(one: u8, other: u8) -> u8 {
    const ORDER: [u8; 6] = [GOOD, MISSING, OTHER, DAMAGED, BAD_INPUT, INTERRUPTED];
    let rank = |code: u8| ORDER.iter().position(|&known| known == code);
    if rank(other) > rank(one) { other } else { one }
}

/// Whether the error that ends the program was printed: what fails afterwards is not.
pub static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Prints an error and returns its exit code. A closed output pipe is not an error.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::from(GOOD);
    }
    print_error(&line(error));
    IS_REPORTED.store(true, Ordering::Relaxed);
    ExitCode::from(code(error))
}

/// An error as one line.
pub fn line(error: &anyhow::Error) -> String {
    let parts: Vec<String> = error.chain().map(ToString::to_string).collect();
    parts.join(": ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints a line on standard error.
pub fn print_error(line: &str) {
    super::log::line(&format!("jungletb: {line}"));
}

/// Prints an argument error as one line; help and version go to standard output.
pub fn arguments(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::from(GOOD);
    }
    let text = error.to_string();
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(BAD_INPUT);
    }
    let what = text.split("\n\nUsage:").next().unwrap_or(&text);
    let what = what.split("\n\nFor more information").next().unwrap_or(what);
    let what = what.strip_prefix("error: ").unwrap_or(what).split_whitespace().collect::<Vec<_>>().join(" ");
    print_error(&format!("{what}; see `{} --help`", subcommand(std::env::args_os().skip(1))));
    ExitCode::from(BAD_INPUT)
}

/// The program and the subcommand given by the arguments: `jungletb check games`.
fn subcommand(arguments: impl Iterator<Item = OsString>) -> String {
    let program = super::Cli::command();
    let takes_value = |text: &str| {
        let option = program.get_arguments().find(|option| option.get_long() == text.strip_prefix("--"));
        option.is_some_and(|option| option.get_action().takes_values())
    };
    let mut names = vec!["jungletb".to_owned()];
    let (mut command, mut is_value) = (&program, false);
    for argument in arguments {
        let text = argument.to_string_lossy();
        if std::mem::take(&mut is_value) || text.starts_with('-') {
            is_value = takes_value(&text);
            continue;
        }
        let Some(next) = command.find_subcommand(&*text) else { break };
        names.push(next.get_name().to_owned());
        command = next;
    }
    names.join(" ")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_that_of_the_subcommand() {
        for (arguments, expected) in [
            ("", "jungletb"),
            ("frobnicate", "jungletb"),
            ("list --frobnicate", "jungletb list"),
            ("--tables list probe", "jungletb probe"),
            ("--tables=x -q probe list", "jungletb probe"),
            ("check engine --frobnicate", "jungletb check engine"),
            ("check --json games", "jungletb check games"),
        ] {
            assert_eq!(subcommand(arguments.split_whitespace().map(OsString::from)), expected, "{arguments}");
        }
    }
}
