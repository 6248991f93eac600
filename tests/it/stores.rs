//! Stores: tables that are not files of a folder, with bytes that are there or come when they are asked for.

use crate::common::{Tables, tables};
use jungletb::game::{Color, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Options, ProbeError, RankedMove, Tablebase};
use jungletb::table::{ByteSource, Metric, State, Store};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

/// Tables of up to three pieces.
static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| tables("standard", "3"));

/// The tables that ship, of which each byte must be asked for once before it is there.
#[derive(Debug, Default)]
struct Slow {
    there: Mutex<Bytes>,
    wanted: Mutex<Bytes>,
    /// Everything is there from the start.
    is_fast: bool,
}

#[derive(Debug, Default)]
struct Bytes {
    files: HashSet<String>,
    ranges: HashMap<String, Vec<Range<u64>>>,
}

#[derive(Debug)]
struct SlowFile(Arc<Slow>, String, Vec<u8>);

impl Slow {
    /// Brings what was asked for; false if nothing was.
    fn bring(&self) -> bool {
        let wanted = std::mem::take(&mut *self.wanted.lock().unwrap());
        let mut there = self.there.lock().unwrap();
        let is_any = !wanted.files.is_empty() || !wanted.ranges.is_empty();
        there.files.extend(wanted.files);
        for (file, ranges) in wanted.ranges {
            there.ranges.entry(file).or_default().extend(ranges);
        }
        is_any
    }
}

#[derive(Debug)]
struct SlowStore(Arc<Slow>);

impl Store for SlowStore {
    fn name(&self) -> &Path {
        Path::new("far away")
    }

    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ByteSource>>> {
        if !self.0.is_fast && !self.0.there.lock().unwrap().files.contains(file) {
            self.0.wanted.lock().unwrap().files.insert(file.to_owned());
            return Err(ErrorKind::WouldBlock.into());
        }
        match fs::read(TABLES.path().join(file)) {
            Ok(bytes) => Ok(Some(Box::new(SlowFile(Arc::clone(&self.0), file.to_owned(), bytes)))),
            Err(_) => Ok(None),
        }
    }

    fn list(&self, rules: &str) -> Vec<String> {
        let files = fs::read_dir(TABLES.path().join(rules)).into_iter().flatten();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl ByteSource for SlowFile {
    fn size(&self) -> u64 {
        self.2.size()
    }

    fn read(&self, start: u64, into: &mut [u8]) -> io::Result<()> {
        let range = start..start + into.len() as u64;
        let there = self.0.there.lock().unwrap();
        if !self.0.is_fast && !there.ranges.get(&self.1).is_some_and(|ranges| ranges.contains(&range)) {
            self.0.wanted.lock().unwrap().ranges.entry(self.1.clone()).or_default().push(range);
            return Err(ErrorKind::WouldBlock.into());
        }
        self.2.read(start, into)
    }
}

fn store(is_fast: bool) -> (Arc<Slow>, Tablebase) {
    let slow = Arc::new(Slow { is_fast, ..Slow::default() });
    let store: Arc<dyn Store> = Arc::new(SlowStore(Arc::clone(&slow)));
    (slow, Tablebase::of_stores(vec![store], &Rules::standard(), Options::default()))
}

fn base() -> Tablebase {
    Tablebase::open(TABLES.path(), &Rules::standard()).unwrap()
}

fn is_pending<T>(probed: &Result<T, ProbeError>) -> bool {
    matches!(probed, Err(ProbeError::Table(error)) if error.is_pending())
}

/// Asks again until all bytes are there; also gives the number of rounds.
fn ask<T>(slow: &Slow, probe: impl Fn() -> Result<T, ProbeError>) -> (Result<T, ProbeError>, usize) {
    let mut rounds = 0;
    loop {
        let probed = probe();
        if !is_pending(&probed) {
            return (probed, rounds);
        }
        assert!(slow.bring(), "nothing was asked for");
        rounds += 1;
    }
}

fn plain(moves: &[RankedMove]) -> Vec<String> {
    moves.iter().map(|mv| format!("{} {:?} {:?}", mv.mv, mv.answer, mv.missing)).collect()
}

/// Positions of all materials of up to three pieces, and of one without tables.
fn positions(base: &Tablebase, each: u64) -> Vec<Position> {
    let materials = (2..=3).flat_map(|pieces| base.classes().with_pieces(base.rules(), pieces));
    let without = Material::parse(base.rules(), "ERvLR").unwrap();
    let materials = materials.map(|class| class.representative).chain([without; 5]);
    let number = |n: u64, len: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % len;
    let positions = materials.zip(0..).flat_map(|(material, salt)| {
        let place = Arc::clone(base.place(material).unwrap());
        (salt * each..(salt + 1) * each).map(move |n| {
            let sets = place.class.index().decode(number(n + 1, place.class.index().len()));
            place.position(base.rules(), &sets, Color::BOTH[(n % 2) as usize])
        })
    });
    positions.collect()
}

#[test]
fn bytes_that_come_when_asked_for_give_the_same_values() {
    let base = base();
    for position in positions(&base, 3) {
        let (slow, far) = store(false);
        let (value, _) = ask(&slow, || far.value(&position));
        assert_eq!(value.ok(), base.value(&position).ok());
        let (moves, _) = ask(&slow, || far.moves(&position));
        assert_eq!(plain(&moves.unwrap()), plain(&base.moves(&position).unwrap()));
        if base.value(&position).is_ok() {
            assert_eq!(ask(&slow, || far.line(&position)).0.unwrap(), base.line(&position).unwrap());
        }
        assert!(!slow.bring(), "bytes were asked for that nothing needs");
    }
}

#[test]
fn few_rounds_bring_a_position_with_its_moves() {
    let base = base();
    for position in positions(&base, 3) {
        let (slow, far) = store(false);
        let probe = || far.read_ahead(&position).and_then(|()| far.moves(&position)).and(far.value(&position));
        let (value, rounds) = ask(&slow, probe);
        assert_eq!(value.ok(), base.value(&position).ok());
        // Existence; header; list of the pages; pages; results; distances.
        assert!(rounds <= 7, "{rounds} {}", position.to_text(base.rules()));
    }
}

#[test]
fn tables_of_a_store_are_listed_checked_and_named() {
    let base = base();
    let (_, near) = store(true);
    assert_eq!(near.available(), base.available());
    assert_eq!(near.most_pieces(), 3);
    for available in base.available() {
        for &metric in &available.metrics {
            let (ours, theirs) = (near.registry(), base.registry());
            let header = |registry: &jungletb::table::Registry| registry.header(&available.class, metric).unwrap();
            assert_eq!(header(ours), header(theirs));
            assert!(matches!(ours.examine(&available.class, metric), State::Ok(_)));
            assert!(ours.has(&available.class, metric));
        }
        assert_eq!(near.registry().bytes(&available.class), base.registry().bytes(&available.class));
    }
    assert!(!near.refresh());
    let class = base.place(Material::parse(base.rules(), "EvL").unwrap()).unwrap().class.clone();
    let path = Path::new("far away/standard").join(format!("{}.dtw", class.name()));
    assert_eq!(near.registry().find(&class, Metric::Dtw), path);
    let position = Position::parse(base.rules(), "7/7/2r4/3L3/7/3c3/7/7/D6 w").unwrap();
    let error = near.value(&position).unwrap_err().to_string();
    assert!(error.contains("no table for LDvCR (class") && error.contains("in far away/standard: make it"), "{error}");
}
