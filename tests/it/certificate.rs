//! Certificates: every claim from the tables can be written and is accepted by the program and by the second reader;
//! every change to a certificate is detected.
//!
//! The strategies come from complete tables, so the claims are known to be right; the certificates may use fewer
//! tables, or none.

use crate::common::{SHIPPED, assert_fails, program, rules, rules_argument, run, run_line, tables, text};
use jungletb::game::{Category, Color, Move, Piece, Position, Rules, Square};
use jungletb::material::{Material, graph};
use jungletb::probe::Tablebase;
use jungletb::proof::certificate::{
    Build, Certified, CheckError, Proven, Source, SourceError, Strategy, StrategyError, Written, check_bytes,
};
use jungletb::proof::{Bound, Limits, Options, Prover};
use jungletb::system::Cancel;
use jungletb::table::Metric;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// A source that knows every value, and gives it in one of two ways.
struct Oracle<'a> {
    tables: &'a Tablebase,
    /// Gives no known values, only moves on request.
    silent: bool,
}

impl Source for Oracle<'_> {
    fn known(&mut self, position: &Position) -> Option<(Category, u16)> {
        let answer = self.tables.value(position).ok().filter(|_| !self.silent)?;
        Some((answer.category, answer.dtw?))
    }

    fn winning_move(&mut self, position: &Position, plies: u16) -> Result<Move, SourceError> {
        let best = self.tables.moves(position)?.into_iter().next();
        let best = best.filter(|best| best.answer.is_some_and(|answer| answer.dtw.is_some_and(|dtw| dtw < plies)));
        best.map(|best| best.mv).ok_or_else(|| SourceError::Limit("the oracle errs".to_owned()))
    }
}

/// Complete tables, and a folder with only those of few pieces.
struct Bench {
    rules: Rules,
    all: Tablebase,
    some: Tablebase,
    folder: TempDir,
}

impl Bench {
    /// Certificates may use tables with up to `pieces` pieces.
    fn new(rules: Rules, folder: &Path, pieces: usize) -> Self {
        let all = Tablebase::open(folder, &rules).unwrap();
        let few = tempfile::tempdir().unwrap();
        let own = few.path().join(rules.name());
        std::fs::create_dir(&own).unwrap();
        for class in graph::up_to(all.classes(), &rules, pieces) {
            for metric in [Metric::Wdl, Metric::Dtw] {
                let path = all.registry().path(&class, metric);
                std::fs::copy(&path, own.join(path.file_name().unwrap())).unwrap();
            }
        }
        let some = Tablebase::open(few.path(), &rules).unwrap();
        Self { rules, all, some, folder: few }
    }

    fn shipped(pieces: usize) -> Self {
        Self::new(Rules::standard(), Path::new(SHIPPED), pieces)
    }

    fn certify(&self, position: &Position, silent: bool) -> (Vec<u8>, Written) {
        let plies = self.all.value(position).unwrap().dtw.unwrap();
        let winner = winner(self, position);
        let cancel = Cancel::new();
        let build = Build { tables: &self.some, memory: 1 << 30, cancel: &cancel };
        let mut oracle = Oracle { tables: &self.all, silent };
        let mut strategy = Strategy::build(&build, position, winner, plies, &mut oracle).unwrap();
        let mut bytes = Vec::new();
        let written = strategy.write(&mut bytes, &cancel).unwrap();
        assert_eq!(written.bytes, bytes.len() as u64);
        (bytes, written)
    }

    fn check(&self, bytes: &[u8]) -> Result<Certified, CheckError> {
        check_bytes(Cursor::new(bytes), Path::new("proof.jtc"), &self.some, &Cancel::new(), &mut |_| {})
    }

    /// Decided positions of a material, evenly spread, that are not over and not in a table that a certificate may use.
    fn sample(&self, material: &str, count: u64) -> Vec<Position> {
        let place = self.all.place(Material::parse(&self.rules, material).unwrap()).unwrap();
        let len = place.class.index().len();
        let position = |n: u64| {
            let number = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % len;
            place.position(&self.rules, &place.class.index().decode(number), Color::BOTH[(n % 2) as usize])
        };
        let decided = |position: &Position| {
            let answer = self.all.value(position).unwrap();
            answer.category != Category::Draw && answer.over.is_none()
        };
        (0..20 * count).map(position).filter(decided).take(count as usize).collect()
    }
}

/// Checks that a certificate agrees with the tables.
fn assert_certified(bench: &Bench, position: &Position, silent: bool) -> (Vec<u8>, Certified) {
    let (bytes, written) = bench.certify(position, silent);
    let text = position.to_text(&bench.rules);
    let certified = bench.check(&bytes).unwrap_or_else(|error| panic!("{text}: {error}"));
    let answer = bench.all.value(position).unwrap();
    assert_eq!((certified.position, certified.category()), (*position, answer.category), "{text}");
    assert_eq!((Some(certified.plies), written.plies), (answer.dtw, certified.plies), "{text}");
    assert_eq!(certified.tables.len(), written.tables);
    (bytes, certified)
}

