//! Standard output in whole lines with errors as values, and result files.

use super::exit::BadArgument;
use anyhow::Context;
use jungletb::system::Output;
pub use jungletb::text::{bytes, count, grouped, plies};
use serde_json::Value;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

/// Standard output, buffered. Call [`Write::flush`] at the end.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// The output of a result: a file, which appears once complete, or standard output for `-`.
pub fn create(path: &Path) -> anyhow::Result<Output> {
    if path.as_os_str() == "-" {
        return Ok(Output::stream(io::stdout()));
    }
    Output::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Rejects a file whose extension belongs to another format.
pub fn check_ending(path: &Path, what: &str, ending: &str, others: &[&str]) -> Result<(), BadArgument> {
    let found = path.extension().and_then(|found| found.to_str()).unwrap_or_default().to_ascii_lowercase();
    if others.contains(&found.as_str()) {
        let (path, better) = (path.display(), path.with_extension(ending));
        return Err(BadArgument(format!("{path}: this is {what}; write it to {}", better.display())));
    }
    Ok(())
}

/// Prints one JSON value.
pub fn json(value: &Value) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "{value}")?;
    out.flush()
}

/// Prints text.
pub fn text(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Untrusted text without characters that could control a terminal; line breaks are kept.
pub fn printable(text: &str) -> String {
    text.chars().map(|symbol| if symbol.is_control() && symbol != '\n' { ' ' } else { symbol }).collect()
}

/// A duration for people: `4.2 s`, `31.0 min`, `77.4 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ if seconds < 7200.0 => format!("{:.1} min", seconds / 60.0),
        _ if seconds < 100.0 * 3600.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{} h", grouped((seconds / 3600.0).round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(duration(4.24), "4.2 s");
        assert_eq!(duration(1922.0), "32.0 min");
        assert_eq!(duration(278_000.0), "77.2 h");
        assert_eq!(duration(22_000_000.0), "6,111 h");
    }
}
