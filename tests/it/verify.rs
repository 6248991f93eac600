//! `verify` finds every wrong value, proves WDL tables, keeps to its memory, and resumes.

use crate::common::{SHIPPED, assert_fails, program, rules, run_line, tables, text};
use jungletb::analysis::verify::{Standing, Verifier, VerifyError};
use jungletb::distances::SideValues;
use jungletb::game::{Category, Position, Rules};
use jungletb::material::{Class, Material, Side};
use jungletb::probe::{Options, Tablebase};
use jungletb::system::Cancel;
use jungletb::table::{Encoding, Metric, TableError, Value, Values, write};
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::sync::Arc;

/// The values of a table, changed.
struct Changed<'a> {
    sides: Vec<SideValues>,
    change: &'a (dyn Fn(Side, u64, Value) -> Value + Sync),
}

impl Values for Changed<'_> {
    fn fill(&self, side: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        self.sides[side.index()].read(start, out)?;
        for (value, number) in out.iter_mut().zip(start..) {
            *value = (self.change)(side, number, *value);
        }
        Ok(())
    }
}

/// Writes the tables of a class with changed values, and right checksums and counts, into a folder.
fn forge(
    base: &Tablebase,
    class: &Class,
    distances: bool,
    to: &Path,
    change: &(dyn Fn(Side, u64, Value) -> Value + Sync),
) {
    let table = base.table(class.representative).unwrap();
    let longest = distances.then(|| table.summary().longest_plies().max(1000));
    let encoding = Encoding::default();
    let sides = class.stored_sides().iter().map(|&side| base.values(class.representative, side).unwrap()).collect();
    write(&to.join(base.rules().name()), base.rules(), class, longest, encoding, &Changed { sides, change }).unwrap();
}

fn class_of(base: &Tablebase, material: &str) -> Arc<Class> {
    base.place(Material::parse(base.rules(), material).unwrap()).unwrap().class.clone()
}

fn verify(base: &Tablebase, class: &Arc<Class>) -> Result<Standing, Box<VerifyError>> {
    Ok(Verifier::new(base, &Cancel::new())?.class(class, &|_| ())?.standing)
}

/// Plants wrong values one at a time in a class of the tables, and expects each to be found.
fn plant(folder: &Path, rules: &Rules, material: &str, times: usize, dice: &mut fastrand::Rng) {
    let good = Tablebase::open(folder, rules).unwrap();
    let class = class_of(&good, material);
    for _ in 0..times {
        let &side = dice.choice(class.stored_sides()).unwrap();
        let at = dice.u64(0..class.index().len());
        let mut value = [Value::DRAW];
        good.values(class.representative, side).unwrap().read(at, &mut value).unwrap();
        let near = |by: i32| value[0].plies().map(|plies| i32::from(plies) + by).filter(|&plies| plies >= 0);
        let others = [near(-2), near(-1), near(1), near(2), Some(dice.i32(0..60)), Some(301), None];
        // The distance of a win is not stored, so it cannot be wrong.
        let is_win = |value: Value| value.category() == Category::Win;
        let is_stored = |other: Value| !(is_win(other) && is_win(value[0]));
        let others = others.map(|plies| plies.map_or(Value::DRAW, |plies| Value::decided(plies as u16)));
        let wrong = dice
            .choice(others.into_iter().filter(|&other| is_stored(other) && other != value[0]).collect::<Vec<_>>())
            .unwrap();
        let forged = tempfile::tempdir().unwrap();
        let change = |s: Side, n: u64, value: Value| if (s, n) == (side, at) { wrong } else { value };
        forge(&good, &class, true, forged.path(), &change);
        let base = Tablebase::open_all(forged.path(), &[folder.to_owned()], rules, Options::default()).unwrap();
        let error = verify(&base, &class).expect_err(&format!("{material} {side:?} {at}: {wrong:?}"));
        assert!(matches!(*error, VerifyError::Wrong { .. }), "{error}");
    }
}