#[test]
fn what_the_tables_know_can_be_certified() {
    let mut longest = 0;
    for pieces in [0, 2] {
        let bench = Bench::shipped(pieces);
        for (material, count) in [("EvR", 60), ("LvCR", 40), ("ERvL", 40), ("TPvE", 20), ("EvLR", 20)] {
            for (n, position) in bench.sample(material, count).into_iter().enumerate() {
                let (_, certified) = assert_certified(&bench, &position, n % 3 == 0);
                assert!(pieces > 0 || certified.tables.is_empty());
                longest = longest.max(certified.plies);
            }
        }
    }
    assert!(longest >= 25, "{longest}");
}

#[test]
fn and_under_other_rules() {
    for name in ["leiden", "japanese", "animal-checkers", "no-move-draw", "dog-swims", "blockers-enemy"] {
        let materials = if name == "animal-checkers" { ["TDvE", "RvET"] } else { ["DRvL", "LvDR"] };
        for material in materials {
            let folder = tables(name, material);
            let bench = Bench::new(rules(name), folder.path(), 0);
            for position in bench.sample(material, 12) {
                assert_certified(&bench, &position, false);
            }
        }
    }
}

#[test]
fn an_answer_of_the_table_is_a_certificate_too() {
    let bench = Bench::shipped(3);
    for position in bench.sample("ERvL", 10) {
        let (_, certified) = assert_certified(&bench, &position, false);
        assert!(certified.tables.len() <= 1 && certified.positions <= 2);
    }
}

/// A certificate split into its parts.
#[derive(Clone)]
struct Parts {
    head: Vec<u8>,
    strategy: Vec<u8>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Self {
        let head = u32::from_le_bytes(bytes[10..14].try_into().unwrap()) as usize;
        let strategy = zstd::stream::decode_all(&bytes[head..bytes.len() - 8]).unwrap();
        Self { head: bytes[..head].to_vec(), strategy }
    }

    /// The file assembled from the parts, with a correct checksum.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        bytes.extend(zstd::stream::encode_all(&self.strategy[..], 1).unwrap());
        let checksum = xxh3_64(&bytes).to_le_bytes();
        bytes.extend(checksum);
        bytes
    }

    /// The plies of the claim, in the head.
    fn plies(&mut self) -> &mut [u8] {
        let at = 60 + usize::from(self.head[41]);
        &mut self.head[at..at + 2]
    }
}

/// The description of a position with the winner to move: its range in the strategy, and the reply and description it
/// follows.
#[derive(Clone, Debug)]
struct Described {
    start: usize,
    end: usize,
    /// The enclosing descriptions, from the root down.
    within: Vec<usize>,
    has_label: bool,
}

/// Parses a strategy for editing, without validation.
struct Reader<'a> {
    rules: &'a Rules,
    bytes: &'a [u8],
    at: usize,
    all: Vec<Described>,
    way: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn read(rules: &'a Rules, root: &Position, winner: Color, bytes: &'a [u8]) -> Vec<Described> {
        let mut reader = Self { rules, bytes, at: 0, all: Vec::new(), way: Vec::new() };
        if root.to_move() == winner {
            reader.winner(root);
        } else {
            let then = reader.byte();
            reader.loser(root, then);
        }
        assert_eq!(reader.at, bytes.len());
        reader.all
    }

    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn number(&mut self) {
        while self.byte() >= 0x80 {}
    }

    fn successors(&self, position: &Position) -> Vec<Position> {
        let mut successors: Vec<_> = position.successors(self.rules).collect();
        successors.sort_by_key(|successor| successor.mv);
        successors.into_iter().map(|successor| successor.position).collect()
    }

    fn winner(&mut self, position: &Position) {
        let number = self.all.len();
        let described =
            Described { start: self.at, end: 0, within: self.way.clone(), has_label: self.bytes[self.at] == 0x3f };
        self.all.push(described);
        self.way.push(number);
        let mut first = self.byte();
        if first == 0x3f {
            first = self.byte();
        }
        match first {
            0x3c | 0x3d => {}
            0x3e => self.number(),
            _ => {
                let next = self.successors(position)[usize::from(first & 0x3f)];
                self.loser(&next, first & 0xc0);
            }
        }
        self.way.pop();
        self.all[number].end = self.at;
    }

    fn loser(&mut self, position: &Position, then: u8) {
        match then {
            0x80 => self.number(),
            0xc0 => {}
            _ => self.successors(position).iter().for_each(|reply| self.winner(reply)),
        }
    }
}

