//! What the block cache buys: CPU time and hits of random DTW probes, by cache size. Prints a row per size, as in
//! docs/rust.md.
//!
//! ```text
//! cargo run --release -p jungletb-bench --example cache -- FOLDER MATERIAL…
//! ```

use cpu_time::ThreadTime;
use jungletb::game::{Color, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Options, Tablebase};
use std::error::Error;

/// Probes before the measurement; they fill the cache.
const WARM: u64 = 400_000;
/// Probes measured.
const MEASURED: u64 = 200_000;

/// The n-th of a fixed series of positions, spread evenly over the materials.
fn position(tables: &Tablebase, materials: &[Material], n: u64) -> Result<Position, Box<dyn Error>> {
    let mut mixed = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^= mixed >> 31;
    let place = tables.place(materials[(n % materials.len() as u64) as usize])?;
    let index = place.class.index();
    let to_move = Color::BOTH[(mixed >> 63) as usize];
    Ok(place.position(tables.rules(), &index.decode((mixed >> 1) % index.len()), to_move))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, materials @ ..] = &arguments[..] else { return Err("usage: cache FOLDER MATERIAL…".into()) };
    let rules = Rules::standard();
    let materials = materials.iter().map(|text| Material::parse(&rules, text)).collect::<Result<Vec<_>, _>>()?;
    if materials.is_empty() {
        return Err("usage: cache FOLDER MATERIAL…".into());
    }
    println!("| cache | hits | µs per probe |\n|---|---|---|");
    for mebibytes in [16_u64, 32, 64, 128, 256, 512, 1024, 2048] {
        let tables = Tablebase::open_with(folder, &rules, Options::default().cache_bytes(mebibytes << 20))?;
        for n in 0..WARM {
            tables.value(&position(&tables, &materials, n)?)?;
        }
        let positions = (WARM..WARM + MEASURED).map(|n| position(&tables, &materials, n));
        let positions = positions.collect::<Result<Vec<Position>, _>>()?;
        let before = tables.statistics();
        let clock = ThreadTime::now();
        for position in &positions {
            tables.value(position)?;
        }
        let took = clock.elapsed().as_secs_f64();
        let now = tables.statistics();
        let (hits, misses) = (now.hits - before.hits, now.misses - before.misses);
        println!(
            "| {mebibytes} MiB | {:.1} % | {:.2} |",
            100.0 * hits as f64 / (hits + misses) as f64,
            took * 1e6 / MEASURED as f64
        );
    }
    Ok(())
}
