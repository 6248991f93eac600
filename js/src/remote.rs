//! A store whose bytes JavaScript brings: probing notes the ranges that are not there yet.

use jungletb::table::{ByteSource, Store};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tables in a folder that only JavaScript can read: a web host, files chosen by a person, bytes in memory.
#[derive(Debug)]
pub struct Remote {
    name: PathBuf,
    files: Mutex<HashMap<String, Arc<RemoteFile>>>,
}

/// Bytes that a probe misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Whether the file exists, its length, and its header.
    Header,
    /// These ranges, in order, apart from each other.
    Ranges(Vec<Range<u64>>),
}

#[derive(Debug, Default)]
struct RemoteFile(Mutex<Contents>);

#[derive(Debug, Default)]
struct Contents {
    state: State,
    /// The bytes that are there, by their start. None lies within another.
    parts: BTreeMap<u64, Vec<u8>>,
    wanted: Vec<Range<u64>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unknown,
    /// A probe waits for the header.
    Wanted,
    Absent,
    Present {
        size: u64,
    },
}

impl Remote {
    /// A store of this name, without any bytes.
    pub fn new(name: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), files: Mutex::default() }
    }

    fn file(&self, name: &str) -> Arc<RemoteFile> {
        Arc::clone(lock(&self.files).entry(name.to_owned()).or_default())
    }

    /// Gives bytes of a file from `start` on; `size` is the length of the whole file, if it is known.
    pub fn supply(&self, name: &str, start: u64, bytes: Vec<u8>, size: Option<u64>) {
        let file = self.file(name);
        let mut contents = lock(&file.0);
        if !matches!(contents.state, State::Present { .. }) {
            let size = size.or_else(|| if start == 0 { announced_size(&bytes) } else { None });
            contents.state = State::Present { size: size.unwrap_or(start + bytes.len() as u64) };
        }
        contents.insert(start, bytes);
    }

    /// States that a file does not exist.
    pub fn absent(&self, name: &str) {
        lock(&self.file(name).0).state = State::Absent;
    }

    /// States that files exist.
    pub fn list(&self, names: Vec<String>) {
        let mut files = lock(&self.files);
        for name in names {
            files.entry(name).or_default();
        }
    }

    /// Drops the bytes given so far. Open tables keep what they have unpacked.
    pub fn drop_bytes(&self) {
        lock(&self.files).values().for_each(|file| lock(&file.0).parts.clear());
    }

    /// The bytes that probes missed since the last call, by file.
    pub fn take_missing(&self) -> Vec<(String, Missing)> {
        let mut missing: Vec<(String, Missing)> = Vec::new();
        let files = lock(&self.files);
        for (name, file) in &*files {
            let mut contents = lock(&file.0);
            if contents.state == State::Wanted {
                contents.state = State::Unknown;
                missing.push((name.clone(), Missing::Header));
            }
            if !contents.wanted.is_empty() {
                missing.push((name.clone(), Missing::Ranges(union(std::mem::take(&mut contents.wanted)))));
            }
        }
        missing.sort_by(|(a, _), (b, _)| a.cmp(b));
        missing
    }
}

impl Store for Remote {
    fn name(&self) -> &Path {
        &self.name
    }

    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ByteSource>>> {
        let file = self.file(name);
        let mut contents = lock(&file.0);
        match contents.state {
            State::Absent => Ok(None),
            State::Present { size } => {
                drop(contents);
                Ok(Some(Box::new(RemoteBytes { file, size })))
            }
            State::Unknown | State::Wanted => {
                contents.state = State::Wanted;
                Err(io::ErrorKind::WouldBlock.into())
            }
        }
    }

    fn list(&self, rules: &str) -> Vec<String> {
        let is_there = |file: &RemoteFile| lock(&file.0).state != State::Absent;
        let files = lock(&self.files);
        let names = files.iter().filter(|(_, file)| is_there(file)).map(|(name, _)| name);
        names.filter_map(|name| Some(name.strip_prefix(rules)?.strip_prefix('/')?.to_owned())).collect()
    }
}

