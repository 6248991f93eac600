//! Leaf counts compared with an independent move generator.

use jungletb::game::{Position, Rules, perft};

#[test]
fn leaf_counts_agree_with_the_published_ones() {
    let mut lines = 0;
    for line in include_str!("../data/perft.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let rules = Rules::preset(fields[0])
            .unwrap_or_else(|| Rules::load(format!("tests/data/rules/{}.toml", fields[0])).unwrap());
        let position = Position::parse(&rules, fields[1]).unwrap();
        for (depth, count) in (1..).zip(&fields[2..]) {
            assert_eq!(perft(&rules, &position, depth).to_string(), *count, "{line} at depth {depth}");
        }
        lines += 1;
    }
    assert_eq!(lines, 72);
}
