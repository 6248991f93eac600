//! `check games`: records in all formats are replayed, refereed and graded, and errors in one game do not affect the
//! next.

use crate::common::{SHIPPED, assert_fails, rules, run, run_with_input, text};
use jungletb::game::{Category, Move, Position, Rules};
use jungletb::material::Material;
use jungletb::play::record::Records;
use jungletb::play::review::{FindingKind, Layout, Review};
use jungletb::play::{self, Verdict};
use jungletb::probe::Tablebase;
use jungletb::solve::reference::Reference;
use jungletb::table::Value;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::fs;

fn shipped(rules: &Rules) -> Tablebase {
    Tablebase::open(SHIPPED, rules).unwrap()
}

/// A platform-independent random number generator.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A random game: its moves and last position. Captures are preferred, so that games reach few pieces.
fn random_game(rules: &Rules, start: Position, plies: usize, dice: &mut Dice) -> (Vec<Move>, Position) {
    let (mut moves, mut position) = (Vec::new(), start);
    while moves.len() < plies {
        let all: Vec<_> = position.successors(rules).collect();
        let captures: Vec<_> = all.iter().filter(|successor| successor.capture.is_some()).collect();
        let quiet: Vec<_> = all.iter().filter(|successor| !successor.den).collect();
        let choice = if captures.is_empty() || dice.throw(4) == 0 { &quiet } else { &captures };
        if choice.is_empty() {
            break;
        }
        let chosen = choice[dice.throw(choice.len())];
        moves.push(chosen.mv);
        position = chosen.position;
    }
    (moves, position)
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn check(file: &str, more: &[&str]) -> crate::common::Run {
    let arguments = [&["check", "games", "--json", "-"], more].concat();
    run_with_input(&arguments, file)
}

/// The verdict on a move by the reference solver only.
fn verdict(reference: &Reference, rules: &Rules, position: &Position, mv: Move) -> String {
    let before = reference.value(position);
    let next = position.play(rules, mv).unwrap();
    let after = match next.over(rules) {
        Some((_, Category::Loss)) => Value::decided(1),
        Some(_) => panic!("no move ends in a win for the other side"),
        None => reference.value(&next).before(),
    };
    match (before.category(), after.category()) {
        _ if after == before => "best 0".to_owned(),
        (Category::Win, Category::Win) => format!("slower {}", after.plies().unwrap() - before.plies().unwrap()),
        (Category::Loss, Category::Loss) => format!("sooner {}", before.plies().unwrap() - after.plies().unwrap()),
        (before, after) => format!("{}→{} 0", before.name(), after.name()),
    }
}

#[test]
fn every_move_is_graded_as_the_reference_solver_grades_it() {
    let rules = rules("standard");
    let mut reference = Reference::new(&rules);
    let mut dice = Dice(1);
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for (text, material) in [
        ("7/7/2l4/3R3/7/7/7/2E4/7 w", "ERvL"),
        ("7/7/7/7/6r/7/7/L6/2R4 b", "LRvR"),
        ("1c5/7/P6/7/7/7/7/7/4W2 w", "PWvC"),
        ("7/2e4/7/7/7/7/7/1R5/7 w", "RvE"),
    ] {
        reference.solve(Material::parse(&rules, material).unwrap());
        let start = Position::parse(&rules, text).unwrap();
        for _ in 0..25 {
            let (moves, _) = random_game(&rules, start, 60, &mut dice);
            let mut position = start;
            let mut game = Vec::new();
            for &mv in &moves {
                game.push(verdict(&reference, &rules, &position, mv));
                position = position.play(&rules, mv).unwrap();
            }
            lines += &format!("{}\n", json!({"start": text, "moves": texts(&moves)}));
            expected.push(game);
        }
    }
    let report = check(&lines, &[]).json();
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), expected.len());
    let mut kinds = std::collections::BTreeMap::<String, u64>::new();
    let mut lost = (0, 0);
    for (game, expected) in games.iter().zip(&expected) {
        let found: Vec<String> = game["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| format!("{} {}", mv["verdict"].as_str().unwrap(), mv["plies_lost"]))
            .collect();
        assert_eq!(&found, expected, "{game}");
        for verdict in expected {
            let (kind, plies) = verdict.split_once(' ').unwrap();
            *kinds.entry(kind.to_owned()).or_default() += 1;
            lost.0 += plies.parse::<u64>().unwrap();
        }
        for mv in game["moves"].as_array().unwrap() {
            lost.1 += u64::from(mv["before"]["category"] == mv["after"]["category"] && !mv["before"]["dtw"].is_null());
        }
    }
    for (kind, count) in &kinds {
        assert_eq!(report["total"]["verdicts"][kind], *count, "{kind}");
    }
    assert!(kinds.len() >= 5, "{kinds:?}");
    let mean = report["total"]["mean_plies_lost"].as_f64().unwrap();
    assert!((mean - f64::from(lost.0 as u32) / f64::from(lost.1 as u32)).abs() < 1e-9, "{mean} {lost:?}");
}