#[test]
fn every_wrong_value_is_found() {
    let dice = &mut fastrand::Rng::with_seed(13);
    let standard = rules("standard");
    for material in ["EvR", "EvE", "ERvL", "PWvC", "LvTR", "CDvE", "LRvR", "EvLT"] {
        plant(Path::new(SHIPPED), &standard, material, 6, dice);
    }
    // A class that is its own color swap, and one whose last group has two pieces.
    for material in ["LRvLR", "CDvWP"] {
        plant(tables("standard", material).path(), &standard, material, 6, dice);
    }
    let made = tables("dog-swims", "3");
    plant(made.path(), &rules("dog-swims"), "DRvD", 6, dice);
}

/// Two hundred wrong values in tables of three to five pieces of the folder `$JUNGLETB_TABLES`.
#[test]
#[ignore = "takes an hour; scripts/check-verify runs it"]
fn two_hundred_wrong_values_are_found() {
    let folder = PathBuf::from(std::env::var_os("JUNGLETB_TABLES").expect("$JUNGLETB_TABLES names the tables"));
    let dice = &mut fastrand::Rng::with_seed(200);
    let rules = rules("standard");
    let base = Tablebase::open(&folder, &rules).unwrap();
    for (pieces, times) in [(3, 120), (4, 60), (5, 20)] {
        for n in 0..times {
            let class = dice.choice(base.classes().with_pieces(&rules, pieces)).unwrap();
            println!("{n} of {times} with {pieces} pieces: {}", class.name());
            plant(&folder, &rules, &class.name(), 1, dice);
        }
    }
}

/// Draws relabelled as wins and losses that support each other by quiet moves.
#[test]
fn a_circle_of_wins_and_losses_is_found() {
    let rules = rules("standard");
    let good = Tablebase::open(SHIPPED, &rules).unwrap();
    let class = class_of(&good, "LvE");
    assert!(!class.symmetric);
    let forged = tempfile::tempdir().unwrap();
    // Whoever moves to a draw keeps it: the first side now seems to win all of them.
    let relabelled = |side: Side, value: Value| match (value.category(), side) {
        (Category::Draw, Side::First) => Category::Win,
        (Category::Draw, Side::Second) => Category::Loss,
        (category, _) => category,
    };
    forge(&good, &class, false, forged.path(), &|side, _, value| Value::least(relabelled(side, value)));
    let base = Tablebase::open(forged.path(), &rules).unwrap();
    let place = base.place(class.material()).unwrap();
    let value = |base: &Tablebase, position: &Position| base.wdl(position).unwrap();
    let mut circle = 0;
    for number in 0..class.index().len() {
        for side in Side::BOTH {
            let position = place.position(&rules, &class.index().decode(number), side.color());
            let found = value(&base, &position);
            circle += u64::from(found != value(&good, &position));
            // Every value follows from its successors.
            let best = position.successors(&rules).map(|next| value(&base, &next.position).reversed()).max();
            assert_eq!(best.unwrap_or(Category::Loss), found, "{}", position.to_text(&rules));
        }
    }
    assert!(circle > 500, "{circle}");
    let error = verify(&base, &class).unwrap_err();
    let VerifyError::Wrong { found, expected, .. } = &*error else { panic!("{error}") };
    assert_eq!((found.category() == Category::Draw, *expected), (false, Value::DRAW));
    let run = run_line("verify LvE", &["--tables", text(forged.path())]);
    assert_fails(&run, 3, "but its moves make it draw", "forged");
}

#[test]
fn little_memory_is_enough_or_refused_before_starting() {
    let rules = rules("standard");
    let made = tables("standard", "LRvLR ETvPR ERvL");
    let base = Tablebase::open(made.path(), &rules).unwrap();
    for material in ["LRvLR", "ETvPR", "ERvL"] {
        let class = class_of(&base, material);
        let verifier = || Verifier::new(&base, &Cancel::new()).unwrap();
        let need = verifier().memory_need(&class).unwrap();
        let verified = verifier().with_memory(need).class(&class, &|_| ()).unwrap();
        assert_eq!(verified, verifier().class(&class, &|_| ()).unwrap());
        assert!(matches!(
            verifier().with_memory(need - 1).class(&class, &|_| ()),
            Err(VerifyError::NeedsMemory { .. })
        ));
    }
    let run = made.run("verify LRvLR EvE --memory 100K", "standard", &[]);
    assert_fails(&run, 2, "LRvLR: verifying it needs ", "memory");
}