/// Ways to damage a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Damage {
    Flip,
    Cut,
    Longer,
    HeadFlip,
    StrategyByte,
    Dropped,
    Repeated,
    Swapped,
    OtherMove,
    Raised,
    Lowered,
    Cycle,
}

const DAMAGES: [Damage; 12] = [
    Damage::Flip,
    Damage::Cut,
    Damage::Longer,
    Damage::HeadFlip,
    Damage::StrategyByte,
    Damage::Dropped,
    Damage::Repeated,
    Damage::Swapped,
    Damage::OtherMove,
    Damage::Raised,
    Damage::Lowered,
    Damage::Cycle,
];

/// Damages a certificate; `None` if this kind of damage is not applicable.
fn damage(
    random: &mut fastrand::Rng,
    rules: &Rules,
    certified: &Certified,
    bytes: &[u8],
    how: Damage,
) -> Option<Vec<u8>> {
    let mut parts = Parts::of(bytes);
    let mut whole = bytes.to_vec();
    let descriptions = || Reader::read(rules, &certified.position, certified.winner, &Parts::of(bytes).strategy);
    match how {
        Damage::Flip => {
            whole[random.usize(..bytes.len())] ^= 1 << random.u8(..8);
            return Some(whole);
        }
        Damage::Cut => {
            whole.truncate(random.usize(..bytes.len()));
            return Some(whole);
        }
        Damage::Longer => {
            whole.insert(random.usize(..=bytes.len()), random.u8(..));
            return Some(whole);
        }
        Damage::HeadFlip => {
            let at = random.usize(..parts.head.len());
            // The name of the rules is informational; no claim depends on it.
            let name = 41..42 + usize::from(parts.head[41]);
            if name.contains(&at) {
                return None;
            }
            parts.head[at] ^= 1 << random.u8(..8);
        }
        Damage::StrategyByte => {
            let at = random.usize(..parts.strategy.len());
            parts.strategy[at] ^= random.u8(1..);
        }
        Damage::Dropped => {
            let dropped = random.choice(descriptions())?;
            parts.strategy.drain(dropped.start..dropped.end);
        }
        Damage::Repeated => {
            let twice = random.choice(descriptions())?;
            let copy = parts.strategy[twice.start..twice.end].to_vec();
            parts.strategy.splice(twice.end..twice.end, copy);
        }
        Damage::Swapped => {
            // Two descriptions of which neither contains the other.
            let all = descriptions();
            let (a, b) = (random.choice(&all)?, random.choice(&all)?);
            let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
            if a.end > b.start || parts.strategy[a.start..a.end] == parts.strategy[b.start..b.end] {
                return None;
            }
            let old = parts.strategy.clone();
            parts.strategy.truncate(a.start);
            for range in [b.start..b.end, a.end..b.start, a.start..a.end, b.end..old.len()] {
                parts.strategy.extend(&old[range]);
            }
        }
        Damage::OtherMove => {
            let moves: Vec<usize> = descriptions()
                .iter()
                .map(|described| described.start + usize::from(described.has_label))
                .filter(|&at| parts.strategy[at] & 0x3f < 0x3c)
                .collect();
            let at = random.choice(moves)?;
            let other = random.u8(..0x3c);
            if parts.strategy[at] & 0x3f == other {
                return None;
            }
            parts.strategy[at] = parts.strategy[at] & 0xc0 | other;
        }
        Damage::Raised | Damage::Lowered => {
            let by = random.u16(1..=3);
            let plies = certified.plies;
            let plies = if how == Damage::Raised { plies + by } else { plies.checked_sub(by)? };
            parts.plies().copy_from_slice(&plies.to_le_bytes());
        }
        Damage::Cycle => {
            // Replaces a description by a reference to one that contains it, which has a label or gets one.
            let all = descriptions();
            let inner = random.choice(&all)?;
            let outer = &all[*random.choice(&inner.within)?];
            let between = |from: usize, to: usize| {
                let labelled =
                    all.iter().filter(|described| described.has_label && (from..to).contains(&described.start));
                // Labels of positions with the loser to move count too.
                let moves = all.iter().filter(|described| {
                    let at = described.start + usize::from(described.has_label);
                    let byte = parts.strategy[at];
                    byte & 0xc0 == 0x40 && (from..to).contains(&described.start)
                });
                labelled.count() + moves.count()
            };
            let back = between(outer.start, inner.start) + usize::from(!outer.has_label);
            if back >= 0x80 {
                return None;
            }
            parts.strategy.splice(inner.start..inner.end, [0x3e, back as u8]);
            if !outer.has_label {
                parts.strategy.insert(outer.start, 0x3f);
            }
        }
    }
    let damaged = parts.to_bytes();
    (damaged != bytes).then_some(damaged)
}

