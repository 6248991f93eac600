//! Tables in several folders: the first is written to, the others are only read; and generating single classes on top
//! of existing tables.

use crate::common::{assert_fails, contents, generate, program, run_line, tables, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names, contents and times of a folder and everything in it: root may write anywhere, so permissions prove nothing.
fn listing(folder: &Path) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let mut all = vec![(folder.to_owned(), time(folder), Vec::new())];
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(listing(&path));
        } else {
            all.push((path.clone(), time(&path), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

/// A separate folder with the tables of some targets.
fn made(target: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    generate(target, "standard", folder.path());
    folder
}

fn names(folder: &Path) -> Vec<String> {
    contents(folder).iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn read_only_folders_are_never_written_to() {
    let shared = made("2");
    // Leftovers of a killed run in a read-only folder are not ours, even if locked.
    for name in ["LRvL.dtw.AbCdEf.tmp", "LRvL.checkpoint", "LRvL.lock"] {
        fs::write(shared.path().join("standard").join(name), "stray").unwrap();
    }
    let before = listing(shared.path());
    let own = tempfile::tempdir().unwrap();
    let both = ["--json", "-q", "--tables", text(own.path()), "--tables", text(shared.path())];
    let summary = run_line("generate LRvL --checkpoint 0", &both).good().json();
    assert_eq!(summary["skipped"].as_u64().unwrap() + summary["solved"].as_u64().unwrap(), summary["classes"]);
    assert!(summary["solved"].as_u64() > Some(0) && summary["skipped"].as_u64() > Some(1), "{summary}");
    // Only classes of three pieces were generated, with the same bytes as in a complete run.
    let all = tables("standard", "3");
    for (path, bytes) in contents(own.path()) {
        let name = path.file_name().unwrap();
        assert!(!shared.path().join("standard").join(name).exists(), "{name:?}");
        assert!(bytes == fs::read(all.path().join("standard").join(name)).unwrap(), "{name:?}");
    }
    for line in [
        "verify",
        "verify LRvL EvE",
        "list",
        "stats EvE LRvL",
        "plan 3",
        "probe 7/3L3/7/7/7/7/7/7/c6 w",
        "generate 2",
        "re-encode EvE --wdl-rows 7",
    ] {
        run_line(line, &both).good();
    }
    run_line("export EvE --format csv", &both[2..]).good();
    assert!(listing(shared.path()) == before);
    // Re-encoded, the table is in the first folder and takes precedence.
    assert!(names(own.path()).contains(&"EvE.wdl".to_owned()));
    run_line("verify EvE", &both).good();
    let empty = tempfile::tempdir().unwrap();
    run_line("verify EvE", &["--tables", text(empty.path()), "--tables", text(own.path()), "-q"]).good();
    assert!(names(empty.path()).is_empty());
}

#[test]
fn the_first_folder_that_has_a_table_counts() {
    let (first, second) = (made("EvE"), made("2"));
    let both = ["--tables", text(first.path()), "--tables", text(second.path())];
    let bad = first.path().join("standard/EvE.dtw");
    fs::write(&bad, b"dear diary, ".repeat(200)).unwrap();
    assert_fails(&run_line("stats EvE", &both), 3, text(&bad), "the first one's is no table");
    run_line("stats EvE", &[both[2], both[3], both[0], both[1]]).good();
    run_line("stats LvL", &both).good();
    let listed = run_line("list", &both);
    assert_eq!(listed.code, Some(3));
    assert!(listed.stdout.contains("9 tables ok, 0 missing, 1 damaged"), "{}", listed.stdout);
    // A damaged table in a read-only folder is regenerated in the first folder.
    let broken = second.path().join("standard/LvL.dtw");
    let mut bytes = fs::read(&broken).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&broken, bytes).unwrap();
    fs::remove_file(&bad).unwrap();
    let own = tempfile::tempdir().unwrap();
    let all = ["--tables", text(own.path()), both[0], both[1], both[2], both[3], "--json", "-q"];
    let before = listing(second.path());
    let made = run_line("generate 2", &all).good().json();
    assert_eq!(made["solved"], 1, "{made}");
    assert_eq!(names(own.path()), ["LvL.dtw", "LvL.wdl"]);
    assert!(listing(second.path()) == before);
}

#[test]
fn each_folder_s_list_of_checksums_is_good_for_its_own_tables() {
    let (first, second) = (made("EvE"), made("2"));
    let both = ["--tables", text(first.path()), "--tables", text(second.path())];
    let list = |folder: &Path| {
        let lines = run_line("list --checksums", &["--tables", text(folder)]).good().stdout;
        fs::write(folder.join("CHECKSUMS"), &lines).unwrap();
        lines
    };
    list(first.path());
    let lines = list(second.path());
    run_line("verify --checksums", &both).good();
    // The second folder's list does not apply to a table that is in the first.
    let wrong = |class: &str| {
        let line = lines.lines().find(|line| line.ends_with(&format!("{class}.wdl"))).unwrap();
        let other = format!("0123456789abcdef{}", &line[16..]);
        fs::write(second.path().join("CHECKSUMS"), lines.replace(line, &other)).unwrap();
    };
    wrong("EvE");
    run_line("verify --checksums", &both).good();
    wrong("LvL");
    let run = run_line("verify --checksums", &both);
    assert_fails(&run, 3, "LvL.wdl: its checksum is", "a table of the second folder");
    assert!(run.stderr.contains(text(second.path())), "{}", run.stderr);
}

#[test]
fn the_environment_lists_folders_as_path_does() {
    let (first, second) = (made("EvE"), made("LvL"));
    let stats = |environment: &str, more: &[&str]| {
        let mut command = program();
        command.env("JUNGLETB_TABLES", environment).args(["stats", "EvE", "LvL", "--json"]).args(more);
        command.output().unwrap()
    };
    let both = format!("{}:{}", text(first.path()), text(second.path()));
    assert!(stats(&both, &[]).status.success());
    assert_eq!(stats(&both, &["--tables", text(first.path())]).status.code(), Some(4));
    let missing = stats(&format!("{}:/nowhere", text(first.path())), &[]);
    let line = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(4));
    let folders = format!("in {}/standard, /nowhere/standard: make it with", text(first.path()));
    assert!(line.contains(&folders), "{line}");
    assert!(line.contains(&format!("--tables {} --tables /nowhere`", text(first.path()))), "{line}");
    // Folders before the subcommand would be dropped, and the next one written to.
    let line = format!("--tables {} stats EvE", text(first.path()));
    assert_fails(&run_line(&line, &["--tables", "/nowhere"]), 2, "give all of them in one place", "both places");
    run_line(&line, &[]).good();
    // A folder that is a file is reported, at any place in the list.
    let file = first.path().join("standard/EvE.wdl");
    let run = stats(&format!("{}:{}", text(second.path()), text(&file)), &[]);
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8(run.stderr).unwrap().contains(text(&file)));
}

#[test]
fn only_the_named_classes_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["--json", "-q", "--tables", text(folder.path())];
    let missing = run_line("generate LRvL --only", &common);
    assert_fails(&missing, 4, "LRvL: it needs the table of ", "nothing is there");
    assert!(missing.stderr.contains(&format!("is not in {}/standard", text(folder.path()))), "{}", missing.stderr);
    assert!(names(folder.path()).is_empty());
    generate("2 --metric wdl", "standard", folder.path());
    // WDL tables suffice for WDL, not for DTW.
    assert_fails(&run_line("generate LRvL --only", &common), 4, ".dtw, which is not in", "results only");
    let results = run_line("generate LRvL --only --metric wdl", &common).good().json();
    assert_eq!((&results["classes"], &results["solved"]), (&1.into(), &1.into()));
    generate("2", "standard", folder.path());
    let made = run_line("generate ERvL LRvL --only", &common).good().json();
    assert_eq!((&made["classes"], &made["solved"]), (&2.into(), &2.into()));
    let found: Vec<String> = names(folder.path());
    assert_eq!(found.len(), 2 * (10 + 2), "{found:?}");
    for (path, bytes) in contents(folder.path()) {
        let name = path.file_name().unwrap();
        assert!(bytes == fs::read(tables("standard", "3").path().join("standard").join(name)).unwrap(), "{name:?}");
    }
    // An existing class needs no dependencies; one of several materials of a class suffices.
    let other = tempfile::tempdir().unwrap();
    fs::create_dir(other.path().join("standard")).unwrap();
    for end in ["wdl", "dtw"] {
        let name = format!("standard/LRvL.{end}");
        fs::copy(folder.path().join(&name), other.path().join(&name)).unwrap();
    }
    let kept = run_line("generate LRvL --only", &["--json", "-q", "--tables", text(other.path())]).good().json();
    assert_eq!((&kept["classes"], &kept["skipped"]), (&1.into(), &1.into()));
    // Classes that the run generates itself need not exist before.
    let chain = tempfile::tempdir().unwrap();
    let chain = ["--json", "-q", "--tables", text(chain.path())];
    let pair = run_line("plan LRvL", &common).good().json();
    let needed: Vec<&str> =
        pair["each"].as_array().unwrap().iter().map(|step| step["class"].as_str().unwrap()).collect();
    let all = run_line(&format!("generate --only {}", needed.join(" ")), &chain).good().json();
    assert_eq!(all["solved"], needed.len());
    assert_fails(&run_line("generate 2 --only", &common), 2, "name materials such as ERvL, not a number", "a number");
    assert_fails(&run_line("generate --only", &common), 2, "required", "nothing named");
}