impl Contents {
    fn insert(&mut self, start: u64, bytes: Vec<u8>) {
        let end = start + bytes.len() as u64;
        let end_of = |(at, bytes): (&u64, &Vec<u8>)| at + bytes.len() as u64;
        if self.parts.range(..=start).next_back().is_some_and(|part| end_of(part) >= end) {
            return;
        }
        self.parts.retain(|at, bytes| *at < start || end_of((at, bytes)) > end);
        self.parts.insert(start, bytes);
    }
}

/// The bytes of a file as far as they are there.
#[derive(Debug)]
struct RemoteBytes {
    file: Arc<RemoteFile>,
    size: u64,
}

impl ByteSource for RemoteBytes {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        let end = start.checked_add(into.len() as u64).filter(|end| *end <= self.size);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut contents = lock(&self.file.0);
        let mut rest = into;
        let mut from = start;
        while !rest.is_empty() {
            let part = contents.parts.range(..=from).next_back();
            let bytes = part.and_then(|(at, bytes)| bytes.get(usize::try_from(from - at).ok()?..));
            let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else {
                contents.wanted.push(start..end);
                return Err(io::ErrorKind::WouldBlock.into());
            };
            let len = bytes.len().min(rest.len());
            let (head, later) = rest.split_at_mut(len);
            head.copy_from_slice(&bytes[..len]);
            rest = later;
            from += len as u64;
        }
        Ok(())
    }
}

/// The length of a table file according to its header: the end of the tail.
fn announced_size(header: &[u8]) -> Option<u64> {
    let number = |at: usize| Some(u64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?));
    number(32)?.checked_add(number(40)?)
}

/// The ranges in order, without overlaps.
fn union(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut union: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match union.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => union.push(range),
        }
    }
    union
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_in_whatever_parts_they_came() {
        let file: Vec<u8> = (0..=255).collect();
        for (first, second, third) in [(100..200, 50..240, 0..256), (0..256, 100..200, 3..9), (0..10, 10..20, 5..256)] {
            let remote = Remote::new("far away");
            assert!(remote.open("x").is_err());
            assert_eq!(remote.take_missing(), [("x".to_owned(), Missing::Header)]);
            let mut there = vec![false; file.len()];
            for range in [first, second, third] {
                remote.supply("x", range.start as u64, file[range.clone()].to_vec(), Some(256));
                there[range].fill(true);
                let bytes = remote.open("x").unwrap().unwrap();
                for (start, end) in (0..256).flat_map(|start| (start + 1..=256).map(move |end| (start, end))) {
                    let mut into = vec![0; end - start];
                    let is_read = bytes.read(start as u64, &mut into).is_ok();
                    assert_eq!(is_read, there[start..end].iter().all(|there| *there), "{start} {end}");
                    assert!(!is_read || into == file[start..end]);
                }
                remote.take_missing();
            }
            assert_eq!(
                remote.open("x").unwrap().unwrap().read(250, &mut [0; 7]).unwrap_err().kind(),
                io::ErrorKind::UnexpectedEof
            );
        }
    }

    #[test]
    fn missing_ranges_are_asked_for_once() {
        let remote = Remote::new("far away");
        remote.supply("x", 0, vec![0; 10], Some(1000));
        let bytes = remote.open("x").unwrap().unwrap();
        for range in [500_u64..600, 20..30, 550..700, 25..26] {
            let mut into = vec![0; (range.end - range.start) as usize];
            assert_eq!(bytes.read(range.start, &mut into).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        }
        assert_eq!(remote.take_missing(), [("x".to_owned(), Missing::Ranges(vec![20..30, 500..700]))]);
        assert_eq!(remote.take_missing(), []);
        remote.absent("y");
        assert!(remote.open("y").unwrap().is_none());
        remote.list(vec!["standard/ERvL.wdl".to_owned(), "german/ERvL.wdl".to_owned()]);
        assert_eq!(Store::list(&remote, "standard"), ["ERvL.wdl"]);
    }
}