/// Damages certificates in all ways, a number of times each; returns how often each way gave a certificate that proves
/// the same claim differently, which is no damage.
fn damage_all(bench: &Bench, certificates: &[(Vec<u8>, Certified)], times: usize) -> HashMap<Damage, (usize, usize)> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut counts: HashMap<Damage, (usize, usize)> = HashMap::new();
    for (bytes, certified) in certificates {
        for how in DAMAGES {
            for _ in 0..times {
                let Some(damaged) = damage(&mut random, &bench.rules, certified, bytes, how) else { continue };
                let count = counts.entry(how).or_default();
                match bench.check(&damaged) {
                    Err(error) => {
                        count.0 += 1;
                        assert_one_line(&error, how);
                    }
                    Ok(other) => {
                        // Another valid strategy: its claim must be right.
                        let answer = bench.all.value(&other.position).unwrap();
                        assert_eq!(other.category(), answer.category, "{how:?}");
                        assert!(answer.dtw.unwrap() <= other.plies, "{how:?}");
                        count.1 += 1;
                    }
                }
            }
        }
    }
    counts
}

#[track_caller]
fn assert_one_line(error: &CheckError, how: Damage) {
    let line = error.to_string();
    assert!(line.starts_with("proof.jtc: ") && !line.contains('\n'), "{how:?}: {line}");
    let phrase = match how {
        Damage::Cycle => "a cycle: it refers to a position on its own path",
        Damage::Raised | Damage::Lowered => "claim",
        _ => return,
    };
    // A position on the path may also have become another one.
    assert!(line.contains(phrase) || line.contains("refers to another position"), "{how:?}: {line}");
}

