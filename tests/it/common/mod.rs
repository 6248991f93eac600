//! Shared code of the integration tests: running the program, and tables generated once per test process.
#![allow(dead_code)] // Some of it serves one feature only.

use jungletb::game::{PRESETS, Rules};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use tempfile::TempDir;

/// A copy of the shipped tables, in format version 1, read by the tests. No test opens the user's `tablebases`, which
/// may hold more, fewer, or re-encoded tables, and no test writes here.
pub const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-1");

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Asserts success without output on standard error.
    #[track_caller]
    pub fn good(self) -> Self {
        let start: String = self.stdout.chars().take(300).collect();
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{start}");
        self
    }

    /// The one JSON value on standard output.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {:?}", self.stdout))
    }

    /// The JSON values on standard output, one per line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        self.stdout.lines().map(parse).collect()
    }
}

/// Asserts that a run failed properly: with this exit code and one line, without control characters, that contains the
/// phrase.
#[track_caller]
pub fn assert_fails(run: &Run, code: i32, phrase: &str, what: &str) {
    assert_eq!(run.code, Some(code), "{what}: {}", run.stderr);
    let line = run.stderr.strip_suffix('\n').unwrap_or_else(|| panic!("{what}: no line: {:?}", run.stderr));
    assert!(line.starts_with("jungletb: ") && !line.contains(char::is_control), "{what}: {line:?}");
    assert!(line.contains(phrase), "{what}: {phrase:?} is not in {line:?}");
    for word in ["panicked", "internal error", "RUST_BACKTRACE"] {
        assert!(!line.contains(word), "{what}: {line:?}");
    }
}

/// The program with the tests' tables as its default folder, independent of the environment.
pub fn program() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_jungletb"));
    command.env("JUNGLETB_TABLES", SHIPPED).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// The example engine; all examples in its folder are built if necessary.
pub fn example() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let built = std::process::Command::new(env!("CARGO"))
            .args(["build", "--example", "search", "--example", "engine", "--locked", "--quiet"])
            .arg("--message-format=json")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let messages = String::from_utf8(built.stdout).unwrap();
        let messages = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut paths = messages.filter_map(|message| message["executable"].as_str().map(str::to_owned));
        paths
            .find(|path| Path::new(path).file_stem().is_some_and(|name| name == "engine"))
            .expect("the example has an executable")
    })
}

/// Runs the program.
pub fn run<S: AsRef<str>>(arguments: &[S]) -> Run {
    run_with_input(arguments, "")
}

/// Runs the program with a standard input.
pub fn run_with_input<S: AsRef<str>>(arguments: &[S], input: impl Into<Vec<u8>>) -> Run {
    let command = snapbox::cmd::Command::from_std(program()).args(arguments.iter().map(AsRef::as_ref));
    let output = command.stdin(input.into()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the program with space-separated arguments, and some more.
pub fn run_line(line: &str, more: &[&str]) -> Run {
    let arguments: Vec<&str> = line.split_whitespace().chain(more.iter().copied()).collect();
    run(&arguments)
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// The `--rules` argument of a rule set: a preset's name, or a file of `tests/data/rules`.
pub fn rules_argument(name: &str) -> String {
    if PRESETS.contains(&name) { name.to_owned() } else { format!("tests/data/rules/{name}.toml") }
}

/// The rules with that name.
pub fn rules(name: &str) -> Rules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(rules_argument(name));
    Rules::preset(name).unwrap_or_else(|| Rules::load(text(&path)).unwrap())
}

/// The names of all presets and of all rule files of `tests/data/rules`.
pub fn all_rules() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules");
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names.len(), 18);
    PRESETS.into_iter().map(str::to_owned).chain(names).collect()
}

/// The tab-separated rows of a data file, without the header line.
pub fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    file.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// A folder of tables shared by the tests of a process. Deleted with its last user.
pub struct Tables {
    folder: TempDir,
    made: Mutex<HashSet<(String, String)>>,
}

static SHARED: Mutex<Weak<Tables>> = Mutex::new(Weak::new());

/// The shared folder with the tables of a rule set; `target` is a number of pieces or a material.
pub fn tables(rules: &str, target: &str) -> Arc<Tables> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let tables = shared.upgrade().unwrap_or_else(|| {
        let folder = tempfile::tempdir().unwrap();
        Arc::new(Tables { folder, made: Mutex::default() })
    });
    *shared = Arc::downgrade(&tables);
    drop(shared);
    // Held while the program runs, so that two tests do not generate the same table.
    let mut made = tables.made.lock().unwrap_or_else(PoisonError::into_inner);
    if made.insert((rules.to_owned(), target.to_owned())) {
        generate(target, rules, tables.path());
    }
    drop(made);
    tables
}

impl Tables {
    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder as an argument.
    pub fn text(&self) -> &str {
        text(self.path())
    }

    /// Runs a command on these tables under some rules.
    pub fn run(&self, line: &str, rules: &str, more: &[&str]) -> Run {
        let common = ["--tables", self.text(), "--rules", &rules_argument(rules)];
        run_line(line, &[more, &common[..]].concat())
    }

    /// The program's output for these positions, in order.
    pub fn probe_all<S: AsRef<str>>(&self, rules: &str, positions: &[S]) -> Vec<Value> {
        let input = positions.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("\n");
        let arguments = ["probe", "--batch", "-", "--json", "--tables", self.text(), "--rules", &rules_argument(rules)];
        let answers = run_with_input(&arguments, input).good().json_lines();
        assert_eq!(answers.len(), positions.len());
        answers
    }
}

/// Generates tables; returns the JSON summary.
#[track_caller]
pub fn generate(target: &str, rules: &str, folder: &Path) -> Value {
    let common = ["--json", "-q", "--tables", text(folder), "--rules", &rules_argument(rules)];
    run_line(&format!("generate {target}"), &common).good().json()
}

/// The files of a folder and its subfolders, by path, with their contents.
pub fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            all.push((path, bytes));
        }
    }
    all.sort();
    all
}

/// As `assert_eq!`, for values too long to print.
#[track_caller]
pub fn assert_same<T: PartialEq + Debug>(left: &[T], right: &[T], what: &str) {
    assert_eq!(left.len(), right.len(), "{what}: numbers differ");
    if let Some(at) = (0..left.len()).find(|&at| left[at] != right[at]) {
        let short = |value: &T| format!("{value:?}").chars().take(200).collect::<String>();
        panic!("{what}: number {at} differs: {} and {}", short(&left[at]), short(&right[at]));
    }
}
