//! Share of real game positions that is proven: positions of game records, each searched by the prover and, on request,
//! by the engine with the same tables and the same time.
//!
//! usage: `proof_strength GAMES.jsonl [--tables DIR] [--every N] [--time SECONDS] [--positions N] [--threads N]
//! [--memory MIB] [--engine]`

use jungletb::game::{Category, Move, Position, Rules};
use jungletb::play::engine::{Game, Limits as EngineLimits, Searcher};
use jungletb::probe::Tablebase;
use jungletb::proof::{Limits, Options, Prover};
use jungletb::system::Cancel;
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::time::Duration;

struct Arguments {
    games: String,
    tables: String,
    every: usize,
    time: Option<Duration>,
    positions: Option<u64>,
    options: Options,
    engine: bool,
    verbose: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut found = Arguments {
        games: String::new(),
        tables: "tablebases".to_owned(),
        every: 1,
        time: None,
        positions: None,
        options: Options { memory: 256 << 20, threads: 2 },
        engine: false,
        verbose: false,
    };
    let mut list = std::env::args().skip(1);
    while let Some(argument) = list.next() {
        let mut value = || list.next().ok_or_else(|| format!("{argument}: give a value"));
        match argument.as_str() {
            "--tables" => found.tables = value()?,
            "--every" => found.every = value()?.parse()?,
            "--time" => found.time = Some(Duration::try_from_secs_f64(value()?.parse()?)?),
            "--positions" => found.positions = Some(value()?.parse()?),
            "--threads" => found.options.threads = value()?.parse()?,
            "--memory" => found.options.memory = value()?.parse::<usize>()? << 20,
            "--engine" => found.engine = true,
            "--verbose" => found.verbose = true,
            file if !file.starts_with('-') => file.clone_into(&mut found.games),
            other => return Err(format!("{other}: no such option").into()),
        }
    }
    if found.games.is_empty() {
        return Err("give a file of game records, one JSON object per line".into());
    }
    if found.time.is_none() && found.positions.is_none() {
        found.time = Some(Duration::from_secs(2));
    }
    Ok(found)
}

/// All positions of the games in which the game continues, without duplicates.
fn positions(rules: &Rules, file: &str) -> Result<Vec<Position>, Box<dyn Error>> {
    let (mut all, mut seen) = (Vec::new(), HashSet::new());
    for line in std::fs::read_to_string(file)?.lines() {
        let record: serde_json::Value = serde_json::from_str(line)?;
        let mut position = match record["start"].as_str() {
            Some(start) => Position::parse(rules, start)?,
            None => Position::start(rules).ok_or("these rules have no start position")?,
        };
        let moves = record["moves"].as_array().into_iter().flatten();
        for mv in moves.filter_map(|mv| mv.as_str()) {
            if position.over(rules).is_none() && seen.insert(position) {
                all.push(position);
            }
            let mv = Move::parse(mv).ok_or_else(|| format!("{mv}: no move"))?;
            let next = position.play(rules, mv);
            // A record may have left and right exchanged.
            let mirrored = Move { from: mv.from.mirror(), to: mv.to.mirror() };
            position = match next {
                Some(next) => next,
                None => position.mirror().play(rules, mirrored).ok_or_else(|| format!("{mv}: not legal"))?.mirror(),
            };
        }
    }
    Ok(all)
}

fn median(values: &mut [u16]) -> u16 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let rules = Rules::standard();
    let tables = Tablebase::open(&arguments.tables, &rules)?;
    let positions: Vec<Position> = positions(&rules, &arguments.games)?.into_iter().step_by(arguments.every).collect();
    let prover = Prover::new(&tables, &arguments.options)?;
    let mut searcher = Searcher::new(&tables);
    let limits = Limits { time: arguments.time, positions: arguments.positions, plies: None };
    let (mut proven, mut mates, mut only_engine) = (0, 0_u32, 0);
    let (mut excluded, mut looked_at, mut spent) = (Vec::new(), 0, Duration::ZERO);
    let mut by_length: BTreeMap<u16, (usize, Duration)> = BTreeMap::new();
    for position in &positions {
        prover.clear();
        let proof = prover.prove(position, &limits, &Cancel::new(), &mut |_| {})?;
        looked_at += proof.positions;
        spent += proof.time;
        match (proof.category, proof.dtw) {
            (Some(Category::Draw), _) => proven += 1,
            (Some(_), Some(plies)) => {
                proven += 1;
                let (count, time) = by_length.entry(plies).or_default();
                *count += 1;
                *time += proof.time;
            }
            _ => excluded.push(proof.not_before.unwrap_or(0).saturating_sub(1)),
        }
        if arguments.verbose {
            let by = proof.not_before_by.map(|plies| plies.map_or(-1, i32::from));
            println!(
                "{} {:?} {:?} {by:?} {} {:.3}",
                position.to_text(&rules),
                proof.category,
                proof.dtw,
                proof.positions,
                proof.time.as_secs_f64()
            );
        }
        if arguments.engine {
            searcher.clear();
            let nodes = arguments.positions;
            let limits = EngineLimits { move_time: arguments.time, nodes, ..EngineLimits::default() };
            let report = searcher.search(&Game::new(*position), &limits, &mut |_| {});
            if let Some(plies) = report.score.plies() {
                let us = position.to_move();
                let winner = if plies % 2 == 1 { us } else { us.other() };
                let excluded = proof.not_before_by[winner.index()].is_none_or(|first| u32::from(first) > plies);
                if excluded || proof.winner().is_some_and(|proven| proven != winner) {
                    let text = position.to_text(&rules);
                    return Err(
                        format!("{text}: the engine wins for {winner} in {plies} plies, against {proof:?}").into()
                    );
                }
                mates += 1;
                only_engine += usize::from(proof.category.is_none());
            }
        }
    }
    let count = positions.len();
    let share = |part: usize| part as f64 * 100.0 / count.max(1) as f64;
    println!("{count} positions: {proven} proven ({:.1} %)", share(proven));
    println!(
        "of the others, plies without a forced win: median {}, least {}, on average {:.2}",
        median(&mut excluded),
        excluded.first().unwrap_or(&0),
        excluded.iter().map(|plies| f64::from(*plies)).sum::<f64>() / excluded.len().max(1) as f64
    );
    let seconds = spent.as_secs_f64();
    println!(
        "{looked_at} positions looked at in {seconds:.1} s: {:.2} million per second",
        looked_at as f64 / seconds / 1e6
    );
    if arguments.engine {
        println!("engine: {mates} mates ({:.1} %), {only_engine} of them not proven", share(mates as usize));
        println!("proven ÷ engine: {:.2}", f64::from(proven as u32) / f64::from(mates).max(1.0));
    }
    println!("plies of the win: positions, average seconds");
    for (plies, (count, time)) in by_length {
        println!("{plies:>4}: {count:>4} {:8.3}", time.as_secs_f64() / count as f64);
    }
    Ok(())
}