#[test]
fn two_hundred_long_games_in_both_layouts() {
    let rules = rules("standard");
    let usual = Position::start(&rules).unwrap();
    let mut dice = Dice(2);
    let (mut lines, mut known, mut plies) = (String::new(), Vec::new(), 0);
    for number in 0..200 {
        let start = if number % 2 == 0 { usual } else { usual.mirror() };
        let (moves, _) = random_game(&rules, start, 600, &mut dice);
        let mut position = start;
        let mut graded = 0;
        for &mv in &moves {
            let material = Material::of(&position);
            graded += usize::from(material.len() <= 3 && !material.is_one_sided());
            position = position.play(&rules, mv).unwrap();
        }
        known.push((moves.len(), graded));
        plies += moves.len();
        if number % 3 == 0 {
            lines += &format!("{}\n", json!({"moves": texts(&moves), "white": "A", "black": "B"}));
        } else {
            // The same as a single text, and with a start that does not determine left and right.
            let start = usual.to_text(&rules);
            lines += &format!("{}\n", json!({"moves": texts(&moves).join(" "), "start": start}));
        }
    }
    assert!(plies > 40_000, "{plies}");
    let report = check(&lines, &[]).json();
    for (number, (game, (plies, graded))) in report["games"].as_array().unwrap().iter().zip(&known).enumerate() {
        assert_eq!(game["layout"], if number % 2 == 0 { "usual" } else { "mirrored" }, "{number}");
        assert_eq!((game["plies"].as_u64(), game["moves"].as_array().unwrap().len()), (Some(*plies as u64), *graded));
        for finding in game["findings"].as_array().unwrap() {
            assert_eq!(finding["kind"], "repetition", "{finding}");
        }
    }
    let graded: usize = known.iter().map(|(_, graded)| graded).sum();
    assert!(graded > 5000, "{graded}");
    assert_eq!(report["total"]["graded"], graded);
    assert_eq!(report["players"][0]["games"], 67);
}

