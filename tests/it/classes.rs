//! Materials that are the same game form one class with one table, within a rule set and across rule sets, and the
//! symmetries behind this preserve every value.

use crate::common::{contents, generate, rules, tables};
use jungletb::game::{Animal, Color, Piece, Position, Rules, Square};
use jungletb::material::{Class, Classes, Material};
use jungletb::probe::{Answer, Tablebase};
use jungletb::table::Metric;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// The classes of a rule set with up to this number of pieces.
fn classes_up_to(rules: &Rules, pieces: usize) -> Vec<Arc<Class>> {
    let classes = Classes::new(rules);
    (2..=pieces).flat_map(|pieces| classes.with_pieces(rules, pieces)).collect()
}

fn fingerprints(rules: &Rules, pieces: usize) -> HashSet<u64> {
    classes_up_to(rules, pieces).iter().map(|class| class.fingerprint).collect()
}

fn has_rat(class: &Class) -> bool {
    Color::BOTH.into_iter().any(|color| class.representative.animals(color).any(|animal| animal == Animal::Rat))
}

#[test]
fn numbers_of_classes() {
    for (name, numbers) in [("standard", [10, 42, 134]), ("leiden", [10, 42, 134]), ("russian", [10, 42, 134])] {
        let (rules, mut materials) = (rules(name), 0);
        let classes = Classes::new(&rules);
        for (pieces, number) in (2..).zip(numbers) {
            let of_pieces = classes.with_pieces(&rules, pieces);
            assert_eq!(of_pieces.len(), number, "{name}, {pieces} pieces");
            // Every material is in one class.
            materials += of_pieces.iter().map(|class| classes.materials(&rules, class).len()).sum::<usize>();
        }
        assert_eq!(materials, 64 + 224 + 8 * 56 + 28 * 28);
    }
}

#[test]
fn a_class_of_many_materials_has_one_pair_of_files() {
    let rules = rules("standard");
    let tables = tables("standard", "3");
    let base = Tablebase::open(tables.path(), &rules).unwrap();
    let mut expected = BTreeMap::new();
    for material in (2..=3).flat_map(|pieces| Material::all(&rules, pieces)) {
        for material in [material, material.swap_colors()] {
            let class = &base.place(material).unwrap().class;
            for metric in [Metric::Wdl, Metric::Dtw] {
                *expected.entry(base.registry().path(class, metric)).or_insert(0) += 1;
                assert!(base.table(material).unwrap().path().exists());
            }
        }
    }
    let files: Vec<_> = contents(base.registry().folder()).into_iter().map(|(path, _)| path).collect();
    assert_eq!(files, expected.keys().cloned().collect::<Vec<_>>());
    assert_eq!((files.len(), expected.values().sum::<usize>()), (2 * (10 + 42), 2 * 2 * (64 + 224)));
}

#[test]
fn classes_are_shared_between_rule_sets() {
    let standard = fingerprints(&rules("standard"), 4);
    assert_eq!(standard.len(), 186);
    let (leiden, russian) = (rules("leiden"), rules("russian"));
    let without_rat: Vec<_> = classes_up_to(&leiden, 4).into_iter().filter(|class| !has_rat(class)).collect();
    assert!(without_rat.len() > 40, "{}", without_rat.len());
    assert!(without_rat.iter().all(|class| standard.contains(&class.fingerprint)));
    assert_eq!(fingerprints(&russian, 4), standard);
    // Nothing is shared if the board or the result of having no move differs, nor between different games.
    for other in ["animal-checkers", "no-move-draw"] {
        let own = fingerprints(&rules(other), 3);
        assert!(!own.is_empty() && own.is_disjoint(&standard), "{other}");
    }
    let own = |name: &str, material: &str| {
        let rules = rules(name);
        let place = Classes::new(&rules).place(&rules, Material::parse(&rules, material).unwrap()).cloned();
        place.unwrap().class.fingerprint
    };
    for material in ["EvR", "RvR"] {
        assert_ne!(own("leiden", material), own("standard", material), "{material}");
    }
    for (rules, material) in [("german", "LvT"), ("traps-none", "LvT"), ("tiger-along", "LvT"), ("trap-max-4", "EvE")] {
        assert_ne!(own(rules, material), own("standard", material), "{rules} {material}");
    }
}

#[test]
fn tables_of_shared_classes_are_taken_over_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let count = |summary: &serde_json::Value, what: &str| summary[what].as_u64().unwrap();
    let standard = generate("3", "standard", folder.path());
    assert_eq!((count(&standard, "classes"), count(&standard, "solved"), count(&standard, "adopted")), (52, 52, 0));

    let russian = generate("3", "russian", folder.path());
    assert_eq!((count(&russian, "classes"), count(&russian, "solved"), count(&russian, "adopted")), (52, 0, 52));
    let verify = ["--rules", "russian", "--json", "--tables", crate::common::text(folder.path())];
    let verified = crate::common::run_line("verify", &verify).good().json();
    assert_eq!((&verified["ok"], verified["tables"].as_array().unwrap().len()), (&true.into(), 52));

    let shared = fingerprints(&rules("standard"), 3);
    let new: Vec<_> = classes_up_to(&rules("leiden"), 3);
    let new: Vec<_> = new.iter().filter(|class| !shared.contains(&class.fingerprint)).collect();
    assert!(!new.is_empty() && new.iter().all(|class| has_rat(class)), "{new:?}");
    let leiden = generate("3", "leiden", folder.path());
    let (solved, adopted) = (count(&leiden, "solved"), count(&leiden, "adopted"));
    assert_eq!((solved as usize, solved + adopted), (new.len(), 52));
}

