//! No byte of a table is trusted: all damage is detected, and a forged file with correct checksums causes no panic.

use crate::common::{SHIPPED, generate, rules, tables, text};
use jungletb::analysis::stats::MaterialStats;
use jungletb::analysis::verify::Verifier;
use jungletb::game::{Color, Rules};
use jungletb::material::{Class, Material, Place};
use jungletb::probe::Tablebase;
use jungletb::system::Cancel;
use jungletb::table::{Metric, Registry, State, Table, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// A folder with the tables of a class to tamper with.
struct Fixture {
    folder: TempDir,
    rules: Rules,
    place: Arc<Place>,
}

impl Fixture {
    fn new(material: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        generate(material, "standard", folder.path());
        let rules = rules("standard");
        let base = Tablebase::open(folder.path(), &rules).unwrap();
        let place = base.place(Material::parse(&rules, material).unwrap()).unwrap().clone();
        Self { folder, rules, place }
    }

    fn class(&self) -> &Class {
        &self.place.class
    }

    fn path(&self, metric: Metric) -> PathBuf {
        Registry::new(self.folder.path(), &self.rules).path(self.class(), metric)
    }

    fn state(&self, metric: Metric) -> State {
        Registry::new(self.folder.path(), &self.rules).examine(self.class(), metric)
    }

    /// Uses a table in every possible way.
    fn use_it(&self, metric: Metric) -> Result<(), Box<dyn std::error::Error>> {
        let base = Tablebase::open(self.folder.path(), &self.rules)?;
        let class = self.class();
        let len = class.index().len();
        for (number, color) in (0..len).step_by(len as usize / 50).zip(Color::BOTH.into_iter().cycle()) {
            let position = self.place.position(&self.rules, &class.index().decode(number), color);
            let _ = (base.wdl(&position), base.value(&position), base.line(&position));
        }
        let table = base.registry().table(class, metric)?;
        assert!(table.summary().sides.iter().any(|side| side.total() > 0));
        let stats = MaterialStats::new(&self.rules, &self.place, &table);
        if let Some((_, position)) = stats.longest {
            position.check(&self.rules)?;
        }
        for &side in class.stored_sides() {
            table.read(side, 0, &mut vec![Value::DRAW; len as usize])?;
        }
        Verifier::new(&base, &Cancel::new())?.class(&self.place.class, &|_| ())?;
        Ok(())
    }
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let fixture = Fixture::new("LvP");
    let mut checked = 0;
    for metric in [Metric::Wdl, Metric::Dtw] {
        let path = fixture.path(metric);
        let good = fs::read(&path).unwrap();
        assert!(matches!(fixture.state(metric), State::Ok(_)));
        let mut is_noticed = |bytes: &[u8], what: &str| {
            fs::write(&path, bytes).unwrap();
            assert!(matches!(fixture.state(metric), State::Damaged(_)), "{}: {what}", text(&path));
            checked += 1;
        };
        let mut bytes = good.clone();
        for at in 0..good.len() {
            bytes[at] ^= 1 << (at % 8);
            is_noticed(&bytes, &format!("byte {at} flipped"));
            bytes[at] = good[at];
        }
        for len in (0..good.len()).step_by(7) {
            is_noticed(&good[..len], &format!("cut to {len}"));
        }
        fs::write(&path, &good).unwrap();
        assert!(fixture.use_it(metric).is_ok());
    }
    assert!(checked > 2 * 1024, "{checked}");
}

impl Fixture {
    /// Lets the DTW table name the WDL table as it is now, if that has a header.
    fn pair(&self) {
        let results = fs::read(self.path(Metric::Wdl)).unwrap();
        let mut bytes = fs::read(self.path(Metric::Dtw)).unwrap();
        if let (Some(checksum), true) = (results.get(HEADER_LEN - 8..HEADER_LEN), bytes.len() >= HEADER_LEN) {
            bytes[RESULTS_CHECKSUM..RESULTS_CHECKSUM + 8].copy_from_slice(checksum);
            let checksum = xxh3_64(&bytes[..HEADER_LEN - 8]);
            put(&mut bytes, HEADER_LEN - 8, checksum);
            fs::write(self.path(Metric::Dtw), bytes).unwrap();
        }
    }
}

/// An intact table and the offsets of its parts.
struct Layout {
    good: Vec<u8>,
    blocks: usize,
    tail: usize,
    /// Offset of the header fields with the start and the checksum of the tail.
    tail_start: usize,
    tail_checksum: usize,
}

const HEADER_LEN: usize = 1024;
/// Bytes per entry of the block table: a length of four bytes and a checksum.
const ENTRY_LEN: usize = 12;
/// Entries per page of the block table.
const PAGE_LEN: usize = 512;
/// Offset of the checksum of the WDL table in the header of a DTW table.
const RESULTS_CHECKSUM: usize = 59;

impl Layout {
    fn of(path: &Path) -> Self {
        let good = fs::read(path).unwrap();
        let table = Table::open(path).unwrap();
        let header = table.header();
        let field = |value: u64| good.windows(8).position(|bytes| bytes == value.to_le_bytes()).unwrap();
        Self {
            blocks: table.blocks(),
            tail: header.tail_start as usize,
            tail_start: field(header.tail_start),
            tail_checksum: field(header.tail_checksum),
            good,
        }
    }

    /// Changes bytes in the header's fields (part 0), in the blocks (1) or after them (2).
    fn forge(&self, changes: Vec<(u8, Index, u8)>) -> Vec<u8> {
        let mut bytes = self.good.clone();
        for (part, at, value) in changes {
            let parts = [8..160, HEADER_LEN..self.tail, self.tail..bytes.len()];
            let part = parts[usize::from(part)].clone();
            if !part.is_empty() {
                bytes[part.start + at.index(part.len())] = value;
            }
        }
        self.seal(&mut bytes, self.tail);
        bytes
    }

    /// Replaces every block by a constant one with the value `code`.
    fn flatten(&self, code: u64) -> Vec<u8> {
        let mut bytes = [&self.good[..HEADER_LEN], &self.good[self.tail..]].concat();
        for entry in (HEADER_LEN..).step_by(ENTRY_LEN).take(self.blocks) {
            bytes[entry..entry + 4].fill(0);
            put(&mut bytes, entry + 4, code);
        }
        put(&mut bytes, self.tail_start, HEADER_LEN as u64);
        self.seal(&mut bytes, HEADER_LEN);
        bytes
    }

    /// Recomputes all checksums of a file whose block table is at `tail`.
    fn seal(&self, bytes: &mut [u8], tail: usize) {
        let mut start = HEADER_LEN;
        for entry in (tail..).step_by(ENTRY_LEN).take(self.blocks) {
            let len = u32::from_le_bytes(bytes[entry..entry + 4].try_into().unwrap()) as usize;
            let end = start.saturating_add(len);
            // The entry of a constant block has its value in place of a checksum.
            if let Some(block) = bytes.get(start..end).filter(|block| !block.is_empty()) {
                let checksum = xxh3_64(block);
                put(bytes, entry + 4, checksum);
            }
            start = end;
        }
        // The list of the pages: the start of each and its checksum.
        let list = tail + self.blocks * ENTRY_LEN;
        for (page, first) in (tail..list).step_by(PAGE_LEN * ENTRY_LEN).enumerate() {
            let checksum = xxh3_64(&bytes[first..list.min(first + PAGE_LEN * ENTRY_LEN)]);
            put(bytes, list + page * 16 + 8, checksum);
        }
        let told = u64::from_le_bytes(bytes[self.tail_start..self.tail_start + 8].try_into().unwrap());
        let listed = (told as usize).saturating_add(self.blocks * ENTRY_LEN);
        let checksum = xxh3_64(bytes.get(listed..).unwrap_or_default());
        put(bytes, self.tail_checksum, checksum);
        let checksum = xxh3_64(&bytes[..HEADER_LEN - 8]);
        put(bytes, HEADER_LEN - 8, checksum);
    }
}

fn put(bytes: &mut [u8], at: usize, number: u64) {
    bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

// Forged counts once made the sums of `stats` overflow, and a forged longest win caused a panic.
#[test]
fn forged_tables_make_no_panic() {
    let mut opened = 0;
    for material in ["LvP", "EvE", "RvR"] {
        let fixture = Fixture::new(material);
        for metric in [Metric::Wdl, Metric::Dtw] {
            let path = fixture.path(metric);
            let layout = Layout::of(&path);
            let passed = Cell::new(0);
            let config = Config { cases: 400, failure_persistence: None, ..Config::default() };
            let check = |changes: Vec<(u8, Index, u8)>| {
                fs::write(&path, layout.forge(changes)).unwrap();
                fixture.pair();
                passed.set(passed.get() + u32::from(matches!(fixture.state(metric), State::Ok(_))));
                // Right or wrong, it terminates.
                let _ = fixture.use_it(metric);
                Ok(())
            };
            TestRunner::new(config).run(&vec((0..3_u8, any::<Index>(), any::<u8>()), 1..4), check).unwrap();
            opened += passed.get();
            fs::write(&path, &layout.good).unwrap();
            fixture.pair();
        }
    }
    // Many forgeries pass the checksums.
    assert!(opened > 200, "{opened}");
}

#[test]
fn absurd_distances_make_no_panic() {
    let mut opened = 0;
    let fixture = Fixture::new("LvP");
    for metric in [Metric::Wdl, Metric::Dtw] {
        let path = fixture.path(metric);
        let layout = Layout::of(&path);
        for code in [0, 1, 2, 254, 255, 256, 257, 65_533, 65_534, 65_535, 65_536, u64::MAX] {
            fs::write(&path, layout.flatten(code)).unwrap();
            fixture.pair();
            opened += u32::from(matches!(fixture.state(metric), State::Ok(_)));
            assert!(fixture.use_it(metric).is_err(), "{metric:?} {code}");
        }
        fs::write(&path, &layout.good).unwrap();
        fixture.pair();
    }
    assert!(opened > 10, "{opened}");
}

/// Tables written before the header stored the order of groups were numbered differently and once read as valid.
#[test]
fn groups_in_another_order_are_refused() {
    let fixture = Fixture::new("LvP");
    for metric in [Metric::Wdl, Metric::Dtw] {
        let path = fixture.path(metric);
        let mut bytes = fs::read(&path).unwrap();
        // After the fixed fields and two names, each with a length byte: the number of groups.
        let at = RESULTS_CHECKSUM + 8 + 1 + "LvP".len() + 1 + "standard".len();
        assert_eq!(bytes[at], 2);
        bytes[at..HEADER_LEN - 8].fill(0);
        let checksum = xxh3_64(&bytes[..HEADER_LEN - 8]);
        put(&mut bytes, HEADER_LEN - 8, checksum);
        let good = fs::read(&path).unwrap();
        fs::write(&path, &bytes).unwrap();
        let state = fixture.state(metric);
        fs::write(&path, &good).unwrap();
        match state {
            State::Damaged(error) => assert!(error.to_string().contains("order of this program's index"), "{error}"),
            state => panic!("{state:?}"),
        }
    }
}

/// Damages some bytes in one of several ways; `dice` gives random numbers below a limit.
fn damage(bytes: &mut Vec<u8>, dice: &mut impl FnMut(usize) -> usize) {
    let len = bytes.len();
    match dice(8) {
        0 | 1 => bytes[dice(len)] ^= 1 << dice(8),
        2 => bytes[dice(len)] = dice(256) as u8,
        3 => {
            for _ in 0..2 + dice(20) {
                bytes[dice(len)] = dice(256) as u8;
            }
        }
        4 => {
            let start = dice(len);
            let end = (start + 1 + dice(512)).min(len);
            let with = [0, 0xff, dice(256) as u8][dice(3)];
            bytes[start..end].fill(with);
        }
        5 => {
            let size = 1 + dice(256);
            let (a, b) = (dice(len - size), dice(len - size));
            for n in 0..size {
                bytes.swap(a + n, b + n);
            }
        }
        6 => bytes.truncate(dice(len)),
        _ => {
            let at = dice(len);
            let more: Vec<u8> = (0..=dice(64)).map(|_| dice(256) as u8).collect();
            bytes.splice(at..at, more);
        }
    }
}

/// Each of many random damages is detected, or harmless: all values are still right.
#[test]
fn random_damage_is_noticed_or_harmless() {
    let rules = Rules::standard();
    let made = tables("standard", "3");
    for folder in [Path::new(SHIPPED), made.path()] {
        random_damage(&Tablebase::open(folder, &rules).unwrap(), &rules);
    }
}

fn random_damage(base: &Tablebase, rules: &Rules) {
    let (mut noticed, mut harmless) = (0, 0);
    let mut state = 0x1234_5678_9abc_def0_u64;
    let mut dice = |limit: usize| {
        // Marsaglia's xorshift: the same damages in every run.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for material in ["EvE", "EvR", "LvP", "RvR", "ERvL", "LRvR", "PWvC", "LTvE"] {
        let class = base.place(Material::parse(rules, material).unwrap()).unwrap().class.clone();
        for metric in [Metric::Wdl, Metric::Dtw] {
            let path = base.registry().path(&class, metric);
            let good = fs::read(&path).unwrap();
            let values = |bytes: Vec<u8>| -> Result<Vec<Value>, jungletb::table::TableError> {
                let results = (metric == Metric::Dtw).then(|| base.registry().table(&class, Metric::Wdl).unwrap());
                let table = Table::from_source(&path, Box::new(bytes), results)?;
                table.check_game(rules, &class)?;
                let mut all = Vec::new();
                for &side in class.stored_sides() {
                    let mut values = vec![Value::DRAW; class.index().len() as usize];
                    table.read(side, 0, &mut values)?;
                    all.extend(values);
                }
                Ok(all)
            };
            let right = values(good.clone()).unwrap();
            for _ in 0..800 {
                let mut bytes = good.clone();
                damage(&mut bytes, &mut dice);
                match values(bytes) {
                    Err(_) => noticed += 1,
                    Ok(found) => {
                        assert!(found == right, "{material} {metric:?}: a wrong value");
                        harmless += 1;
                    }
                }
            }
        }
    }
    assert_eq!(noticed + harmless, 12_800);
    // Some damages change nothing: a byte set to its old value, bytes swapped with themselves.
    assert!(noticed > 12_000, "{noticed}");
}