#[test]
fn what_is_wrong_with_one_game_does_not_touch_the_next() {
    let good = r#"{"moves":["a1b1"],"start":"7/7/7/7/7/7/6c/7/L6 w"}"#;
    let bad = [
        (r#"{"moves":["a1b1","#, "not a complete JSON object", true),
        (r#"{"moves":["a1b1"],"start":"7/7 w"}"#, "2 ranks", false),
        (r#"{"moves":["a1b1"],"start":17}"#, "start is 17", true),
        (r#"{"no":"moves"}"#, "no moves; write", true),
        ("[1,2]", "not a", true),
    ];
    for (line, phrase, on_stderr) in bad {
        let run = check(&format!("{good}\n{line}\n{good}\n"), &[]);
        assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
        let report = run.json();
        assert_eq!(report["total"]["graded"], 2, "{line}");
        if on_stderr {
            assert_fails(&run, 2, phrase, line);
            assert!(run.stderr.contains("line 2"), "{}", run.stderr);
        } else {
            assert!(report["games"][1]["findings"][0]["what"].as_str().unwrap().contains(phrase));
        }
    }
}

/// The findings for a game of these moves from this position.
fn findings(start: &str, moves: &str, result: &str, reason: &str) -> Vec<(usize, FindingKind, String)> {
    let rules = rules("standard");
    let record = json!({"start": start, "moves": moves, "result": result, "reason": reason}).to_string();
    let record = Records::new(record.as_bytes()).next().unwrap().unwrap();
    let review = Review::new(&shipped(&rules), &record);
    review.findings.into_iter().map(|finding| (finding.ply, finding.kind, finding.what)).collect()
}

#[test]
fn illegal_moves_and_results_that_cannot_be_are_found() {
    let lion = "7/7/7/7/7/7/6c/7/L6 w";
    let cases = [
        (lion, "a1b1 g3g2 b1b3", "*", "", 3, FindingKind::Illegal, "the lion cannot go there"),
        (lion, "a2a3", "*", "", 1, FindingKind::Illegal, "no piece on a2"),
        (lion, "g3g4", "*", "", 1, FindingKind::Illegal, "White's turn"),
        (lion, "a1b1 hello", "*", "", 2, FindingKind::Illegal, "not a move"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8d9 a1a2", "1-0", "", 2, FindingKind::Illegal, "comes after the end"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8d9", "0-1", "", 2, FindingKind::Result, "White has won by entering the den"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8d9", "1/2-1/2", "", 2, FindingKind::Result, "a draw but White"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8c8", "1-0", "den", 2, FindingKind::Result, "the game is not over"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8d9", "1-0", "no moves", 2, FindingKind::Result, "by entering the den"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8c8", "0-1", "", 2, FindingKind::Result, "White wins in"),
        (lion, "a1b1", "1-0", "repetition", 2, FindingKind::Result, "no position occurred 3 times"),
        (lion, "a1b1", "win for me", "", 2, FindingKind::Unreadable, "not a result"),
        (lion, "a1b1 g3g2 b1a1 g2g3 a1b1 g3g2 b1a1 g2g3", "*", "", 8, FindingKind::Repetition, "3rd time"),
    ];
    for (start, moves, result, reason, ply, kind, phrase) in cases {
        let found = findings(start, moves, result, reason);
        let [(at, found_kind, what)] = found.as_slice() else { panic!("{moves} {result}: {found:?}") };
        assert_eq!((*at, *found_kind), (ply, kind), "{moves} {result}: {what}");
        assert!(what.contains(phrase), "{what}");
    }
    let fine = [
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8d9", "1-0", "den entered"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8c8", "0-1", "time"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "d8c8", "1-0", ""),
        (lion, "a1b1 g3g2 b1a1 g2g3 a1b1 g3g2", "1/2-1/2", "agreed"),
    ];
    for (start, moves, result, reason) in fine {
        assert_eq!(findings(start, moves, result, reason), [], "{moves} {result} {reason}");
    }
}

#[test]
fn a_game_that_black_begins_is_understood() {
    let rules = rules("standard");
    let record = Records::new("g9g8 a1a2".as_bytes()).next().unwrap().unwrap();
    let review = Review::new(&shipped(&rules), &record);
    assert_eq!((review.plies, review.layout), (2, Layout::Usual), "{:?}", review.findings);
    let run = run_with_input(&["check", "games", "-", "--rules", "animal-checkers"], "a1a2\n");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stdout.contains("no start position is given"), "{}", run.stdout);
}

#[test]
fn annotated_games_are_read_again_and_graded_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (games, annotated, again) =
        (folder.path().join("games"), folder.path().join("annotated"), folder.path().join("again"));
    let lines = "[position 7/7/2r4/3L3/7/3c3/7/7/7 w] d6g6 c7c8 g6g7 0-1\n\
                 [position 7/7/2r4/3L3/7/3c3/7/7/7 b] c7d7 1-0 # a gift\n";
    fs::write(&games, lines).unwrap();
    let first = run(&["check", "games", "--json", text(&games), "--annotate", text(&annotated)]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let written = fs::read_to_string(&annotated).unwrap();
    assert!(written.contains("[Position \"7/7/2r4/3L3/7/3c3/7/7/7 w\"]"), "{written}");
    assert!(written.contains("1. d6g6?! {loss in 6; sooner by 2; best d6d7}"), "{written}");
    assert!(written.contains("1... c7d7??"), "{written}");
    let second = run(&["check", "games", "--json", text(&annotated), "--annotate", text(&again)]);
    assert_eq!(fs::read_to_string(&again).unwrap(), written);
    let strip = |run: &crate::common::Run| -> Vec<Json> {
        let mut games = run.json()["games"].as_array().unwrap().clone();
        for game in &mut games {
            let game = game.as_object_mut().unwrap();
            game.remove("file");
            game.remove("line");
        }
        games
    };
    assert_eq!(strip(&first), strip(&second));
}

#[test]
fn nothing_in_a_record_is_lost_by_annotating() {
    let folder = tempfile::tempdir().unwrap();
    let (games, out, again) = (folder.path().join("games"), folder.path().join("out"), folder.path().join("again"));
    // Names in Latin-1, an existing comment and variation, a mark that the grade replaces and one that is kept.
    let text_of_game = b"[White \"Jos\xe9\"]\n[Position \"7/7/2r4/3L3/7/3c3/7/7/7 w\"]\n\n{a study}\n\
        1. d6g6!! {a bold try} (1. d6d7 c7c8 {slow}) c7c8 $1 2. g6g7! *\n";
    fs::write(&games, text_of_game).unwrap();
    run(&["check", "games", text(&games), "--annotate", text(&out)]).good();
    let written = fs::read_to_string(&out).unwrap();
    for part in [
        "[White \"José\"]",
        "{a study} 1. d6g6?! {loss in 6; sooner by 2; best d6d7} {a bold try} (1. d6d7 c7c8 {slow})",
        "1... c7c8?! {win in 7; slower by 2; best d4d3} $1",
        "2. g6g7! {loss in",
    ] {
        let flat = written.replace('\n', " ");
        assert!(flat.contains(part), "{part}: {written}");
    }
    run(&["check", "games", text(&out), "--annotate", text(&again)]).good();
    assert_eq!(fs::read_to_string(&again).unwrap(), written);

    // An encoding that must be given.
    fs::write(&games, b"[White \"\xcf\xf3\"]\n\n1. a3a4 *\n").unwrap();
    let named = run(&["check", "games", text(&games), "--json", "--encoding", "gbk"]).good();
    assert_eq!(named.json()["games"][0]["players"]["white"], "象");
    // UTF-16 is detected.
    let bytes: Vec<u8> = "\u{feff}[White \"象\"]\n\n1. a3a4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&games, bytes).unwrap();
    assert_eq!(run(&["check", "games", text(&games), "--json"]).good().json()["games"][0]["players"]["white"], "象");
}

#[test]
fn an_unclosed_comment_loses_one_game_and_a_mark_makes_none() {
    let game = |name: &str, moves: &str| format!("[White \"{name}\"]\n\n{moves} *\n\n");
    let text = ["\u{feff}", &game("A", "1. a3a4"), &game("B", "1. a3a4 {oh"), &game("C", "1. a3a4")].concat();
    let run = check(&text, &[]);
    assert_fails(&run, 2, "-: line 7: a comment begins here and is not closed before the next game", "unclosed");
    let report = run.json();
    let names: Vec<_> = report["games"].as_array().unwrap().iter().map(|game| &game["players"]["white"]).collect();
    assert_eq!(names, ["A", "C"], "{report}");
    assert_eq!(report["unreadable"], 1);
}

#[test]
fn fail_on_looks_for_kinds() {
    let game = "[position 7/7/2r4/3L3/7/3c3/7/7/7 w] d6g6\n";
    for (kinds, code) in
        [("mistake", 1), ("sooner", 1), ("win-draw,sooner", 1), ("slower", 0), ("illegal", 0), ("win→loss", 0)]
    {
        let run = check(game, &["--fail-on", kinds]);
        assert_eq!(run.code, Some(code), "{kinds}: {}", run.stderr);
    }
    let illegal = "[position 7/7/2r4/3L3/7/3c3/7/7/7 w] d6d1\n";
    assert_eq!(check(illegal, &["--fail-on", "illegal"]).code, Some(1));
    assert_eq!(check(illegal, &[]).code, Some(0));
    assert_fails(&check(game, &["--fail-on", "bad-luck"]), 2, "give one of mistake, sooner", "an unknown kind");
    assert_fails(&run(&["check", "games", "no-such-file"]), 2, "no-such-file", "a missing file");
    let nowhere = run(&["check", "games", "README.md", "--annotate", "no/such/folder/out"]);
    assert_fails(&nowhere, 2, "no/such/folder/out", "a missing folder");
}

#[test]
fn a_damaged_table_is_told_and_the_rest_is_graded() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for name in ["LvR.wdl", "LvR.dtw", "EvE.dtw"] {
        let mut bytes = fs::read(format!("{SHIPPED}/standard/{name}")).unwrap();
        if name.starts_with("LvR") {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        }
        fs::write(folder.path().join("standard").join(name), bytes).unwrap();
    }
    let games = "[position 7/7/2r4/3L3/7/7/7/7/7 w] d6d7\n[position 7/7/7/e6/7/6E/7/7/7 w] g4g3\n";
    let run = check(games, &["--tables", text(folder.path())]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    let report = run.json();
    assert_eq!(report["games"][0]["findings"][0]["kind"], "damaged");
    assert_eq!(report["games"][1]["moves"].as_array().unwrap().len(), 1, "{report}");
}

#[test]
fn the_library_grades_a_move() {
    let rules = rules("standard");
    let tables = shipped(&rules);
    let position = Position::parse(&rules, "7/3L3/7/7/7/7/7/7/c6 w").unwrap();
    let grade = play::grade(&tables, &position, Move::parse("d8c8").unwrap()).unwrap();
    assert!(matches!(grade.verdict, Verdict::Slower(_)), "{grade:?}");
    assert_eq!(grade.best_text(), "d8d9");
    let illegal = play::grade(&tables, &position, Move::parse("d8d6").unwrap()).unwrap_err();
    assert!(matches!(illegal, play::GradeError::Illegal { .. }), "{illegal}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_stops_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Records::new(bytes.as_slice()).count();
    }

    #[test]
    fn no_record_stops_the_review(
        text in "(\\[[A-Za-z]{1,8} \"?[a-z0-9/ ]{0,12}\"?\\]\n|\\{|\\}|\"moves\":|[0-9]{1,2}\\.| |[a-g][1-9][a-g][1-9]|\n|1-0|\\(|\\)|;|#|é){0,40}"
    ) {
        let rules = rules("standard");
        let tables = shipped(&rules);
        for record in Records::new(text.as_bytes()).flatten() {
            let review = Review::new(&tables, &record);
            let annotated = review.annotated(&rules, &record);
            prop_assert!(review.plies <= record.moves.len());
            let mut again = Records::new(annotated.as_bytes());
            let again = again.next().unwrap().unwrap();
            prop_assert_eq!(again.moves.len(), review.plies, "{}", annotated);
        }
    }
}
