//! Generating tables: intact tables are kept, damaged ones regenerated, files are byte-identical for any number of
//! threads, and no way of ending a run leaves damaged files.

use crate::common::{contents, generate, program, run, run_line, tables, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Classes of up to 2 and 3 pieces under the standard rules.
const CLASSES: [u64; 2] = [10, 52];

/// The contents of a folder by file name.
fn named(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let name = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    contents(folder).into_iter().map(|(path, bytes)| (name(path), bytes)).collect()
}

fn same(left: &[(PathBuf, Vec<u8>)], right: &[(PathBuf, Vec<u8>)]) {
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(left), names(right));
    let differing: Vec<_> =
        left.iter().zip(right).filter(|(left, right)| left != right).map(|(left, _)| &left.0).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn a_second_run_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let first = generate("3", "standard", folder.path());
    assert_eq!((&first["classes"], &first["solved"], &first["skipped"]), (&52.into(), &52.into(), &0.into()));
    assert_eq!(first["positions_stored"], 4_928_157);
    let before = named(folder.path());
    assert_eq!(first["bytes"], before.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
    let times = || -> Vec<_> {
        contents(folder.path()).iter().map(|(path, _)| fs::metadata(path).unwrap().modified().unwrap()).collect()
    };
    let times_before = times();
    for target in ["3", "2", "ERvL", "3 --metric wdl"] {
        let again = generate(target, "standard", folder.path());
        assert_eq!((&again["skipped"], &again["solved"]), (&again["classes"], &0.into()), "{target}");
        assert_eq!(times(), times_before, "{target}");
    }
    same(&before, &named(folder.path()));
}

#[test]
fn tables_of_results_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let results = generate("2 --metric wdl", "standard", folder.path());
    assert_eq!(results["solved"], CLASSES[0]);
    let completed = generate("2", "standard", folder.path());
    assert_eq!((&completed["solved"], &completed["skipped"]), (&CLASSES[0].into(), &0.into()));
    let other = tempfile::tempdir().unwrap();
    generate("2", "standard", other.path());
    same(&named(folder.path()), &named(other.path()));
}

#[test]
fn damaged_and_missing_tables_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    generate("2", "standard", folder.path());
    let good = named(folder.path());
    let path = |name: &str| folder.path().join("standard").join(name);
    let whole = fs::read(path("LvL.dtw")).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let damaged = [
        Vec::new(),
        whole[..100].to_vec(),
        whole[..1200].to_vec(),
        flipped(20),
        flipped(1024),
        flipped(whole.len() - 1),
    ];
    let count = damaged.len();
    for bytes in damaged {
        fs::write(path("LvL.dtw"), bytes).unwrap();
        let run = run_line("list", &["--tables", text(folder.path())]);
        assert_eq!(run.code, Some(3));
        let again = generate("2", "standard", folder.path());
        assert_eq!((&again["solved"], &again["skipped"]), (&1.into(), &(CLASSES[0] - 1).into()));
        same(&good, &named(folder.path()));
    }
    assert_eq!(count, 6);
    for name in ["LvL.dtw", "LvL.wdl"] {
        fs::remove_file(path(name)).unwrap();
        assert_eq!(generate("2", "standard", folder.path())["solved"], 1);
        same(&good, &named(folder.path()));
    }
    // A file that is not a table may be the user's: it is kept, and the run reports it.
    for bytes in [b"dear diary, ".repeat(200), fs::read(path("EvE.dtw")).unwrap()] {
        fs::write(path("LvL.dtw"), &bytes).unwrap();
        let run = run_line("generate 2", &["--tables", text(folder.path())]);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(3), 1), "{}", run.stderr);
        assert!(run.stderr.contains("LvL.dtw"), "{}", run.stderr);
        assert!(fs::read(path("LvL.dtw")).unwrap() == bytes);
    }
}

#[test]
fn files_are_the_same_to_the_byte_for_any_number_of_threads() {
    let mut made = Vec::new();
    for threads in ["1", "2", "16"] {
        let folder = tempfile::tempdir().unwrap();
        // A class of four pieces exceeds the limit for solving in parallel.
        generate(&format!("3 LRvLR --threads {threads}"), "standard", folder.path());
        made.push(named(folder.path()));
        assert_eq!(made.last().unwrap().len() as u64, 2 * (CLASSES[1] + 1));
    }
    same(&made[0], &made[1]);
    same(&made[0], &made[2]);
}

