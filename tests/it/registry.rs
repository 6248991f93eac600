//! The registry: several folders as one, tables that are added, removed, replaced and repaired while in use, system
//! limits, results without distances, and values without any table.

use crate::common::{Run, SHIPPED, assert_fails, generate, rules, run, run_line, run_with_input, tables, text};
use jungletb::game::{Category, Color, Over, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Answer, Options, ProbeError, RankedMove, Tablebase};
use jungletb::system::Cancel;
use jungletb::table::{Access, Encoding, Metric, reencode};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Copies files of the shipped tables.
fn copy(files: &[&str], to: &Path) {
    fs::create_dir_all(to.join("standard")).unwrap();
    for file in files {
        fs::copy(Path::new(SHIPPED).join("standard").join(file), to.join("standard").join(file)).unwrap();
    }
}

fn both(class: &str) -> [String; 2] {
    ["wdl", "dtw"].map(|metric| format!("{class}.{metric}"))
}

fn copy_classes(classes: &[&str], to: &Path) {
    for class in classes {
        copy(&both(class).each_ref().map(String::as_str), to);
    }
}

/// Positions of a material with either side to move.
fn sample(base: &Tablebase, material: &str, count: u64) -> Vec<Position> {
    let place = base.place(Material::parse(base.rules(), material).unwrap()).unwrap();
    let index = place.class.index();
    let number = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % index.len();
    (0..count).map(|n| place.position(base.rules(), &index.decode(number(n)), Color::BOTH[(n % 2) as usize])).collect()
}

fn parse(base: &Tablebase, text: &str) -> Position {
    Position::parse(base.rules(), text).unwrap()
}

fn names(base: &Tablebase) -> Vec<String> {
    base.available().iter().map(|available| format!("{} {:?}", available.class.name(), available.metrics)).collect()
}

#[test]
fn several_folders_are_one() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy_classes(&["EvR"], first.path());
    copy_classes(&["LvR"], second.path());
    copy(&["ERvL.wdl"], second.path());
    // Files that are not tables, or not named after a class.
    for name in ["notes.txt", "RvE.wdl", "EvQ.dtw", "EvR.dtw.abc.tmp", "EvR.lock", "CvW.dtw"] {
        fs::write(first.path().join("standard").join(name), "x").unwrap();
    }
    let rules = Rules::standard();
    let base = Tablebase::open_all(first.path(), &[second.path().to_owned()], &rules, Options::default()).unwrap();
    assert_eq!(names(&base), ["EvR [Wdl, Dtw]", "LvR [Wdl, Dtw]", "ERvL [Wdl]"]);
    assert_eq!(base.most_pieces(), 3);
    for (material, is_there) in [("EvR", true), ("RvE", true), ("LvR", true), ("ERvL", true), ("LvP", false)] {
        assert_eq!(base.has(Material::parse(&rules, material).unwrap()), is_there, "{material}");
    }
    assert!(!base.has(Material::new(255, 255)));
    base.prefetch(Material::parse(&rules, "ERvL").unwrap()).unwrap();
    assert!(matches!(base.prefetch(Material::parse(&rules, "LvP").unwrap()), Err(ProbeError::MissingTable(_))));
    let folders = ["--tables", text(first.path()), "--tables", text(second.path())];
    let list = run_line("list", &folders).good().stdout;
    assert!(list.contains("3 tables ok, "), "{list}");
    run_line("stats LvR EvR", &folders).good();
}

#[test]
fn tables_that_come_go_or_are_mended_are_seen_after_a_refresh() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::standard();
    let shipped = Tablebase::open(SHIPPED, &rules).unwrap();
    for access in [Access::Map, Access::Read] {
        let base = Tablebase::open_with(folder.path(), &rules, Options::default().access(access)).unwrap();
        let position = parse(&base, "7/7/2r4/7/7/3L3/7/7/7 w");
        let right = shipped.value(&position).unwrap();
        let missing = || match base.value(&position) {
            Err(ProbeError::MissingTable(missing)) => missing,
            other => panic!("{other:?}"),
        };
        assert_eq!((missing().material().to_string(), missing().class().to_string()), ("LvR".into(), "LvR".into()));
        assert_eq!(missing().folders(), [folder.path().join("standard")]);
        assert!(missing().command().starts_with("jungletb generate LvR --rules standard --tables "));
        assert!(!base.refresh());
        // Until then a missing table stays missing.
        copy_classes(&["LvR"], folder.path());
        missing();
        assert!(base.refresh());
        assert_eq!(base.value(&position).unwrap(), right);
        assert!(!base.refresh());
        // Damaged in place: unpacked blocks stay right, and after a refresh the damage is reported.
        let path = folder.path().join("standard/LvR.dtw");
        let good = fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[100] ^= 1;
        fs::write(&path, &bad).unwrap();
        assert_eq!(base.value(&position).unwrap(), right);
        assert!(base.refresh());
        assert!(matches!(base.value(&position), Err(ProbeError::Table(_))));
        assert_eq!(base.wdl(&position).unwrap(), right.category);
        // Repaired in place, as by `cp`.
        fs::write(&path, &good).unwrap();
        assert!(base.refresh());
        assert_eq!(base.value(&position).unwrap(), right);
        fs::remove_file(&path).unwrap();
        assert!(base.refresh());
        assert_eq!(base.value(&position).unwrap(), Answer { dtw: None, ..right });
        fs::remove_file(folder.path().join("standard/LvR.wdl")).unwrap();
        assert!(base.refresh());
        missing();
    }
}

