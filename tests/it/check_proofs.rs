//! `check --prove`: moves beyond the tables are graded by proofs, consistently with the tables.

use crate::common::{Run, SHIPPED, assert_fails, program, rules, run, run_with_input, text};
use jungletb::game::{Category, Position, Rules};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

/// A folder without tables.
fn no_tables() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Checks games with a reproducible budget.
fn prove(games: &str, tables: &str, positions: &str, more: &[&str]) -> Run {
    let fixed = ["check", "games", "-", "--tables", tables, "--prove-positions", positions, "--memory", "96M"];
    run_with_input(&[&fixed[..], more].concat(), games)
}

const GAMES: &str = include_str!("../data/games.jsonl");

/// Whether the side to move wins within this number of plies, by the rules only.
fn wins(rules: &Rules, position: &Position, plies: u16) -> bool {
    match position.over(rules) {
        Some((_, category)) => category == Category::Win,
        None => plies > 0 && position.successors(rules).any(|next| loses(rules, &next.position, plies - 1)),
    }
}

/// Whether the side to move loses within this number of plies, by the rules only.
fn loses(rules: &Rules, position: &Position, plies: u16) -> bool {
    match position.over(rules) {
        Some((_, category)) => category == Category::Loss,
        None => plies > 0 && position.successors(rules).all(|next| wins(rules, &next.position, plies - 1)),
    }
}

#[test]
fn real_games_are_graded_far_beyond_the_tables() {
    let (rules, folder) = (rules("standard"), no_tables());
    let run = prove(GAMES, text(folder.path()), "30000", &["--json", "--threads", "1"]).good();
    let report = run.json();
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    let mut checked = 0;
    for game in games {
        let plies = game["plies"].as_u64().unwrap();
        let known = &game["known"];
        let count = |name: &str| known[name].as_u64().unwrap();
        assert_eq!(count("tables") + count("proofs") + count("unknown"), plies + 1, "{known}");
        assert!(count("proofs") >= 6, "{known}");
        let decisive = &game["decisive"];
        let (ply, forced) = (decisive["ply"].as_u64().unwrap(), game["forced_from"].as_u64().unwrap());
        assert!(ply <= forced && forced <= plies, "{decisive} {forced}");
        assert_eq!((&decisive["after"]["category"], &decisive["basis"]), (&"loss".into(), &"as-far-as-proven".into()));
        let horizon = decisive["no_loss_before"].as_u64().unwrap();
        assert!(horizon >= 8 && horizon >= decisive["before"]["not_before"].as_u64().unwrap(), "{decisive}");
        let moves = game["moves"].as_array().unwrap();
        assert_eq!(moves.len() as u64, plies, "every move is listed");
        assert_eq!(moves[ply as usize - 1]["move"], decisive["move"]);
        // The loser is the side that made the move.
        let position = Position::parse(&rules, moves[ply as usize - 1]["position"].as_str().unwrap()).unwrap();
        let winner = if game["result"] == "1-0" { "Black" } else { "White" };
        assert_eq!(position.to_move().to_string(), winner);
        for mv in moves {
            let position = Position::parse(&rules, mv["position"].as_str().unwrap()).unwrap();
            let (before, dtw) = (&mv["before"], mv["before"]["dtw"].as_u64().unwrap_or(99) as u16);
            if dtw > 3 {
                let nothing = before["not_before"].as_u64().unwrap() as u16;
                assert!(!wins(&rules, &position, (nothing - 1).min(3)), "{mv}");
                continue;
            }
            checked += 1;
            let claim = if before["category"] == "win" { wins } else { loses };
            assert!(claim(&rules, &position, dtw) && !claim(&rules, &position, dtw - 1), "{mv}");
            assert_eq!(before["bound"], "exact", "{mv}");
        }
    }
    assert!(checked >= 4, "{checked}");
    let total = &report["total"];
    let by = |name: &str| total["by"][name].as_u64().unwrap();
    assert_eq!(by("tables") + by("proofs") + by("unknown"), report["moves"].as_u64().unwrap(), "{total}");
    assert_eq!(by("tables") + by("proofs"), total["graded"].as_u64().unwrap(), "{total}");
    let known = ["tables", "proofs", "unknown"].map(|name| total["known"][name].as_u64().unwrap());
    assert_eq!(known.iter().sum::<u64>(), report["moves"].as_u64().unwrap() + 2);

    // The output is byte-identical.
    let again = prove(GAMES, text(folder.path()), "30000", &["--json", "--threads", "1"]).good();
    assert!(again.stdout == run.stdout, "a second run gives the same");
    // Without a time limit, nothing depends on time.
    assert!(!run.stdout.contains("timed"));
    let people = prove(GAMES, text(folder.path()), "30000", &["--threads", "1"]).good().stdout;
    for phrase in ["decisive mistake (as far as proven): ply ", "the result was forced from ply ", "positions known: "]
    {
        assert_eq!(people.matches(phrase).count(), if phrase.starts_with("pos") { 3 } else { 2 }, "{phrase}: {people}");
    }
}