#[test]
fn stray_files_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("standard");
    fs::create_dir(&inner).unwrap();
    let write = |names: &[&str]| names.iter().for_each(|name| fs::write(inner.join(name), "stray").unwrap());
    let strays = [".tmpAbCdEf", "stray.tmp", "notes.txt", "EvX.dtw", "EvE.dtw~", "EvE"];
    write(&strays);
    // Leftovers of killed runs for a class are removed.
    write(&["EvE.dtw.AbCdEf.tmp", "EvE.wdl.123456.tmp", "EvE.checkpoint", "EvE.lock"]);
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/EvE.dtw"), "no table").unwrap();
    assert_eq!(generate("2", "standard", folder.path())["solved"], CLASSES[0]);
    for line in ["list", "verify", "probe E6/7/7/7/7/7/7/7/e6 w", "stats EvE"] {
        run_line(line, &["--tables", text(folder.path())]).good();
    }
    for name in strays {
        assert_eq!(fs::read_to_string(inner.join(name)).unwrap(), "stray", "{name}");
    }
    assert_eq!(contents(&inner).len() as u64, 2 * CLASSES[0] + strays.len() as u64);
}

#[test]
fn too_little_memory_is_told_with_the_need() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["generate", "4", "--tables", text(folder.path()), "--memory", "1M"];
    let run = run(&arguments);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{}", run.stderr);
    // The message names a sufficient limit.
    let (_, need) = run.stderr.split_once("give --memory ").unwrap();
    let need: u64 = need.trim().strip_suffix('M').unwrap().parse().unwrap();
    assert!((2..10_000).contains(&need), "{}", run.stderr);
    // Classes that fit are generated, and there are no partial files.
    let list = run_line("list --json", &["--tables", text(folder.path())]).good().json();
    assert!(list["tables"].as_array().unwrap().iter().all(|table| table["state"] != "damaged"));
}

#[test]
fn an_estimate_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    for (target, classes, positions) in [("3", 52, Some(4_928_157)), ("4", 186, Some(645_676_671)), ("5", 526, None)] {
        let estimate = generate(&format!("{target} --estimate"), "standard", &nowhere);
        assert_eq!(estimate["classes"], classes);
        assert!(positions.is_none_or(|positions: u64| estimate["positions_stored"] == positions), "{estimate}");
        assert_eq!(estimate["each"].as_array().unwrap().len(), classes);
        assert!(estimate["memory"].as_u64().unwrap() > 0 && estimate["disk"].as_u64().unwrap() > 0);
        assert!(!nowhere.exists());
    }
    // A table takes about the estimated size.
    let all = tables("standard", "3");
    let estimate = generate("3 --estimate", "standard", all.path())["disk"].as_f64().unwrap();
    let bytes = generate("3", "standard", all.path())["bytes"].as_f64().unwrap();
    assert!((0.3..3.0).contains(&(estimate / bytes)), "{estimate} and {bytes}");
}