/// Cached blocks were once identified only by class and number: after a table was re-encoded, a position was looked up
/// in a block of the old file.
#[test]
fn blocks_of_a_table_that_was_replaced_are_not_mixed_with_the_new_ones() {
    let rules = Rules::standard();
    let shipped = Tablebase::open(SHIPPED, &rules).unwrap();
    for access in [Access::Map, Access::Read] {
        let folder = tempfile::tempdir().unwrap();
        copy_classes(&["LRvR", "LvR", "RvR"], folder.path());
        let base = Tablebase::open_with(folder.path(), &rules, Options::default().access(access)).unwrap();
        let class = base.place(Material::parse(&rules, "LRvR").unwrap()).unwrap().class.clone();
        let positions = sample(&base, "LRvR", 3000);
        let half = positions.len() / 2;
        let check = |positions: &[Position]| {
            for position in positions {
                assert_eq!(base.value(position).unwrap(), shipped.value(position).unwrap());
                assert_eq!(base.wdl(position).unwrap(), shipped.wdl(position).unwrap());
            }
        };
        for rows in [1, 40, 5, 300] {
            // Some blocks are unpacked before the table is replaced, some after, some after the change was noticed.
            check(&positions[..half / 2]);
            let encoding = Encoding { wdl_rows: rows, dtw_rows: 2 * rows, ..Encoding::default() };
            reencode(shipped.registry(), &rules, &class, encoding, folder.path(), &Cancel::new()).unwrap();
            check(&positions[..half]);
            // A read of the replaced file has noticed the change.
            base.refresh();
            check(&positions);
            let table = base.registry().table(&class, Metric::Wdl).unwrap();
            assert_eq!(table.header().block_len as usize, rows * class.index().row_len());
        }
    }
}

#[test]
fn threads_probe_while_tables_are_replaced() {
    let rules = Rules::standard();
    let folder = tempfile::tempdir().unwrap();
    copy_classes(&["LRvR", "LvR", "RvR", "ERvL"], folder.path());
    let shipped = Tablebase::open(SHIPPED, &rules).unwrap();
    // A small cache, so that blocks are evicted often.
    let base = Tablebase::open_with(folder.path(), &rules, Options::default().cache_bytes(60_000)).unwrap();
    let class = base.place(Material::parse(&rules, "LRvR").unwrap()).unwrap().class.clone();
    let positions: Vec<_> = ["LRvR", "ERvL"].iter().flat_map(|name| sample(&base, name, 500)).collect();
    let expected: Vec<_> = positions.iter().map(|position| shipped.value(position).unwrap()).collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    for (position, expected) in positions.iter().zip(&expected) {
                        assert_eq!(base.value(position).unwrap(), *expected);
                    }
                }
            });
        }
        for rows in 1..40 {
            let encoding = Encoding { wdl_rows: rows, dtw_rows: rows, wdl_level: 1, dtw_level: 1 };
            reencode(shipped.registry(), &rules, &class, encoding, folder.path(), &Cancel::new()).unwrap();
            base.refresh();
        }
        done.store(true, Ordering::Relaxed);
    });
    let statistics = base.statistics();
    assert!(statistics.misses > 100 && statistics.bytes_kept <= 60_000, "{statistics:?}");
}

