//! The links of the Markdown files are valid: each points to a file of the repository, and to an existing heading.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of the repository.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["", "docs", "scripts/fleet", "python", "src/table", "src/proof/certificate"] {
        // A packed crate has none of the folders of other packages.
        let Ok(entries) = root.join(folder).read_dir() else { continue };
        let entries = entries.map(|entry| entry.unwrap().path());
        all.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    all
}

/// The text without its code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.flat_map(|line| line.split('`').step_by(2).chain(["\n"])).collect()
}

/// The targets of the links.
fn links(text: &str) -> Vec<String> {
    let text = prose(text);
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The names of the headings as anchors: words in lower case, joined by hyphens.
fn anchors(text: &str) -> HashSet<String> {
    let mut is_code = false;
    let headings = text.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    let name = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|character| character.is_alphanumeric() || "-_ ".contains(*character));
        kept.map(|character| if character == ' ' { '-' } else { character }).collect()
    };
    headings.map(name).collect()
}

#[test]
fn links_lead_somewhere() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let (mut number, mut faults) = (0, Vec::new());
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.starts_with("http")) {
            number += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name("").join(file) };
            let is_good = match fs::read_to_string(&target) {
                Ok(text) => anchor.is_empty() || anchors(&text).contains(anchor),
                Err(_) => target.exists() && anchor.is_empty(),
            };
            // The built guide contains only its own pages.
            let is_inside = !page.starts_with(&guide) || !file.contains("..");
            if !is_good || !is_inside {
                faults.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(number > 50, "{number} links");
}

#[test]
fn every_page_of_the_guide_is_in_its_contents() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let listed: HashSet<String> = links(&fs::read_to_string(docs.join("SUMMARY.md")).unwrap()).into_iter().collect();
    for page in pages().into_iter().filter(|page| page.starts_with(&docs)) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || listed.contains(name), "{name}");
    }
}

#[test]
fn the_readme_is_short() {
    assert!(include_str!("../../README.md").lines().count() <= 200);
}
