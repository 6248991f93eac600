//! Probing: index in both directions, single probes, ranked moves, opening. Blocks are warm: every probe finds its
//! block in the cache after the first round. All figures are CPU times, so that other work on the machine does not
//! count. `cache.rs` measures what the block cache buys.

use cpu_time::ThreadTime;
use criterion::{Bencher, Criterion, Throughput, criterion_group, criterion_main};
use jungletb::game::{Color, Move, Position, Rules};
use jungletb::material::Material;
use jungletb::play::grade;
use jungletb::probe::{Options, Tablebase};
use jungletb_bench::TABLES;
use std::hint::black_box;
use std::time::Duration;

/// Number of positions per round.
const SAMPLE: u64 = 4096;

/// Positions spread evenly and out of order over a material.
fn sample(tables: &Tablebase, material: &str) -> Vec<Position> {
    let rules = tables.rules();
    let material = Material::parse(rules, material).unwrap();
    let place = tables.place(material).unwrap();
    let index = place.class.index();
    let number = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % index.len();
    let color = |n: u64| Color::BOTH[(n % 2) as usize];
    (0..SAMPLE).map(|n| place.position(rules, &index.decode(number(n)), color(n))).collect()
}

/// CPU time of some rounds of work on this thread.
fn cpu_time<T>(times: u64, mut work: impl FnMut() -> T) -> Duration {
    let clock = ThreadTime::now();
    for _ in 0..times {
        black_box(work());
    }
    clock.elapsed()
}

/// Measures the CPU time of work.
fn measure<T>(bencher: &mut Bencher, mut work: impl FnMut() -> T) {
    bencher.iter_custom(|times| cpu_time(times, &mut work));
}

fn probe(criterion: &mut Criterion) {
    let tables = Tablebase::open(TABLES, &Rules::standard()).unwrap();
    let mut positions = sample(&tables, "ERvL");
    positions.extend(sample(&tables, "LRvR"));
    positions.extend(sample(&tables, "PWvC"));
    let mut group = criterion.benchmark_group("probe three pieces, warm");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("wdl", |bencher| {
        measure(bencher, || positions.iter().map(|position| tables.wdl(position).unwrap() as usize).sum::<usize>());
    });
    group.bench_function("value", |bencher| {
        measure(bencher, || positions.iter().filter_map(|position| tables.value(position).unwrap().dtw).count());
    });
    group.sample_size(20);
    group.bench_function("all moves ranked", |bencher| {
        measure(bencher, || positions.iter().map(|position| tables.moves(position).unwrap().len()).sum::<usize>());
    });
    let moves: Vec<(Position, Move)> = positions
        .iter()
        .filter_map(|position| Some((*position, position.successors(tables.rules()).next()?.mv)))
        .collect();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("moves graded", |bencher| {
        measure(bencher, || {
            moves.iter().filter(|(position, mv)| grade(&tables, position, *mv).unwrap().best.len() == 1).count()
        });
    });
    group.finish();
}

/// Without a block cache: every probe reads and unpacks a block.
fn cold(criterion: &mut Criterion) {
    let options = Options::default().cache_bytes(0);
    let tables = Tablebase::open_with(TABLES, &Rules::standard(), options).unwrap();
    let positions = sample(&tables, "ERvL");
    let mut group = criterion.benchmark_group("probe three pieces, nothing kept");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("wdl", |bencher| {
        measure(bencher, || positions.iter().map(|position| tables.wdl(position).unwrap() as usize).sum::<usize>());
    });
    group.finish();
}

/// Positions with a missing table. They must cost at most twice as much as others.
fn missing(criterion: &mut Criterion) {
    let tables = Tablebase::open(TABLES, &Rules::standard()).unwrap();
    let positions = sample(&tables, "ELvTP");
    let mut group = criterion.benchmark_group("probe a missing table");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("wdl", |bencher| {
        measure(bencher, || positions.iter().filter(|position| tables.wdl(position).is_err()).count());
    });
    group.bench_function("value", |bencher| {
        measure(bencher, || positions.iter().filter(|position| tables.value(position).is_err()).count());
    });
    group.finish();
}

/// One handle used by one thread and by two at a time, in CPU time per thread: the two must not slow each other down,
/// with tables and without. The last line has a handle per thread, as a measure of what the machine itself adds.
fn threads(criterion: &mut Criterion) {
    let open = || Tablebase::open(TABLES, &Rules::standard()).unwrap();
    let tables = [open(), open()];
    let mut group = criterion.benchmark_group("probe in threads, CPU time of each");
    group.throughput(Throughput::Elements(SAMPLE));
    for (name, material) in [("a table", "ERvL"), ("a missing table", "ELvTP")] {
        let positions = sample(&tables[0], material);
        let probe_all = |tables: &Tablebase| positions.iter().filter(|position| tables.wdl(position).is_ok()).count();
        for (how, handles) in [("1", vec![0]), ("2 on one handle", vec![0, 0]), ("2, a handle each", vec![0, 1])] {
            group.bench_function(format!("{name}, {how}"), |bencher| {
                bencher.iter_custom(|times| {
                    let each = std::thread::scope(|scope| {
                        let (tables, probe_all) = (&tables, &probe_all);
                        let spawn =
                            |&handle: &usize| scope.spawn(move || cpu_time(times, || probe_all(&tables[handle])));
                        let threads: Vec<_> = handles.iter().map(spawn).collect();
                        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
                    });
                    each.iter().sum::<Duration>() / handles.len() as u32
                });
            });
        }
    }
    group.finish();
}

fn index(criterion: &mut Criterion) {
    let rules = Rules::standard();
    let tables = Tablebase::open(TABLES, &rules).unwrap();
    let mut group = criterion.benchmark_group("index");
    group.throughput(Throughput::Elements(SAMPLE));
    for material in ["ERvL", "PWvDC", "EPRvLC"] {
        let place = tables.place(Material::parse(&rules, material).unwrap()).unwrap();
        let index = place.class.index();
        let numbers: Vec<u64> = (0..SAMPLE).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % index.len()).collect();
        let placements: Vec<_> = numbers.iter().map(|&number| index.decode(number)).collect();
        group.bench_function(format!("encode {material}"), |bencher| {
            measure(bencher, || placements.iter().map(|sets| index.encode(sets)).fold(0, u64::wrapping_add));
        });
        group.bench_function(format!("decode {material}"), |bencher| {
            measure(bencher, || {
                for &number in &numbers {
                    black_box(index.decode(number));
                }
            });
        });
    }
    group.finish();
}

fn open(criterion: &mut Criterion) {
    let rules = Rules::standard();
    let position = Position::parse(&rules, "7/3L3/7/7/7/7/7/7/c6 w").unwrap();
    criterion.bench_function("open a folder and probe once", |bencher| {
        measure(bencher, || Tablebase::open(TABLES, &rules).unwrap().value(&position).unwrap());
    });
}

criterion_group!(benches, probe, cold, missing, threads, index, open);
criterion_main!(benches);
