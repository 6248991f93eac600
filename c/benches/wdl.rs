//! The benchmark of `wdl.c` without the C interface: the same positions and rounds, in Rust.

use jungletb::game::{Position, Rules};
use jungletb::probe::Tablebase;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file, rounds] = &arguments[..] else { return Err("usage: wdl FOLDER FILE ROUNDS".into()) };
    let rounds: usize = rounds.parse()?;
    let tables = Tablebase::open(folder, &Rules::standard())?;
    let text = std::fs::read_to_string(file)?;
    let positions =
        text.lines().map(|line| Position::parse(tables.rules(), line)).collect::<Result<Vec<Position>, _>>()?;
    let mut best = f64::INFINITY;
    let mut sum = 0;
    for round in 0..=rounds {
        let start = Instant::now();
        for position in &positions {
            sum += tables.wdl(position)? as usize;
        }
        let took = start.elapsed().as_secs_f64() / positions.len() as f64;
        if round > 0 {
            best = best.min(took);
        }
    }
    println!("{:.1} {sum}", best * 1e9);
    Ok(())
}
