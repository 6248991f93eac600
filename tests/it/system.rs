//! Effects of the operating system on a run: locks of other processes, leftovers, signals, pipes in odd places, logs
//! that are not read, too little memory.

use crate::common::{Run, assert_fails, contents, generate, program, run_line, tables, text};
use jungletb::analysis::export::{Format, export};
use jungletb::analysis::heat::Heat;
use jungletb::analysis::inventory;
use jungletb::analysis::verify::{Verifier, VerifyError};
use jungletb::game::{Color, Rules};
use jungletb::material::Material;
use jungletb::probe::Fault;
use jungletb::probe::Tablebase;
use jungletb::system::Cancel;
use jungletb::table::{Encoding, reencode};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs a script in which `"$@"` is the program with the arguments of a line; it must end in time.
fn script(text: &str, line: &str) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", text, "sh"]).arg(program().get_program()).args(line.split_whitespace());
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("JUNGLETB_TABLES");
    in_time(&mut command, line)
}

/// Runs a command; it must end in time.
fn in_time(command: &mut Command, what: &str) -> Run {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let read = std::thread::spawn(move || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        out.read_to_end(&mut stdout).unwrap();
        err.read_to_end(&mut stderr).unwrap();
        (String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
    });
    let code = ends_in_time(&mut child, what);
    let (stdout, stderr) = read.join().unwrap();
    Run { code, stdout, stderr }
}

/// Waits for a program that must end.
fn ends_in_time(child: &mut Child, what: &str) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what}: it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn names(folder: &Path) -> Vec<String> {
    contents(folder).iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn leftovers_of_killed_runs_are_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    generate("2", "standard", folder.path());
    let good = names(folder.path());
    let path = |name: &str| folder.path().join("standard").join(name);
    for name in
        ["EvE.lock", "EvE.dtw.AbCdEf.tmp", "EvE.checkpoint", "EvE.checkpoint.123456.tmp", "EvE.scratch", "LvL.lock"]
    {
        fs::write(path(name), "left").unwrap();
    }
    // A file that a live process is writing is kept.
    let live = path("RvR.wdl.AbCdEf.tmp");
    let held = File::create(&live).unwrap();
    held.lock().unwrap();
    assert_eq!(generate("2", "standard", folder.path())["solved"], 0);
    let mut expected = good.clone();
    expected.push("RvR.wdl.AbCdEf.tmp".to_owned());
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    drop(held);
    generate("2", "standard", folder.path());
    assert_eq!(names(folder.path()), good);
    // A WDL-only run keeps the checkpoint of a DTW run.
    fs::write(path("EvE.checkpoint"), "left").unwrap();
    generate("2 --metric wdl", "standard", folder.path());
    assert!(path("EvE.checkpoint").exists());
}

#[test]
fn a_run_says_for_whom_it_waits() {
    let folder = tempfile::tempdir().unwrap();
    generate("2", "standard", folder.path());
    let path = |name: &str| folder.path().join("standard").join(name);
    fs::remove_file(path("EvE.dtw")).unwrap();
    let held = File::create(path("EvE.lock")).unwrap();
    held.lock().unwrap();
    (&held).write_all(b"process 17 on elsewhere\n").unwrap();
    let refused = run_line("re-encode LvL EvE", &["--tables", text(folder.path())]);
    assert_fails(&refused, 1, "process 17 on elsewhere is working on these tables; wait until it is done", "re-encode");
    let mut command = program();
    command.args(["generate", "2", "--tables", text(folder.path())]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "jungletb: EvE: process 17 on elsewhere is working on this class; waiting for it\n");
    fs::remove_file(path("EvE.lock")).unwrap();
    drop(held);
    assert_eq!(ends_in_time(&mut child, "generate"), Some(0));
    line.clear();
    assert_eq!(stderr.read_line(&mut line).unwrap(), 0, "it is said once: {line}");
}

