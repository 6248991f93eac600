//! Bad input of any kind: the program reports it in one line, ends with the right exit code, and changes no file.

use crate::common::{Run, assert_fails, contents, generate, program, run, tables, text};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Runs the program on shared tables for each case; each must fail and leave the tables unchanged.
fn all_fail<'a>(code: i32, cases: impl IntoIterator<Item = (Vec<&'a str>, &'a str)>) -> usize {
    let tables = tables("standard", "2");
    let before = contents(tables.path());
    let mut checked = 0;
    for (arguments, phrase) in cases {
        let run = run(&[&arguments[..], &["--tables", tables.text()]].concat());
        assert_fails(&run, code, phrase, &format!("{arguments:?}"));
        assert_eq!(run.stdout, "", "{arguments:?}");
        checked += 1;
    }
    assert!(before == contents(tables.path()));
    checked
}

#[test]
fn bad_positions() {
    const DUPLICATE: &str = "two white elephants, on a9 and b8";
    let cases = [
        ("", "no position given"),
        ("   ", "no position given"),
        ("w", "1 rank, but the board has 9"),
        ("7/7/7/7/7/7/7/7/7", "side to move is missing"),
        ("E6/7/7/7/7/7/7/7/e6", "side to move is missing"),
        ("E6/7/7/7/7/7/7/7/e6 x", "side to move is \"x\""),
        ("E6/7/7/7/7/7/7/7/e6 ww", "side to move is \"ww\""),
        ("E6/7/7/7/7/7/7/7/e6 green", "side to move is \"green\""),
        ("E6/7/7/7/7/7/7/e6 w", "8 ranks"),
        ("E6/7/7/7/7/7/7/7/7/e6 w", "10 ranks"),
        ("E6/7/7/7/7/7/7/7/e6/ w", "10 ranks"),
        ("E6//7/7/7/7/7/7/e6 w", "rank 8 has 0 squares"),
        ("E5/7/7/7/7/7/7/7/e6 w", "rank 9 has 6 squares"),
        ("E7/7/7/7/7/7/7/7/e6 w", "rank 9 has 8 squares"),
        ("E6/7/7/7/7/7/7/7/e66 w", "rank 1 has 13 squares"),
        ("E6/7/7/7/77777777777777777777/7/7/7/e6 w", "rank 5 has 140 squares"),
        ("E6/8/7/7/7/7/7/7/e6 w", "rank 8: '8' is neither an animal nor a gap"),
        ("E6/0/7/7/7/7/7/7/e6 w", "rank 8: '0' is neither an animal nor a gap"),
        ("E6/7/X6/7/7/7/7/7/e6 w", "rank 7: 'X' is neither an animal nor a gap"),
        ("E6/7/7/7/7/7/7/7/\u{e9}6 w", "rank 1: '\u{e9}' is neither an animal nor a gap"),
        ("E6/7/7/7/7/7/7/7/\u{ff11}e6 w", "rank 1: '\u{ff11}' is neither an animal nor a gap"),
        ("E6/1E5/7/7/7/7/7/7/e6 w", DUPLICATE),
        ("EE5/7/7/7/7/7/7/7/e6 w", "two white elephants, on a9 and b9"),
        ("P6/J6/7/7/7/7/7/7/e6 w", "two white leopards, on a9 and a8"),
        ("e6/7/7/7/7/7/7/7/e6 w", "two black elephants, on a9 and a1"),
        ("7/7/7/1E5/7/7/7/7/e6 w", "white elephant on b6: it cannot stand in the water"),
        ("7/7/7/7/7/5d1/7/7/E6 w", "black dog on f4: it cannot stand in the water"),
        ("e6/7/7/7/7/7/7/7/3E3 w", "white elephant on d1: no piece enters its own den"),
        ("3r3/7/7/7/7/7/7/7/E6 w", "black rat on d9: no piece enters its own den"),
        ("3E3/7/7/7/7/7/7/7/3e3 w", "both dens are entered"),
        ("7/7/7/7/7/7/7/7/7 w", "the board is empty"),
        ("E6/7/7/7/7/7/7/7/e6\tb\u{1b}[31m", "side to move is \"b\\u{1b}[31m\""),
    ];
    let probes = cases.map(|(position, phrase)| (vec!["probe", position], phrase));
    assert_eq!(all_fail(2, probes), 32);
    // Other commands parse positions the same way.
    let perfts = cases.map(|(position, phrase)| (vec!["perft", position, "1"], phrase));
    assert_eq!(all_fail(2, perfts), 32);

    let max_4 = "tests/data/rules/trap-max-4.toml";
    let other_rules = [
        ("animal-checkers", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", "9 ranks, but the board has 7"),
        ("animal-checkers", "L6/7/7/7/7/7/e6 w", "white lion on a7: that animal is not in this game"),
        ("animal-checkers", "E6/7/7/7/7/7/3R3 w", "white rat on d1: no piece enters its own den"),
        (max_4, "2L4/7/7/7/7/7/7/7/c6 w", "white lion on c9: these rules keep it out of traps"),
        (max_4, "C6/7/7/7/7/7/7/3p3/7 w", "black leopard on d2: these rules keep it out of traps"),
    ];
    let probes = other_rules.map(|(rules, position, phrase)| (vec!["probe", position, "--rules", rules], phrase));
    assert_eq!(all_fail(2, probes), 5);
}

#[test]
fn bad_materials() {
    let cases = [
        ("", "write White's letters, v, Black's letters"),
        ("E", "write White's letters, v, Black's letters"),
        ("E e", "write White's letters, v, Black's letters"),
        ("v", "each side needs an animal"),
        ("Ev", "each side needs an animal"),
        ("vE", "each side needs an animal"),
        ("EvX", "'X' is not an animal"),
        ("evy", "'y' is not an animal"),
        ("EvEvE", "write two sides"),
        ("EEvE", "a side has at most one elephant"),
        ("PJvE", "a side has at most one leopard"),
        ("E;vE", "';' is not an animal"),
        ("../EvE", "'.' is not an animal"),
    ];
    for command in ["stats", "verify", "generate", "export --format csv"] {
        let words: Vec<&str> = command.split(' ').collect();
        let cases = cases.map(|(material, phrase)| ([&words[..], &[material]].concat(), phrase));
        assert_eq!(all_fail(2, cases), 13);
    }
    let not_there = [(vec!["stats", "EvL", "--rules", "animal-checkers"], "there is no lion in animal-checkers")];
    assert_eq!(all_fail(2, not_there), 1);
}

#[test]
fn bad_arguments() {
    const E: &str = "E6/7/7/7/7/7/7/7/e6 w";
    let cases = [
        (vec!["frobnicate"], "unrecognized subcommand 'frobnicate'"),
        (vec!["list", "--frobnicate"], "unexpected argument '--frobnicate'"),
        (vec!["rules", "standard", "here"], "unexpected argument 'here'"),
        (vec!["list", "here"], "write White's letters, v"),
        (vec!["list", "EvE", "--pieces", "3"], "cannot be used with"),
        (vec!["plan"], "required"),
        (vec!["list", "--threads", "0"], "invalid value '0' for '--threads"),
        (vec!["list", "--threads", "-1"], "unexpected argument '-1'"),
        (vec!["list", "--threads", "many"], "invalid value 'many' for '--threads"),
        (vec!["list", "--threads", "4294967297"], "--threads"),
        (vec!["list", "--pieces", "1"], "--pieces"),
        (vec!["list", "--pieces", "9"], "--pieces"),
        (vec!["list", "--rules"], "a value is required for '--rules"),
        (vec!["list", "--rules", ""], "unknown rules \"\""),
        (vec!["list", "--rules", "chess"], "unknown rules \"chess\""),
        (vec!["list", "--rules", "Standards"], "unknown rules \"Standards\""),
        (vec!["list", "--rules", "/etc/passwd"], "unknown rules \"/etc/passwd\""),
        (vec!["list", "--rules", "no/such.toml"], "no/such.toml: cannot read the rule file"),
        (vec!["list", "--rules", "hidden"], "not a game of perfect information"),
        (vec!["rules", "chess"], "unknown rules \"chess\""),
        (vec!["probe"], "<POSITION>"),
        (vec!["probe", E, "--batch", "-"], "cannot be used with"),
        (vec!["probe", "--batch"], "a value is required for '--batch"),
        (vec!["perft", E], "2 values required"),
        (vec!["perft", E, "0"], "depth \"0\": give a number of plies"),
        (vec!["perft", E, "13"], "depth \"13\": give a number of plies"),
        (vec!["perft", E, "two"], "depth \"two\": give a number of plies"),
        (vec!["perft", E, "1.5"], "depth \"1.5\": give a number of plies"),
        (vec!["stats"], "required"),
        (vec!["stats", "EvE", "--csv", "--json"], "cannot be used with"),
        (vec!["export", "EvE"], "--format"),
        (vec!["export", "--format", "csv"], "<MATERIAL>"),
        (vec!["export", "EvE", "--format", "xml"], "invalid value 'xml' for '--format"),
        (vec!["export", "EvE", "--format", "csv", "--to-move", "red"], "--to-move"),
        (vec!["generate"], "required"),
        (vec!["generate", "0"], "give a number from 2 to 8"),
        (vec!["generate", "1"], "give a number from 2 to 8"),
        (vec!["generate", "9"], "give a number from 2 to 8"),
        (vec!["generate", "3x"], "give a number from 2 to 8"),
        (vec!["generate", "99999999999999999999"], "give a number from 2 to 8"),
        (vec!["generate", "--", "-3"], "give a number from 2 to 8"),
        (vec!["generate", "ELTPWvELTP"], "9 pieces; no table has more than 8"),
        (vec!["generate", "2", "EvX"], "'X' is not an animal"),
        (vec!["generate", "2", "--metric", "dtm"], "invalid value 'dtm' for '--metric"),
        (vec!["generate", "2", "--memory", "much"], "give a number with K, M, G or T"),
        (vec!["generate", "2", "--memory", "0"], "give a positive size"),
        (vec!["generate", "2", "--memory", ""], "--memory"),
        (vec!["completions", "tcsh97"], "invalid value 'tcsh97'"),
    ];
    assert_eq!(all_fail(2, cases), 48);
    // More pieces than any table has: a valid position without any known value.
    let many = [
        (vec!["stats", "ELTPWvELTP"], "9 pieces: no table has more than 8"),
        (vec!["verify", "ELTPWvELTP"], "9 pieces: no table has more than 8"),
        (vec!["probe", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"], "16 pieces: no table has more than 8"),
    ];
    assert_eq!(all_fail(4, many), 3);
    // A table folder whose name is empty or not valid text.
    assert_fails(&run(&["list", "--tables", ""]), 2, "a value is required for '--tables", "no name");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let output = program().arg("probe").arg(std::ffi::OsStr::from_bytes(b"\xff")).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let run = Run { code: output.status.code(), stdout: String::new(), stderr };
        assert_fails(&run, 2, "invalid UTF-8", "no text");
    }
}

#[test]
fn what_an_error_quotes_cannot_steer_the_terminal() {
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    fs::write(&file, "base = \"\\u001b[31m\"").unwrap();
    // Names of rules were once quoted unescaped, with their escape sequences.
    let cases = [
        (vec!["rules", "\u{1b}[31m"], "unknown rules"),
        (vec!["list", "--rules", "\u{1b}[31m"], "unknown rules"),
        (vec!["list", "--rules", text(file.path())], "unknown base"),
        (vec!["stats", "\u{1b}[31m"], "material \"\\u{1b}[31m\""),
        (vec!["probe", "\u{1b}[31m w"], "1 rank,"),
        (vec!["perft", "7/7/7/7/7/7/7/7/E6 w", "\u{1b}[31m"], "depth \"\\u{1b}[31m\""),
    ];
    assert_eq!(all_fail(2, cases), 6);
}

#[test]
fn bad_rule_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut checked = 0;
    let mut fails = |name: &str, bytes: &[u8], phrase: &str| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let before = contents(folder.path());
        for command in ["list", "rules", "generate"] {
            let tables = folder.path().join("tables");
            let mut arguments = vec![command];
            match command {
                "rules" => arguments.push(text(&file)),
                "generate" => arguments.extend(["2", "--rules", text(&file)]),
                _ => arguments.extend(["--rules", text(&file)]),
            }
            let run = run(&[&arguments[..], &["--tables", text(&tables)]].concat());
            let what = format!("{command} {name} {:?}", String::from_utf8_lossy(bytes));
            assert_fails(&run, 2, phrase, &what);
            assert!(run.stderr.contains(name), "{what}: {}", run.stderr);
            checked += 1;
        }
        assert!(before == contents(folder.path()), "{name}");
    };
    for (toml, phrase) in [
        ("base = \"chess\"", "unknown base \"chess\""),
        ("base = 7", "line 1: invalid type"),
        ("bord = \"jungle\"", "line 1: unknown field `bord`"),
        ("board = \"chess\"", "line 1: unknown variant `chess`"),
        ("board = ", "line 1:"),
        ("= 3", "line 1:"),
        ("[strength", "line 1:"),
        ("# a comment\n\nstrength = { cow = 3 }", "line 3: unknown variant `cow`"),
        ("strength = { rat = 0 }", "strength.rat: 0 is out of range"),
        ("strength = { rat = -1 }", "strength.rat: -1 is out of range"),
        ("strength = { rat = 100 }", "strength.rat: 100 is out of range"),
        ("strength = { rat = 99999999999999999999 }", "line 1:"),
        ("strength = { rat = 1.5 }", "line 1: invalid type"),
        ("strength = 3", "line 1: invalid type"),
        ("trap_entry_max_strength = 0", "trap_entry_max_strength: 0 is out of range"),
        ("swimmers = [\"lion\"]", "swimmers: lion cannot be named here"),
        ("swimmers = \"rat\"", "line 1: invalid type"),
        ("rat_from_water_takes = [\"cat\"]", "rat_from_water_takes: cat cannot be named here"),
        ("rat_on_land_takes_rat_in_water = \"yes\"", "line 1: invalid type"),
        ("elephant_takes_rat = \"sometimes\"", "line 1: unknown variant `sometimes`"),
        ("jumps = { lion = \"up\" }", "line 1: unknown variant `up`"),
        ("jumps_over_rats = [\"horse\"]", "line 1: unknown variant `horse`"),
        ("jump_blockers = \"own\"", "line 1: unknown variant `own`"),
        ("no_legal_move = \"win\"", "line 1: unknown variant `win`"),
        ("traps = \"all\"\ntraps = \"enemy\"", "line 2: duplicate key"),
        ("hidden = true", "not a game of perfect information"),
        ("base = \"hidden\"", "not a game of perfect information"),
    ] {
        fails("bad.toml", toml.as_bytes(), phrase);
    }
    fails("latin.toml", b"# caf\xe9\n", "cannot read the rule file");
    fails("leiden.toml", b"", "may not be called leiden.toml");
    fails("a b.toml", b"", "cannot name a folder of tables");
    fails(".toml", b"", "");
    assert_eq!(checked, 3 * 31);
    let directory = folder.path().join("folder.toml");
    fs::create_dir(&directory).unwrap();
    assert_fails(&run(&["list", "--rules", text(&directory)]), 2, "cannot read the rule file", "a folder");
}