/// Starts a run that fills a folder.
fn spawn(line: &str, folder: &Path) -> Child {
    let mut command = program();
    command.args(line.split(' ')).args(["--tables", text(folder)]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Takes far longer than the test needs.
const LONG: &str = "generate 4 -q";

/// Waits until a run has finished this number of files.
fn wait_for(files: usize, folder: &Path) {
    let start = Instant::now();
    let count = || folder.join("standard").read_dir().map_or(0, |entries| entries.flatten().filter(is_table).count());
    while count() < files {
        assert!(start.elapsed() < Duration::from_secs(200), "{} files", count());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_table(entry: &fs::DirEntry) -> bool {
    entry.path().extension().is_some_and(|end| end == "dtw" || end == "wdl")
}

/// Asserts that all tables of a folder are intact, that some exist, and that some of four pieces do not.
fn assert_unfinished_but_good(folder: &Path, at_least: usize) {
    let list = run_line("list --json --pieces 4", &["--tables", text(folder)]).good().json();
    let count = |state: &str| list["tables"].as_array().unwrap().iter().filter(|table| table["state"] == state).count();
    let (ok, missing) = (count("ok"), count("missing"));
    assert_eq!(ok + missing, 186);
    assert!(ok >= at_least && missing > 0, "{ok} ok, {missing} missing");
    run_line("verify --checksums", &["--tables", text(folder)]).good();
}

#[test]
fn a_killed_run_leaves_no_damaged_table() {
    let folder = tempfile::tempdir().unwrap();
    for milliseconds in [300, 100, 500] {
        let mut child = spawn(LONG, folder.path());
        wait_for(1, folder.path());
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        assert_unfinished_but_good(folder.path(), 1);
    }
    // A rerun resumes, and partial files of the killed runs do not interfere.
    generate("3", "standard", folder.path());
    run_line("verify ERvL EvE LRvR", &["-q", "--tables", text(folder.path())]).good();
    let list = run_line("list --json --pieces 3", &["--tables", text(folder.path())]).good().json();
    assert!(list["tables"].as_array().unwrap().iter().all(|table| table["state"] == "ok"));
}

#[test]
fn a_killed_run_goes_on_from_its_checkpoint() {
    let clean = tempfile::tempdir().unwrap();
    generate("LRvLR", "standard", clean.path());
    let clean = named(clean.path());

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("standard/LRvLR.checkpoint");
    let mut tries = 0;
    while !file.exists() {
        tries += 1;
        assert!(tries < 50, "no run could be stopped between its first checkpoint and its end");
        let _ = fs::remove_dir_all(folder.path().join("standard"));
        let mut child = spawn("generate LRvLR -q --checkpoint 0", folder.path());
        while !file.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let checkpoint = fs::read(&file).unwrap();
    let left = contents(folder.path());
    assert_eq!(generate("LRvLR", "standard", folder.path())["solved"], 1);
    same(&clean, &named(folder.path()));

    // A modified checkpoint is ignored and does no harm.
    let len = checkpoint.len();
    let mut damaged = vec![
        ("empty".to_owned(), Vec::new()),
        ("garbage".to_owned(), b"garbage".repeat(99)),
        ("cut".to_owned(), checkpoint[..len / 2].to_vec()),
    ];
    damaged.extend((0..32).step_by(8).chain(32..48).chain([len / 2, len - 1]).map(|at| {
        let mut bytes = checkpoint.clone();
        bytes[at] ^= 1;
        (format!("byte {at}"), bytes)
    }));
    let checked = damaged.len();
    let mut harmful = Vec::new();
    for (what, bytes) in damaged {
        fs::remove_dir_all(folder.path().join("standard")).unwrap();
        fs::create_dir(folder.path().join("standard")).unwrap();
        for (path, bytes) in &left {
            fs::write(path, bytes).unwrap();
        }
        fs::write(&file, bytes).unwrap();
        assert_eq!(generate("LRvLR", "standard", folder.path())["solved"], 1);
        if named(folder.path()) != clean {
            harmful.push(what);
        }
    }
    // The ply of a checkpoint once had no checksum: when it was changed, tables were wrong.
    assert_eq!((checked, harmful), (3 + 22, Vec::new()));
}

#[test]
fn two_runs_share_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [0, 1, 2].map(|_| spawn("generate 3 --json", folder.path()));
    let mut solved = 0;
    for child in runs {
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        // On a busy machine one run may wait long enough for another to report it.
        assert!(stderr.lines().all(|line| line.ends_with(" is working on this class; waiting for it")), "{stderr}");
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["classes"], CLASSES[1]);
        solved += summary["solved"].as_u64().unwrap();
    }
    assert_eq!(solved, CLASSES[1]);
    let alone = tempfile::tempdir().unwrap();
    generate("3", "standard", alone.path());
    same(&named(folder.path()), &named(alone.path()));
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_keeps_what_is_finished() {
    let mut interrupted = 0;
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let child = spawn(LONG, folder.path());
        // All classes of two pieces: a few of three are in progress.
        wait_for(2 * CLASSES[0] as usize, folder.path());
        let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let sent = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(20), "{:?}", sent.elapsed());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(130), 0), "{signal}: {stderr}");
        assert!(stderr.starts_with("jungletb: interrupted") && stderr.lines().count() == 1, "{stderr}");
        assert_unfinished_but_good(folder.path(), CLASSES[0] as usize);
        // No partial file is left.
        let files = contents(&folder.path().join("standard"));
        assert!(files.iter().all(|(path, _)| path.extension().is_some_and(|end| end == "wdl" || end == "dtw")));
        interrupted += 1;
    }
    assert_eq!(interrupted, 2);
}