#[test]
fn damage_of_any_kind_is_refused() {
    let bench = Bench::shipped(2);
    let positions: Vec<Position> = ["LvCR", "ERvL", "TPvE", "EvLR"].iter().flat_map(|m| bench.sample(m, 6)).collect();
    let certificates: Vec<_> = positions.iter().map(|position| assert_certified(&bench, position, false)).collect();
    let counts = damage_all(&bench, &certificates, 6);
    for how in DAMAGES {
        let (refused, as_good) = counts[&how];
        assert!(refused >= 40, "{how:?}: {refused} refused");
        // Another move may be equally good, and then the certificate stays valid; no other change can.
        let may_be = matches!(how, Damage::OtherMove | Damage::StrategyByte | Damage::Swapped | Damage::HeadFlip);
        assert!(as_good == 0 || may_be && as_good < refused / 4, "{how:?}: {refused} refused, {as_good} as good");
    }
    let refused: usize = counts.values().map(|count| count.0).sum();
    assert!(refused > 1000, "{refused}");
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    let bench = Bench::shipped(2);
    let position = Position::parse(&bench.rules, "7/7/2r4/3L3/7/3c3/7/7/7 w").unwrap();
    let (bytes, _) = assert_certified(&bench, &position, false);
    for len in 0..bytes.len() {
        assert!(bench.check(&bytes[..len]).is_err(), "cut to {len}");
    }
    let mut bytes = bytes;
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(bench.check(&bytes).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(bench.check(&bytes).is_ok());
}

#[test]
fn refusals_say_where() {
    let bench = Bench::shipped(0);
    // White enters the den in three plies: a step next to it, against any reply, and in.
    let position = Position::parse(&bench.rules, "7/7/3L3/7/7/7/7/7/c6 w").unwrap();
    let (bytes, certified) = assert_certified(&bench, &position, false);
    assert_eq!(certified.plies, 3);
    let good = Parts::of(&bytes);
    assert_eq!(good.strategy.len(), 3, "{:?}", good.strategy);
    let edit = |strategy: &[u8]| {
        let parts = Parts { strategy: strategy.to_vec(), ..good.clone() };
        bench.check(&parts.to_bytes()).unwrap_err().to_string()
    };
    let mv = good.strategy[0];
    for (strategy, phrase) in [
        (
            &[mv, 0x3c][..],
            "at byte 2 of the strategy, after d7d8 a1a2: the strategy ends before every reply is answered",
        ),
        (&[mv, 0x3c, 0x3c, 0x3c], "at byte 4 of the strategy: the strategy continues after its end"),
        (&[mv, 0x3c, 0x3d], "after d7d8 a1a2: it rests on the table LvP, which its head does not list"),
        (&[mv, 0x3c, 0x3e, 1], "it refers to a label that is not assigned yet"),
        (&[0x3f, mv, 0x3c, 0x3e, 1], "it refers to another position"),
        (&[mv, 0x3c, 0x00, 0x3c, 0x3c], "after d7d8 a1a2 d8d7: the game continues after 3 plies of the claim"),
        (&[mv, 0x3c, 0x1f], "after d7d8 a1a2: move number 31 is to be played, but there are 4"),
        (&[mv, 0x3c, 0xff], "code 0xff cannot stand here"),
        (&[mv | 0xc0], "after d7d8: it rests on the table LvP"),
        (&[0x3c], "at byte 1 of the strategy: no move enters the den or takes the last piece"),
        (&[], "at byte 0 of the strategy: the strategy ends"),
    ] {
        let error = edit(strategy);
        assert!(error.contains(phrase), "{strategy:02x?}: {phrase:?} is not in {error:?}");
    }
}

/// A cyclic strategy: the winner moves back and forth, and refers to the start.
#[test]
fn a_cycle_is_no_proof() {
    let bench = Bench::shipped(0);
    let position = Position::parse(&bench.rules, "7/7/3L3/7/7/7/7/7/c6 w").unwrap();
    let (bytes, _) = assert_certified(&bench, &position, false);
    let mut parts = Parts::of(&bytes);
    parts.plies().copy_from_slice(&9_u16.to_le_bytes());
    let number = |position: &Position, mv: &str| {
        let mut moves: Vec<Move> = position.successors(&bench.rules).map(|successor| successor.mv).collect();
        moves.sort();
        moves.iter().position(|found| found.to_string() == mv).unwrap() as u8
    };
    let play = |position: &Position, mv: &str| position.play(&bench.rules, Move::parse(mv).unwrap()).unwrap();
    // d7d6 a1b1 d6d7 b1a1 leads back to the start, each reply being the first of all.
    let first = number(&position, "d7d6");
    let after = play(&play(&position, "d7d6"), "a1b1");
    let back = number(&after, "d6d7");
    let cat = play(&after, "d6d7");
    assert_eq!((number(&play(&position, "d7d6"), "a1b1"), number(&cat, "b1a1")), (0, 0));
    parts.strategy = vec![0x3f, first, back, 0x3e, 1];
    let error = bench.check(&parts.to_bytes()).unwrap_err().to_string();
    assert!(
        error.contains(
            "at byte 5 of the strategy, after d7d6 a1b1 d6d7 b1a1: a cycle: it refers to a position on its own path"
        ),
        "{error}"
    );
}

#[test]
fn rules_and_tables_must_be_those_of_the_certificate() {
    let bench = Bench::shipped(2);
    let position = Position::parse(&bench.rules, "7/7/2r4/3L3/7/3c3/7/7/7 w").unwrap();
    let (bytes, certified) = assert_certified(&bench, &position, false);
    assert!(!certified.tables.is_empty());
    let table = &certified.tables[0];
    let file = bench.folder.path().join("proof.jtc");
    std::fs::write(&file, &bytes).unwrap();
    let verify = |rules: &str, tables: &Path| {
        run(&["verify", "--certificate", text(&file), "--rules", rules, "--tables", text(tables)])
    };

    let good = run(&["verify", "--json", "--certificate", text(&file), "--tables", text(bench.folder.path())]).good();
    let json = &good.json();
    assert_eq!(json["ok"], true);
    let one = &json["certificates"][0];
    assert_eq!(one["position"], "7/7/2r4/3L3/7/3c3/7/7/7 w");
    assert_eq!((&one["winner"], &one["category"], &one["plies"]), (&"black".into(), &"loss".into(), &8.into()));
    assert_eq!(one["tables"].as_array().unwrap().len(), certified.tables.len());
    let said = verify("standard", bench.folder.path()).good().stdout;
    assert!(said.contains("Black wins in at most 8 plies"), "{said}");

    let wrong = verify("leiden", bench.folder.path());
    assert_fails(
        &wrong,
        3,
        "is for the rules \"standard\", which differ from \"leiden\" in strength, elephant_takes_rat",
        "rules",
    );
    let empty = tempfile::tempdir().unwrap();
    let missing = verify("standard", empty.path());
    assert_fails(&missing, 4, &format!("rests on the table {}.dtw, which is not in", table.class), "missing");

    // The same values in another encoding.
    let other = tempfile::tempdir().unwrap();
    copy(bench.folder.path(), other.path());
    run(&["re-encode", &table.class, "-q", "--dtw-level", "1", "--tables", text(other.path())]).good();
    let encoded = verify("standard", other.path());
    assert_fails(&encoded, 3, &format!("{}.dtw with the checksum {:016x}", table.class, table.checksum), "encoding");

    let damaged = tempfile::tempdir().unwrap();
    copy(bench.folder.path(), damaged.path());
    let path = damaged.path().join("standard").join(format!("{}.dtw", table.class));
    let mut contents = std::fs::read(&path).unwrap();
    contents[20] ^= 1;
    std::fs::write(&path, contents).unwrap();
    assert_fails(&verify("standard", damaged.path()), 3, "damaged table", "damaged");
}

fn copy(from: &Path, to: &Path) {
    let to = to.join("standard");
    std::fs::create_dir_all(&to).unwrap();
    for entry in from.join("standard").read_dir().unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn files_that_are_no_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.jtc");
    let verify = || run(&["verify", "--certificate", text(&path)]);
    assert_fails(&verify(), 2, "proof.jtc: cannot read the certificate", "no file");
    for (bytes, phrase) in [
        (&b""[..], "not a certificate"),
        (b"\x8bJTB\r\n\x1a\n\x01\x00", "not a certificate"),
        (b"\x8bJTC\r\n\x1a\n\x02\x00", "certificate format version 2"),
        (b"\x8bJTC\r\n\x1a\n\x01\x00", "10 bytes are too few"),
        (b"\x8bJTC\r\n\x1a\n\x01\x00\x0e\x00\x00\x00********", "fails its checksum"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        assert_fails(&verify(), 3, phrase, phrase);
    }
    assert_fails(&run(&["verify", "--certificate", text(folder.path())]), 1, "not a regular file", "folder");
    let both = run(&["verify", "LvR", "--certificate", text(&path)]);
    assert_fails(&both, 2, "cannot be used with", "both");
    // One bad file among several: the others are still reported.
    let bench = Bench::shipped(0);
    let position = Position::parse(&bench.rules, "7/7/3L3/7/7/7/7/7/c6 w").unwrap();
    let good = folder.path().join("good.jtc");
    std::fs::write(&good, bench.certify(&position, false).0).unwrap();
    let two = run(&["verify", "--json", "--certificate", text(&path), "--certificate", text(&good)]);
    assert_eq!(two.code, Some(3));
    let json = two.json();
    let oks: Vec<&Value> = json["certificates"].as_array().unwrap().iter().map(|one| &one["ok"]).collect();
    assert_eq!((oks, &json["ok"]), (vec![&Value::from(false), &true.into()], &false.into()));
}

const SECOND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_certificate.py");

/// Whether the second reader can run: it also needs a TOML reader, included in Python since 3.11.
fn second_reader_is_ready() -> bool {
    let mut python = Command::new(crate::second_reader::python());
    let mut has_toml = || python.args(["-c", "import tomllib"]).output().is_ok_and(|out| out.status.success());
    crate::second_reader::is_ready() && has_toml()
}

/// Runs the second reader on certificates; returns for each whether it is accepted.
fn second_reader(rules: &str, tables: &Path, files: &[PathBuf]) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let toml = folder.path().join("rules.toml");
    let printed = program().args(["rules", &rules_argument(rules)]).output().unwrap();
    std::fs::write(&toml, printed.stdout).unwrap();
    let out = Command::new(crate::second_reader::python())
        .arg(SECOND)
        .args(files)
        .args(["--rules", text(&toml), "--tables", text(tables)])
        .output()
        .unwrap();
    let (stdout, stderr) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
    assert!(!stderr.contains("Traceback"), "{stderr}");
    let holds = |file: &PathBuf| {
        let good = stdout.lines().any(|line| line.starts_with(&format!("{}: ", file.display())));
        let bad = stderr.lines().any(|line| line.starts_with(&format!("check_certificate.py: {}: ", file.display())));
        assert!(good != bad, "{}: {stdout} {stderr}", file.display());
        good
    };
    files.iter().map(holds).collect()
}

#[test]
fn the_second_reader_agrees() {
    if !second_reader_is_ready() {
        return;
    }
    let mut random = fastrand::Rng::with_seed(11);
    for (name, material, pieces) in [
        ("standard", "LvCR", 2),
        ("standard", "ERvL", 2),
        ("standard", "WPvE", 0),
        ("leiden", "DRvL", 0),
        ("dog-swims", "LvDR", 0),
        ("animal-checkers", "TDvE", 2),
        ("no-move-draw", "DRvL", 0),
    ] {
        let folder =
            if name == "standard" { None } else { Some(tables(name, if pieces > 0 { "3" } else { material })) };
        let path = folder.as_ref().map_or(Path::new(SHIPPED), |folder| folder.path());
        let bench = Bench::new(rules(name), path, pieces);
        let place = tempfile::tempdir().unwrap();
        let (mut files, mut expected) = (Vec::new(), Vec::new());
        for (n, position) in bench.sample(material, 6).into_iter().enumerate() {
            let (bytes, certified) = assert_certified(&bench, &position, false);
            let mut all = vec![bytes.clone()];
            all.extend(DAMAGES.iter().filter_map(|&how| damage(&mut random, &bench.rules, &certified, &bytes, how)));
            for (k, bytes) in all.into_iter().enumerate() {
                let file = place.path().join(format!("{n}-{k}.jtc"));
                std::fs::write(&file, &bytes).unwrap();
                files.push(file);
                expected.push(bench.check(&bytes).is_ok());
            }
        }
        let found = second_reader(name, bench.folder.path(), &files);
        for ((file, found), expected) in files.iter().zip(found).zip(expected) {
            let bytes = std::fs::read(file).unwrap();
            assert_eq!(found, expected, "{name} {material} {}: {:?}", file.display(), bench.check(&bytes).err());
        }
    }
}

#[test]
fn too_little_memory_is_a_limit() {
    let bench = Bench::shipped(0);
    let sample = bench.sample("ERvL", 100);
    let position = sample.into_iter().max_by_key(|position| bench.all.value(position).unwrap().dtw).unwrap();
    let answer = bench.all.value(&position).unwrap();
    let winner = winner(&bench, &position);
    let cancel = Cancel::new();
    let build = Build { tables: &bench.some, memory: 100, cancel: &cancel };
    let mut oracle = Oracle { tables: &bench.all, silent: false };
    let error = Strategy::build(&build, &position, winner, answer.dtw.unwrap(), &mut oracle).err().unwrap();
    assert!(error.to_string().contains("the memory limit of 100 bytes"), "{error}");
    // A false claim cannot be written.
    let build = Build { memory: 1 << 30, ..build };
    for (side, plies) in [(winner, answer.dtw.unwrap() - 2), (winner.other(), 50)] {
        let result = Strategy::build(&build, &position, side, plies, &mut oracle);
        assert!(result.is_err(), "{side} in {plies}");
    }
    // After cancellation there is no result.
    let (bytes, _) = bench.certify(&position, true);
    cancel.cancel();
    let checked = check_bytes(Cursor::new(&bytes), Path::new("proof.jtc"), &bench.some, &cancel, &mut |_| {});
    assert!(matches!(checked, Err(CheckError::Interrupted)));
    let going = Cancel::new();
    let build = Build { tables: &bench.some, memory: 1 << 30, cancel: &going };
    let mut uncancelled = Strategy::build(&build, &position, winner, answer.dtw.unwrap(), &mut oracle).unwrap();
    assert!(uncancelled.positions() > 1024, "{}", uncancelled.positions());
    assert!(matches!(uncancelled.write(&mut Vec::new(), &cancel), Err(StrategyError::Interrupted)));
}

fn winner(bench: &Bench, position: &Position) -> Color {
    let answer = bench.all.value(position).unwrap();
    if answer.category == Category::Win { position.to_move() } else { position.to_move().other() }
}

const PUZZLES: [(&str, u16); 3] = [
    ("7/2c2d1/3el2/2RL3/7/3P3/3DE1C/1t1WT2/7 b", 5),
    ("1T5/2Lw3/3pl2/7/3e3/3R1r1/5E1/3tC2/1P5 w", 5),
    ("5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w", 3),
];

#[test]
fn prove_writes_certificates_that_verify_reads() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (n, (position, plies)) in PUZZLES.into_iter().enumerate() {
        let file = folder.path().join(format!("{n}.jtc"));
        let proof = run(&["prove", position, "--json", "-q", "--certificate", text(&file)]).good().json();
        assert_eq!((&proof["category"], &proof["dtw"]), (&"win".into(), &plies.into()));
        assert_eq!(proof["certificate"], text(&file));
        let verified = run(&["verify", "--json", "--certificate", text(&file)]).good().json();
        let one = &verified["certificates"][0];
        assert_eq!((&one["position"], &one["plies"], &one["ok"]), (&position.into(), &plies.into(), &true.into()));
        files.push(file);
    }
    let said = run(&["prove", PUZZLES[2].0, "-q", "--certificate", text(&files[0])]).good().stdout;
    assert!(said.contains(&format!("certificate {}: at most 3 plies", files[0].display())), "{said}");
    // The same file, complete, at its path, and no other files.
    assert_eq!(folder.path().read_dir().unwrap().count(), 3);
    if second_reader_is_ready() {
        assert_eq!(second_reader("standard", Path::new(SHIPPED), &files), [true; 3]);
    }
}