/// A folder with the shipped tables.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("standard")).unwrap();
    for entry in Path::new(SHIPPED).join("standard").read_dir().unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join("standard").join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn what_is_listed_as_proven_is_not_verified_again() {
    let folder = copied();
    let list = folder.path().join("VERIFIED");
    let lines = || {
        let mut lines: Vec<String> = fs::read_to_string(&list).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let verify = |line: &str| {
        let summary = run_line(line, &["--tables", text(folder.path()), "--json"]).good().json();
        let tables = summary["tables"].as_array().unwrap();
        assert!(tables.iter().all(|table| table["standing"] == "proven"));
        let recorded = tables.iter().filter(|table| table["recorded"] == true).count();
        (tables.len() - recorded, summary["positions_verified"].as_u64().unwrap())
    };
    // Named materials are always verified, and not listed.
    assert_eq!(verify("verify LvR").0, 1);
    assert!(!list.exists());
    assert_eq!(verify("verify 3"), (52, 4_928_157));
    let all = lines();
    assert_eq!(all.len(), 52);
    assert_eq!(verify("verify 3"), (0, 0));
    assert_eq!(verify("verify 2 --again").0, 10);
    assert_eq!(lines().len(), 62);
    // A line that was cut off counts for nothing.
    let cut = all.join("\n");
    fs::write(&list, &cut[..cut.len() - 40]).unwrap();
    assert_eq!(verify("verify 3").0, 1);
    assert_eq!(verify("verify 3").0, 0);
    // Another file of the same class: those that lead to it are proven as soon as it is.
    run_line("re-encode LvR --wdl-rows 64", &["--tables", text(folder.path())]).good();
    assert_eq!(verify("verify 3").0, 1);
    assert_eq!(verify("verify 3").0, 0);
    // Damage is found all the same.
    let file = folder.path().join("standard/ERvL.dtw");
    let mut bytes = fs::read(&file).unwrap();
    bytes[2000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let run = run_line("verify 3", &["--tables", text(folder.path())]);
    assert_fails(&run, 3, "ERvL.dtw: damaged table: block", "damaged");
    // A list elsewhere.
    let other = folder.path().join("other");
    assert_eq!(verify(&format!("verify 2 --log {}", text(&other))).0, 10);
    assert_eq!(verify(&format!("verify LvR --log {}", text(&other))).0, 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_resumes() {
    let folder = copied();
    let list = folder.path().join("VERIFIED");
    let lines = || fs::read_to_string(&list).map_or(0, |text| text.lines().count());
    let mut child = program().args(["verify", "3", "-q", "--tables", text(folder.path())]).spawn().unwrap();
    while lines() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    // It may have been done already.
    let code = child.wait().unwrap().code();
    assert!(code == Some(130) || code == Some(0) && lines() == 52, "{code:?}");
    let before = lines();
    let common = ["--tables", text(folder.path()), "--json"];
    let summary = run_line("verify 3", &common).good().json();
    let recorded = summary["tables"].as_array().unwrap().iter().filter(|table| table["recorded"] == true).count();
    assert_eq!((recorded, lines()), (before, 52));
}

#[test]
fn tables_that_disagree_are_found() {
    let rules = rules("standard");
    let good = Tablebase::open(SHIPPED, &rules).unwrap();
    let class = class_of(&good, "LvR");
    let (folder, forged) = (copied(), tempfile::tempdir().unwrap());
    let change = |_: Side, number: u64, value: Value| if number == 700 { Value::DRAW } else { value };
    forge(&good, &class, false, forged.path(), &change);
    let name = format!("standard/{}.{}", class.name(), Metric::Wdl.name());
    fs::copy(forged.path().join(&name), folder.path().join(&name)).unwrap();
    let base = Tablebase::open(folder.path(), &rules).unwrap();
    let error = verify(&base, &class).unwrap_err();
    assert!(matches!(*error, VerifyError::Disagree { .. }), "{error}");
    let run = run_line("verify LvR", &["--tables", text(folder.path())]);
    assert_fails(&run, 3, "differs between the WDL and the DTW table", "WDL and DTW");
}