/// A folder with copies of intact tables, to damage.
fn spoilable(good: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for (path, bytes) in contents(&good.join("standard")) {
        fs::write(folder.path().join("standard").join(path.file_name().unwrap()), bytes).unwrap();
    }
    folder
}

#[test]
fn bad_tables() {
    const POSITION: &str = "E6/7/7/7/7/7/7/7/e6 w";
    let good = tempfile::tempdir().unwrap();
    generate("2", "standard", good.path());
    let bytes = |name: &str| fs::read(good.path().join("standard").join(name)).unwrap();
    let other = tempfile::tempdir().unwrap();
    generate("EvE", "no-move-draw", other.path());
    let whole = bytes("EvE.dtw");
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let version = {
        let mut bytes = whole.clone();
        bytes[8] = 99;
        bytes
    };
    let mut longer = whole.clone();
    longer.push(0);
    let cases: [(&str, Vec<u8>, &str); 16] = [
        ("an empty file", Vec::new(), "it is empty"),
        ("half a header", whole[..500].to_vec(), "too few for a header"),
        ("a header alone", whole[..1024].to_vec(), "its length does not match its header"),
        ("half a block", whole[..usize::midpoint(1024, whole.len())].to_vec(), "its length does not match its header"),
        ("a byte short", whole[..whole.len() - 1].to_vec(), "its length does not match its header"),
        ("a byte long", longer, "its length does not match its header"),
        ("a flipped bit in the magic", flipped(1), "not a table of jungletb"),
        ("another version", version, "this program reads version"),
        ("a flipped bit in the header", flipped(20), "its header fails its checksum"),
        ("a flipped bit in the header's padding", flipped(1000), "its header fails its checksum"),
        ("a flipped bit in the block", flipped(1024), "fails its checksum"),
        ("a flipped bit in the tail", flipped(whole.len() - 1), "its block table fails its checksum"),
        ("a text file", "This is no table. ".repeat(100).into_bytes(), "not a table of jungletb"),
        ("the table of another class", bytes("LvL.dtw"), "another game than EvE"),
        ("the table of results", bytes("EvE.wdl"), "table of the other metric"),
        (
            "the table of another game",
            fs::read(other.path().join("no-move-draw/EvE.dtw")).unwrap(),
            "another game than EvE",
        ),
    ];
    let mut checked = 0;
    for (what, bytes, phrase) in &cases {
        let folder = spoilable(good.path());
        let file = folder.path().join("standard/EvE.dtw");
        fs::write(&file, bytes).unwrap();
        checked += all_damaged(folder.path(), what, phrase, POSITION);
    }
    let folder = spoilable(good.path());
    let file = folder.path().join("standard/EvE.dtw");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    checked +=
        all_damaged(folder.path(), "a folder", "a folder, pipe or device where a table file should be", POSITION);
    assert_eq!(checked, 17 * 5);
}