#[test]
fn without_a_win_no_certificate_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.jtc");
    let start = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
    for (position, category) in
        [(start, "unknown"), ("3L3/7/7/7/7/7/7/7/c6 b", "loss"), ("7/7/l6/7/7/2R4/7/7/7 w", "draw")]
    {
        let run = run(&["prove", position, "--plies", "3", "--json", "-q", "--certificate", text(&file)]);
        assert_eq!(run.code, Some(0));
        assert!(run.stderr.starts_with("jungletb: no certificate was written"), "{}", run.stderr);
        let json = run.json();
        assert_eq!((&json["certificate"], &json["category"]), (&Value::Null, &category.into()), "{json}");
        assert!(!file.exists());
    }
    // A path where no file can be created: the answer is still printed.
    let nowhere = folder.path().join("no/folder.jtc");
    let run = run(&["prove", PUZZLES[2].0, "--json", "-q", "--certificate", text(&nowhere)]);
    assert_fails(&run, 1, "folder.jtc: cannot write the certificate", "nowhere");
    assert_eq!((&run.json()["dtw"], &run.json()["certificate"]), (&3.into(), &Value::Null));
    let batch = run_line("prove --batch - --certificate x", &[]);
    assert_fails(&batch, 2, "cannot be used with", "batch");
}

