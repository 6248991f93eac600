//! Plots: complete files, deterministic, with the same numbers as the tables.

use crate::common::{assert_fails, run, run_line, tables, text};
use std::fs;

/// The tags of an SVG file, checked for correct nesting.
fn tags(svg: &str) -> Vec<&str> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for part in svg.split('<').skip(1) {
        let (tag, rest) = part.split_once('>').unwrap_or_else(|| panic!("no end of {part:?}"));
        assert!(!rest.contains('>') || rest.contains("&gt;") || open.last() == Some(&"style"), "{rest:?}");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).unwrap();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        all.push(tag);
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

#[test]
fn a_picture_has_a_bar_a_distance_and_a_board_a_piece() {
    for (material, piece, boards) in [("LvR", "", 2), ("ERvL", "", 3), ("ERvL", "R", 1), ("ERvL", "l", 1)] {
        let piece: &[&str] = if piece.is_empty() { &[] } else { &["--piece", piece] };
        let svg = run_line(&format!("plot {material} --out -"), piece).good().stdout;
        assert_eq!(svg, run_line(&format!("plot {material} --out - --threads 1"), piece).good().stdout);
        let tags = tags(&svg);
        assert_eq!(tags.iter().filter(|tag| tag.starts_with("rect class=\"frame\"")).count(), boards, "{material}");
        let stats = run(&["stats", material, "--json"]).good().json();
        let histogram = stats[0]["histogram"].as_array().unwrap();
        let bars = svg.matches("<title>won in ").count() + svg.matches("<title>lost in ").count();
        assert_eq!(bars, histogram.len(), "{material}");
        let longest = &stats[0]["longest"];
        assert!(svg.contains(&format!("longest win {} plies: ", longest["plies"])));
        assert!(svg.contains(longest["position"].as_str().unwrap()));
        assert!(svg.contains("prefers-color-scheme:dark"));
        for foreign in ["<script", "href", "url(", "@import"] {
            assert!(!svg.contains(foreign), "{foreign}");
        }
    }
}

/// WDL tables, another board, and a material with no decided position can be plotted too.
#[test]
fn there_is_a_picture_of_whatever_there_is() {
    let made = tables("animal-checkers", "2");
    let svg = made.run("plot EvR --out -", "animal-checkers", &[]).good().stdout;
    let grounds = tags(&svg).iter().filter(|tag| tag.starts_with("rect class=\"land\"")).count();
    assert!(grounds >= 2 * 49, "{grounds} squares");
    assert!(!svg.contains("class=\"water\""));
    let folder = tempfile::tempdir().unwrap();
    let common = ["--tables", text(folder.path()), "-q"];
    run_line("generate EvL --metric wdl", &common).good();
    let svg = run_line("plot EvL --out -", &common[..2]).good().stdout;
    tags(&svg);
    assert!(svg.contains("There is no DTW table"));
}

#[test]
fn files_are_replaced_when_they_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a b.svg");
    fs::write(&file, "something else").unwrap();
    assert_eq!(run(&["plot", "LvR", "--out", text(&file)]).good().stdout, "");
    let printed = run(&["plot", "LvR", "--out", "-"]).good().stdout;
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1, "no temporary file is left");
    let nowhere = folder.path().join("no/such/folder.svg");
    for (arguments, code, phrase) in [
        (vec!["plot", "LvR"], 2, "--out"),
        (vec!["plot", "LvX", "--out", "-"], 2, "'X' is not an animal"),
        (vec!["plot", "LvR", "--out", "-", "--piece", "E"], 2, "LvR has no such piece; its pieces are L r"),
        (vec!["plot", "LvR", "--out", "-", "--piece", "R"], 2, "its pieces are L r"),
        (vec!["plot", "LvR", "--out", "-", "--piece", "Lr"], 2, "--piece"),
        (vec!["plot", "ELTvP", "--out", "-"], 4, "no table for ELTvP"),
        (vec!["plot", "LvR", "--out", text(&nowhere)], 1, "folder.svg: No such file"),
        (vec!["plot", "LvR", "--out", text(folder.path())], 1, "cannot write "),
    ] {
        assert_fails(&run(&arguments), code, phrase, &format!("{arguments:?}"));
    }
}
