//! The console samples of the README and the guide: each command is run, and its output compared with the text.
//!
//! A `console` block holds commands, each after `$ ` and continued on lines that start with `> `, and their output, on
//! standard output and standard error. A `json` block after a block that shows no output is that output, formatted for
//! readers; it is compared as a value. A line `...` in an output stands for any lines. The commands of a file are run
//! by bash, one after the other, in a separate folder that holds `tablebases` as shipped; a command that fails must
//! show it (`; echo $?`). Times may differ, see [`mask`]; nothing else may.
//!
//! `SNAPSHOTS=overwrite cargo test --test it samples` updates the outputs in the files.

use crate::common::{contents, example, tables as common_tables};
use regex_lite::{Captures, Regex};
use serde_json::Value as Json;
use snapbox::Data;
use snapbox::filter::NormalizeToExpected;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A run that takes 27 CPU seconds, covered by a test of its own.
const LONG: &str = "cargo run --release -- generate 4";

/// A command with its documented output.
#[derive(Debug)]
struct Sample {
    /// Its line number in the file, from 1.
    line: usize,
    command: String,
    /// The range of its output in the text of the file.
    output: std::ops::Range<usize>,
    is_json: bool,
}

/// The samples of a Markdown file.
fn samples(text: &str) -> Vec<Sample> {
    let mut all: Vec<Sample> = Vec::new();
    let (mut at, mut language) = (0, None::<String>);
    // The last sample, if only empty lines followed its block.
    let mut last = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let content = line.trim_end();
        match &language {
            None if content.starts_with("```") => {
                let name = content.trim_start_matches('`').to_owned();
                if let (Some(of), "json") = (last.take(), name.as_str()) {
                    let sample: &mut Sample = &mut all[of];
                    (sample.output, sample.is_json) = (at..at, true);
                }
                language = Some(name);
            }
            None if !content.is_empty() => last = None,
            None => {}
            Some(name) => {
                let is_end = content == "```";
                match name.as_str() {
                    "console" if is_end => {
                        last = all.last().filter(|sample| sample.output.is_empty()).map(|_| all.len() - 1);
                    }
                    "console" => {
                        if let Some(command) = content.strip_prefix("$ ") {
                            let command = command.to_owned();
                            all.push(Sample { line: number + 1, command, output: at..at, is_json: false });
                        } else {
                            let sample = all.last_mut().unwrap_or_else(|| panic!("line {}: no command", number + 1));
                            match content.strip_prefix("> ").filter(|_| sample.output.is_empty()) {
                                Some(more) => {
                                    sample.command = format!("{}\n{more}", sample.command);
                                    sample.output = at..at;
                                }
                                None => sample.output.end = at,
                            }
                        }
                    }
                    "json" => {
                        if let Some(sample) =
                            all.last_mut().filter(|sample| sample.is_json && sample.output.end == start)
                            && !is_end
                        {
                            sample.output.end = at;
                        }
                    }
                    _ => {}
                }
                if is_end {
                    language = None;
                }
            }
        }
    }
    all
}

/// The text with placeholders for figures that differ from run to run.
fn mask(text: &str) -> String {
    static FIGURES: LazyLock<[Regex; 4]> = LazyLock::new(|| {
        [
            // A summary: `seconds   8.37`.
            r"(?m)^((?:CPU )?seconds|positions (?:a|per) CPU second)( +)[0-9.,]+$",
            // A run: `all values hold (0.1 s)`, `219 positions in 0.0 s`.
            r"(\(| in )()[0-9.]+ s\b",
            // The engine: `nps 142011 time 3`.
            r"\b(nps|time)( )[0-9]+",
            // JSON: `"seconds":8.37`.
            r#"("(?:seconds|cpu_seconds|positions_per_cpu_second)")(: ?)[0-9.]+"#,
        ]
        .map(|pattern| Regex::new(pattern).unwrap())
    });
    FIGURES.iter().fold(text.to_owned(), |text, figure| {
        figure.replace_all(&text, |found: &Captures| format!("{}{}[TIME]", &found[1], &found[2])).into_owned()
    })
}

