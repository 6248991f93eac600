//! Proofs compared with complete tables: no claim contradicts them.

use crate::common::{program, rules, run_line, tables, text};
use fastrand::Rng;
use jungletb::game::{Category, Color, Move, Piece, Position, Rules, Square};
use jungletb::probe::Tablebase;
use jungletb::proof::{Bound, Limits, Options, Proof, Prover};
use jungletb::system::Cancel;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

const SMALL: Options = Options { memory: 4 << 20, threads: 1 };

/// A position with these numbers of animals, each on any allowed square, in which the game continues.
fn random_position(rules: &Rules, pieces: [usize; 2], rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::empty(if rng.bool() { Color::White } else { Color::Black });
        for color in Color::BOTH {
            for animal in rng.choose_multiple(rules.board().animals.iter(), pieces[color.index()]) {
                let squares: Vec<Square> = rules.movement(color, *animal).domain.into_iter().collect();
                let free = squares.into_iter().filter(|&square| position.piece_at(square).is_none());
                let free: Vec<Square> = free.collect();
                position.set(Piece { color, animal: *animal }, rng.choice(free));
            }
        }
        if position.check(rules).is_ok() && position.over(rules).is_none() {
            return position;
        }
    }
}

/// Asserts that a proof does not contradict the tables.
#[track_caller]
fn assert_holds(proof: &Proof, truth: &Tablebase) {
    let text = proof.position.to_text(truth.rules());
    let answer = truth.value(&proof.position).unwrap();
    if let Some(category) = proof.category {
        assert_eq!(category, answer.category, "{text}: {proof:?}");
    }
    match proof.bound {
        Bound::Exact => assert_eq!(proof.dtw, answer.dtw, "{text}"),
        Bound::AtMost => assert!(proof.dtw.unwrap() >= answer.dtw.unwrap(), "{text}"),
        Bound::None => assert_eq!(proof.dtw, None, "{text}"),
    }
    let us = proof.position.to_move();
    for color in Color::BOTH {
        let wins = answer.category == if color == us { Category::Win } else { Category::Loss };
        let first = proof.not_before_by[color.index()];
        if wins {
            assert!(first.is_some_and(|first| first <= answer.dtw.unwrap()), "{text}: {first:?}, {answer:?}");
        }
    }
    assert_eq!(proof.not_before, proof.not_before_by.into_iter().flatten().min());
    // A draw is claimed only if a table gives it.
    let mut position = proof.position;
    for mv in &proof.line {
        position = position.play(truth.rules(), *mv).expect("the line is legal");
    }
    if proof.bound == Bound::Exact && proof.line.len() == usize::from(proof.dtw.unwrap()) {
        assert!(position.over(truth.rules()).is_some(), "{text}");
    }
}

#[test]
fn no_claim_contradicts_complete_tables() {
    let mut rng = Rng::with_seed(12);
    let names = ["standard", "animal-checkers", "no-move-draw", "trapped-powerless-all", "dog-swims"];
    for name in names.into_iter().chain(["blockers-none", "leopard-across-over-rats", "trap-max-4", "japanese"]) {
        let rules = rules(name);
        let complete = tables(name, "3");
        let truth = Tablebase::open(complete.path(), &rules).unwrap();
        // From the same tables, those of two pieces.
        let folder = tempfile::tempdir().unwrap();
        let small = folder.path().join(name);
        std::fs::create_dir(&small).unwrap();
        for file in truth.registry().folders()[0].read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if file.file_stem().unwrap().len() == 3 {
                std::fs::copy(&file, small.join(file.file_name().unwrap())).unwrap();
            }
        }
        let leaves = Tablebase::open(folder.path(), &rules).unwrap();
        let prover = Prover::new(&leaves, &SMALL).unwrap();
        let mut proven = 0;
        for n in 0..60 {
            let position = random_position(&rules, [1 + n % 2, 2 - n % 2], &mut rng);
            let limits = Limits { positions: Some(20_000), ..Limits::default() };
            let proof = prover.prove(&position, &limits, &Cancel::new(), &mut |_| {}).unwrap();
            assert_holds(&proof, &truth);
            proven += usize::from(proof.category.is_some());
        }
        assert!(proven >= 20, "{name}: {proven}");
    }
}

#[test]
fn puzzles_of_many_animals_are_proven_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["--json", "--threads", "1", "--positions", "2000000", "--tables", folder.path().to_str().unwrap()];
    for (position, plies, first) in [
        ("7/2c2d1/3el2/2RL3/7/3P3/3DE1C/1t1WT2/7 b", 5, "b2c2"),
        ("7/2Lp3/2cedl1/2Rw3/3P3/3W3/4Er1/2DT1C1/2t4 w", 5, "c2c1"),
        ("1T5/2Lw3/3pl2/7/3e3/3R1r1/5E1/3tC2/1P5 w", 5, "e2d2"),
        ("7/3c3/1d5/1R5/7/4r2/2L1W2/1E3l1/7 b", 5, "f2e2"),
        ("1t5/2Ll3/5d1/7/3p2W/7/3C1Er/3D3/7 w", 3, "c8d8"),
        ("L3d1l/1c1wp2/7/7/7/R3r2/2e1WET/2DP3/7 b", 5, "c3c2"),
        ("5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w", 3, "f9e9"),
        ("7/2cp3/1Lte3/7/7/7/R1D1l1C/2PT3/7 b", 5, "e3e2"),
    ] {
        let answer = run_line("prove", &[&[position], &common[..]].concat()).good().json();
        assert_eq!(
            (&answer["category"], &answer["dtw"], &answer["bound"]),
            (&json!("win"), &json!(plies), &json!("exact"))
        );
        assert_eq!((&answer["not_before"], &answer["line"][0]), (&json!(plies), &json!(first)), "{answer}");
        assert_eq!(answer["line"].as_array().unwrap().len() as u64, plies, "{answer}");
    }
}

