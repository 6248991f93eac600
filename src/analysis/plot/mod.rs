//! Plots of a material as SVG: its results, the histogram of its distances, and a heat map per piece.
//!
//! The output is byte-identical for the same tables, self-contained, and follows the light or dark color scheme.

mod histogram;
mod map;
mod svg;

use crate::analysis::heat::Heat;
use crate::analysis::stats::MaterialStats;
use crate::game::{Color, Piece};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::SideSummary;
use crate::text::grouped;
use svg::{Anchor, Svg, WIDTH};

/// Margin on both sides.
const MARGIN: f64 = 32.0;

/// The plot of a material: with one heat map if a piece is given, else with those of all its pieces.
///
/// # Errors
/// Returns an error if a table is missing or damaged, or on cancellation.
pub fn svg(
    tables: &Tablebase,
    material: Material,
    piece: Option<Piece>,
    cancel: &Cancel,
) -> Result<String, ProbeError> {
    let table = tables.table(material)?;
    let place = tables.place(material)?;
    let stats = MaterialStats::new(tables.rules(), place, &table);
    let heat = Heat::new(tables, material, cancel)?;
    let mut svg = Svg::default();
    svg.text("ink title", MARGIN, 46.0, Anchor::Start, material);
    let positions: u64 = stats.by_color.iter().map(SideSummary::total).sum();
    let about =
        format!("class {}, rules {}, {} positions", place.class.name(), tables.rules().name(), grouped(positions));
    svg.text("soft", MARGIN, 66.0, Anchor::Start, &about);
    let mut y = results(&mut svg, &stats, 92.0);
    y = histogram::draw(&mut svg, tables.rules(), &stats, y + 36.0);
    let shown: Vec<_> = heat.pieces.iter().filter(|heat| piece.is_none_or(|piece| piece == heat.piece)).collect();
    y = map::draw(&mut svg, tables.rules(), &shown, y + 40.0);
    Ok(svg.finish(y + 24.0, &format!("{material}: {about}")))
}

/// Draws a bar per side to move, divided into wins, draws and losses. Returns the lower end.
fn results(svg: &mut Svg, stats: &MaterialStats, mut y: f64) -> f64 {
    const HEIGHT: f64 = 22.0;
    let (left, width) = (MARGIN + 108.0, WIDTH - 2.0 * MARGIN - 108.0);
    for (color, summary) in Color::BOTH.into_iter().zip(&stats.by_color) {
        svg.text("ink", MARGIN, y + 15.0, Anchor::Start, format_args!("{color} to move"));
        let mut x = left;
        for (class, count, what) in
            [("win", summary.wins, "won"), ("draw", summary.draws, "drawn"), ("loss", summary.losses, "lost")]
        {
            let share = count as f64 / summary.total().max(1) as f64;
            let hint = format!("{color} to move: {} {what}", grouped(count));
            svg.rect(class, [x, y, share * width, HEIGHT], 1.0, &hint);
            x += share * width;
        }
        y += HEIGHT + 6.0;
        // Shares in words go below their bar, so that narrow parts do not hide them.
        let mut at = left;
        for (class, count, what) in
            [("win", summary.wins, "won"), ("draw", summary.draws, "drawn"), ("loss", summary.losses, "lost")]
        {
            let percent = 100.0 * count as f64 / summary.total().max(1) as f64;
            svg.rect(class, [at, y, 9.0, 9.0], 1.0, "");
            svg.text("soft small", at + 14.0, y + 8.5, Anchor::Start, format_args!("{what} {percent:.1} %"));
            at += 100.0;
        }
        y += 24.0;
    }
    y - 12.0
}
