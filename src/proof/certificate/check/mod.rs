//! Checking a certificate with the move generator and the tables, using none of the code that finds or writes proofs.
//!
//! The strategy is read once, sequentially, and each byte is processed once, so the time is linear in its length. On
//! the way down, a position's replies come from the move generator, never from the file; on the way up, each position
//! gets its height: the plies within which the winner ends the game against any defense. A reference can lead only to a
//! position with known height, that is, one whose strategy has been checked, so no claim can rest on itself.

mod error;
mod source;
mod stream;
mod walk;

pub use error::CheckError;

use super::wire::{CHECKSUM_LEN, RuleBytes, TableUse};
use crate::game::{Category, Color, Position};
use crate::probe::Tablebase;
use crate::system::{Cancel, open_regular};
use crate::text;
use source::Source;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;
use stream::Stream;
use walk::Checker;
use zstd::stream::read::Decoder;

/// The claim that a valid certificate proves.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The position.
    pub position: Position,
    /// The winner.
    pub winner: Color,
    /// Upper bound on the plies. A certificate does not prove that no win is faster.
    pub plies: u16,
    /// The tables that it depends on.
    pub tables: Vec<TableUse>,
    /// Number of positions of the strategy, each counted once.
    pub positions: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl Certified {
    /// The outcome for the side to move.
    pub fn category(&self) -> Category {
        if self.winner == self.position.to_move() { Category::Win } else { Category::Loss }
    }
}

/// Progress of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckProgress {
    /// Bytes of the file read.
    pub bytes: u64,
    /// Size of the file in bytes.
    pub of: u64,
    /// Number of positions checked.
    pub positions: u64,
}

/// Checks the certificate in a file, with the rules and the tables of `tables`.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a certificate of these rules, if a table it depends on is
/// missing, damaged or different, or if its strategy does not prove its claim; the error then names the place.
pub fn check(
    path: &Path,
    tables: &Tablebase,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&CheckProgress),
) -> Result<Certified, CheckError> {
    let io = |cause| CheckError::Io { path: path.to_owned(), cause };
    let file = open_regular(path).map_err(io)?;
    check_bytes(BufReader::with_capacity(1 << 16, file), path, tables, cancel, progress)
}

/// Checks a certificate from any source of bytes; `path` is the name used in errors.
///
/// # Errors
/// As [`check`].
pub fn check_bytes(
    mut source: impl BufRead + Seek,
    path: &Path,
    tables: &Tablebase,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&CheckProgress),
) -> Result<Certified, CheckError> {
    let file = Source { path, cancel };
    let len = file.check_sum(&mut source)?;
    let head = file.head(&mut source, len)?;
    let expected = RuleBytes::of(tables.rules());
    if head.keys != expected {
        return Err(CheckError::OtherRules {
            path: path.to_owned(),
            found: head.rules,
            rules: tables.rules().name().to_owned(),
            differences: head.keys.differences(&expected).join(", "),
        });
    }
    let root = head.root.unpack(tables.rules()).ok_or_else(|| file.damaged("its position cannot occur"))?;
    let listed = file.tables(&head, tables)?;
    let start = source.stream_position().map_err(|source| file.io(source))?;
    let packed = source.take(len - CHECKSUM_LEN - start);
    let decoder = Decoder::with_buffer(packed).map_err(|source| file.io(source))?;
    let bytes = Stream::new(decoder.single_frame(), len - CHECKSUM_LEN);
    let mut checker = Checker::new(&file, tables, listed, &head, bytes, progress);
    let plies = checker.run(&root)?;
    if plies != head.plies {
        let words = [head.plies, plies].map(text::plies);
        return Err(checker.wrong(format!("its claim is {}, but its strategy takes {}", words[0], words[1])));
    }
    checker.end()?;
    let (positions, winner) = (checker.positions, head.winner);
    Ok(Certified { position: root, winner, plies, tables: head.tables, positions, bytes: len })
}