/// Boards with roles in place of animals, and animals that can play the roles.
const CASTS: [(&str, &[&str], &[&str]); 2] = [
    (
        "Az",
        &["Cd", "Dw", "Pe", "Ce"],
        &["7/3A3/7/7/7/7/7/1z5/7", "7/7/3A2z/7/7/7/7/7/7", "6A/7/7/7/3z3/7/7/7/7", "7/7/2zA3/7/7/7/7/7/7"],
    ),
    // A and B are like pieces, which may be exchanged.
    (
        "ABz",
        &["CDw", "DCw", "CWp", "PDe"],
        &["7/3A3/7/7/7/7/7/1z5/4B2", "B6/7/7/3A3/3z3/7/7/7/7", "7/7/A5z/7/7/7/B6/7/7"],
    ),
];

#[test]
fn cat_v_dog_is_dog_v_wolf_is_leopard_v_elephant() {
    let tables = tables("standard", "3");
    let mut checked = 0;
    for (roles, casts, boards) in CASTS {
        for board in boards.iter().flat_map(|board| ["w", "b"].map(|side| format!("{board} {side}"))) {
            let cast = |animals: &&str| {
                let (board, side) = board.split_at(board.len() - 2);
                let play = |symbol: char| roles.find(symbol).map_or(symbol, |role| animals.as_bytes()[role].into());
                board.chars().map(play).collect::<String>() + side
            };
            let answers = tables.probe_all("standard", &casts.iter().map(cast).collect::<Vec<_>>());
            for answer in &answers {
                for what in ["class", "category", "dtw"] {
                    assert_eq!(answer[what], answers[0][what], "{what} of {}", answer["position"]);
                }
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 2 * 4 * (4 + 3));
}

fn value(base: &Tablebase, position: &Position) -> Answer {
    base.value(position).unwrap_or_else(|error| panic!("{}: {error}", position.to_text(base.rules())))
}

/// A position of up to 3 pieces: the numbers choose material, squares and side.
fn position(rules: &Rules, (material, squares, black): (Index, [Index; 3], bool)) -> Position {
    let all: Vec<Material> = (2..=3).flat_map(|pieces| Material::all(rules, pieces)).collect();
    let material = all[material.index(all.len() * 2) / 2];
    let material = if black { material.swap_colors() } else { material };
    let mut position = Position::empty(if squares[0].index(2) == 0 { Color::White } else { Color::Black });
    let pieces =
        Color::BOTH.into_iter().flat_map(|color| material.animals(color).map(move |animal| Piece { color, animal }));
    for (piece, square) in pieces.zip(squares) {
        let taken = position.occupied(Color::White) | position.occupied(Color::Black);
        let free: Vec<Square> =
            rules.movement(piece.color, piece.animal).domain.into_iter().filter(|&at| !taken.has(at)).collect();
        position.set(piece, Some(free[square.index(free.len())]));
    }
    position
}

#[test]
fn symmetric_and_relabelled_positions_have_one_value() {
    // Rule sets whose classes differ in shape.
    let names = ["standard", "leiden", "german", "animal-checkers", "dog-swims"];
    let shared = names.map(|name| tables(name, "3"));
    let bases: Vec<_> =
        names.iter().zip(&shared).map(|(name, shared)| Tablebase::open(shared.path(), &rules(name)).unwrap()).collect();
    let config = Config { cases: 4000, failure_persistence: None, ..Config::default() };
    let choices = any::<((Index, [Index; 3], bool), Index, Index)>();
    let check = |(choice, set, other): (_, Index, Index)| {
        let base = &bases[set.index(bases.len())];
        let rules = base.rules();
        let position = position(rules, choice);
        let answer = value(base, &position);
        prop_assert_eq!(value(base, &position.mirror()), answer);
        prop_assert_eq!(value(base, &position.swap_colors(rules)), answer);
        prop_assert_eq!(value(base, &position.mirror().swap_colors(rules)), answer);

        // The same roles played by the animals of another material of the class.
        let place = base.place(Material::of(&position)).unwrap();
        let materials = base.classes().materials(rules, &place.class);
        let other = base.place(materials[other.index(materials.len())]).unwrap();
        let (sets, side) = place.sets(rules, &position);
        let to_move = Color::BOTH.into_iter().find(|&color| other.casting(color).1 == side).unwrap();
        let relabelled = other.position(rules, &sets, to_move);
        relabelled.check(rules).unwrap();
        prop_assert_eq!(relabelled.len(), position.len());
        prop_assert_eq!(value(base, &relabelled), answer);
        let moves = |position: &Position| {
            let moves = base.moves(position).unwrap();
            moves.iter().map(|mv| (mv.answer.unwrap().merit(), mv.den, mv.capture.is_some())).collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(moves(&relabelled), moves(&position));
        Ok(())
    };
    TestRunner::new(config).run(&choices, check).unwrap();
}