#[test]
fn proofs_say_nothing_that_tables_contradict() {
    // Games of three pieces, graded by tables, and by proofs without tables.
    let mut lines = String::new();
    for start in ["7/7/2l4/3R3/7/7/7/2E4/7 w", "7/7/2r4/3L3/7/3c3/7/7/7 w", "1c5/7/P6/7/7/7/7/7/4W2 w"] {
        let rules = rules("standard");
        let mut number = start.len() as u64;
        for _ in 0..4 {
            let mut position = Position::parse(&rules, start).unwrap();
            let mut moves = Vec::new();
            while moves.len() < 30 {
                let all: Vec<_> = position.successors(&rules).collect();
                if all.is_empty() {
                    break;
                }
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let chosen = all[(number >> 33) as usize % all.len()];
                moves.push(chosen.mv.to_string());
                position = chosen.position;
            }
            lines += &format!("{}\n", json!({"start": start, "moves": moves}));
        }
    }
    let folder = no_tables();
    let proven = prove(&lines, text(folder.path()), "3000", &["--json"]).good().json();
    let exact = run_with_input(&["check", "games", "-", "--json", "--tables", SHIPPED], lines).good().json();
    let (mut same, mut bounded, mut into) = (0, 0, 0);
    let games = |report: &Value| report["games"].as_array().unwrap().clone();
    for (proven, exact) in games(&proven).iter().zip(games(&exact)) {
        let truth = |ply: &Value| exact["moves"].as_array().unwrap().iter().find(|mv| mv["ply"] == *ply).cloned();
        for mv in proven["moves"].as_array().unwrap() {
            let Some(truth) = truth(&mv["ply"]) else { continue };
            for side in ["before", "after"] {
                let (ours, theirs) = (&mv[side], &truth[side]);
                if ours["category"] == "unknown" {
                    let horizon = ours["not_before"].as_u64();
                    let decided = theirs["dtw"].as_u64();
                    assert!(decided.is_none_or(|plies| horizon.unwrap() <= plies), "{mv} {truth}");
                    continue;
                }
                assert_eq!(ours["category"], theirs["category"], "{mv} {truth}");
                let (ours_dtw, theirs_dtw) = (ours["dtw"].as_u64(), theirs["dtw"].as_u64());
                if ours["bound"] == "exact" {
                    assert_eq!(ours_dtw, theirs_dtw, "{mv} {truth}");
                } else if let (Some(ours), Some(theirs)) = (ours_dtw, theirs_dtw) {
                    assert!(ours >= theirs, "{mv} {truth}");
                }
            }
            let verdict = mv["verdict"].as_str().unwrap();
            match verdict {
                "unknown" | "kept" => {}
                "slower at most" | "sooner at most" => {
                    assert!(mv["plies_lost"].as_u64() >= truth["plies_lost"].as_u64(), "{mv} {truth}");
                    bounded += 1;
                }
                "into a loss" => {
                    assert_eq!(truth["after"]["category"], "loss", "{mv} {truth}");
                    into += 1;
                }
                verdict => {
                    assert_eq!(
                        (verdict, &mv["plies_lost"]),
                        (truth["verdict"].as_str().unwrap(), &truth["plies_lost"])
                    );
                    same += 1;
                }
            }
        }
    }
    assert!(same >= 40 && same + bounded + into >= 60, "{same} {bounded} {into}");
}

#[test]
fn tables_tell_the_decisive_mistake_too() {
    let game = "[position 7/7/2r4/3L3/7/3c3/7/7/7 b] c7d7 d6d7 d4d5 1-0\n";
    let run = run_with_input(&["check", "games", "-", "--json", "--tables", SHIPPED], game).good();
    let game = &run.json()["games"][0];
    assert_eq!(game["known"], json!({"tables": 4, "proofs": 0, "unknown": 0}));
    assert_eq!((&game["decisive"]["ply"], &game["decisive"]["move"]), (&1.into(), &"c7d7".into()), "{game}");
    assert_eq!((&game["decisive"]["basis"], &game["forced_from"]), (&"table".into(), &1.into()));
    assert_eq!(run.json()["total"]["known"]["tables"], 4);
}

#[test]
fn annotated_games_carry_proofs_and_are_written_alike_again() {
    let folder = no_tables();
    let (out, again) = (folder.path().join("out"), folder.path().join("again"));
    let game = GAMES.lines().next().unwrap();
    prove(game, text(folder.path()), "5000", &["--annotate", text(&out), "--threads", "1"]).good();
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains("the decisive mistake (as-far-as-proven): loss in"), "{written}");
    assert!(written.contains("no forced win within ") && written.contains("{forced from ply "), "{written}");
    prove(&written, text(folder.path()), "5000", &["--annotate", text(&again), "--threads", "1"]).good();
    assert_eq!(std::fs::read_to_string(&again).unwrap(), written);
}

