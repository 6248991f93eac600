//! Checks proofs against complete tables: random positions, each searched with only tables of two pieces as leaves.
//!
//! usage: `check_proofs COMPLETE SMALL [--rules PRESET|FILE.toml] [--pieces N] [--count N] [--positions N] [--seed N]`
//!
//! COMPLETE and SMALL are folders of tables. Fails at the first claim that the complete tables contradict.

use fastrand::Rng;
use jungletb::game::{Category, Color, Piece, Position, Rules, Square};
use jungletb::probe::{ProbeError, Tablebase};
use jungletb::proof::{Bound, Limits, Options, Proof, Prover};
use jungletb::system::Cancel;
use std::error::Error;

fn random_position(rules: &Rules, pieces: usize, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::empty(if rng.bool() { Color::White } else { Color::Black });
        let white = rng.usize(1..pieces);
        for (color, count) in [(Color::White, white), (Color::Black, pieces - white)] {
            for &animal in rng.choose_multiple(rules.board().animals, count) {
                let domain = rules.movement(color, animal).domain.into_iter();
                let free: Vec<Square> = domain.filter(|&square| position.piece_at(square).is_none()).collect();
                position.set(Piece { color, animal }, rng.choice(free));
            }
        }
        if position.check(rules).is_ok() && position.over(rules).is_none() {
            return position;
        }
    }
}

/// A contradiction between the tables and a proof, if any.
fn objection(proof: &Proof, tables: &Tablebase) -> Result<Option<String>, ProbeError> {
    let answer = tables.value(&proof.position)?;
    let us = proof.position.to_move();
    if proof.category.is_some_and(|category| category != answer.category) {
        return Ok(Some(format!("the value is {}", answer.short())));
    }
    if proof.bound == Bound::Exact && proof.dtw != answer.dtw || proof.bound == Bound::AtMost && proof.dtw < answer.dtw
    {
        return Ok(Some(format!("the distance is that of a {}", answer.short())));
    }
    for color in Color::BOTH {
        let wins = answer.category == if color == us { Category::Win } else { Category::Loss };
        if wins && proof.not_before_by[color.index()].is_none_or(|first| Some(first) > answer.dtw) {
            return Ok(Some(format!("excluded, but the value is {}", answer.short())));
        }
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut folders, mut rules) = (Vec::new(), "standard".to_owned());
    let (mut pieces, mut count, mut budget, mut seed) = (4, 1000, 50_000, 1);
    let mut list = std::env::args().skip(1);
    while let Some(argument) = list.next() {
        let mut value = || list.next().ok_or_else(|| format!("{argument}: give a value"));
        match argument.as_str() {
            "--rules" => rules = value()?,
            "--pieces" => pieces = value()?.parse()?,
            "--count" => count = value()?.parse()?,
            "--positions" => budget = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            folder => folders.push(folder.to_owned()),
        }
    }
    let [complete, small] = &folders[..] else { return Err("give two folders of tables: complete, small".into()) };
    let rules = Rules::load(&rules)?;
    let (complete, small) = (Tablebase::open(complete, &rules)?, Tablebase::open(small, &rules)?);
    let prover = Prover::new(&small, &Options { memory: 16 << 20, threads: 1 })?;
    let mut rng = Rng::with_seed(seed);
    let (mut checked, mut proven, mut missing) = (0, 0, 0);
    while checked < count {
        let position = random_position(&rules, pieces, &mut rng);
        if matches!(complete.value(&position), Err(ProbeError::MissingTable { .. })) {
            missing += 1;
            continue;
        }
        let limits = Limits { positions: Some(budget), ..Limits::default() };
        let proof = prover.prove(&position, &limits, &Cancel::new(), &mut |_| {})?;
        if let Some(objection) = objection(&proof, &complete)? {
            return Err(format!("{}: {objection}, the proof says {proof:?}", position.to_text(&rules)).into());
        }
        checked += 1;
        proven += usize::from(proof.category.is_some());
    }
    println!(
        "{}, {pieces} pieces: {checked} positions hold, {proven} proven ({missing} without a table)",
        rules.name()
    );
    Ok(())
}
