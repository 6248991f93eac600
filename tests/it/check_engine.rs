//! `check engine`: well-behaved engines are graded correctly, and no engine can hang or end the program.

use crate::common::{Run, SHIPPED, assert_fails, example, program, rules, run};
use jungletb::game::{Category, Move, Position};
use jungletb::material::Material;
use jungletb::solve::reference::Reference;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn check(options: &str, engine: &[&str]) -> Run {
    let options: Vec<&str> = options.split_whitespace().collect();
    run(&[&["check", "engine", "--json"], &options[..], &["--"], engine].concat())
}

const PROTOCOLS: [&str; 3] = ["jcei", "uci", "gtp"];

#[test]
fn a_perfect_engine_makes_no_mistake_in_any_protocol() {
    for protocol in PROTOCOLS {
        for quirk in ["", "--quirk whole-position,leopard-j", "--quirk first-side-r,clock-fields,first-side-black"] {
            let options = format!("--protocol {protocol} {quirk} --materials ERvL,LvR,CDvR --count 60 --play-out");
            let run = check(&options, &[example(), protocol, "best"]).good();
            let report = run.json();
            let total = &report["total"];
            assert_eq!((&total["graded"], &total["mistakes"]), (&180.into(), &0.into()), "{options}");
            let playouts = &total["playouts"];
            assert_eq!(playouts["ends"]["won"], playouts["played"], "{options}: {playouts}");
            assert!(playouts["played"].as_u64().unwrap() >= 50, "{playouts}");
            assert_eq!(playouts["most_extra"], 0, "{playouts}");
            assert_eq!(report["engine"]["name"], "example best");
        }
    }
}

#[test]
fn the_programs_own_play_is_perfect_in_every_class() {
    // Won positions are won in exactly the plies given by the tables. `scripts/check-engine` checks many more.
    for (protocol, count) in [("jcei", 200), ("uci", 30)] {
        let options = format!("--protocol {protocol} --pieces 3 --count {count} --depth 1 --play-out");
        let program = env!("CARGO_BIN_EXE_jungletb");
        let report = check(&options, &[program, "engine", "--tables", SHIPPED]).good().json();
        assert_eq!(report["materials"].as_array().unwrap().len(), 52);
        let (total, playouts) = (&report["total"], &report["total"]["playouts"]);
        assert_eq!((&total["graded"], &total["mistakes"]), (&(52 * count).into(), &0.into()), "{total}");
        assert_eq!((&playouts["ends"]["won"], &playouts["most_extra"]), (&playouts["played"], &0.into()), "{playouts}");
        assert!(playouts["played"].as_u64().unwrap() > 52 * count / 4, "{playouts}");
    }
}

#[test]
fn an_engine_with_another_layout_is_understood() {
    // The engine sees the mirror image; an asymmetric position shows whether moves are mirrored back.
    let sh = "read a; echo uciok; while read w x; do case $w in isready) echo readyok;; position) \
              case $x in *L6*) m=a8;; *) m=g8;; esac;; go) echo bestmove ${m}b8;; quit) exit;; esac; done";
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "7/L6/7/7/7/7/7/7/c6 w\n").unwrap();
    let options = format!("--positions {} --processes 1", crate::common::text(file.path()));
    let straight = check(&options, &["sh", "-c", sh]).json();
    assert_eq!(straight["trials"][0]["move"], "a8b8");
    let mirrored = check(&format!("{options} --quirk mirrored"), &["sh", "-c", sh]).json();
    assert_eq!(mirrored["trials"][0]["what"], "illegal move a8f8", "g8 and b8 turned back: {mirrored}");
}

