//! Histogram: number of positions by distance, on a logarithmic scale.

use super::MARGIN;
use super::svg::{Anchor, Svg, WIDTH};
use crate::analysis::stats::MaterialStats;
use crate::game::Rules;
use crate::text::{grouped, plies};

const HEIGHT: f64 = 180.0;
/// Width of the numbers on the left.
const LABELS: f64 = 34.0;

/// Draws the histogram from `y` down; returns the lower end.
pub fn draw(svg: &mut Svg, rules: &Rules, stats: &MaterialStats, y: f64) -> f64 {
    svg.text("ink head", MARGIN, y, Anchor::Start, "Positions by distance to the end of the game");
    let Some((longest, position)) = stats.longest else {
        svg.text("soft", MARGIN, y + 20.0, Anchor::Start, "There is no DTW table, or every position is drawn.");
        return y + 24.0;
    };
    let position = position.to_text(rules);
    svg.text("soft small", MARGIN, y + 16.0, Anchor::Start, format_args!("longest win {}: {position}", plies(longest)));
    key(svg, y);
    let (left, top, width) = (MARGIN + LABELS, y + 30.0, WIDTH - 2.0 * MARGIN - LABELS);
    let most = stats.histogram.values().map(|(wins, losses)| wins + losses).max().unwrap_or(1);
    // The scale starts at one tenth of a position, so that a single position has a visible bar.
    let decades = 1.0 + (most as f64).log10().ceil().max(1.0);
    let height_of = |count: u64| (1.0 + (count as f64).log10()) / decades * HEIGHT;
    let bottom = top + HEIGHT;
    for decade in 0..decades as u32 {
        let line = bottom - f64::from(decade + 1) / decades * HEIGHT;
        svg.line("grid", [left, line, left + width, line]);
        svg.text("soft small", left - 6.0, line + 3.5, Anchor::End, short(10_u64.saturating_pow(decade)));
    }
    let first = stats.histogram.keys().next().copied().unwrap_or(0).min(1);
    let step = width / f64::from(longest - first + 1);
    let bar = if step > 4.0 { step - 1.0 } else { step };
    for (&plies, &(wins, losses)) in &stats.histogram {
        let (class, what) = if plies % 2 == 1 { ("win", "won") } else { ("loss", "lost") };
        let count = wins + losses;
        let height = if count > 0 { height_of(count) } else { 0.0 };
        let x = left + f64::from(plies - first) * step;
        let plural = if plies == 1 { "ply" } else { "plies" };
        let hint = format!("{what} in {plies} {plural}: {}", grouped(count));
        svg.rect(class, [x, bottom - height, bar, height], 1.0, &hint);
    }
    svg.line("axis", [left, bottom, left + width, bottom]);
    let every = interval(longest - first + 1, width);
    for plies in (first..=longest).filter(|plies| plies % every == 0 || every == 1) {
        let x = left + (f64::from(plies - first)) * step + bar / 2.0;
        svg.line("axis", [x, bottom, x, bottom + 4.0]);
        svg.text("soft small", x, bottom + 15.0, Anchor::Middle, plies);
    }
    svg.text("soft small", left + width, bottom + 30.0, Anchor::End, "plies");
    bottom + 30.0
}

/// The legend, to the right of the heading.
fn key(svg: &mut Svg, y: f64) {
    let right = WIDTH - MARGIN;
    for (class, what, x) in [("win", "side to move wins", right - 224.0), ("loss", "side to move loses", right - 108.0)]
    {
        svg.rect(class, [x, y - 9.0, 9.0, 9.0], 1.0, "");
        svg.text("soft small", x + 14.0, y - 0.5, Anchor::Start, what);
    }
}

/// The least round number of plies between labels that fits them.
fn interval(plies: u16, width: f64) -> u16 {
    let fits = |every: &u16| f64::from(plies) / f64::from(*every) * 28.0 <= width;
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].into_iter().find(fits).unwrap_or(10_000)
}

/// A power of ten in short form.
fn short(number: u64) -> String {
    match number {
        1_000_000_000.. => format!("{} G", number / 1_000_000_000),
        1_000_000.. => format!("{} M", number / 1_000_000),
        1000.. => format!("{} k", number / 1000),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_room_and_round_numbers() {
        assert_eq!(interval(20, 600.0), 1);
        assert_eq!(interval(22, 600.0), 2);
        assert_eq!(interval(93, 600.0), 5);
        assert_eq!(interval(222, 600.0), 20);
        assert_eq!(interval(65_000, 600.0), 5000);
        assert_eq!(
            ["1", "100", "10 k", "1 M", "10 G"],
            [0, 2, 4, 6, 10].map(|power| short(10_u64.pow(power))).as_slice()
        );
    }
}
