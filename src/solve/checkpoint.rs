//! Checkpoints: what a run that was killed needs to resume after the last ply it finished.
//!
//! Of a class whose journal is in a file, the planes can be replayed from the journal. So a checkpoint is only the list
//! of the journal's pieces and the ply to go on with. It is written under a temporary name and renamed, is valid only
//! for the same game and layout, and is deleted with the journal when the tables are on disk. A checkpoint that does not
//! match is ignored.

use super::journal::Journal;
use super::layout::Layout;
use super::planes::{Planes, mark};
use super::scratch::Scratch;
use crate::material::{Class, Side};
use crate::system::{WholeFile, open_regular};
use rayon::prelude::*;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// Progress of the analysis of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The pass to run next.
    pub ply: u16,
    /// The last pass that decided a position.
    pub last_change: u16,
    /// Whether no pass is left.
    pub is_complete: bool,
}

/// Where the journal of a class and its checkpoint are.
#[derive(Clone, Debug)]
pub struct Files {
    /// The journal's scratch file.
    pub scratch: PathBuf,
    /// The checkpoint.
    pub checkpoint: PathBuf,
    /// Whether the scratch file is compressed.
    pub is_compressed: bool,
    /// Minimum time between two checkpoints.
    pub interval: Duration,
}

/// Writes and reads the checkpoint of one class.
pub struct Checkpoint {
    files: Files,
    /// Identifies the game and the layout.
    identity: [u64; 5],
    slabs: usize,
    last: Instant,
}

/// Incremented when the layout in memory or the file format changes.
const VERSION: u64 = 2;

impl Checkpoint {
    /// The checkpoint of a class. Reads and writes nothing yet.
    pub fn new(files: Files, class: &Class, layout: &Layout, distances: bool) -> Self {
        let slabs = layout.slabs.len();
        let identity = [VERSION, class.fingerprint, distances.into(), layout.configurations() as u64, slabs as u64];
        Self { files, identity, slabs, last: Instant::now() }
    }

    /// Whether enough time has passed since the last checkpoint.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.files.interval
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// Returns an error if the file system fails; the previous checkpoint is then still there.
    pub fn save(&mut self, point: Point, journal: &Journal) -> io::Result<()> {
        let len = journal.scratch().sync()?;
        let mut numbers = self.identity.to_vec();
        numbers.extend([point.ply.into(), point.last_change.into(), point.is_complete.into(), len]);
        numbers.extend(journal.to_numbers());
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        let mut out = WholeFile::create(&self.files.checkpoint)?;
        out.write_all(&bytes)?;
        out.write_all(&xxh3_64(&bytes).to_le_bytes())?;
        out.finish()?;
        self.last = Instant::now();
        Ok(())
    }

    /// Opens the journal of an interrupted run and its point; `None` if there is no checkpoint of this class.
    ///
    /// # Errors
    /// Returns an error if the scratch file cannot be opened, though a checkpoint names it.
    pub fn load(&self) -> io::Result<Option<(Point, Journal)>> {
        let Some(numbers) = self.read() else { return Ok(None) };
        let (identity, rest) = numbers.split_at(self.identity.len().min(numbers.len()));
        let [ply, last_change, is_complete, len, journal @ ..] = rest else { return Ok(None) };
        if *identity != self.identity {
            return Ok(None);
        }
        let point = Point { ply: *ply as u16, last_change: *last_change as u16, is_complete: *is_complete != 0 };
        match self.files.open(*len) {
            Ok(scratch) => Ok(Journal::from_numbers(scratch, self.slabs, journal).map(|journal| (point, journal))),
            // It belongs to another run, or was deleted.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The numbers in the file, if its checksum holds.
    fn read(&self) -> Option<Vec<u64>> {
        let mut bytes = Vec::new();
        open_regular(&self.files.checkpoint).ok()?.read_to_end(&mut bytes).ok()?;
        let (contents, checksum) = bytes.split_last_chunk()?;
        let (numbers, rest) = contents.as_chunks();
        let is_whole = rest.is_empty() && xxh3_64(contents) == u64::from_le_bytes(*checksum);
        is_whole.then(|| numbers.iter().map(|number| u64::from_le_bytes(*number)).collect())
    }
}

impl Files {
    /// Opens the scratch file, keeping its first `len` bytes.
    ///
    /// # Errors
    /// Returns an error if the file system fails, another process uses the file, or it is shorter.
    pub fn open(&self, len: u64) -> io::Result<Scratch> {
        Scratch::open(&self.scratch, len, self.is_compressed)
    }

    /// Deletes both files, if they are there.
    pub fn remove(&self) {
        // The checkpoint first: it means nothing without the journal.
        let _ = std::fs::remove_file(&self.checkpoint);
        let _ = std::fs::remove_file(&self.scratch);
    }
}

/// Brings newly laid out planes to the state before a ply, from the journal.
///
/// # Errors
/// Returns an error if the journal cannot be read or was damaged.
pub fn replay(journal: &Journal, layout: &Layout, side: Side, ply: u16, own: &mut Planes) -> io::Result<()> {
    let width = layout.inner().states.len();
    let rows: Vec<usize> = (0..layout.slabs.len()).map(|slab| layout.slab_rows(slab).len()).collect();
    let words: Vec<usize> = rows.iter().map(|rows| rows * width).collect();
    let planes = split(&mut own.win, &words).zip(split(&mut own.loss, &words)).zip(split(&mut own.saved, &words));
    let marks = split(&mut own.won_at, &rows).zip(split(&mut own.lost_at, &rows));
    let slabs: Vec<_> = planes.zip(marks).enumerate().collect();
    slabs.into_par_iter().try_for_each(|(slab, (((win, loss), saved), (won_at, lost_at)))| {
        let first = layout.slab_rows(slab).start * width;
        for piece in journal.saved(side, slab) {
            journal.read(piece, |configuration, word| saved[configuration as usize - first] |= word)?;
        }
        for ply in journal.gates_before(side, slab, ply) {
            for (configuration, word) in journal.captures(side, slab, ply)? {
                saved[configuration as usize - first] &= !word;
            }
        }
        for &(ply, ref piece) in journal.decided(side, slab) {
            let (words, marks) = if ply % 2 == 1 { (&mut *win, &mut *won_at) } else { (&mut *loss, &mut *lost_at) };
            journal.read(piece, |configuration, word| {
                let at = configuration as usize - first;
                words[at] |= word;
                marks[at / width] = mark(ply);
            })?;
        }
        Ok(())
    })
}

/// Parts of a slice, of these lengths.
fn split<'a, T>(items: &'a mut [T], lens: &'a [usize]) -> impl Iterator<Item = &'a mut [T]> {
    let mut rest = items;
    lens.iter().map(move |&len| {
        let (first, later) = std::mem::take(&mut rest).split_at_mut(len);
        rest = later;
        first
    })
}
