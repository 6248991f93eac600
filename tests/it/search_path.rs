//! Where the program looks for tables, and where it writes them; the tables that are part of it.

use crate::common::{SHIPPED, contents, text};
use jungletb::game::{Position, Rules};
use jungletb::probe::{Options, ProbeError, Tablebase};
use jungletb::table::SearchPath;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A position of two pieces, of three, and of four.
const TWO: &str = "7/3L3/7/7/7/7/7/7/c6 b";
const THREE: &str = "7/7/2r4/3L3/7/3c3/7/7/7 w";
const FOUR: &str = "l6/3c3/7/P6/7/7/7/7/6E w";

/// A machine with the program installed in `opt/bin`, a home folder, and a folder `work` to run it in.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        for folder in ["opt/bin", "home", "work"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        let program = env!("CARGO_BIN_EXE_jungletb");
        let installed = machine.path("opt/bin/jungletb");
        fs::hard_link(program, &installed).or_else(|_| fs::copy(program, &installed).map(|_| ())).unwrap();
        machine
    }

    /// A path on the machine. The real one: that of the program has no links in it.
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(self.path("opt/bin/jungletb"));
        command
            .args(line.split_whitespace())
            .current_dir(self.path("work"))
            .env("HOME", self.path("home"))
            .env_remove("XDG_DATA_HOME")
            .env_remove("JUNGLETB_TABLES");
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        let output = self.run(&format!("{line} --json"));
        assert!(output.status.success(), "{line}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Copies the tables of a class to a folder.
    fn place(&self, class: &str, folder: &str) {
        let to = self.path(folder).join("standard");
        fs::create_dir_all(&to).unwrap();
        for metric in ["wdl", "dtw"] {
            let name = format!("{class}.{metric}");
            fs::copy(Path::new(SHIPPED).join("standard").join(&name), to.join(&name)).unwrap();
        }
    }

    /// The folder in which the program finds the tables of a class.
    fn found(&self, class: &str) -> Option<String> {
        self.json(&format!("list {class}"))["tables"][0]["folder"].as_str().map(str::to_owned)
    }
}

#[cfg(all(target_os = "linux", feature = "shipped"))]
#[test]
fn three_pieces_are_always_at_hand() {
    let machine = Machine::new();
    for (position, category, dtw) in [(TWO, "loss", 2), (THREE, "loss", 8)] {
        let answer = machine.json(&format!("probe {position}"));
        assert_eq!((&answer["category"], &answer["dtw"]), (&category.into(), &dtw.into()));
    }
    let counts = machine.json("list");
    assert_eq!(counts["tables"].as_array().unwrap().len(), 52);
    for entry in counts["tables"].as_array().unwrap() {
        assert_eq!((&entry["state"], &entry["folder"]), (&"ok".into(), &"shipped".into()), "{entry}");
    }
    assert!(machine.run("verify").status.success());
    // What is missing is made in the user's folder, which the message names.
    let own = machine.path("home/.local/share/jungletb/tablebases");
    let missing = machine.run(&format!("probe {FOUR}"));
    let line = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(4));
    assert!(line.contains(&format!(" in {}/standard, shipped/standard: make it with", text(&own))), "{line}");
    assert!(line.contains(&format!("generate EPvLC --rules standard --tables {}`", text(&own))), "{line}");
    // No other rule set has any.
    assert_eq!(machine.run(&format!("probe {THREE} --rules leiden")).status.code(), Some(4));
    // Folders that are named are searched alone.
    let output = machine.command(&format!("probe {THREE}")).env("JUNGLETB_TABLES", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(machine.run(&format!("probe {THREE} --tables /nowhere")).status.code(), Some(4));
}

