//! Output: an answer for each line of a batch, one JSON value where requested, silence when the reader has gone, an
//! error when output cannot be written.

use crate::common::{Run, assert_fails, program, run, run_line, run_with_input, tables};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn a_batch_with_bad_lines_answers_each_in_its_place() {
    let lines = [
        ("7/3L3/7/7/7/7/7/7/c6 w", "win"),
        ("nonsense", ""),
        ("w", ""),
        ("C6/7/7/7/7/7/7/7/3r3 w  further fields", "loss"),
        ("7/7/7/1E5/7/7/7/7/e6 w", ""),
        ("7/3J3/7/7/7/7/7/7/c6 r", "win"),
        ("7/3L3/7/7/7/7/7/7/c6", ""),
        ("CD4W/7/7/7/7/7/7/7/cd5 w", "unknown"),
        ("7/3L3/7/7/7/7/7/7/c6 w", "win"),
    ];
    let tables = tables("standard", "2");
    let batch = |lines: &[(&str, &str)], end: &str| {
        let input: Vec<&str> = lines.iter().map(|(line, _)| *line).collect();
        run_with_input(&["probe", "--batch", "-", "--json", "--tables", tables.text()], input.join(end) + end)
    };
    for end in ["\n", "\r\n"] {
        let run = batch(&lines, end);
        assert_eq!(run.code, Some(2));
        let answers = run.json_lines();
        assert_eq!(answers.len(), lines.len());
        for ((line, category), answer) in lines.iter().zip(&answers) {
            if category.is_empty() {
                assert_eq!(answer["position"], *line);
                assert!(answer["error"].as_str().unwrap().len() > 10 && answer["category"].is_null(), "{line}");
            } else {
                assert_eq!(answer["category"], *category, "{line}");
                assert_eq!(answer["error"].is_null(), *category != "unknown", "{line}");
            }
        }
    }
    // Without bad lines the missing table determines the exit code; without that, success, also with no line.
    assert_eq!(batch(&lines[7..], "\n").code, Some(4));
    assert_eq!(batch(&lines[8..], "\n").good().json_lines().len(), 1);
    assert_eq!(batch(&[], "").good().stdout, "");
    // A last line without a line ending, and one that is not text.
    let arguments = ["probe", "--batch", "-", "--tables", tables.text()];
    assert_eq!(run_with_input(&arguments, lines[0].0).good().json_lines().len(), 1);
    let run = run_with_input(&arguments, b"\xff\xfe\n7/3L3/7/7/7/7/7/7/c6 w\n".to_vec());
    assert_eq!((run.code, run.json_lines().len()), (Some(2), 2));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let tables = tables("standard", "3");
    let quiet = |child: std::process::Child, what: &str| {
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{what}");
    };
    let spawn = |arguments: &[&str]| {
        let mut command = program();
        command.args(arguments).args(["--tables", tables.text()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first_line = |child: &mut std::process::Child| {
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line
    };
    // More output than a pipe holds, of which one line is read.
    let mut child = spawn(&["export", "ERvL", "--format", "csv"]);
    assert!(first_line(&mut child).starts_with("white1_strength,"));
    quiet(child, "export");
    let mut child = spawn(&["probe", "--batch", "-"]);
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        // Writing fails once the program has ended.
        while input.write_all(b"7/3L3/7/7/7/7/7/7/c6 w\n").is_ok() {}
    });
    assert!(first_line(&mut child).starts_with("{\"position\":\"7/3L3/7/7/7/7/7/7/c6 w\""));
    quiet(child, "probe --batch");
    writer.join().unwrap();

    // Output that is never read.
    let mut checked = 0;
    for line in [
        "list",
        "list --json",
        "stats EvE",
        "stats EvE --json",
        "stats EvE --csv",
        "rules",
        "rules standard",
        "verify EvE",
        "verify EvE --json",
        "generate 2",
        "generate 2 --json",
        "generate 3 --estimate",
        "plan 3",
        "plan 4 --json",
        "export EvE --format arff",
        "man",
        "completions bash",
        "--help",
        "--version",
        "perft 7/3L3/7/7/7/7/7/7/c6 w 3",
        "probe 7/3L3/7/7/7/7/7/7/c6 w",
        "probe 7/3L3/7/7/7/7/7/7/c6 w --json",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program();
        command.args(line.split(' ')).args(["--tables", tables.text()]);
        quiet(command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap(), line);
        checked += 1;
    }
    assert_eq!(checked, 22);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let tables = tables("standard", "2");
    for line in ["list", "stats EvE --json", "probe 7/3L3/7/7/7/7/7/7/c6 w", "export RvR --format csv", "rules"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = program();
        command.args(line.split(' ')).args(["--tables", tables.text()]).stdout(full);
        let output = command.stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let run = Run { code: output.status.code(), stdout: String::new(), stderr };
        assert_fails(&run, 1, "No space left on device", line);
    }
}

#[test]
fn json_is_one_value_and_nothing_else() {
    let tables = tables("standard", "2");
    let fields = |value: &Value| match value {
        Value::Object(fields) => fields.keys().cloned().collect::<Vec<_>>(),
        Value::Array(all) => all[0].as_object().unwrap().keys().cloned().collect(),
        _ => panic!("{value}"),
    };
    let position = "7/3L3/7/7/7/7/7/7/c6 w";
    for (line, named) in [
        ("generate 2", "classes positions_stored seconds cpu_seconds bytes skipped"),
        ("generate 3 --estimate", "classes positions_stored memory disk"),
        ("plan 3", "rules metric classes positions_stored memory disk cpu_seconds missing longest_path estimates each"),
        ("generate 2 -v", "classes positions_stored seconds cpu_seconds bytes skipped"),
        (&format!("probe {position}"), "position rules material class category dtw over moves line"),
        ("probe 7/3L3/7/7/7/7/7/7/7 w", "position rules material class category dtw over moves line"),
        (&format!("perft {position} 2"), "position rules counts"),
        ("verify EvE", "ok tables"),
        ("verify EvE --checksums", "ok tables"),
        ("stats EvE LvE", "material rules class white black longest longest_white longest_black histogram"),
        ("list", "rules tables"),
        ("rules", "name"),
        ("rules leiden", "name board strength jumps no_legal_move"),
    ] {
        let run = run_line(line, &["--json", "--tables", tables.text()]);
        if !line.contains("-v") {
            assert_eq!(run.stderr, "", "{line}");
        }
        assert_eq!(run.code, Some(0), "{line}");
        assert_eq!(run.stdout.lines().count(), 1, "{line}");
        let found = fields(&run.json());
        for name in named.split(' ') {
            assert!(found.iter().any(|field| field == name), "{line}: {name} is not in {found:?}");
        }
    }
    // A missing table is reported on both outputs.
    let unknown = "7/7/CDW4/7/7/7/7/7/cd5 w";
    let run = run(&["probe", unknown, "--json", "--tables", tables.text()]);
    assert_fails(&run, 4, "no table for WDCvDC", unknown);
    assert_eq!((&run.json()["category"], &run.json()["dtw"]), (&json!("unknown"), &json!(null)));
    assert!(run.json()["moves"].as_array().unwrap().iter().all(|mv| mv["category"] == "unknown"));
}

#[test]
fn the_folder_of_tables_is_the_option_s_or_else_the_environment_s() {
    let tables = tables("standard", "2");
    let probe = |environment: &str, more: &[&str]| {
        let mut command = program();
        command.env("JUNGLETB_TABLES", environment).args(["probe", "E6/7/7/7/7/7/7/7/e6", "w", "--json"]).args(more);
        command.output().unwrap()
    };
    assert!(probe(tables.text(), &[]).status.success());
    assert!(probe("/nowhere", &["--tables", tables.text()]).status.success());
    let nowhere = probe("/nowhere", &[]);
    assert_eq!(nowhere.status.code(), Some(4));
    assert!(String::from_utf8(nowhere.stderr).unwrap().contains("in /nowhere/standard"));
    assert_eq!(probe(tables.text(), &["--tables", "/nowhere"]).status.code(), Some(4));
}
