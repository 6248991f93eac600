//! Checkpoints: the state of a class half solved, so that a stopped run goes on where it was.
//!
//! A pass that was stopped halfway can be run again on what it left behind: a row is either done or untouched, and
//! doing it twice changes nothing. So a checkpoint may be taken at any time after the seeds.
//!
//! The file is the solver's own: it is written beside its name and renamed, checked by checksums when read, good
//! only for the same game, layout and kind of cells, and deleted when the class is finished. A checkpoint that does
//! not fit is ignored.

use super::cell::Cell;
use super::half::{Half, Marks};
use super::layout::Layout;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// Where the analysis of a class stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The pass to run next, perhaps again.
    pub ply: u16,
    /// The last pass that changed something.
    pub last_change: u16,
    /// The next ply at which a capture comes into effect: in a loss pass, in a win pass.
    pub events: [u16; 2],
}

/// Writes and reads the checkpoint of one class.
pub struct Checkpoint {
    path: PathBuf,
    /// Tells games, layouts and kinds of cells apart.
    identity: [u64; 4],
    /// Least time between two checkpoints.
    interval: Duration,
    last: Instant,
    cost: Duration,
}

/// Changes when the layout in memory or the file does.
const VERSION: u64 = 1;
/// Items packed together.
const CHUNK: usize = 1 << 21;
/// Chunks packed side by side.
const BATCH: usize = 16;

impl Checkpoint {
    /// For a class with this fingerprint. Nothing is read or written yet.
    pub fn new<C: Cell>(path: PathBuf, fingerprint: u64, layout: &Layout, distances: bool, interval: Duration) -> Self {
        let cells = if distances { size_of::<C>() as u64 } else { 0 };
        let identity = [VERSION, fingerprint, cells, layout.configurations() as u64];
        Self { path, identity, interval, last: Instant::now(), cost: Duration::ZERO }
    }

    /// Whether so much time has passed since the last one that another is worth its cost.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() > self.interval.max(2 * self.cost)
    }

    /// Whether stopping now would lose so much work that one is worth its cost.
    pub fn is_worth_it(&self) -> bool {
        self.last.elapsed() > self.interval / 4
    }

    /// Writes one.
    ///
    /// # Errors
    /// Anything the file system refuses; the last checkpoint is still there then.
    pub fn save<C: Cell>(&mut self, point: Point, halves: &[Half<C>; 2]) -> io::Result<()> {
        let start = Instant::now();
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let prefix = format!("{}.", self.path.file_name().unwrap_or_default().to_string_lossy());
        let file = tempfile::Builder::new().prefix(&prefix).suffix(".tmp").tempfile_in(folder)?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for word in self.identity {
            out.write_all(&word.to_le_bytes())?;
        }
        let [loss_event, win_event] = point.events;
        for number in [point.ply, point.last_change, loss_event, win_event] {
            out.write_all(&number.to_le_bytes())?;
        }
        for half in halves {
            save(&half.win, &mut out)?;
            save(&half.loss, &mut out)?;
            save(&half.saved, &mut out)?;
            save(&half.cells, &mut out)?;
            save(&half.marks, &mut out)?;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        self.cost = start.elapsed();
        self.last = Instant::now();
        Ok(())
    }

    /// Reads one into freshly made halves; `None`, and nothing promised of the halves, if there is none that fits.
    pub fn load<C: Cell>(&self, halves: &mut [Half<C>; 2]) -> Option<Point> {
        let mut input = BufReader::with_capacity(1 << 20, File::open(&self.path).ok()?);
        for word in self.identity {
            if u64::from_le_bytes(array(&mut input)?) != word {
                return None;
            }
        }
        let mut number = || Some(u16::from_le_bytes(array(&mut input)?));
        let point = Point { ply: number()?, last_change: number()?, events: [number()?, number()?] };
        for half in halves {
            load(&mut half.win, &mut input)?;
            load(&mut half.loss, &mut input)?;
            load(&mut half.saved, &mut input)?;
            load(&mut half.cells, &mut input)?;
            load(&mut half.marks, &mut input)?;
        }
        Some(point)
    }

    /// Deletes it, if there is one.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What has a form in bytes.
pub trait Raw: Copy + Send + Sync {
    /// Number of bytes.
    const SIZE: usize;
    /// Appends them.
    fn put(self, out: &mut Vec<u8>);
    /// Reads them.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! raw_number {
    ($($number:ty),*) => { $(
        impl Raw for $number {
            const SIZE: usize = size_of::<Self>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the chunk is of whole items"))
            }
        }
    )* };
}