/// Commands that need the table `EvE.dtw` of a folder fail and name the file; commands that need only others do not.
fn all_damaged(folder: &Path, what: &str, phrase: &str, position: &str) -> usize {
    let before = contents(folder);
    let cases = [
        &["probe", position][..],
        &["probe", position, "--json"],
        &["verify", "EvE"],
        &["verify", "--checksums"],
        &["export", "EvE", "--format", "csv"],
    ];
    for arguments in cases {
        let run = run(&[arguments, &["--tables", text(folder)]].concat());
        let what = format!("{what}: {arguments:?}");
        assert_fails(&run, 3, phrase, &what);
        assert!(run.stderr.contains("EvE.dtw"), "{what}: {}", run.stderr);
        // A header line may be printed before the damage shows, but no data.
        assert!(run.stdout.lines().count() <= 1, "{what}: {}", run.stdout);
    }
    let list = run(&["list", "--json", "--tables", text(folder)]);
    assert_eq!(list.code, Some(3), "{what}");
    let list = list.json();
    let entries = list["tables"].as_array().unwrap();
    let damaged: Vec<&Value> = entries.iter().filter(|entry| entry["state"] == "damaged").collect();
    assert_eq!((damaged.len(), &damaged[0]["class"], entries.len()), (1, &json!("EvE"), 10), "{what}");
    // Other tables are unaffected.
    let other = "R6/7/7/7/7/7/7/7/r6 w";
    run(&["probe", other, "--tables", text(folder)]).good();
    assert!(before == contents(folder), "{what}");
    cases.len()
}

