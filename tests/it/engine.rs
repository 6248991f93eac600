//! The engine protocol: both dialects, limits, bad input, unusable tables, in memory and as a program.

use crate::common::{Run, SHIPPED, program, run, run_with_input};
use jungletb::game::{Move, Position, Rules};
use jungletb::play::engine;
use jungletb::probe::Tablebase;
use proptest::prelude::*;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A position that is in a shipped table, and its only best move.
const KNOWN: &str = "7/7/2r4/3L3/7/3c3/7/7/7 w";
const KNOWN_BEST: &str = "bestmove d6d7";
/// A position of four pieces, which is in no shipped table.
const UNKNOWN: &str = "l6/3c3/7/P6/7/7/7/7/6E w";

/// The engine's output for some input lines, with the shipped tables.
fn talk(input: &str) -> Vec<String> {
    talk_under("standard", SHIPPED, input.as_bytes())
}

fn talk_under(rules: &str, folder: impl AsRef<Path>, input: &[u8]) -> Vec<String> {
    let tables = Tablebase::open(folder, &Rules::preset(rules).unwrap()).unwrap();
    let mut output = Vec::new();
    engine::run(&tables, input, &mut output).unwrap();
    let text = String::from_utf8(output).expect("the engine writes UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(str::to_owned).collect()
}

fn starting<'a>(lines: &'a [String], start: &str) -> Vec<&'a str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with(start)).collect()
}

/// The last `bestmove`, which must be the only one.
#[track_caller]
fn only_best(lines: &[String]) -> &str {
    match starting(lines, "bestmove")[..] {
        [best] => best,
        _ => panic!("not one bestmove: {lines:?}"),
    }
}

/// The numbers that follow a word in `info` lines.
fn figures(lines: &[String], word: &str) -> Vec<u64> {
    let of_line = |line: &&str| {
        let mut words = line.split(' ').skip_while(|&other| other != word).skip(1);
        words.next().map(|figure| figure.parse().unwrap_or_else(|_| panic!("{word} in {line}")))
    };
    starting(lines, "info depth").iter().filter_map(of_line).collect()
}

#[test]
fn a_dialogue_in_jcei() {
    let input = format!(
        "jcei\nisready\nnewgame\nposition fen {KNOWN}\ngo movetime 1000\nposition fen {KNOWN} moves d6d7 c7c8\ngo depth 3\nquit\n"
    );
    let lines = talk(&input);
    assert_eq!(
        lines[..5],
        [
            concat!("id name jungletb ", env!("CARGO_PKG_VERSION")),
            "id author the jungletb authors",
            "jceiok",
            &format!("info string 52 tables of up to 3 pieces in {SHIPPED}"),
            "readyok"
        ]
    );
    assert!(lines[5].starts_with("info depth 8 seldepth 8 score mate -4 "), "{}", lines[5]);
    assert!(lines[5].ends_with(" pv d6d7 c7c8 d7d6 d4d3 d6d5 d3d2 d5d4 d2d1"), "{}", lines[5]);
    assert_eq!(lines[6], KNOWN_BEST);
    assert!(lines[7].starts_with("info depth 6 seldepth 6 score mate -3 "), "{}", lines[7]);
    assert_eq!((lines[8].as_str(), lines.len()), ("bestmove d7d6", 9));
}

#[test]
fn a_dialogue_in_uci_with_the_program() {
    let input = "uci\nsetoption name Hash value 2\nsetoption name Clear Hash\nisready\nucinewgame\n\
                 position startpos moves a1a2\ngo depth 5\n";
    let Run { stdout, .. } = run_with_input(&["engine"], input).good();
    let lines: Vec<String> = stdout.lines().map(str::to_owned).collect();
    assert_eq!(
        lines[2..4],
        ["option name Hash type spin default 16 min 1 max 65536", "option name Clear Hash type button"]
    );
    assert!(lines[4].starts_with("option name TablePath type string default "), "{}", lines[4]);
    assert_eq!(lines[5..8], ["uciok", &format!("info string 52 tables of up to 3 pieces in {SHIPPED}"), "readyok"]);
    assert_eq!(figures(&lines, "depth"), [1, 2, 3, 4, 5]);
    for word in ["nodes", "nps", "time", "seldepth", "hashfull", "tbhits"] {
        assert_eq!(figures(&lines, word).len(), 5, "{word}");
    }
    assert!(figures(&lines, "nodes").is_sorted() && figures(&lines, "time").is_sorted());
    // Scores and lines are well-formed, and the last line begins with the move played.
    let mut last = "";
    for line in starting(&lines, "info depth") {
        assert!(line.contains(" score cp "), "{line}");
        last = line.split_once(" pv ").unwrap().1;
        let rules = Rules::standard();
        let mut position = Position::start(&rules).unwrap().play(&rules, Move::parse("a1a2").unwrap()).unwrap();
        for mv in last.split(' ') {
            position = position.play(&rules, Move::parse(mv).unwrap()).unwrap_or_else(|| panic!("{line}: {mv}"));
        }
    }
    assert_eq!(only_best(&lines), format!("bestmove {}", last.split(' ').next().unwrap()));
}