raw_number!(u8, u16, u64);

impl Raw for Marks {
    const SIZE: usize = 8;

    fn put(self, out: &mut Vec<u8>) {
        for number in [self.won_at, self.lost_at, self.win_event, self.loss_event] {
            number.put(out);
        }
    }

    fn get(bytes: &[u8]) -> Self {
        let number = |n: usize| u16::get(&bytes[2 * n..2 * n + 2]);
        Self { won_at: number(0), lost_at: number(1), win_event: number(2), loss_event: number(3) }
    }
}

/// Each chunk: its length, its checksum, its bytes.
fn save<T: Raw>(items: &[T], out: &mut impl Write) -> io::Result<()> {
    for batch in items.chunks(CHUNK * BATCH) {
        let chunks: Vec<io::Result<Vec<u8>>> = batch.par_chunks(CHUNK).map(pack).collect();
        for chunk in chunks {
            let chunk = chunk?;
            out.write_all(&(chunk.len() as u64).to_le_bytes())?;
            out.write_all(&xxh3_64(&chunk).to_le_bytes())?;
            out.write_all(&chunk)?;
        }
    }
    Ok(())
}

fn pack<T: Raw>(items: &[T]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(items.len() * T::SIZE);
    for &item in items {
        item.put(&mut bytes);
    }
    zstd::bulk::compress(&bytes, 1)
}

fn load<T: Raw>(items: &mut [T], input: &mut impl Read) -> Option<()> {
    for batch in items.chunks_mut(CHUNK * BATCH) {
        let mut chunks = Vec::new();
        for _ in 0..batch.len().div_ceil(CHUNK) {
            let len = u64::from_le_bytes(array(input)?);
            let checksum = u64::from_le_bytes(array(input)?);
            let mut chunk = Vec::new();
            input.take(len).read_to_end(&mut chunk).ok()?;
            if xxh3_64(&chunk) != checksum {
                return None;
            }
            chunks.push(chunk);
        }
        let unpacked = batch.par_chunks_mut(CHUNK).zip(chunks).map(|(items, chunk)| unpack(items, &chunk));
        unpacked.collect::<Option<()>>()?;
    }
    Some(())
}

fn unpack<T: Raw>(items: &mut [T], chunk: &[u8]) -> Option<()> {
    let bytes = zstd::bulk::decompress(chunk, items.len() * T::SIZE).ok()?;
    if bytes.len() != items.len() * T::SIZE {
        return None;
    }
    for (item, bytes) in items.iter_mut().zip(bytes.chunks_exact(T::SIZE)) {
        *item = T::get(bytes);
    }
    Some(())
}

fn array<const N: usize>(input: &mut impl Read) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::material::{Classes, Material};

    #[test]
    fn a_checkpoint_comes_back_whole_or_not_at_all() {
        let rules = Rules::standard();
        let classes = Classes::new(&rules);
        let class = &classes.place(&rules, Material::parse(&rules, "EvL").unwrap()).unwrap().class;
        let layout = Layout::new(&rules, class);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("EvL.checkpoint");
        let new =
            |distances| Checkpoint::new::<u8>(path.clone(), class.fingerprint, &layout, distances, Duration::ZERO);
        let mut halves = [(); 2].map(|()| Half::<u8>::new(&layout, true).unwrap());
        for (n, word) in halves[0].win.iter_mut().enumerate() {
            *word = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        halves[1].cells[5] = 9;
        halves[1].marks[3].lost_at = 7;
        let point = Point { ply: 5, last_change: 4, events: [6, u16::MAX] };
        new(true).save(point, &halves).unwrap();

        let mut read = [(); 2].map(|()| Half::<u8>::new(&layout, true).unwrap());
        assert_eq!(new(true).load(&mut read), Some(point));
        assert_eq!(read[0].win, halves[0].win);
        assert_eq!(read[1].cells, halves[1].cells);
        assert_eq!(read[1].marks[3].lost_at, 7);
        assert_eq!(new(false).load(&mut read), None, "another kind of cells");

        let good = std::fs::read(&path).unwrap();
        for (at, keep) in [(40, good.len()), (good.len() - 1, good.len()), (0, good.len() / 2), (0, 10)] {
            let mut bad = good.clone();
            bad[at] ^= u8::from(keep == good.len());
            bad.truncate(keep);
            std::fs::write(&path, bad).unwrap();
            // The numbers in front are the solver's own and not checked; everything else is.
            assert!(at == 40 || new(true).load(&mut read).is_none());
        }
    }
}