/// A folder with the shipped tables, in which the commands of a file are run.
struct Sandbox {
    folder: TempDir,
    services: Vec<Child>,
    /// The address in the text, and the actual address of the service.
    address: Option<(&'static str, String)>,
}

impl Sandbox {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [tables, bin] = ["work/tablebases/standard", "bin"].map(|name| folder.path().join(name));
        for new in [&tables, &bin] {
            fs::create_dir_all(new).unwrap();
        }
        let made = common_tables("standard", "3");
        let is_table = |path: &Path| path.extension().is_some_and(|end| end == "wdl" || end == "dtw");
        for (path, bytes) in contents(&made.path().join("standard")).into_iter().filter(|(path, _)| is_table(path)) {
            fs::write(tables.join(path.file_name().unwrap()), bytes).unwrap();
        }
        let program = Path::new(env!("CARGO_BIN_EXE_jungletb"));
        let examples = folder.path().join("work/target/release/examples");
        fs::create_dir_all(examples.parent().unwrap()).unwrap();
        symlink(program, bin.join("jungletb")).unwrap();
        symlink(Path::new(example()).parent().unwrap(), examples).unwrap();
        Self { folder, services: Vec::new(), address: None }
    }

    fn command(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new("bash");
        command
            .args(["-o", "pipefail", "-c", line])
            .current_dir(self.folder.path().join("work"))
            .env("PATH", format!("{}:{path}", self.folder.path().join("bin").display()))
            .env("HOME", self.folder.path())
            .env("JUNGLETB_TABLES", "tablebases")
            .env_remove("COLUMNS")
            .stdin(Stdio::null());
        command
    }

    /// The output of a command.
    fn run(&mut self, sample: &Sample) -> Result<String, String> {
        let line = sample.command.replace("cargo run --release --", "jungletb");
        if line.starts_with("jungletb serve") {
            return self.serve(&line);
        }
        let line = match &self.address {
            Some((told, real)) => line.replace(told, real),
            None => line,
        };
        let output = self.command(&format!("exec 2>&1\n{line}")).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let text = text + end;
        if output.status.success() { Ok(text) } else { Err(format!("{}\n{text}", output.status)) }
    }