#[test]
fn the_start_position_is_there_from_the_beginning_and_after_a_new_game() {
    let before = only_best(&talk("go depth 4\n")).to_owned();
    let after = talk(&format!("position fen {KNOWN}\nnewgame\ngo depth 4\n"));
    let told = talk("position startpos\ngo depth 4\n");
    assert_eq!((only_best(&after), only_best(&told)), (before.as_str(), before.as_str()));
}

#[test]
fn the_board_without_a_start_position_says_so() {
    let lines = talk_under("animal-checkers", SHIPPED, b"go depth 2\nposition startpos\n");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[0].starts_with("info string no tables for the rules animal-checkers in "), "{lines:?}");
    assert!(lines[1].starts_with("info string error: go: no position given"), "{lines:?}");
    assert_eq!(lines[2], "bestmove 0000");
    assert!(lines[3].starts_with("info string error: position: the board of animal-checkers has no"), "{lines:?}");
    let lines = talk_under("animal-checkers", SHIPPED, b"position fen e6/7/7/7/7/7/6E w\ngo depth 3\n");
    assert_ne!(only_best(&lines), "bestmove 0000");
}

#[test]
fn scores_of_known_wins_and_losses_are_full_moves() {
    for (position, score) in [
        ("7/3L3/7/7/7/7/7/7/c6 w", "mate 1"),
        ("7/3L3/7/7/7/7/7/7/c6 b", "mate -1"),
        (KNOWN, "mate -4"),
        ("l6/7/7/P6/7/7/7/7/6E w", "mate 34"),
        ("3L3/7/7/7/7/7/7/7/c6 b", "mate 0"),
    ] {
        let lines = talk(&format!("position fen {position}\ngo\n"));
        let info = starting(&lines, "info depth").join("\n");
        assert!(info.contains(&format!(" score {score}")), "{position}: {lines:?}");
    }
    // A draw scores zero.
    let draw = talk("position fen 7/7/7/7/2r4/7/L6/7/7 w\ngo\n");
    assert!(starting(&draw, "info depth")[0].contains(" score cp 0 "), "{draw:?}");
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    for position in ["3L3/7/7/7/7/7/7/7/c6 b", "7/7/7/7/7/7/7/7/E6 b", "cL5/E6/7/7/7/7/7/7/7 b"] {
        let lines = talk(&format!("position fen {position}\ngo movetime 50\n"));
        assert_eq!(only_best(&lines), "bestmove 0000", "{position}");
        assert!(starting(&lines, "info string the game is over: ").len() == 1, "{lines:?}");
    }
    // After a move that ends the game no further move is legal.
    let lines = talk(
        "position fen 7/3L3/7/7/7/7/7/7/c6 w moves d8d9\ngo\nposition fen 7/3L3/7/7/7/7/7/7/c6 w moves d8d9 a1a2\ngo\n",
    );
    assert_eq!(starting(&lines, "bestmove"), ["bestmove 0000", "bestmove 0000"]);
    assert!(starting(&lines, "info string error")[0].contains("move 2, a1a2, is not legal"), "{lines:?}");
}

