//! Checkpoints: the state of a partly solved class, so that an interrupted run resumes.
//!
//! A pass that was stopped halfway can be rerun on the state it left: each row is either done or untouched, and
//! repeating a row changes nothing. So a checkpoint may be taken at any time after the seeds.
//!
//! The file is internal to the solver: it is written under a temporary name and renamed, checked by checksums when
//! read, valid only for the same game, layout and cell type, and deleted when the class is finished. A checkpoint that
//! does not match is ignored.

use super::cell::Cell;
use super::layout::Layout;
use super::raw::Raw;
use super::side_state::SideState;
use crate::system::{WholeFile, open_regular};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// Progress of the analysis of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The pass to run next, possibly a rerun.
    pub ply: u16,
    /// The last pass that changed something.
    pub last_change: u16,
    /// The next ply at which a capture takes effect: in a loss pass, in a win pass.
    pub events: [u16; 2],
}

/// Writes and reads the checkpoint of one class.
pub struct Checkpoint {
    path: PathBuf,
    /// Identifies the game, the layout and the cell type.
    identity: [u64; 4],
    /// Minimum time between two checkpoints.
    interval: Duration,
    last: Instant,
    cost: Duration,
}

/// Incremented when the layout in memory or the file format changes.
const VERSION: u64 = 1;
/// Length of identity and point in bytes.
const START_LEN: usize = 40;
/// Items packed together.
const CHUNK: usize = 1 << 21;
/// Chunks packed in parallel.
const BATCH: usize = 16;

impl Checkpoint {
    /// A checkpoint of the class with this fingerprint. Reads and writes nothing yet.
    pub fn new<C: Cell>(path: PathBuf, fingerprint: u64, layout: &Layout, distances: bool, interval: Duration) -> Self {
        let cells = if distances { size_of::<C>() as u64 } else { 0 };
        let identity = [VERSION, fingerprint, cells, layout.configurations() as u64];
        Self { path, identity, interval, last: Instant::now(), cost: Duration::ZERO }
    }

    /// Whether enough time has passed since the last checkpoint to justify another.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() > self.interval.max(2 * self.cost)
    }

    /// Whether stopping now would lose enough work to justify a checkpoint.
    pub fn is_worth_it(&self) -> bool {
        self.last.elapsed() > self.interval / 4
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// Returns an error if the file system fails; the previous checkpoint is then still there.
    pub fn save<C: Cell>(&mut self, point: Point, both: &[SideState<C>; 2]) -> io::Result<()> {
        let start = Instant::now();
        let mut out = WholeFile::create(&self.path)?;
        let start_of_file = self.start_of_file(point);
        out.write_all(&start_of_file)?;
        out.write_all(&xxh3_64(&start_of_file).to_le_bytes())?;
        for state in both {
            save(&state.win, &mut out)?;
            save(&state.loss, &mut out)?;
            save(&state.saved, &mut out)?;
            save(&state.cells, &mut out)?;
            save(&state.marks, &mut out)?;
        }
        out.finish()?;
        self.cost = start.elapsed();
        self.last = Instant::now();
        Ok(())
    }

    /// Whether a matching checkpoint exists, judged by its header.
    pub fn exists(&self) -> bool {
        self.open().is_some()
    }

    /// Reads a checkpoint into a newly created state; `None` if none matches, with the state then unspecified.
    pub fn load<C: Cell>(&self, both: &mut [SideState<C>; 2]) -> Option<Point> {
        let (point, mut input) = self.open()?;
        for state in both {
            load(&mut state.win, &mut input)?;
            load(&mut state.loss, &mut input)?;
            load(&mut state.saved, &mut input)?;
            load(&mut state.cells, &mut input)?;
            load(&mut state.marks, &mut input)?;
        }
        Some(point)
    }

    /// Reads the start of a matching checkpoint.
    fn open(&self) -> Option<(Point, BufReader<File>)> {
        let mut input = BufReader::with_capacity(1 << 20, open_regular(&self.path).ok()?);
        let start: [u8; START_LEN] = array(&mut input)?;
        let checksum = u64::from_le_bytes(array(&mut input)?);
        let number = |n: usize| u16::get(&start[START_LEN - 8 + 2 * n..][..2]);
        let point = Point { ply: number(0), last_change: number(1), events: [number(2), number(3)] };
        let fits = checksum == xxh3_64(&start) && start[..] == self.start_of_file(point)[..];
        fits.then_some((point, input))
    }

    /// The first bytes of the file: identity and point.
    fn start_of_file(&self, point: Point) -> Vec<u8> {
        let mut start = Vec::with_capacity(START_LEN);
        for word in self.identity {
            word.put(&mut start);
        }
        for number in [point.ply, point.last_change, point.events[0], point.events[1]] {
            number.put(&mut start);
        }
        start
    }

    /// Deletes the checkpoint, if there is one.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Writes chunks, each as length, checksum and bytes.
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
            if chunk.len() as u64 != len || xxh3_64(&chunk) != checksum {
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
        let mut both = [(); 2].map(|()| SideState::<u8>::new(&layout, true).unwrap());
        for (n, word) in both[0].win.iter_mut().enumerate() {
            *word = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        both[1].cells[5] = 9;
        both[1].marks[3].lost_at = 7;
        let point = Point { ply: 5, last_change: 4, events: [6, u16::MAX] };
        new(true).save(point, &both).unwrap();

        let mut read = [(); 2].map(|()| SideState::<u8>::new(&layout, true).unwrap());
        assert_eq!(new(true).load(&mut read), Some(point));
        assert_eq!(read[0].win, both[0].win);
        assert_eq!(read[1].cells, both[1].cells);
        assert_eq!(read[1].marks[3].lost_at, 7);
        assert_eq!(new(false).load(&mut read), None, "another kind of cells");

        let good = std::fs::read(&path).unwrap();
        let mut refused = |bad: &[u8]| {
            std::fs::write(&path, bad).unwrap();
            new(true).load(&mut read).is_none()
        };
        for keep in [0, 10, 40, 47, good.len() / 2, good.len() - 1] {
            assert!(refused(&good[..keep]), "cut to {keep} bytes");
        }
        // A flipped bit in ply or events once produced wrong tables.
        for at in (0..64).chain((64..good.len()).step_by(7)) {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(refused(&bad), "bit flipped in byte {at}");
        }
    }
}