/// Commands that read tables.
const NEED_TABLES: [&[&str]; 5] = [
    &["probe", "E6/7/7/7/7/7/7/7/e6 w"],
    &["stats", "EvE"],
    &["verify"],
    &["verify", "EvE"],
    &["export", "EvE", "--format=csv"],
];

#[test]
fn a_file_in_place_of_the_folder_of_tables() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(&file, "no folder").unwrap();
    let common = ["--tables", text(file.path())];
    assert_fails(&run(&[&["generate", "EvE"], &common[..]].concat()), 1, text(file.path()), "generate");
    for command in NEED_TABLES {
        // This was once reported as a damaged table, with exit code 3.
        assert_fails(&run(&[command, &common[..]].concat()), 1, "not a directory", &format!("{command:?}"));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "no folder");
}

#[test]
fn bad_folders() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let occupied = folder.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("standard"), "no folder either").unwrap();
    let before = contents(folder.path());
    for command in NEED_TABLES {
        let fails = |tables: &Path, code, phrase| {
            let run = run(&[command, &["--tables", text(tables)]].concat());
            assert_fails(&run, code, phrase, &format!("{command:?} {}", tables.display()));
            run
        };
        let missing = fails(&nowhere, 4, "no table for EvE");
        let hint = format!("jungletb generate EvE --rules standard --tables {}", nowhere.display());
        assert!(missing.stderr.contains(&hint), "{}", missing.stderr);
        fails(&occupied, 1, text(&occupied));
    }
    assert_fails(&run(&["generate", "EvE", "--tables", text(&occupied)]), 1, text(&occupied), "generate");
    // An empty list is not an error.
    let list = run(&["list", "--json", "--tables", text(&nowhere)]).good().json();
    assert!(list["tables"].as_array().unwrap().iter().all(|entry| entry["state"] == "missing"));
    // Paths that cannot be written.
    let out = folder.path().join("none/out.csv");
    let tables = tables("standard", "2");
    let export = ["export", "EvE", "--format", "csv", "--tables", tables.text(), "--out", text(&out)];
    assert_fails(&run(&export), 1, "out.csv: No such file", "export");
    assert_fails(&run(&["probe", "--batch", text(&out)]), 2, "out.csv", "batch");
    assert!(before == contents(folder.path()));
}

#[test]
fn a_position_without_a_table_names_the_way_to_prove_it() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no tables");
    let options = ["--rules", "leiden", "--tables", text(&nowhere)];
    let four = "7/7/2r4/3L3/7/3c3/6E/7/7 w";
    let ten = "7/1d1w1c1/2l1e2/3r3/7/3L1R1/3P3/1C5/7 w";
    for (position, code) in [(four, 4), (ten, 4)] {
        let probe = run(&[&["probe", position], &options[..]].concat());
        let prove = format!("`jungletb prove '{position}' --rules leiden --tables '{}'`", text(&nowhere));
        assert_fails(&probe, code, &prove, position);
        run(&[&["prove", position, "--positions", "1000"], &options[..]].concat()).good();
    }
}
