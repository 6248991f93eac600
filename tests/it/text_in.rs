//! Text input: in every spelling, all interfaces parse the same position, material and rules.

use crate::common::{SHIPPED, assert_fails, program, run, run_with_input, tables, text};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;

const POSITION: &str = "7/7/2r4/3L3/7/3c3/7/7/7 w";

/// [`POSITION`] in many spellings, which the tests of the page read too.
fn spellings() -> Vec<String> {
    let spellings: Vec<String> = serde_json::from_str(include_str!("../data/spellings.json")).unwrap();
    assert_eq!((spellings.len(), spellings[0].as_str()), (26, POSITION));
    spellings
}

#[test]
fn a_position_in_any_spelling_on_the_command_line() {
    let tables = tables("standard", "3");
    let expected = tables.run("probe --json", "standard", &[POSITION]).good().stdout;
    for spelling in spellings() {
        assert_eq!(tables.run("probe --json", "standard", &[&spelling]).good().stdout, expected, "{spelling}");
    }
    for side in ["b", "B", "black", "Black", "BLACK;"] {
        let position = format!("7/7/2r4/3L3/7/3c3/7/7/7 {side}");
        let answer = tables.run("probe --json", "standard", &[&position]).good().json();
        assert_eq!(answer["position"], "7/7/2r4/3L3/7/3c3/7/7/7 b");
    }
    let start = run(&["perft", "StartPos", "2", "--json"]).good();
    assert_eq!(start.json()["counts"], serde_json::json!([24, 576]));
    let cases = [
        (vec!["probe", "startpos moves a1a2"], "moves after a position are not supported"),
        (vec!["probe", "7/7/2r4/3L3/7/3c3/7/7/7 w moves d6d7"], "moves after a position are not supported"),
        (vec!["perft", "startpos", "1", "--rules", "animal-checkers"], "animal-checkers has no start position"),
        (vec!["probe", "http://host/?rules=german&position=7/7/2r4/3L3/7/3c3/7/7/7_w"], "the link is to a position"),
        (vec!["probe", "http://host/?material=LvR"], "has no position=…"),
        (vec!["probe", "\"\""], "no position given"),
        (vec!["probe", "7/7/2r4/3L3/7/3c3/7/7/7 ws"], "side to move is \"ws\""),
    ];
    for (arguments, phrase) in cases {
        assert_fails(&run(&arguments), 2, phrase, &format!("{arguments:?}"));
    }
}

/// Lines of a file in its spelling, including `#` and empty lines.
#[test]
fn batches_skip_comments_and_keep_their_order() {
    let tables = tables("standard", "3");
    let expected = tables.run("probe --json", "standard", &[POSITION]).good().json();
    let input = format!(
        "\u{feff}# positions\r\n\r\n{}\r\n   \n#end\n",
        spellings().iter().map(|text| text.trim()).collect::<Vec<_>>().join("\r\n")
    );
    let arguments = ["probe", "--batch", "-", "--tables", tables.text()];
    let answers = run_with_input(&arguments, input).good().json_lines();
    assert_eq!(answers.len(), spellings().len());
    assert!(answers.iter().all(|answer| *answer == expected), "{answers:?}");

    let long = "x".repeat(100 << 20);
    let input = format!("{POSITION}\n{long}\n#{long}\nE6 {}\n{POSITION}", "y".repeat(500));
    let run = run_with_input(&arguments, input);
    assert_eq!((run.code, &*run.stderr), (Some(2), ""));
    let answers = run.json_lines();
    assert_eq!((answers.len(), &answers[0], &answers[3]), (4, &expected, &expected));
    for (answer, error) in [
        (&answers[1], "bad position: the line is longer than 64.0 KiB"),
        (&answers[2], "bad position: 1 rank, but the board has 9"),
    ] {
        assert_eq!((answer["error"].as_str(), answer["code"].as_str()), (Some(error), Some("bad-position")));
        let quoted = answer["position"].as_str().unwrap();
        assert!(quoted.chars().count() == 81 && quoted.ends_with('…'), "{quoted}");
    }
}