/// The expected results of a random engine's trials, by the reference solver.
#[test]
fn the_mistakes_of_a_random_engine_are_counted_as_the_reference_solver_counts_them() {
    let rules = rules("standard");
    let mut reference = Reference::new(&rules);
    let run = check("--materials ERvL,PWvC,RvE --count 300 --seed 5", &[example(), "uci", "random"]);
    let report = run.good().json();
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for trial in report["trials"].as_array().unwrap() {
        let position = Position::parse(&rules, trial["position"].as_str().unwrap()).unwrap();
        reference.solve(Material::of(&position));
        let mv = Move::parse(trial["move"].as_str().unwrap()).unwrap();
        let next = position.play(&rules, mv).unwrap();
        let before = reference.value(&position);
        let (category, plies) = match next.over(&rules) {
            Some((_, category)) => (category, Some(0)),
            None => (reference.value(&next).category(), reference.value(&next).plies()),
        };
        let verdict = match (before.category(), category.reversed()) {
            (Category::Draw, Category::Draw) => "best".to_owned(),
            (same, other) if same == other && before.plies() == plies.map(|plies| plies + 1) => "best".to_owned(),
            (Category::Win, Category::Win) => "slower".to_owned(),
            (Category::Loss, Category::Loss) => "sooner".to_owned(),
            (before, after) => format!("{}→{}", before.name(), after.name()),
        };
        assert_eq!(trial["verdict"], verdict, "{trial}");
        assert_eq!((&trial["category"], &trial["dtw"]), (&before.category().name().into(), &before.plies().into()));
        *counts.entry(verdict).or_default() += 1;
    }
    assert_eq!(counts.values().sum::<u64>(), 900);
    assert!(counts.len() >= 5, "{counts:?}");
    for (verdict, count) in counts {
        assert_eq!(report["total"]["verdicts"][&verdict], count, "{verdict}");
    }
}

/// Checks an engine on six positions; returns the report, and asserts that it took only some seconds. Engines that hang
/// get short time limits, the others enough time even on a busy machine.
fn misbehave(protocol: &str, engine: &[&str]) -> Value {
    let begun = Instant::now();
    let hangs = engine.iter().any(|word| matches!(*word, "silent" | "deaf" | "chatty"));
    let patience = if hangs { 250 } else { 10_000 };
    let options = format!(
        "--protocol {protocol} --materials LvR --count 6 --processes 2 --movetime 20 --patience {patience} --play-out"
    );
    let run = check(&options, engine);
    assert_eq!(run.code, Some(0), "{engine:?}: {}", run.stderr);
    assert!(begun.elapsed() < Duration::from_secs(40), "{engine:?}");
    let report = run.json();
    assert_eq!(report["trials"].as_array().unwrap().len(), 6, "{engine:?}");
    report
}

#[test]
fn engines_that_misbehave_are_counted_and_started_again() {
    for protocol in PROTOCOLS {
        for (manner, failure) in [
            ("illegal", "illegal"),
            ("garbage", "unparsable"),
            ("no-move", "no-move"),
            ("crash", "crash"),
            ("orphan", "crash"),
            ("silent", "hang"),
            ("deaf", "hang"),
            ("chatty", "hang"),
        ] {
            let report = misbehave(protocol, &[example(), protocol, manner]);
            assert_eq!(report["total"]["failures"][failure], 6, "{protocol} {manner}: {}", report["total"]);
            assert_eq!(report["total"]["graded"], 0, "{protocol} {manner}");
            assert_eq!(report["worst"].as_array().unwrap().len(), 6, "{protocol} {manner}");
        }
        // Only occasionally: moves in between are graded.
        let report = misbehave(protocol, &[example(), protocol, "crash", "3"]);
        assert!(report["total"]["graded"].as_u64().unwrap() > 0, "{}", report["total"]);
        assert_eq!(report["total"]["mistakes"], 0);
        let ends = &report["total"]["playouts"]["ends"];
        assert!(ends["failed"].as_u64().unwrap() > 0, "{ends}");
        for manner in ["slow", "upper", "twice", "best"] {
            let report = misbehave(protocol, &[example(), protocol, manner]);
            let total = &report["total"];
            assert_eq!((&total["graded"], &total["mistakes"]), (&6.into(), &0.into()), "{protocol} {manner}: {total}");
            assert_eq!(total["playouts"]["most_extra"], 0, "{protocol} {manner}");
        }
    }
}