    /// Starts the service at a free address, and returns its first line.
    fn serve(&mut self, line: &str) -> Result<String, String> {
        let mut command = self.command(&format!("exec {} --bind 127.0.0.1:0 2>&1", line.trim_end_matches('&')));
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let mut stdout = child.stdout.take().unwrap();
        self.services.push(child);
        let (mut text, mut byte) = (String::new(), [0]);
        while !text.ends_with('\n') && stdout.read(&mut byte).is_ok_and(|count| count > 0) {
            text.push(byte[0].into());
        }
        let real = text.split("http://").nth(1).and_then(|rest| rest.split('/').next()).ok_or_else(|| text.clone())?;
        let told = "127.0.0.1:8080";
        self.address = Some((told, real.to_owned()));
        Ok(text.replace(real, told))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        for service in &mut self.services {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

/// The output to show: unchanged, if the command's output differs only where it may.
fn compare(sample: &Sample, told: &str, printed: &str) -> Result<(), String> {
    if sample.is_json {
        let parse = |text: &str| serde_json::from_str::<Json>(&mask_json(text));
        let is_same = matches!((parse(told), parse(printed)), (Ok(told), Ok(printed)) if told == printed);
        return if is_same { Ok(()) } else { Err(lay_out(printed)) };
    }
    let [told, masked] = [told, printed].map(mask);
    let normalized = NormalizeToExpected::new().redact().normalize(Data::text(masked), &Data::text(told.clone()));
    if normalized.to_string() == told { Ok(()) } else { Err(printed.to_owned()) }
}

fn mask_json(text: &str) -> String {
    mask(text).replace("[TIME]", "0")
}

/// JSON formatted for readers: values on one line where they fit, else one line per part.
fn lay_out(printed: &str) -> String {
    fn write(value: &Json, indent: usize, text: &mut String) {
        let short = value.to_string();
        let parts: Vec<(String, &Json)> = match value {
            Json::Object(object) => {
                object.iter().map(|(name, part)| (format!("{}: ", Json::from(&**name)), part)).collect()
            }
            Json::Array(array) => array.iter().map(|part| (String::new(), part)).collect(),
            _ => Vec::new(),
        };
        if indent + short.chars().count() <= 110 || parts.is_empty() {
            text.push_str(&short);
            return;
        }
        let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
        text.push(open);
        for (number, (name, part)) in parts.into_iter().enumerate() {
            text.push_str(if number == 0 { "\n" } else { ",\n" });
            text.extend(std::iter::repeat_n(' ', indent + 2));
            text.push_str(&name);
            write(part, indent + 2, text);
        }
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', indent));
        text.push(close);
    }
    let Ok(value) = serde_json::from_str(printed) else { return printed.to_owned() };
    let mut text = String::new();
    write(&value, 0, &mut text);
    text + "\n"
}

/// Runs the samples of a file; returns the differences, and the file with the actual outputs.
fn check(path: &Path, is_wanted: fn(&Sample) -> bool) -> (usize, Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let mut sandbox = Sandbox::new();
    let mut faults = Vec::new();
    let (mut renewed, mut done) = (String::new(), 0);
    let all = samples(&text);
    for sample in all.iter().filter(|sample| is_wanted(sample)) {
        let told = &text[sample.output.clone()];
        renewed.push_str(&text[done..sample.output.start]);
        done = sample.output.end;
        let start = Instant::now();
        let outcome = sandbox.run(sample).map(|printed| compare(sample, told, &printed));
        let shown = match &outcome {
            Ok(Ok(())) => told.to_owned(),
            Ok(Err(printed)) | Err(printed) => {
                faults.push(format!(
                    "{}:{}: $ {}\n--- the text says\n{told}--- the program says\n{printed}",
                    path.display(),
                    sample.line,
                    sample.command
                ));
                if outcome.is_ok() { printed.clone() } else { told.to_owned() }
            }
        };
        renewed.push_str(&shown);
        assert!(start.elapsed() < Duration::from_mins(10), "{}: {} takes too long", path.display(), sample.command);
    }
    renewed.push_str(&text[done..]);
    if std::env::var("SNAPSHOTS").is_ok_and(|wish| wish == "overwrite") && renewed != text {
        fs::write(path, renewed).unwrap();
    }
    (all.len(), faults)
}

/// The README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<PathBuf> = root.join("docs").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    all.push(root.join("README.md"));
    all.push(root.join("scripts/fleet/README.md"));
    all.sort();
    all
}

#[test]
fn samples_print_what_the_text_says() {
    let (mut number, mut faults) = (0, Vec::new());
    for path in pages() {
        let (samples, found) = check(&path, |sample| sample.command != LONG);
        number += samples;
        faults.extend(found);
    }
    assert!(number >= 20, "{number} samples");
    assert!(faults.is_empty(), "{}\n\nSNAPSHOTS=overwrite writes what the program says.", faults.join("\n"));
}

#[test]
#[ignore = "solves all classes of four pieces: 27 CPU seconds"]
fn the_first_command_prints_what_the_readme_says() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let (_, faults) = check(&readme, |sample| sample.command == LONG);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(samples(&fs::read_to_string(readme).unwrap()).iter().any(|sample| sample.command == LONG));
}

#[test]
fn samples_are_read_as_described() {
    let text = "```console\n$ a b\n> c\nx\ny\n$ d\n```\n\n```json\n{\"k\": 1}\n```\n```sh\n$ no\n```\n```console\n$ e\n```\ntext\n```json\n1\n```\n";
    let read: Vec<(usize, String, &str, bool)> = samples(text)
        .into_iter()
        .map(|sample| (sample.line, sample.command, &text[sample.output], sample.is_json))
        .collect();
    let expected = [(2, "a b\nc", "x\ny\n", false), (6, "d", "{\"k\": 1}\n", true), (16, "e", "", false)];
    assert_eq!(read, expected.map(|(line, command, output, json)| (line, command.to_owned(), output, json)));
}

#[test]
fn faults_of_samples_are_found() {
    let sample = |is_json| Sample { line: 1, command: String::new(), output: 0..0, is_json };
    let is_same = |told, printed, is_json| compare(&sample(is_json), told, printed).is_ok();
    assert!(is_same("a\n", "a\n", false) && !is_same("a\n", "b\n", false) && !is_same("a\n", "a\nb\n", false));
    assert!(is_same("a\n...\nd\n", "a\nb\nc\nd\n", false) && !is_same("a\n...\nd\n", "a\nb\nc\n", false));
    assert!(is_same("seconds   1.5\n", "seconds   20.1\n", false) && !is_same("bytes   1\n", "bytes   2\n", false));
    assert!(is_same("nps 5 time 3 x\n", "nps 77 time 0 x\n", false) && !is_same("nodes 5\n", "nodes 6\n", false));
    assert!(is_same("{\"a\": 1,\n \"seconds\": 1}\n", "{\"a\":1,\"seconds\":2.5}\n", true));
    assert!(!is_same("{\"a\": 1}\n", "{\"a\":2}\n", true));
}