/// Devices and files of other kinds soon give a one-line error.
#[test]
#[cfg(unix)]
fn what_is_no_text_is_refused_with_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, device) = (folder.path().join("large.toml"), folder.path().join("zero.toml"));
    fs::File::create(&rules).unwrap().set_len(2 << 20).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    let utf16 = folder.path().join("utf16.txt");
    fs::write(&utf16, b"\xff\xfe7\0/\0").unwrap();
    let true_path = if std::path::Path::new("/bin/true").exists() { "/bin/true" } else { "/usr/bin/true" };
    for (arguments, phrase) in [
        (vec!["probe", "--batch", "/dev/zero"], "line 1 is longer than 256.0 MiB: this is not text"),
        (vec!["check", "engine", "--positions", "/dev/zero", "--", true_path], "line 1 is longer than 256.0 MiB"),
        (vec!["prove", "--batch", "/dev/zero"], "line 1 is longer than 256.0 MiB"),
        (vec!["check", "games", "/dev/zero"], "line 1 is longer than 256.0 MiB"),
        (vec!["puzzles", "--games", "/dev/zero"], "line 1 is longer than 256.0 MiB"),
        (vec!["rules", text(&rules)], "it is larger than the limit of 1.0 MiB"),
        (vec!["rules", text(&device)], "it is not a regular file"),
        (vec!["probe", "--batch", text(&utf16)], "it is UTF-16; save it as UTF-8"),
        (vec!["probe", "--batch", text(folder.path())], "directory"),
    ] {
        assert_fails(&run(&arguments), 2, phrase, &format!("{arguments:?}"));
    }
    let tables = tempfile::tempdir().unwrap();
    fs::File::create(tables.path().join("CHECKSUMS")).unwrap().set_len(65 << 20).unwrap();
    let listed = run(&["list", "--tables", text(tables.path())]);
    assert!(listed.code == Some(1) && listed.stderr.contains("larger than the limit of 64.0 MiB"), "{listed:?}");
}

#[test]
fn materials_in_any_spelling() {
    let tables = tables("standard", "3");
    let expected = tables.run("stats --json", "standard", &["LvR"]).good().stdout;
    for spelling in [
        "lvr",
        "LVR",
        "lvR",
        "L v R",
        "LvsR",
        "L vs. r",
        "L:R",
        "L_v_R",
        "\"LvR\"",
        "lion v rat",
        "Lion versus Rat",
        "Löwe gegen Ratte",
        "лев против крыса",
        "狮对鼠",
        "獅対鼠",
        "ライオン:ネズミ",
    ] {
        assert_eq!(tables.run("stats --json", "standard", &[spelling]).good().stdout, expected, "{spelling}");
    }
    // As several arguments, next to others.
    let words = tables.run("stats --json", "standard", &["L", "v", "R"]).good();
    assert_eq!(words.stdout, expected);
    let two = tables.run("stats --json", "standard", &["cat", "v", "dog", "LvR"]).good().json();
    let names: Vec<&str> = two.as_array().unwrap().iter().map(|one| one["material"].as_str().unwrap()).collect();
    assert_eq!(names, ["CvD", "LvR"]);
    let csv = |words: &[&str]| tables.run("export --format csv", "standard", words).good().stdout;
    assert_eq!(csv(&["lion", "v", "rat"]), csv(&["LvR"]));
    for (words, phrase) in [
        (vec!["export", "--format", "csv", "LvR", "CvD"], "name one material"),
        (vec!["stats", "3"], "name materials such as ERvL, not a number of pieces"),
        (vec!["stats", "lion", "rat"], "write White's letters, v"),
        (vec!["stats", "LvRvC"], "write two sides"),
    ] {
        assert_fails(&run(&words), 2, phrase, &format!("{words:?}"));
    }
}

#[test]
fn numbers_of_pieces_wherever_materials_are() {
    let tables = tables("standard", "3");
    let list = |words: &[&str]| {
        let list = tables.run("list --json", "standard", words).good().json();
        list["tables"].as_array().unwrap().len()
    };
    assert_eq!((list(&["2"]), list(&["3"]), list(&["2", "LvCR"]), list(&["lvr"])), (10, 52, 11, 1));
    let verify = |words: &[&str]| {
        let checked = tables.run("verify --checksums --json", "standard", words).good().json();
        checked["tables"].as_array().unwrap().len()
    };
    assert_eq!((verify(&["2"]), verify(&["4"]), verify(&["2", "LvCR"])), (10, 52, 11));
    assert_fails(&tables.run("verify", "standard", &["9"]), 2, "give a number from 2 to 8", "verify 9");
}

#[test]
fn rules_in_any_case_and_files_in_any_script() {
    for name in ["Standard", "STANDARD", "standard"] {
        let list = run(&["list", "--rules", name, "--json", "--tables", SHIPPED, "2"]).good().json();
        assert_eq!(list["rules"], "standard");
    }
    let folder = tempfile::tempdir().unwrap();
    let bytes = "\u{feff}base = \"Leiden\"\r\n# a comment\r\n[jumps]\r\nleopard = \"across\"\r\n";
    for name in ["правила.toml", "规则.toml", "Regeln-für-Löwen.TOML"] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let rules = run(&["rules", text(&path), "--json"]).good().json();
        assert_eq!(rules["name"], name.rsplit_once('.').unwrap().0);
        assert_eq!((&rules["elephant_takes_rat"], &rules["jumps"]["leopard"]), (&"always".into(), &"across".into()));
    }
}

