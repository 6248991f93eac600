//! Probing: the same answers from a map, from positioned reads and from memory, with any cache size; in-memory answers;
//! statistics; many threads on one handle.

use crate::common::{SHIPPED, rules, tables};
use jungletb::game::{Category, Color, Position, Rules};
use jungletb::material::{Material, Side};
use jungletb::probe::{Options, Tablebase};
use jungletb::table::{Access, Metric, Table, Value};
use std::path::Path;

/// Positions spread over some classes.
fn sample(base: &Tablebase, count: u64) -> Vec<Position> {
    let rules = base.rules();
    let mut positions = Vec::new();
    for material in ["EvR", "ERvL", "LRvR", "PWvC", "LTvE"] {
        let place = base.place(Material::parse(rules, material).unwrap()).unwrap();
        let len = place.class.index().len();
        for n in 0..count {
            let number = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % len;
            let color = Color::BOTH[(n % 2) as usize];
            positions.push(place.position(rules, &place.class.index().decode(number), color));
        }
    }
    positions
}

fn open(access: Access, cache_bytes: u64) -> Tablebase {
    Tablebase::open_with(SHIPPED, &Rules::standard(), Options::default().access(access).cache_bytes(cache_bytes))
        .unwrap()
}

#[test]
fn every_source_and_every_size_of_cache_gives_the_same_answers() {
    let usual = Tablebase::open(SHIPPED, &Rules::standard()).unwrap();
    let positions = sample(&usual, 400);
    assert_eq!(positions.len(), 2000);
    for (access, cache_bytes) in [(Access::Map, 0), (Access::Read, 0), (Access::Read, 10_000), (Access::Read, 1 << 30)]
    {
        let other = open(access, cache_bytes);
        for position in &positions {
            assert_eq!(other.value(position).unwrap(), usual.value(position).unwrap());
            assert_eq!(other.wdl(position).unwrap(), usual.value(position).unwrap().category);
        }
        assert!(other.statistics().bytes_kept <= cache_bytes, "{:?} of {cache_bytes}", other.statistics());
    }
}

#[test]
fn a_table_in_memory_reads_as_the_file_does() {
    let rules = rules("standard");
    let base = Tablebase::open(SHIPPED, &rules).unwrap();
    let class = &base.place(Material::parse(&rules, "ERvL").unwrap()).unwrap().class;
    for metric in [Metric::Wdl, Metric::Dtw] {
        let path = base.registry().path(class, metric);
        let file = Table::open(&path).unwrap();
        let memory = Table::from_source(Path::new("memory"), Box::new(std::fs::read(&path).unwrap()), None).unwrap();
        memory.check_game(&rules, class).unwrap();
        memory.check_blocks().unwrap();
        for side in Side::BOTH {
            let read = |table: &Table| {
                let mut values = vec![Value::DRAW; class.index().len() as usize];
                table.read(side, 0, &mut values).unwrap();
                values
            };
            assert_eq!(read(&file), read(&memory));
        }
    }
}

#[test]
fn what_is_not_in_memory_is_not_fetched() {
    let base = open(Access::Map, 1 << 20);
    let mut positions = sample(&base, 20);
    // An immediate end of the game needs no table. All other values are unknown before a table was opened.
    positions.retain(|position| base.wdl_in_memory(position) == Ok(None));
    assert!(positions.len() > 50, "{}", positions.len());
    assert_eq!(base.statistics().misses, 0);
    for position in &positions {
        let category = base.wdl(position).unwrap();
        assert_eq!(base.wdl_in_memory(position), Ok(Some(category)));
    }
    // A finished game needs no table; an invalid position is an error.
    let over = Position::parse(base.rules(), "3L3/7/7/7/7/7/7/7/c6 b").unwrap();
    assert_eq!(base.wdl_in_memory(&over).unwrap().map(Category::name), Some("loss"));
    assert!(base.wdl_in_memory(&Position::empty(Color::White)).is_err());
}

#[test]
fn statistics_count_hits_misses_and_bytes() {
    let base = open(Access::Map, 1 << 20);
    let position = Position::parse(base.rules(), "7/3L3/7/7/7/7/7/7/c6 w").unwrap();
    for n in 0..5 {
        base.wdl(&position).unwrap();
        let statistics = base.statistics();
        assert_eq!((statistics.hits, statistics.misses), (n, 1));
        assert!(statistics.bytes_unpacked > 0 && statistics.bytes_kept >= statistics.bytes_unpacked);
    }
}

#[test]
fn many_threads_share_one_handle() {
    let base = open(Access::Map, 20_000);
    let positions = sample(&base, 200);
    let expected: Vec<_> = positions.iter().map(|position| base.value(position).unwrap()).collect();
    std::thread::scope(|scope| {
        for start in 0..8 {
            let (base, positions, expected) = (&base, &positions, &expected);
            scope.spawn(move || {
                for n in 0..positions.len() {
                    let n = (n * 7 + start * 13) % positions.len();
                    assert_eq!(base.value(&positions[n]).unwrap(), expected[n]);
                }
            });
        }
    });
}

/// A replaced file keeps its old contents while open; a truncated one is an error, never a wrong value.
#[cfg(unix)]
#[test]
fn files_that_change_under_an_open_table() {
    let made = tables("standard", "2");
    let folder = tempfile::tempdir().unwrap();
    let standard = folder.path().join("standard");
    std::fs::create_dir(&standard).unwrap();
    for name in ["EvL.wdl", "EvL.dtw"] {
        std::fs::copy(made.path().join("standard").join(name), standard.join(name)).unwrap();
    }
    let file = standard.join("EvL.wdl");
    let bytes = std::fs::read(&file).unwrap();
    for access in [Access::Map, Access::Read] {
        let replaced = Table::open_with(&file, access).unwrap();
        let cut = Table::open_with(&file, access).unwrap();
        std::fs::write(standard.join("new"), &bytes[..1100]).unwrap();
        std::fs::rename(standard.join("new"), &file).unwrap();
        replaced.check_blocks().unwrap();
        std::fs::write(&file, &bytes).unwrap();
        drop(cut);

        let cut = Table::open_with(&file, access).unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_len(1100).unwrap();
        let error = cut.check_blocks().unwrap_err().to_string();
        assert!(error.contains("damaged table"), "{error}");
        std::fs::write(&file, &bytes).unwrap();
    }
}
