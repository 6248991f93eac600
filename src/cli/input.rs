//! Input named by arguments: files, and `-` for standard input.

use super::exit::BadArgument;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// An open input.
pub type Input = BufReader<Box<dyn Read>>;

/// Opens a file, or standard input for `-`.
pub fn open(file: &Path) -> Result<Input, BadArgument> {
    let input: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(|error| failure(file, &error))?)
    };
    Ok(BufReader::with_capacity(1 << 16, input))
}

/// The error for an input that cannot be read further: input that is not text is a bad argument.
pub fn unreadable(file: &Path, error: io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::IsADirectory => failure(file, &error).into(),
        _ => anyhow::Error::new(error).context(format!("{}: cannot read it", file.display())),
    }
}

fn failure(file: &Path, error: &io::Error) -> BadArgument {
    BadArgument(format!("{}: {error}", file.display()))
}