/// Whether a side forces the end of the game within so many plies, by the move generator alone.
fn forces(rules: &Rules, position: &Position, attacker: Color, plies: u16) -> bool {
    if let Some((_, category)) = position.over(rules) {
        let winner = match category {
            Category::Win => position.to_move(),
            Category::Loss => position.to_move().other(),
            Category::Draw => return false,
        };
        return winner == attacker;
    }
    let mut successors = position.successors(rules).map(|next| next.position);
    plies > 0
        && if position.to_move() == attacker {
            successors.any(|next| forces(rules, &next, attacker, plies - 1))
        } else {
            successors.all(|next| forces(rules, &next, attacker, plies - 1))
        }
}

#[test]
fn bounds_exclude_no_win_that_plain_search_finds() {
    const PLIES: u16 = 7;
    let rules = rules("standard");
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::open(folder.path(), &rules).unwrap();
    let mut positions = Vec::new();
    for game in include_str!("../data/games.jsonl").lines() {
        let game: Value = serde_json::from_str(game).unwrap();
        let mut position = Position::start(&rules).unwrap();
        for mv in game["moves"].as_array().unwrap() {
            positions.push(position);
            position = position.play(&rules, Move::parse(mv.as_str().unwrap()).unwrap()).unwrap();
        }
    }
    let mut rng = Rng::with_seed(11);
    positions.extend((0..60).map(|n| random_position(&rules, [2 + n % 4, 5 - n % 4], &mut rng)));
    let (mut won, mut open) = (0, 0);
    for position in &positions {
        let prover = Prover::new(&tables, &SMALL).unwrap();
        let limits = Limits { plies: Some(PLIES), ..Limits::default() };
        let proof = prover.prove(position, &limits, &Cancel::new(), &mut |_| {}).unwrap();
        for color in Color::BOTH {
            let text = position.to_text(&rules);
            if let Some(plies) = (0..=PLIES).find(|&plies| forces(&rules, position, color, plies)) {
                assert_eq!((proof.winner(), proof.dtw), (Some(color), Some(plies)), "{text}");
                won += 1;
            } else {
                let within = proof.dtw.filter(|&plies| proof.winner() == Some(color) && plies <= PLIES);
                assert_eq!(within, None, "{text}");
                open += 1;
            }
        }
    }
    assert!(won >= 20 && open >= 100, "{won} {open}");
}

/// The start position, with sixteen animals.
const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

#[test]
fn the_start_position_and_ends_of_the_game_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["--json", "--threads", "1", "--positions", "20000", "--tables", text(folder.path())];
    let prove = |position: &str| run_line("prove", &[&[position], &common[..]].concat()).good().json();
    let start = prove(START);
    assert_eq!((&start["category"], &start["dtw"], &start["bound"]), (&json!("unknown"), &Value::Null, &json!("none")));
    assert!(start["not_before"].as_u64().unwrap() > 7, "{start}");
    // White stands in the den of Black; Black has no piece; Black has no move.
    for (position, category) in [("3L3/7/7/7/7/7/7/7/c6 b", "loss"), ("7/7/7/7/7/7/7/7/L6 b", "loss")] {
        let over = prove(position);
        assert_eq!((&over["category"], &over["dtw"]), (&json!(category), &json!(0)), "{over}");
        assert_eq!((&over["line"], &over["positions"]), (&json!([]), &json!(0)), "{over}");
    }
}

#[test]
fn with_a_number_of_positions_and_one_thread_the_answer_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--json", "--threads", "1", "--positions", "60000", "--tables", text(folder.path())];
    for position in [START, "7/1d1w1c1/2l1e2/1r1p3/7/3L1R1/2EP3/1C1D3/T6 w"] {
        let answers = [(); 2].map(|()| {
            let mut answer = run_line("prove", &[&[position], &options[..]].concat()).good().json();
            answer["seconds"].take();
            answer
        });
        assert_eq!(answers[0], answers[1]);
    }
}

#[test]
fn a_time_limit_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let options = ["prove", START, "--json", "--time", "300ms", "--memory", "16M", "--tables", text(folder.path())];
    let answer = crate::common::run(&options).good().json();
    let seconds = answer["seconds"].as_f64().unwrap();
    // A busy machine may take longer, but not as long as an answer would.
    assert!((0.2..10.0).contains(&seconds) && begun.elapsed() < Duration::from_secs(20), "{answer}");
    assert_eq!(answer["category"], "unknown");
}

#[test]
#[cfg(unix)]
fn an_interruption_gives_what_is_known_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let child = program()
        .args(["prove", START, "--json", "--time", "1h", "--memory", "16M", "--tables", text(folder.path())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["category"], "unknown");
    assert!(answer["not_before"].as_u64().unwrap() > 5, "{answer}");
}