#[test]
fn bad_input_is_reported_and_the_last_good_position_stays() {
    let long = "position fen ".to_owned() + &"7/".repeat(1 << 20);
    let bad = [
        "hello",
        "position",
        "position fen",
        "position fen w",
        "position fen 7/7/7/7/7/7/7/7/7 w",
        "position fen X6/7/7/7/7/7/7/7/e6 w",
        "position fen EE5/7/7/7/7/7/7/7/e6 w",
        "position fen 7/7/7/1E5/7/7/7/7/e6 w",
        "position fen 7/7/2r4/3L3/7/3c3/7/7/7",
        "position fen 7/7/2r4/3L3/7/3c3/7/7/7 x",
        "position fen 7/7/2r4/3L3/7/3c3/7/7/7 w moves d6d9",
        "position fen 7/7/2r4/3L3/7/3c3/7/7/7 w moves d6d7 nonsense",
        "position fen 7/7/2r4/3L3/7/3c3/7/7/7 w moves d6d7 d7d6",
        "position startpos moves a9a8",
        "setoption name TablePath value",
        "setoption name TablePath value /dev/null",
        "setoption",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Colour value red",
        "\u{1b}[31m",
        &long,
    ];
    for line in bad {
        let lines = talk(&format!("position fen {KNOWN}\n{line}\ngo movetime 10000\n"));
        let short: String = line.chars().take(80).collect();
        assert_eq!(starting(&lines, "info string error: ").len(), 1, "{short:?}: {lines:?}");
        assert!(lines.iter().all(|line| !line.contains(char::is_control)), "{short:?}: {lines:?}");
        assert_eq!(only_best(&lines), KNOWN_BEST, "{short:?}");
    }
    let mut bytes = format!("position fen {KNOWN}\n").into_bytes();
    bytes.extend(b"position fen \xff\xfe\n\x00\x00\ngo\n");
    let lines = talk_under("standard", SHIPPED, &bytes);
    assert_eq!((starting(&lines, "info string error: ").len(), only_best(&lines)), (2, KNOWN_BEST));
}

#[test]
fn what_other_programs_send_besides_is_taken_quietly() {
    let input =
        format!("\n  \r\ndebug on\nregister later\nstop\nponderhit\r\n  position   fen {KNOWN} - 0 1 \r\ngo\r\n");
    let lines = talk(&input);
    assert_eq!((lines.len(), only_best(&lines)), (2, KNOWN_BEST));
    let white = KNOWN.replace(" w", " r");
    assert_eq!(only_best(&talk(&format!("position fen {white}\ngo\n"))), KNOWN_BEST);
}

#[test]
fn at_the_end_of_the_input_a_limited_search_is_waited_for_and_another_is_stopped() {
    for go in ["go depth 6", "go nodes 20000", "go movetime 300", "go wtime 3000 btime 1"] {
        let lines = talk(&format!("position fen {UNKNOWN}\n{go}"));
        assert!(only_best(&lines).len() > 9, "{go}: {lines:?}");
        assert!(figures(&lines, "depth").len() > 2, "{go}: {lines:?}");
        if go.contains("depth") {
            assert_eq!(figures(&lines, "depth").last(), Some(&6));
        }
        assert!(!go.contains("nodes") || figures(&lines, "nodes").iter().all(|&nodes| nodes <= 20_000));
    }
    for go in ["go", "go infinite", "go btime 100", "go infinite depth 2", "go depth 99999999999999999999 infinite"] {
        let lines = talk(&format!("position startpos\n{go}\n"));
        assert!(only_best(&lines).len() > 9, "{go}: {lines:?}");
    }
}

#[test]
fn an_answer_to_go_infinite_waits_for_stop() {
    for position in [format!("fen {KNOWN}"), format!("fen {UNKNOWN}"), "fen 3L3/7/7/7/7/7/7/7/c6 b".to_owned()] {
        let lines = talk(&format!("position {position}\ngo infinite depth 1\nisready\nstop\nisready\nstop\n"));
        let order: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.starts_with("info")).collect();
        assert_eq!((order[0], order[2], order.len()), ("readyok", "readyok", 3), "{lines:?}");
        assert!(order[1].starts_with("bestmove"), "{lines:?}");
    }
}

#[test]
fn commands_that_need_the_searcher_stop_a_search_first() {
    for command in ["go depth 1", "newgame", "setoption name Hash value 1", "setoption name Clear Hash", "quit"] {
        let lines = talk(&format!("go infinite\n{command}\n"));
        let expected = 1 + usize::from(command.starts_with("go"));
        assert_eq!(starting(&lines, "bestmove").len(), expected, "{command}: {lines:?}");
        assert!(!lines.contains(&"bestmove 0000".to_owned()), "{command}: {lines:?}");
        assert_eq!(starting(&lines, "info string error").len(), 0, "{command}: {lines:?}");
    }
    // A new position is accepted while the search of the old one runs.
    let lines = talk(&format!("go infinite\nposition fen {KNOWN}\nstop\ngo\n"));
    assert_eq!(starting(&lines, "bestmove")[1..], [KNOWN_BEST]);
}