#[test]
fn arguments_of_proofs_are_checked() {
    let game = "a1a2\n";
    let check = |more: &[&str]| run_with_input(&[&["check", "games", "-"], more].concat(), game);
    assert_fails(&check(&["--prove", "2s", "--memory", "10M"]), 2, "proofs need at least", "too little memory");
    assert_fails(&check(&["--prove", "2s", "--memory", "900000G"]), 2, "give less", "too much memory");
    assert_fails(&check(&["--memory", "1G"]), 2, "give --prove", "memory for nothing");
    assert_fails(&check(&["--prove", "soon"]), 2, "give a time such as", "no time");
    assert_fails(&check(&["--prove-positions", "0"]), 2, "--prove-positions", "no positions");
    assert_fails(&check(&["--encoding", "runes"]), 2, "give a label such as", "no encoding");
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_the_games_that_are_finished() {
    let folder = no_tables();
    let games = folder.path().join("games");
    // One ends at once, the other has hours of work.
    std::fs::write(&games, format!("{{\"start\":\"7/3L3/7/7/7/7/7/7/c6 w\",\"moves\":[\"d8d9\"]}}\n{GAMES}")).unwrap();
    let out = folder.path().join("annotated");
    let mut child = program()
        .args(["check", "games", text(&games), "--tables", text(folder.path()), "--prove", "1h", "--threads", "1"])
        .args(["--memory", "96M", "--annotate", text(&out)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("1 pl"), "{first}");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let (mut rest, mut errors) = (String::new(), String::new());
    stdout.read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{errors}");
    assert!(rest.contains("total: 1 game, ") && rest.contains("2 not finished"), "{rest}");
    assert!(errors.contains("interrupted: 2 games not finished"), "{errors}");
    let annotated = std::fs::read_to_string(&out).unwrap();
    assert!(annotated.contains("1. d8d9") && annotated.matches("[White ").count() == 1, "{annotated}");
}

#[test]
fn an_engines_moves_beyond_the_tables_are_graded() {
    let folder = no_tables();
    let file = folder.path().join("positions");
    // Won in five plies only by b2c2; e7e8 wins in seven.
    let won = "7/2c2d1/3el2/2RL3/7/3P3/3DE1C/1t1WT2/7 b";
    std::fs::write(&file, format!("{won}\n")).unwrap();
    for (mv, verdict) in [("b2c2", "best"), ("e7e8", "slower")] {
        let engine = format!(
            "read a; echo uciok; while read w x; do case $w in isready) echo readyok;; go) echo bestmove {mv};; quit) exit;; esac; done"
        );
        let arguments =
            ["check", "engine", "--json", "--processes", "1", "--prove-positions", "20000", "--memory", "96M"];
        let more = ["--tables", text(folder.path()), "--positions", text(&file), "--", "sh", "-c", &engine];
        let report = run(&[&arguments[..], &more].concat()).json();
        let trial = &report["trials"][0];
        assert_eq!(
            (&trial["category"], &trial["dtw"], &trial["bound"]),
            (&"win".into(), &5.into(), &"exact".into()),
            "{report}"
        );
        assert_eq!(
            (&trial["move"], &trial["verdict"], &trial["by"]),
            (&mv.into(), &verdict.into(), &"proof".into()),
            "{trial}"
        );
        assert_eq!(trial["best"], json!(["b2c2"]));
        assert_eq!((&report["total"]["graded"], &report["total"]["by"]["proofs"]), (&1.into(), &1.into()));
    }
}

#[test]
fn searches_side_by_side_report_a_damaged_table() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("standard");
    std::fs::create_dir(&tables).unwrap();
    for entry in std::fs::read_dir(Path::new(SHIPPED).join("standard")).unwrap() {
        let from = entry.unwrap().path();
        std::fs::copy(&from, tables.join(from.file_name().unwrap())).unwrap();
    }
    // Four pieces; the tables of three, which captures lead to, will be damaged.
    let games = folder.path().join("games");
    let game = r#"{"start":"7/7/2r4/3L3/7/3c3/6E/7/7 w","moves":["d6d7","c7c8","d7d8","c8b8","d8d9"]}"#;
    std::fs::write(&games, format!("{game}\n{game}\n")).unwrap();
    let check = |threads: &str| {
        let options = ["check", "games", text(&games), "--json", "--prove-positions", "3000", "--memory", "96M"];
        run(&[&options[..], &["--threads", threads, "--tables", text(folder.path())]].concat())
    };
    let intact = check("4").good().json();
    assert_eq!(intact["games"][0]["known"], intact["games"][1]["known"]);
    for name in std::fs::read_dir(&tables).unwrap().map(|entry| entry.unwrap().path()) {
        if name.file_stem().is_some_and(|stem| stem.len() == 4) {
            std::fs::write(&name, b"damaged").unwrap();
        }
    }
    for threads in ["1", "4"] {
        let damaged = check(threads);
        assert_eq!(damaged.code, Some(3), "{}", damaged.stderr);
        let report = damaged.json();
        for game in report["games"].as_array().unwrap() {
            assert!(game["findings"].as_array().unwrap().iter().any(|finding| finding["kind"] == "damaged"), "{game}");
            // The last position is the end of the game, which needs no table.
            assert!(game["known"]["tables"].as_u64().unwrap() >= 1, "{game}");
        }
    }
}