/// Names that are not UTF-8 reach the system unchanged.
#[test]
#[cfg(target_os = "linux")]
fn file_names_of_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9 '1"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("house.toml"), "base = \"german\"").unwrap();
    fs::write(odd.join("positions"), format!("{POSITION}\n")).unwrap();
    let command = |arguments: &[&std::ffi::OsStr]| program().args(arguments).output().unwrap();
    let (rules, positions) = (odd.join("house.toml"), odd.join("positions"));
    let made = command(&[
        "generate".as_ref(),
        "2".as_ref(),
        "-q".as_ref(),
        "--rules".as_ref(),
        rules.as_ref(),
        "--tables".as_ref(),
        odd.as_ref(),
    ]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let probed = command(&[
        "probe".as_ref(),
        "--batch".as_ref(),
        positions.as_ref(),
        "--rules".as_ref(),
        rules.as_ref(),
        "--tables".as_ref(),
        odd.as_ref(),
    ]);
    assert_eq!(probed.status.code(), Some(4), "{probed:?}");
    // A shell accepts the suggested command.
    let answer: Value = serde_json::from_slice(&probed.stdout).unwrap();
    let error = answer["error"].as_str().unwrap();
    let suggested = error.split('`').nth(1).unwrap().strip_prefix("jungletb ").unwrap();
    assert!(!suggested.contains('\u{fffd}'), "{suggested}");
    let script = format!("{} {suggested} --estimate", env!("CARGO_BIN_EXE_jungletb"));
    let estimated = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let told = String::from_utf8(estimated.stdout).unwrap();
    assert!(estimated.status.success() && told.contains("house"), "{script}: {told}");
}

#[test]
fn options_after_an_engine_are_our_own() {
    let tables = tables("standard", "2");
    let engine = env!("CARGO_BIN_EXE_jungletb");
    let arguments = ["check", "engine", "--count", "1", "--materials", "LvR", "--protocol", "gtp", engine];
    let common = ["--rules", "standard", "--tables", tables.text(), "--patience", "20"];
    let run = run(&[&arguments[..], &common[..]].concat());
    assert!(!run.stderr.contains("--rules"), "{run:?}");
    let words = ["check", "engine", engine, "--frobnicate"];
    assert_fails(&crate::common::run(&words), 2, "see `jungletb check engine --help`", "its own option");
}

#[test]
fn errors_name_the_help_of_their_subcommand() {
    for (arguments, help) in [
        (vec!["frobnicate"], "see `jungletb --help`"),
        (vec!["list", "--frobnicate"], "see `jungletb list --help`"),
        (vec!["--tables", "x", "check", "games"], "see `jungletb check games --help`"),
        (vec!["man", "frobnicate"], "see `jungletb --help`"),
    ] {
        assert_fails(&run(&arguments), 2, help, &format!("{arguments:?}"));
    }
}

#[test]
fn every_subcommand_has_a_manual_page_and_every_page_that_is_named_is_there() {
    let folder = tempfile::tempdir().unwrap();
    run(&["man", "--out", text(folder.path())]).good();
    let files: Vec<String> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["jungletb.1", "jungletb-probe.1", "jungletb-re-encode.1", "jungletb-check.1", "jungletb-check-games.1"]
    {
        assert!(files.iter().any(|file| file == name), "{name}: {files:?}");
    }
    for file in &files {
        let page = fs::read_to_string(folder.path().join(file)).unwrap();
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"] {
            assert!(
                page.contains(&format!(".SH {section}\n")) || page.contains(&format!(".SH \"{section}\"\n")),
                "{file}: {section}"
            );
        }
        let plain = page.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-");
        for word in plain.split_whitespace().filter(|word| word.contains("(1)")) {
            let named = word.trim_end_matches(',').replace("(1)", ".1");
            assert!(files.contains(&named), "{file} names {named}");
        }
    }
    let page = run(&["man", "check", "games"]).good().stdout;
    assert_eq!(page, fs::read_to_string(folder.path().join("jungletb-check-games.1")).unwrap());
}

/// The program answers each line before the next one is sent.
#[test]
fn batches_answer_while_their_input_is_open() {
    let tables = tables("standard", "3");
    let mut child = program()
        .args(["probe", "--batch", "-", "--tables", tables.text()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stdout));
    for _ in 0..3 {
        write!(stdin, "# asked\n{POSITION}\n").unwrap();
        stdin.flush().unwrap();
        let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["dtw"], 8);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