/// A position with this number of pieces, each on any allowed square, in which the game continues.
fn random_position(rules: &Rules, pieces: usize, random: &mut fastrand::Rng) -> Position {
    loop {
        let mut position = Position::empty(random.choice(Color::BOTH).unwrap());
        for n in 0..pieces {
            // At least one piece per side.
            let color = if n < 2 { Color::BOTH[n] } else { random.choice(Color::BOTH).unwrap() };
            let animal = *random.choice(rules.board().animals).unwrap();
            let squares: Vec<Square> = rules.movement(color, animal).domain.into_iter().collect();
            let square = random.choice(squares).unwrap();
            if position.piece_at(square).is_none() {
                position.set(Piece { color, animal }, Some(square));
            }
        }
        if position.len() == pieces && position.check(rules).is_ok() && position.over(rules).is_none() {
            return position;
        }
    }
}

/// Certificates of random positions of three to five pieces that a prover proves with tables of two pieces, and damaged
/// versions of each; returns how many of the latter were rejected.
fn certificates_of_proofs(count: usize, damaged_each: usize, seed: u64) -> (usize, usize) {
    let bench = Bench::shipped(2);
    let cancel = Cancel::new();
    let mut random = fastrand::Rng::with_seed(seed);
    // A small proof table forces many positions to be proven again.
    let prover = Prover::new(&bench.some, &Options { memory: 1 << 20, threads: 1 }).unwrap();
    let (mut certified, mut refused, mut as_good) = (0, 0, 0);
    let mut files = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    let (mut longest, mut bytes_in_all) = (0, 0);
    while certified < count {
        let position = random_position(&bench.rules, random.usize(3..=5), &mut random);
        let limits = Limits { positions: Some(100_000), ..Limits::default() };
        let proof = prover.prove(&position, &limits, &cancel, &mut |_| {}).unwrap();
        let Some((winner, plies)) = proof.winner().zip(proof.dtw) else { continue };
        let build = Build { tables: &bench.some, memory: 1 << 28, cancel: &cancel };
        let mut listener = |_| {};
        let mut source = Proven::new(&prover, &cancel, &mut listener);
        let place = position.to_text(&bench.rules);
        let strategy = Strategy::build(&build, &position, winner, plies, &mut source);
        let mut bytes = Vec::new();
        strategy.unwrap_or_else(|error| panic!("{place}: {error}")).write(&mut bytes, &cancel).unwrap();
        let checked = bench.check(&bytes).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!((checked.position, checked.winner), (position, winner), "{place}");
        assert!(checked.plies <= plies && (proof.bound != Bound::Exact || checked.plies == plies), "{place}");
        if position.len() <= 3 {
            assert!(checked.plies >= bench.all.value(&position).unwrap().dtw.unwrap(), "{place}");
        }
        certified += 1;
        longest = longest.max(plies);
        bytes_in_all += bytes.len();
        if certified % 20 == 1 {
            let file = folder.path().join(format!("{certified}.jtc"));
            std::fs::write(&file, &bytes).unwrap();
            files.push(file);
        }
        let mut done = 0;
        while done < damaged_each {
            let how = random.choice(DAMAGES).unwrap();
            let Some(damaged) = damage(&mut random, &bench.rules, &checked, &bytes, how) else { continue };
            match bench.check(&damaged) {
                Err(_) => {
                    refused += 1;
                    done += 1;
                }
                Ok(other) => {
                    // An equally good strategy, or one for a position that the same moves win.
                    assert!(!matches!(how, Damage::Flip | Damage::Cut | Damage::Longer | Damage::Cycle), "{place}");
                    let limits = Limits { plies: Some(other.plies), ..Limits::default() };
                    let proof = prover.prove(&other.position, &limits, &cancel, &mut |_| {}).unwrap();
                    assert_eq!(proof.winner(), Some(other.winner), "{place}: {how:?}");
                    assert!(proof.dtw.unwrap() <= other.plies, "{place}: {how:?}");
                    as_good += 1;
                }
            }
        }
    }
    let mut twice = 0;
    if second_reader_is_ready() {
        let found = second_reader("standard", bench.folder.path(), &files);
        assert!(found.iter().all(|&holds| holds));
        twice = found.len();
    }
    println!(
        "{certified} certificates hold, longest {longest} plies, {} bytes on average; {twice} of them by the second reader; \
         {refused} damaged ones refused, {as_good} changed ones as good",
        bytes_in_all / certified
    );
    (certified, refused)
}

#[test]
fn proofs_can_be_certified() {
    assert_eq!(certificates_of_proofs(40, 3, 1), (40, 120));
}

/// The long run, used by `scripts/check-certificates`.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_certificates() {
    assert_eq!(certificates_of_proofs(1000, 2, 2), (1000, 2000));
}