/// A value derived without a position's own table must match that table.
#[test]
fn what_follows_without_a_table_is_right() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["standard", "german"] {
        let complete = tables(name, "3");
        let rules = rules(name);
        generate("2", name, folder.path());
        let (all, some) =
            (Tablebase::open(complete.path(), &rules).unwrap(), Tablebase::open(folder.path(), &rules).unwrap());
        let (mut known, mut exact, mut unknown) = ([0; 3], 0, 0);
        for material in ["ERvL", "LRvR", "PWvC", "LTvE", "DCvR"] {
            for position in sample(&all, material, 4000) {
                let right = all.value(&position).unwrap();
                match some.value(&position) {
                    Ok(answer) => {
                        known[answer.category as usize] += 1;
                        assert_eq!(answer.category, right.category, "{}", position.to_text(&rules));
                        assert_eq!(answer.over, right.over);
                        if answer.dtw.is_some() {
                            assert_eq!(answer.dtw, right.dtw, "{}", position.to_text(&rules));
                            exact += 1;
                        }
                    }
                    Err(ProbeError::MissingTable(_)) => unknown += 1,
                    Err(error) => panic!("{error}"),
                }
                assert_eq!(some.wdl(&position).ok(), some.value(&position).ok().map(|answer| answer.category));
                check_order(&some.moves(&position).unwrap());
                let line = some.line(&position).unwrap_or_default();
                assert!(line.is_empty() || some.value(&position).unwrap().dtw.is_some());
            }
        }
        assert!(known[0] > 20 && known[2] > 500 && exact > 500 && unknown > 5000, "{known:?} {exact} {unknown}");
    }
}

/// Order: wins, unknown moves, draws, losses; fastest wins and slowest losses first.
fn check_order(moves: &[RankedMove]) {
    let group = |mv: &RankedMove| match mv.answer.map(|answer| answer.category) {
        Some(Category::Loss) => 0,
        None => 1,
        Some(Category::Draw) => 2,
        Some(Category::Win) => 3,
    };
    assert!(moves.is_sorted_by_key(group));
    for pair in moves.windows(2) {
        let distances = [&pair[0], &pair[1]].map(|mv| mv.answer.and_then(|answer| answer.dtw));
        if let ([Some(first), Some(second)], true) = (distances, group(&pair[0]) == group(&pair[1])) {
            assert!(if group(&pair[0]) == 0 { first <= second } else { first >= second });
        }
    }
    assert!(moves.iter().all(|mv| mv.answer.is_none() == mv.missing.is_some()));
}

#[test]
fn games_that_end_at_once_need_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let base = Tablebase::open(folder.path(), &Rules::standard()).unwrap();
    for (position, category, dtw, over) in [
        // No legal move.
        ("5lT/6e/7/7/7/7/7/7/p6 w", Category::Loss, 0, Some(Over::NoMoves)),
        // Next to the den.
        ("7/3L3/7/7/7/7/7/7/c6 w", Category::Win, 1, None),
        ("l5t/5c1/r1p1w1e/7/7/7/E1W1P1R/3d1C1/T5L b", Category::Win, 1, None),
        // The last enemy piece.
        ("7/7/7/7/7/7/7/c6/LC5 w", Category::Win, 1, None),
    ] {
        let parsed = parse(&base, position);
        let expected = Answer { category, dtw: Some(dtw), over };
        assert_eq!(base.value(&parsed).unwrap(), expected, "{position}");
        assert_eq!(base.wdl(&parsed).unwrap(), category);
        assert_eq!(base.wdl_in_memory(&parsed).unwrap(), Some(category));
        assert_eq!(base.line(&parsed).unwrap().len(), usize::from(dtw));
        let json = run(&["probe", position, "--json", "--tables", text(folder.path())]).good().json();
        assert_eq!((&json["category"], &json["dtw"]), (&category.name().into(), &dtw.into()), "{position}");
    }
}

/// A losing move was once ranked first and the winning one last when one move's table was missing.
#[test]
fn unknown_moves_stand_between_won_and_drawn_ones_and_name_their_table() {
    let folder = tempfile::tempdir().unwrap();
    copy_classes(&["ERvL", "LvR"], folder.path());
    let base = Tablebase::open(folder.path(), &Rules::standard()).unwrap();
    let complete = Tablebase::open(SHIPPED, base.rules()).unwrap();
    let mut found = 0;
    for position in sample(&base, "ERvL", 20_000) {
        let moves = base.moves(&position).unwrap();
        check_order(&moves);
        let missing: Vec<String> = moves.iter().filter_map(|mv| Some(mv.missing?.to_string())).collect();
        if missing.is_empty() || moves.len() < 3 {
            continue;
        }
        assert_eq!(base.value(&position).unwrap(), complete.value(&position).unwrap());
        assert!(missing.iter().all(|material| ["EvL", "RvL", "LvE"].contains(&&**material)), "{missing:?}");
        found += 1;
        if found % 100 == 1 {
            let position = position.to_text(base.rules());
            let probe = |more: &[&str]| run(&[&["probe", &position, "--tables", text(folder.path())], more].concat());
            let shown = probe(&[]).good().stdout;
            assert!(shown.contains("unknown: no table for "), "{shown}");
            let json = probe(&["--json"]).good().json();
            let named = json["moves"].as_array().unwrap().iter().filter(|mv| mv["missing"].is_string());
            assert_eq!(named.count(), missing.len());
        }
    }
    assert!(found > 50, "{found}");
}