/// The shipped list once called a re-encoded table damaged, and the advice was circular.
#[test]
fn written_again_a_table_is_as_good_as_before() {
    let folder = tempfile::tempdir().unwrap();
    generate("2", "standard", folder.path());
    let common = ["--tables", text(folder.path())];
    let list = || fs::read_to_string(folder.path().join("CHECKSUMS")).unwrap();
    let published = run_line("list --checksums", &common).good().stdout;
    fs::write(folder.path().join("CHECKSUMS"), &published).unwrap();
    run_line("re-encode EvE --wdl-rows 7 --dtw-level 3", &common).good();
    assert_eq!(list(), run_line("list --checksums", &common).good().stdout);
    assert_ne!(list(), published);
    for line in ["verify --checksums", "verify EvE", "list"] {
        run_line(line, &common).good();
    }
    run_line("re-encode EvE", &common).good();
    assert_eq!(list(), published);
    // Another folder's list, and a line that was wrong before, are unchanged.
    let other = tempfile::tempdir().unwrap();
    run_line("re-encode EvE --wdl-rows 7 --out", &[text(other.path()), "--tables", text(folder.path())]).good();
    assert_eq!(list(), published);
    assert!(!other.path().join("CHECKSUMS").exists());
    let wrong = published.replace(&published[..16], "0123456789abcdef");
    let class = published.lines().next().unwrap().split(['/', '.']).nth(1).unwrap().to_owned();
    fs::write(folder.path().join("CHECKSUMS"), &wrong).unwrap();
    run_line(&format!("re-encode {class}"), &common).good();
    assert_eq!(list(), wrong);
    let run = run_line("verify --checksums", &common);
    assert_fails(&run, 3, &format!("`jungletb verify {class}` proves its values"), "not the listed file");
    assert!(run.stderr.contains(&format!("`jungletb re-encode {class}` then writes it")), "{}", run.stderr);
    // The advice works: its values are checked in spite of the list.
    let run = run_line(&format!("verify {class}"), &common);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(0), 1), "{}", run.stderr);
    assert!(run.stderr.ends_with("; its values hold\n"), "{}", run.stderr);
}

#[test]
fn cancelled_work_stops() {
    let made = tables("standard", "2");
    let rules = Rules::standard();
    let base = Tablebase::open(made.path(), &rules).unwrap();
    let material = Material::parse(&rules, "EvE").unwrap();
    let class = base.place(material).unwrap().class.clone();
    let cancel = Cancel::new();
    cancel.cancel();
    let mut verifier = Verifier::new(&base, &cancel).unwrap();
    assert!(matches!(verifier.checksums(&class), Err(VerifyError::Interrupted)));
    assert!(matches!(verifier.class(&class, &|_| ()), Err(VerifyError::Interrupted)));
    let stopped = |fault: Fault, what: &str| assert_eq!(fault, Fault::Interrupted, "{what}");
    stopped(inventory::inventory(&base, 2, &cancel).unwrap_err().fault(), "list");
    stopped(Heat::new(&base, material, &cancel).unwrap_err().fault(), "heat");
    let folder = tempfile::tempdir().unwrap();
    let again = reencode(base.registry(), &rules, &class, Encoding::default(), folder.path(), &cancel);
    stopped(again.unwrap_err().fault(), "re-encode");
    assert!(names(folder.path()).is_empty());
    let mut out = Vec::new();
    assert!(export(&base, material, &[Color::White], Format::Csv, &mut out, &cancel).is_err());
    export(&base, material, &[Color::White], Format::Csv, &mut out, &Cancel::new()).unwrap();
}