#[test]
fn time_limits_are_kept() {
    for (go, most) in [("go movetime 200", 200), ("go wtime 2000 btime 2000", 1000), ("go movetime 0", 0)] {
        let start = Instant::now();
        let lines = talk(&format!("{go}\n"));
        assert!(only_best(&lines).len() > 9, "{lines:?}");
        // Includes opening files and other load on the machine.
        assert!(start.elapsed() < Duration::from_millis(most + 2000), "{go}: {:?}", start.elapsed());
        assert!(figures(&lines, "time").iter().all(|&time| time <= most + 1000), "{go}: {lines:?}");
        if go == "go movetime 200" {
            assert!(figures(&lines, "depth").len() > 3, "{lines:?}");
        }
    }
}

#[test]
fn the_program_stops_when_told_to() {
    let mut child =
        program().arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut until = |start: &str| lines.by_ref().find(|line| line.starts_with(start)).unwrap();
    input.write_all(b"uci\n").unwrap();
    until("uciok");
    input.write_all(b"position startpos\ngo infinite\n").unwrap();
    until("info depth 4");
    input.write_all(b"isready\n").unwrap();
    until("readyok");
    let start = Instant::now();
    input.write_all(b"stop\n").unwrap();
    until("bestmove");
    assert!(start.elapsed() < Duration::from_secs(2));
    input.write_all(b"go infinite\nquit\n").unwrap();
    until("bestmove");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child =
        program().arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The engine may have ended before the second line.
    let _ = input.write_all(b"go movetime 100\n").and_then(|()| input.write_all(b"isready\nisready\n"));
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn arguments_are_those_of_every_command() {
    let run = run(&["engine", "--rules", "nonsense"]);
    crate::common::assert_fails(&run, 2, "nonsense", "unknown rules");
    let input = "position fen 7/7/7/7/7/7/7/E5r/7 w\ngo depth 3\n";
    let Run { stdout, .. } = run_with_input(&["engine", "--rules", "leiden", "--tables", "no tables"], input).good();
    assert!(stdout.contains("bestmove a2"), "{stdout}");
}

/// Shipped table files in a separate folder.
fn with_tables(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for file in files {
        fs::copy(Path::new(SHIPPED).join("standard").join(file), folder.path().join("standard").join(file)).unwrap();
    }
    folder
}

#[test]
fn a_damaged_table_is_reported_once_and_played_without() {
    let folder = with_tables(&["PRvL.wdl", "PRvL.dtw", "EvL.wdl", "EvL.dtw"]);
    for (damaged, still_known) in [(&["PRvL.dtw"][..], true), (&["PRvL.dtw", "PRvL.wdl"], false)] {
        for file in damaged {
            let path = folder.path().join("standard").join(file);
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0x55);
            fs::write(&path, bytes).unwrap();
        }
        let input =
            format!("position fen {KNOWN}\ngo depth 6\ngo depth 6\nposition fen {KNOWN} moves d6d7\ngo depth 5\n");
        let lines = talk_under("standard", folder.path(), input.as_bytes());
        let complaints: Vec<&str> =
            starting(&lines, "info string").into_iter().filter(|line| line.contains("damaged")).collect();
        assert_eq!(complaints.len(), damaged.len(), "{lines:?}");
        for file in damaged {
            assert_eq!(complaints.iter().filter(|line| line.contains(file)).count(), 1, "{lines:?}");
        }
        let best = starting(&lines, "bestmove");
        assert_eq!(best.len(), 3, "{lines:?}");
        assert!(best.iter().all(|best| *best != "bestmove 0000"), "{lines:?}");
        assert_eq!(figures(&lines, "tbhits").iter().any(|&hits| hits > 0), still_known, "{lines:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_break_the_conversation(
        lines in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                "(go|position|setoption|stop|uci|newgame)( (fen|startpos|moves|depth 2|movetime 3|nodes 50|infinite|\
                 name|Hash|value|1|-7|a1a2|99999999999999999999|7/7/2r4/3L3/7/3c3/7/7/7 w)){0,5}"
                    .prop_map(String::into_bytes),
            ],
            0..12,
        )
    ) {
        let mut input = lines.join(&b'\n');
        // After any input, the engine still listens and plays.
        input.extend(format!("\nposition fen {KNOWN}\nisready\ngo movetime 5\n").into_bytes());
        let said = talk_under("standard", SHIPPED, &input);
        prop_assert!(said.contains(&"readyok".to_owned()));
        prop_assert_eq!(said.last().map(String::as_str), Some(KNOWN_BEST));
    }
}