#[cfg(target_os = "linux")]
#[test]
fn tables_are_written_where_they_are_found() {
    let machine = Machine::new();
    let own = machine.path("home/.local/share/jungletb/tablebases");
    assert_eq!(machine.json("generate EvE -q")["folder"], text(&own));
    assert_eq!(machine.found("EvE").as_deref(), Some(text(&own)));
    assert_eq!(contents(&own).len(), 2);
    let told = String::from_utf8(machine.run("generate EvE -q").stdout).unwrap();
    assert!(told.contains(&format!("folder                   {}/standard\n", text(&own))), "{told}");
    // The user may have moved it.
    let moved = machine.path("data");
    let output = machine.command("generate EvE -q --json").env("XDG_DATA_HOME", &moved).output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["folder"], text(&moved.join("jungletb/tablebases")));
    // A folder in the current one comes first.
    fs::create_dir(machine.path("work/tablebases")).unwrap();
    let summary = machine.json("generate EvR -q");
    assert_eq!((&summary["folder"], &summary["solved"]), (&"tablebases".into(), &1.into()));
    assert_eq!(machine.found("EvR").as_deref(), Some("tablebases"));
    assert_eq!(machine.found("EvE").as_deref(), Some(text(&own)));
    machine.run("verify 2");
    assert!(machine.path("work/tablebases/VERIFIED").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn the_usual_places_have_an_order() {
    let machine = Machine::new();
    let own = "home/.local/share/jungletb/tablebases";
    let places = ["work/tablebases", "opt/bin/tablebases", "opt/share/jungletb/tablebases", own];
    // From the last to the first: each comes before those that have the table already.
    for place in places.iter().rev() {
        machine.place("LvR", place);
        let found = machine.found("LvR").unwrap();
        assert_eq!(machine.path("work").join(found), machine.path(place));
    }
    // The path of the program is the real one.
    let link = machine.path("work/link");
    std::os::unix::fs::symlink(machine.path("opt/bin/jungletb"), &link).unwrap();
    fs::remove_dir_all(machine.path("work/tablebases")).unwrap();
    let mut command = machine.command("list LvR --json");
    let mut linked = Command::new(&link);
    linked.args(command.get_args()).current_dir("/").env("HOME", machine.path("home")).env_remove("JUNGLETB_TABLES");
    for command in [&mut command, &mut linked] {
        let list: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        assert_eq!(list["tables"][0]["folder"], text(&machine.path("opt/bin/tablebases")));
    }
}

/// A GUI starts the engine in a folder of its own.
#[cfg(all(target_os = "linux", feature = "shipped"))]
#[test]
fn the_engine_finds_its_tables_from_any_folder() {
    let machine = Machine::new();
    let talk = |input: &str| {
        let mut command = machine.command("engine");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let lines = talk("uci\nisready\nposition fen 7/7/2r4/3L3/7/3c3/7/7/7 w\ngo movetime 1000\n");
    let own = machine.path("home/.local/share/jungletb/tablebases");
    let option = format!("option name TablePath type string default {}\n", text(&own));
    assert!(lines.contains(&option) && lines.contains("\nbestmove d6d7\n"), "{lines}");
    assert!(lines.contains("\ninfo string 52 tables of up to 3 pieces in shipped\nreadyok\n"), "{lines}");
    // A GUI may send the default back: the tables that are part of the program stay.
    let lines = talk(&format!("setoption name TablePath value {}\nisready\n", text(&own)));
    assert_eq!(lines, "info string 52 tables of up to 3 pieces in shipped\nreadyok\n");
    machine.place("LvR", "home/.local/share/jungletb/tablebases");
    let lines = talk("isready\n");
    assert_eq!(lines, format!("info string 52 tables of up to 3 pieces in {}, shipped\nreadyok\n", text(&own)));
}

#[cfg(feature = "shipped")]
#[test]
fn the_library_has_the_tables_of_three_pieces() {
    let rules = Rules::standard();
    let shipped = Tablebase::shipped(&rules);
    let files = Tablebase::open(SHIPPED, &rules).unwrap();
    assert_eq!(shipped.available(), files.available());
    assert_eq!((shipped.available().len(), shipped.most_pieces()), (52, 3));
    for text in [TWO, THREE] {
        let position = Position::parse(&rules, text).unwrap();
        assert_eq!(shipped.value(&position).unwrap(), files.value(&position).unwrap());
        assert_eq!(shipped.line(&position).unwrap(), files.line(&position).unwrap());
    }
    let four = Position::parse(&rules, FOUR).unwrap();
    let Err(ProbeError::MissingTable(missing)) = shipped.value(&four) else { panic!("four pieces") };
    let told =
        "no table for EPvLC (class EPvLW) in shipped/standard: make it with `jungletb generate EPvLC --rules standard`";
    assert_eq!(missing.to_string(), told);
    assert!(!shipped.refresh());
    // Other rules have none.
    let leiden = Rules::preset("leiden").unwrap();
    assert_eq!(Tablebase::shipped(&leiden).available(), []);
    let folder = tempfile::tempdir().unwrap();
    // A folder comes first, also if its tables are written later.
    fs::create_dir(folder.path().join("standard")).unwrap();
    let path = SearchPath::new([folder.path()]).with_shipped();
    let both = Tablebase::open_path(&path, &rules, Options::default()).unwrap();
    let position = Position::parse(&rules, TWO).unwrap();
    let right = files.value(&position).unwrap();
    assert_eq!(both.value(&position).unwrap(), right);
    assert!(!both.refresh());
    for name in ["LvP.wdl", "LvP.dtw"] {
        let name = Path::new("standard").join(name);
        fs::copy(Path::new(SHIPPED).join(&name), folder.path().join(&name)).unwrap();
    }
    assert!(both.refresh());
    assert_eq!(both.value(&position).unwrap(), right);
    fs::write(folder.path().join("standard/LvP.dtw"), "nothing").unwrap();
    assert!(both.refresh());
    assert!(matches!(both.value(&position), Err(ProbeError::Table(_))));
    fs::remove_file(folder.path().join("standard/LvP.dtw")).unwrap();
    fs::remove_file(folder.path().join("standard/LvP.wdl")).unwrap();
    assert!(both.refresh());
    assert_eq!(both.value(&position).unwrap(), right);
}
