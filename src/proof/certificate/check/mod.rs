//! Checking a certificate: with the move generator and the tables, and with none of the code that finds proofs or
//! writes them down.
//!
//! The strategy is read once, from its first byte to its last, and each byte is looked at once, so the time is linear
//! in its length. On the way down a position's replies come from the move generator, never from the file; on the way
//! up each position gets its height: the plies within which the winner ends the game, whatever the loser does. A
//! reference can lead only to a position whose height is known, that is to one whose strategy has been checked, so
//! that no claim can rest on itself.

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

/// What a certificate that holds proves.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The position.
    pub position: Position,
    /// Who wins it.
    pub winner: Color,
    /// Within how many plies, at most. That nothing is quicker is not part of a certificate.
    pub plies: u16,
    /// The tables that it rests on.
    pub tables: Vec<TableUse>,
    /// Positions of the strategy, each counted once.
    pub positions: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Certified {
    /// The outcome for the side to move.
    pub fn category(&self) -> Category {
        if self.winner == self.position.to_move() { Category::Win } else { Category::Loss }
    }
}

/// How far a check has come.
#[derive(Clone, Copy, Debug)]
pub struct CheckProgress {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// Bytes of the file.
    pub of: u64,
    /// Positions checked.
    pub positions: u64,
}

/// Checks the certificate in a file under the rules and with the tables of `tables`.
///
/// # Errors
/// A file that cannot be read or is no certificate of these rules; a table it rests on that is missing, damaged or
/// another one; the place at which its strategy does not prove its claim.
pub fn check(
    path: &Path,
    tables: &Tablebase,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&CheckProgress),
) -> Result<Certified, CheckError> {
    let io = |source| CheckError::Io { path: path.to_owned(), source };
    let file = open_regular(path).map_err(io)?;
    check_bytes(BufReader::with_capacity(1 << 16, file), path, tables, cancel, progress)
}

/// Checks a certificate whose bytes come from anywhere; `path` is what errors call it.
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