/// A program that waits for a move would wait forever if a `go` were not answered.
#[test]
fn every_go_has_one_bestmove() {
    for (go, complaints) in [
        ("go searchmoves d6g6 d6a6 depth 3", 0),
        ("go depth 2 searchmoves d6g6 c7c8 nonsense", 2),
        ("go depth 2 searchmoves c7c8", 2),
        ("go searchmoves depth 2", 0),
        ("go mate 1", 0),
        ("go sideways depth 2", 0),
        ("go depth", 1),
        ("go depth three", 1),
        ("go movetime 1e9", 1),
        ("go depth 2 movetime x wtime", 2),
        ("go ponder depth 2\nponderhit", 0),
        ("go ponder\nstop", 0),
        ("go infinite searchmoves d6g6\nstop\nponderhit", 0),
    ] {
        for position in [KNOWN, "7/7/2r4/3L3/7/3c3/7/7/E6 w"] {
            let lines = talk(&format!("position fen {position}\n{go}\n"));
            assert!(only_best(&lines).len() >= 13, "{go}: {lines:?}");
            assert_eq!(starting(&lines, "info string error: go: ").len(), complaints, "{go}: {lines:?}");
        }
    }
}

#[test]
fn moves_to_choose_from() {
    // By the tables: d6d7 loses in 8 and the three others in 6.
    for (moves, best, score) in [
        ("d6d7 d6g6", "d6d7", "mate -4"),
        ("d6g6", "d6g6", "mate -3"),
        ("d6g6 d6a6", "d6a6", "mate -3"),
        ("d6d5 d6d9", "d6d5", "mate -3"),
    ] {
        let lines = talk(&format!("position fen {KNOWN}\ngo searchmoves {moves}\n"));
        assert_eq!(only_best(&lines), format!("bestmove {best}"), "{moves}");
        assert!(lines.iter().any(|line| line.contains(&format!(" score {score} "))), "{moves}: {lines:?}");
    }
    // By search: one move is forced by `searchmoves`, and its result must not affect later searches.
    let alone = talk("position startpos\ngo depth 4\n");
    let lines = talk("position startpos\ngo depth 4 searchmoves a1a2\ngo depth 4\n");
    let best = starting(&lines, "bestmove");
    assert_eq!(best.len(), 2);
    assert_eq!((best[0], best[1] == "bestmove a1a2"), ("bestmove a1a2", only_best(&alone) == "bestmove a1a2"));
    // The second `go` may have come before the first was finished.
    for line in lines.iter().take_while(|line| !line.starts_with("bestmove")) {
        assert!(line.contains(" pv a1a2"), "{line}");
    }
    // Into the den at once, unless that is not among the moves.
    let lines = talk("position fen 7/3L3/7/7/7/7/E6/7/c6 w\ngo depth 2 searchmoves a3a4\n");
    assert_eq!(only_best(&lines), "bestmove a3a4");
}

/// The answer after some moves of a game.
fn after(position: &str, moves: &[&str]) -> String {
    let lines = talk(&format!("position fen {position} moves {}\ngo movetime 100\n", moves.join(" ")));
    assert_eq!(starting(&lines, "info string error").len(), 0, "{lines:?}");
    only_best(&lines)["bestmove ".len()..].to_owned()
}