#[test]
fn a_signal_leaves_nothing_half_written() {
    let made = tables("standard", "3");
    let folder = tempfile::tempdir().unwrap();
    let formats = if cfg!(feature = "parquet") { &["csv", "parquet"][..] } else { &["csv"] };
    let wholes = formats.iter().map(|format| {
        let file = folder.path().join(format);
        made.run("export ERvL --to-move both", "standard", &["--format", format, "--out", text(&file)]).good();
        (*format, std::fs::read(file).unwrap())
    });
    let wholes: Vec<_> = wholes.collect();
    let mut stopped = 0;
    for (name, (format, whole)) in ["-INT", "-TERM", "-HUP"].into_iter().zip(wholes.iter().cycle()) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        let mut command = program();
        command.args(["export", "ERvL", "--to-move", "both", "--format", format]);
        command.args(["--tables", made.text(), "--out", text(&file)]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        while folder.path().read_dir().unwrap().count() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        signal(&child, name);
        let code = ends_in_time(&mut child, name);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        if code == Some(130) {
            assert_eq!(stderr, "jungletb: interrupted\n", "{name}");
            // The signal may come when the file has just got its name: then it is complete.
            for left in names(folder.path()) {
                assert!(left == "out" && std::fs::read(&file).unwrap() == *whole, "{name}: {left}");
            }
            stopped += 1;
        }
    }
    assert!(stopped > 0, "every run was done before its signal came");
    // A program started by `nohup` continues when the terminal is closed.
    let folder = tempfile::tempdir().unwrap();
    let line = format!("generate 3 -q --json --tables {}", text(folder.path()));
    let hangup = "trap '' HUP; \"$@\" & job=$!; sleep 0.05; kill -HUP $job 2> /dev/null; wait $job";
    let run = script(hangup, &line);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_pipe_in_place_of_a_file_hangs_nobody() {
    let folder = tempfile::tempdir().unwrap();
    generate("2", "standard", folder.path());
    let path = |name: &str| folder.path().join(name);
    let tables = format!("--tables {}", text(folder.path()));
    let run = |line: &str| in_time(program().args(line.split_whitespace()), line);
    let table = path("standard/EvE.dtw");
    let bytes = fs::read(&table).unwrap();
    fs::remove_file(&table).unwrap();
    mkfifo(&table);
    for line in [
        "stats EvE",
        "probe E6/7/7/7/7/7/7/7/e6 w",
        "verify EvE",
        "verify --checksums",
        "generate 2",
        "export EvE --format csv",
        "plot EvE --out -",
        "re-encode EvE",
        "generate EvE --only",
    ] {
        let run = run(&format!("{line} {tables}"));
        assert_fails(&run, 3, "EvE.dtw: it is a folder, pipe or device where a table file should be", line);
    }
    assert_eq!(run(&format!("list {tables}")).code, Some(3));
    fs::remove_file(&table).unwrap();
    mkfifo(&path("standard/EvE.lock"));
    mkfifo(&path("standard/EvE.checkpoint"));
    mkfifo(&path("standard/EvE.wdl.AbCdEf.tmp"));
    run(&format!("generate 2 -q {tables}")).good();
    assert_eq!(fs::read(&table).unwrap(), bytes);
    mkfifo(&path("CHECKSUMS"));
    for line in ["list", "verify", "verify --checksums"] {
        assert_fails(&run(&format!("{line} {tables}")), 1, "CHECKSUMS: cannot read it: it is not a regular file", line);
    }
    fs::remove_file(path("CHECKSUMS")).unwrap();
    let rules = path("x.toml");
    mkfifo(&rules);
    for line in ["rules", "list --rules"] {
        assert_fails(&run(&format!("{line} {}", text(&rules))), 2, "it is not a regular file", line);
    }
    // In place of folders.
    mkfifo(&path("leiden"));
    for line in [format!("list --tables {}", text(&rules)), format!("list {tables} --rules leiden")] {
        assert_ne!(run(&line).code, None, "{line}");
    }
}

/// A full pipe that is not read, a closed pipe, a full disk.
const SINKS: [(&str, &str); 3] = [
    ("a full pipe", "head -c 65536 /dev/zero >&2; exec \"$@\""),
    ("a closed pipe", "exec \"$@\" 2>&-"),
    ("a full disk", "exec \"$@\" 2>/dev/full"),
];

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    for (what, text_of) in SINKS {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("generate 2 -v --json --tables {}", text(folder.path()));
        let mut command = Command::new("sh");
        command.args(["-c", text_of, "sh"]).arg(program().get_program()).args(line.split_whitespace());
        // The pipe is not read.
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert_eq!(ends_in_time(&mut child, what), Some(0), "{what}");
        assert_eq!(names(folder.path()).len(), 20, "{what}");
        let bad = format!("stats EvX --tables {}", text(folder.path()));
        let mut command = Command::new("sh");
        command.args(["-c", text_of, "sh"]).arg(program().get_program()).args(bad.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert_eq!(ends_in_time(&mut child, what), Some(2), "{what}");
    }
}

#[test]
#[cfg(feature = "serve")]
fn a_service_goes_on_without_its_log() {
    let made = tables("standard", "2");
    for (what, text_of) in SINKS {
        let line = format!("serve -v --json --bind 127.0.0.1:0 --tables {}", made.text());
        let mut command = Command::new("sh");
        command.args(["-c", text_of, "sh"]).arg(program().get_program()).args(line.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
        let address: serde_json::Value = serde_json::from_str(&first).unwrap();
        let address =
            address["address"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
        // More lines than the queue holds.
        let mut stream = BufReader::new(TcpStream::connect(&address).unwrap());
        stream.get_ref().set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        for n in 0..6000 {
            stream.get_mut().write_all(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let (mut length, mut head) = (0, String::new());
            loop {
                head.clear();
                assert!(stream.read_line(&mut head).unwrap() > 0, "{what}: request {n}");
                if head == "\r\n" {
                    break;
                }
                if let Some(value) = head.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
        }
        signal(&child, "-TERM");
        assert_eq!(ends_in_time(&mut child, what), Some(0), "{what}");
    }
}

/// Runs the program with this limit of address space in KiB.
#[cfg(target_os = "linux")]
fn with_memory(kibibytes: u32, line: &str) -> Run {
    script(&format!("ulimit -v {kibibytes}; exec \"$@\""), &format!("{line} --threads 2"))
}

#[test]
#[cfg(target_os = "linux")]
fn too_little_memory_is_a_line_and_leaves_no_file() {
    let made = tables("standard", "3");
    // The minimum for the program itself: from there on, requests of a command may be refused.
    let least = (10_000..200_000).step_by(1000).find(|&kibibytes| with_memory(kibibytes, "rules").code == Some(0));
    let least = least.unwrap() + 1000;
    let mut refused = 0;
    for line in [
        "verify",
        "export ERvL --format csv --out FOLDER/x.csv",
        "plot ERvL --out FOLDER/x.svg",
        "list",
        "re-encode ERvL --out FOLDER",
        "generate LRvLR --memory 8G --tables FOLDER",
        "generate LRvLR --tables FOLDER",
        "check games README.md --annotate FOLDER/x.pgn",
    ] {
        for more in [0, 2000, 5000, 10_000, 20_000, 60_000] {
            let folder = tempfile::tempdir().unwrap();
            let line = format!("{} --tables {} -q", line.replace("FOLDER", text(folder.path())), made.text());
            let run = with_memory(least + more, &line);
            let what = format!("{line} with {} KiB: {run:?}", least + more);
            let code = run.code.unwrap_or_else(|| panic!("a signal: {what}"));
            assert!(!run.stderr.contains("panicked") && !run.stderr.contains("internal error"), "{what}");
            if code == 0 || line.starts_with("check") && code == 2 {
                continue;
            }
            assert!(run.stderr.lines().count() == 1 && (code == 1 || code == 2), "{what}");
            let phrases = ["enough memory", "annot allocate memory", "out of memory", "MiB are allowed", "threads"];
            assert!(phrases.iter().any(|phrase| run.stderr.contains(phrase)), "{what}");
            let is_whole =
                |name: &String| matches!(name.rsplit('.').next(), Some("wdl" | "dtw" | "checkpoint" | "scratch"));
            let left: Vec<String> = names(folder.path()).into_iter().filter(|name| !is_whole(name)).collect();
            assert!(left.is_empty(), "{left:?} {what}");
            refused += 1;
        }
    }
    assert!(refused > 3, "{refused}");
}