#[test]
fn an_engine_that_closes_its_output_early_has_crashed() {
    let uci = "read a; echo uciok; echo jceiok; read b; echo readyok; exec 1>&-; sleep 30";
    let gtp = "read a; printf '= x\\n\\n= false\\n\\n= false\\n\\n'; exec 1>&-; sleep 30";
    for (protocol, script) in [("uci", uci), ("jcei", uci), ("gtp", gtp)] {
        let report = misbehave(protocol, &["sh", "-c", script]);
        assert_eq!(report["total"]["failures"]["crash"], 6, "{protocol}: {}", report["total"]);
        assert!(report["trials"][0]["what"].as_str().unwrap().contains("closed its output"), "{report}");
    }
}

#[test]
fn an_illegal_answer_in_gtp_comes_with_the_engines_board() {
    let report = misbehave("gtp", &[example(), "gtp", "illegal"]);
    assert_eq!(report["trials"][0]["board"], "empty", "the example has lost its position by then");
}

#[test]
fn an_engine_that_does_not_start_is_given_up() {
    for engine in [&["no-such-engine"][..], &[example(), "uci", "refuse"], &["cat"]] {
        let run = check("--materials LvR --count 50 --processes 1 --patience 300", engine);
        let first = run.stderr.lines().next().unwrap_or_default();
        assert_eq!(run.code, Some(1), "{engine:?}: {}", run.stderr);
        assert!(first.contains("the engine cannot be started"), "{engine:?}: {first}");
        assert_eq!(run.stderr.lines().count(), 1);
        assert!(run.json()["trials"].as_array().unwrap().len() <= 3);
        if engine[0] == "cat" {
            break;
        }
    }
}

#[test]
fn bad_arguments_are_told() {
    assert_fails(&run(&["check", "engine"]), 2, "COMMAND", "no command");
    assert_fails(&check("--materials XvY", &["true"]), 2, "XvY", "a bad material");
    assert_fails(&check("--positions no-such-file", &["true"]), 2, "no-such-file", "a missing file");
    assert_fails(&check("--protocol gtp --depth 3", &["true"]), 2, "no depth limit", "a depth in gtp");
    assert_fails(&check("--option name", &["true"]), 2, "NAME=VALUE", "an option without a value");
    assert_fails(&check("--materials LTvPR --count 5", &["true"]), 4, "LTvPR", "a missing table");
    assert_fails(&check("--fail-on luck", &["true"]), 2, "give one of mistake", "an unknown kind");
}

#[test]
fn fail_on_looks_for_kinds() {
    let random = &[example(), "uci", "random"][..];
    let illegal = &[example(), "uci", "illegal", "7"][..];
    let best = &[example(), "uci", "best"][..];
    for (engine, kinds, code) in [
        (random, "mistake", 1),
        (random, "win-loss,win-draw", 1),
        (random, "failure", 0),
        (random, "not-won", 1),
        (illegal, "illegal", 1),
        (illegal, "failure", 1),
        (illegal, "crash", 0),
        (best, "mistake,failure,not-won", 0),
    ] {
        let run = check(&format!("--materials LvR --count 60 --play-out --fail-on {kinds}"), engine);
        assert_eq!(run.code, Some(code), "{engine:?} {kinds}: {}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_the_engines_too() {
    let mark = "600.0625";
    let mut child = program()
        .args(["check", "engine", "--json", "--movetime", "600000", "--materials", "LvR", "--"])
        .args(["sh", "-c", &format!("read a; echo uciok; read b; echo readyok; sleep {mark}")])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let command = format!("sleep\0{mark}\0");
    let running = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let commands = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
        commands.filter(|found| *found == command).count()
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while running() == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(running() > 0, "the engines have started");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < deadline, "it does not stop");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
    let deadline = Instant::now() + Duration::from_secs(2);
    while running() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(running(), 0, "an engine was left behind");
}