/// A perfect DTW table was once called wrong because a smaller class had only WDL.
#[test]
fn results_of_a_smaller_class_do_for_what_they_tell() {
    let folder = tempfile::tempdir().unwrap();
    let needed = ["ERvL", "EvL", "LvR", "EvR", "LvE"];
    for class in needed {
        for file in both(class) {
            if Path::new(SHIPPED).join("standard").join(&file).exists() {
                copy(&[&file], folder.path());
            }
        }
    }
    let common = ["--tables", text(folder.path())];
    let json = |run: Run| run.good().json()["tables"][0].clone();
    let with_json = ["--tables", text(folder.path()), "--json", "-q"];
    assert_eq!(json(run_line("verify ERvL", &with_json))["standing"], "proven");
    fs::remove_file(folder.path().join("standard/LvR.dtw")).unwrap();
    let checked = run_line("verify ERvL", &common).good().stdout;
    assert!(checked.contains("all values consistent"), "{checked}");
    assert!(checked.contains("ERvL: distances of ") && checked.contains("WDL only for LvR"), "{checked}");
    let entry = json(run_line("verify ERvL", &with_json));
    assert_eq!((&entry["standing"], &entry["without_distances"]), (&"consistent".into(), &vec!["LvR"].into()));
    let bounded = entry["distances_bounded"].as_u64().unwrap();
    assert!(bounded > 0 && bounded < entry["positions_stored"].as_u64().unwrap() / 2, "{entry}");
    // Results need no distances.
    fs::remove_file(folder.path().join("standard/ERvL.dtw")).unwrap();
    assert_eq!(json(run_line("verify ERvL", &with_json))["standing"], "proven");
    assert!(run_line("verify ERvL", &common).good().stdout.contains("all values proven"));
}

/// With few descriptors, intact tables were once reported as damaged.
#[cfg(unix)]
#[test]
fn few_descriptors_are_enough_for_any_number_of_tables() {
    let three = tables("standard", "3");
    let (all, most) = (three.text(), 24);
    assert!(fs::read_dir(three.path().join("standard")).unwrap().count() > 100);
    let limited = |line: &str, input: String| {
        let program = env!("CARGO_BIN_EXE_jungletb");
        let shell = format!("ulimit -n {most}; exec '{program}' {line} --tables '{all}'");
        let mut command = std::process::Command::new("sh");
        command.arg("-c").arg(shell).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let _ = writer.join();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {:?} {stderr}", output.status);
        String::from_utf8(output.stdout).unwrap()
    };
    let base = Tablebase::open(three.path(), &Rules::standard()).unwrap();
    let classes = base.available();
    let positions: Vec<String> = classes
        .iter()
        .flat_map(|available| sample(&base, &available.class.name(), 3))
        .map(|position| position.to_text(base.rules()))
        .collect();
    let list = limited("list", String::new());
    assert!(list.contains("52 tables ok, 0 missing, 0 damaged"), "{list}");
    limited("verify --checksums -q", String::new());
    limited("verify -q", String::new());
    limited("generate 3 -q", String::new());
    let materials: Vec<String> = classes.iter().map(|available| available.class.name()).collect();
    limited(&format!("stats {}", materials.join(" ")), String::new());
    let answers = limited("probe --batch -", positions.join("\n"));
    let expected = run_with_input(&["probe", "--batch", "-", "--tables", all], positions.join("\n")).good().stdout;
    assert_eq!(answers, expected);
    // Also with positioned reads.
    let read = Tablebase::open_with(three.path(), base.rules(), Options::default().access(Access::Read)).unwrap();
    for text in &positions {
        let position = parse(&base, text);
        assert_eq!(read.value(&position).unwrap(), base.value(&position).unwrap());
    }
    let open = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    assert!(open < 100, "{open}");
}

#[test]
fn a_pipe_or_a_folder_in_place_of_a_table_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("standard/EvR.dtw")).unwrap();
    let run = run_line("stats EvR", &["--tables", text(folder.path())]);
    assert_fails(&run, 3, "it is a folder, pipe or device", "a folder");
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("standard/EvE.dtw")).status();
        if made.is_ok_and(|status| status.success()) {
            let run = run_line("stats EvE", &["--tables", text(folder.path())]);
            assert_fails(&run, 3, "it is a folder, pipe or device", "a pipe");
        }
    }
}