/// Finds positions of a table with two equally fast wins, plays the preferred one back and forth, and checks that the
/// third occurrence is avoided.
#[test]
fn a_won_position_is_not_repeated_a_third_time_and_a_lost_one_is() {
    let rules = Rules::standard();
    let tables = Tablebase::open(SHIPPED, &rules).unwrap();
    let reverse = |mv: &str| format!("{}{}", &mv[2..], &mv[..2]);
    let (mut won, mut lost) = (0, 0);
    for at in 0..63_u8 {
        for other in (0..63_u8).step_by(5) {
            let mut squares = [[Position::OFF_BOARD; 8]; 2];
            (squares[0][6], squares[1][0]) = (at, other);
            let Ok(position) = Position::from_squares(&rules, &squares, jungletb::game::Color::White) else { continue };
            if position.check(&rules).is_err() {
                continue;
            }
            let ranked = tables.moves(&position).unwrap();
            let [first, second, ..] = &ranked[..] else { continue };
            let value = |mv: &jungletb::probe::RankedMove| mv.answer.unwrap();
            if value(first) != value(second) || value(first).dtw.is_none() || first.capture.is_some() || first.den {
                continue;
            }
            // White moves there and back, Black as well: the position after White's move recurs.
            let Some(reply) = first.position.successors(&rules).find(|reply| reply.capture.is_none()) else { continue };
            let (mv, answer) = (first.mv.to_string(), reply.mv.to_string());
            let round = [mv.clone(), answer.clone(), reverse(&mv), reverse(&answer)];
            let game: Vec<&str> = round.iter().cycle().take(8).map(String::as_str).collect();
            let mut next = Some(position);
            for mv in &game {
                next = next.and_then(|position| position.play(&rules, Move::parse(mv).unwrap()));
            }
            if next != Some(position) {
                continue;
            }
            let text = position.to_text(&rules);
            let is_win = value(first).category == jungletb::game::Category::Loss;
            assert_eq!(after(&text, &[]), mv, "{text}: without a past, the first");
            if is_win {
                assert_ne!(after(&text, &game[..4]), mv, "{text}: once already");
                assert_ne!(after(&text, &game), mv, "{text}: twice already");
                won += 1;
            } else {
                assert_eq!(after(&text, &game), mv, "{text}: the third time");
                lost += 1;
            }
            if won > 3 && lost > 3 {
                return;
            }
        }
    }
    assert!(won > 2 && lost > 2, "{won} won, {lost} lost");
}

#[test]
fn the_option_table_path() {
    let nowhere = tempfile::tempdir().unwrap();
    let missing = |lines: &[String]| starting(lines, "info string no tables for the rules standard in ").len();
    // Reported once, for any first command.
    for input in
        ["uci\nisready\nucinewgame\ngo depth 1\ngo depth 1\n", "go depth 1\ngo depth 1\n", "jcei\ngo depth 1\n"]
    {
        let lines = talk_under("standard", nowhere.path(), input.as_bytes());
        assert_eq!(missing(&lines), 1, "{input}: {lines:?}");
    }
    assert_eq!(missing(&talk("uci\ngo depth 1\n")), 0);

    // Another folder, with spaces in its name, during a game; the position and the size of the hash table are kept.
    let named = nowhere.path().join("my  tables");
    fs::create_dir(&named).unwrap();
    let to = named.join("standard");
    fs::create_dir(&to).unwrap();
    for file in Path::new(SHIPPED).join("standard").read_dir().unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    let path = named.to_str().unwrap();
    let input = format!(
        "uci\nsetoption name Hash value 2\nposition fen {KNOWN}\ngo infinite\nsetoption name TablePath value {path}\n\
         go movetime 100\nsetoption name TablePath value /no/such:{path}\ngo movetime 100\n"
    );
    let lines = talk_under("standard", nowhere.path(), input.as_bytes());
    let best = starting(&lines, "bestmove");
    assert_eq!((best.len(), &best[1..]), (3, &[KNOWN_BEST, KNOWN_BEST][..]), "{lines:?}");
    assert_eq!(starting(&lines, &format!("info string 52 tables of up to 3 pieces in {path}")).len(), 2, "{lines:?}");
    assert_eq!(figures(&lines, "tbhits").last(), Some(&1));
    assert_eq!(missing(&lines), 1);

    let lines = talk("setoption name TablePath value /no/such/folder\nposition startpos\ngo depth 1\n");
    assert_eq!(missing(&lines), 1, "{lines:?}");
    let lines = talk(&format!("setoption name TablePath value /dev/null\nposition fen {KNOWN}\ngo movetime 100\n"));
    assert_eq!(
        (starting(&lines, "info string error: setoption: TablePath: ").len(), only_best(&lines)),
        (1, KNOWN_BEST)
    );
}
