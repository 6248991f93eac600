//! Plans: the class graph with estimates, identical to `generate --estimate`.

use crate::common::{assert_fails, generate, rules_argument, run_line, tables, text};
use serde_json::Value;
use std::collections::HashMap;

fn plan(line: &str, more: &[&str]) -> Value {
    run_line(&format!("plan {line} --json"), more).good().json()
}

fn list<'a>(step: &'a Value, field: &str) -> Vec<&'a str> {
    step[field].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// A material with one letter less; `None` if that was the last of a side.
fn without(material: &str, at: usize) -> Option<String> {
    let rest = [&material[..at], &material[at + 1..]].concat();
    (!rest.starts_with('v') && !rest.ends_with('v')).then_some(rest)
}

#[test]
fn every_class_comes_after_all_that_captures_lead_to() {
    let mut checked = 0;
    for (rules, target) in [("standard", "6"), ("leiden", "5"), ("japanese", "4"), ("animal-checkers", "8")] {
        let plan = plan(target, &["--rules", &rules_argument(rules)]);
        let each = plan["each"].as_array().unwrap();
        assert_eq!(plan["classes"], each.len());
        // The class of each material, and its name: the colors may be exchanged.
        let mut class_of: HashMap<String, &str> = HashMap::new();
        for step in each {
            let name = step["class"].as_str().unwrap();
            let mut expected: Vec<&str> = Vec::new();
            for (at, _) in name.char_indices().filter(|(_, letter)| *letter != 'v') {
                let Some(rest) = without(name, at) else { continue };
                // A class that did not come earlier would be missing here.
                expected.push(class_of[&rest]);
            }
            expected.sort_unstable();
            expected.dedup();
            let mut found = list(step, "depends_on");
            found.sort_unstable();
            assert_eq!(found, expected, "{rules}: {name}");
            let materials = list(step, "materials");
            assert_eq!(materials[0], name, "{rules}");
            for material in materials {
                let (white, black) = material.split_once('v').unwrap();
                class_of.insert(format!("{black}v{white}"), name);
                class_of.insert(material.to_owned(), name);
            }
            checked += 1;
        }
    }
    assert!(checked > 2000, "{checked}");
}

#[test]
fn counts_are_the_known_ones() {
    // Materials are all pairs of sides in which White has the larger side.
    let plan = plan("5", &[]);
    for (pieces, classes, materials) in [(2, 10, 64), (3, 42, 224), (4, 134, 1232), (5, 340, 2128)] {
        let of = plan["each"].as_array().unwrap().iter().filter(|step| step["pieces"] == pieces);
        assert_eq!(of.clone().count(), classes);
        assert_eq!(of.map(|step| list(step, "materials").len()).sum::<usize>(), materials);
    }
    assert_eq!(plan["positions_stored"], 67_253_628_039_u64);
    let estimates = plan["estimates"].as_array().unwrap();
    assert_eq!(estimates.iter().map(|of| of["pieces"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3, 4, 5]);
}

#[test]
fn eight_pieces_are_no_obstacle() {
    let plan = plan("8", &[]);
    let each = plan["each"].as_array().unwrap();
    assert_eq!(each.len(), 4946);
    let sum = |field: &str| each.iter().map(|step| step[field].as_u64().unwrap()).sum::<u64>();
    let most = each.iter().map(|step| step["memory"].as_u64().unwrap()).max().unwrap();
    assert_eq!(
        (sum("positions_stored"), most),
        (plan["positions_stored"].as_u64().unwrap(), plan["memory"].as_u64().unwrap())
    );
    assert_eq!(sum("disk"), plan["disk"].as_u64().unwrap());
    let path = plan["longest_path"]["classes"].as_array().unwrap();
    assert_eq!(path.len(), 7);
    let position = |name: &Value| each.iter().position(|step| step["class"] == *name).unwrap();
    for pair in path.windows(2) {
        assert!(list(&each[position(&pair[1])], "depends_on").contains(&pair[0].as_str().unwrap()));
    }
}

#[test]
fn an_estimate_is_the_plan() {
    let all = tables("standard", "3");
    for target in ["3", "4", "ERvL LRvR", "4 --metric wdl"] {
        let common = ["--tables", all.text()];
        assert_eq!(
            plan(target, &common),
            generate(&format!("{target} --estimate"), "standard", all.path()),
            "{target}"
        );
    }
    let [both, results] = ["4", "4 --metric wdl"].map(|target| plan(target, &[]));
    for field in ["memory", "disk", "cpu_seconds"] {
        assert!(both[field].as_f64() > results[field].as_f64(), "{field}");
    }
}

#[test]
fn what_is_there_is_told_with_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let common = ["--tables", text(folder.path())];
    let before = plan("3", &common);
    assert!(before["each"].as_array().unwrap().iter().all(|step| step["there"] == false && step["passes"].is_null()));
    let made = generate("2", "standard", folder.path());
    let after = plan("2", &common);
    assert_eq!((&after["disk"], &after["missing"]["classes"]), (&made["bytes"], &0.into()));
    assert!(after["each"].as_array().unwrap().iter().all(|step| step["there"] == true && step["passes"].is_u64()));
    let longest = after["each"].as_array().unwrap().iter().map(|step| step["passes"].as_u64().unwrap()).max();
    assert_eq!(longest, Some(34));
    let more = plan("3", &common);
    assert_eq!((&more["missing"]["classes"], &more["classes"]), (&42.into(), &52.into()));
    // The estimate for missing tables is close to the actual size.
    let estimate = before["disk"].as_f64().unwrap();
    let made = generate("3", "standard", folder.path())["bytes"].as_f64().unwrap();
    assert!((0.8..1.25).contains(&(estimate / made)), "{estimate} and {made}");
    // A damaged table counts as missing.
    std::fs::write(folder.path().join("standard/EvE.dtw"), "dear diary").unwrap();
    let damaged = plan("2", &common);
    assert_eq!(damaged["missing"]["classes"], 1);
    let text = run_line("plan 3", &common).good().stdout;
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().split_whitespace().count();
    assert_eq!((line("2 "), line("missing")), (12, 12), "{text}");
}

#[test]
fn bad_targets_are_refused() {
    for (target, phrase) in [
        ("9", "give a number from 2 to 8"),
        ("1", "give a number from 2 to 8"),
        ("-3", "'-3'"),
        ("EvX", "'X' is not an animal"),
        ("ELTPWDvELTP", "no table has more than 8"),
    ] {
        assert_fails(&run_line(&format!("plan {target}"), &[]), 2, phrase, target);
    }
}
