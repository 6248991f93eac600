//! Heat maps: one board per piece, whose squares take the color of the side that wins most from there.

use super::svg::{Anchor, Svg, WIDTH};
use super::{MARGIN, grouped};
use crate::analysis::heat::{Counts, PieceHeat};
use crate::game::{Board, Rules, Square};

/// Space between boards.
const GAP: f64 = 16.0;
/// Width of the rank numbers.
const LABELS: f64 = 12.0;
/// Size of a square if the board is alone in its row.
const LARGE: f64 = 44.0;

/// Draws the boards from `y` down; returns the lower end.
pub fn draw(svg: &mut Svg, rules: &Rules, maps: &[&PieceHeat], y: f64) -> f64 {
    svg.text("ink head", MARGIN, y, Anchor::Start, "Results with a piece on each square");
    svg.text(
        "soft small",
        MARGIN,
        y + 16.0,
        Anchor::Start,
        "White's score in percent, a draw counting half, over all positions with either side to move",
    );
    key(svg, y);
    let per_row = per_row(maps.len());
    let columns = per_row as f64;
    let width = (WIDTH - 2.0 * MARGIN - (columns - 1.0) * GAP) / columns;
    let size = ((width - LABELS) / f64::from(Square::FILES)).floor().min(LARGE);
    let board = rules.board();
    let height = 22.0 + size * f64::from(board.ranks) + 18.0;
    let mut bottom = y + 34.0;
    for row in maps.chunks(per_row) {
        for (column, map) in row.iter().enumerate() {
            // Rounded to whole pixels, so that no lines show between squares.
            let x = (MARGIN + column as f64 * (width + GAP)).round();
            svg.text("ink", x + LABELS, bottom + 10.0, Anchor::Start, map.piece);
            Frame { board, size, left: x + LABELS, top: bottom + 20.0 }.draw(svg, map);
        }
        bottom += height + GAP;
    }
    bottom - GAP
}

/// Number of boards per row: up to four, with no row nearly empty.
const fn per_row(boards: usize) -> usize {
    match boards {
        0..=1 => 1,
        2..=4 => boards,
        5 | 6 => 3,
        _ => 4,
    }
}

/// The legend, to the right of the heading.
fn key(svg: &mut Svg, y: f64) {
    const STEPS: u8 = 8;
    const STEP: f64 = 10.0;
    let left = WIDTH - MARGIN - 2.0 * f64::from(STEPS) * STEP;
    for n in 0..2 * STEPS {
        let share = (f64::from(n) + 0.5) / f64::from(STEPS) - 1.0;
        let at = [left + f64::from(n) * STEP, y - 9.0, STEP, 9.0];
        svg.rect("land", at, 1.0, "");
        svg.rect(side(share), at, strength(share), "");
    }
    svg.text("soft small", left, y + 12.0, Anchor::Start, "Black wins");
    svg.text("soft small", WIDTH - MARGIN, y + 12.0, Anchor::End, "White wins");
}

struct Frame<'a> {
    board: &'a Board,
    /// Size of a square in pixels.
    size: f64,
    left: f64,
    top: f64,
}

impl Frame<'_> {
    fn draw(&self, svg: &mut Svg, map: &PieceHeat) {
        let (board, size) = (self.board, self.size);
        let small = if size < 30.0 { "tiny" } else { "small" };
        for square in board.squares {
            let [x, y] = self.corner(square);
            let ground = if board.water.has(square) { "water" } else { "land" };
            svg.rect(ground, [x, y, size, size], 1.0, "");
            let counts = map.for_white(square);
            if counts.total() > 0 {
                let share = (counts.wins as f64 - counts.losses as f64) / counts.total() as f64;
                svg.rect(side(share), [x, y, size, size], strength(share), &hint(square, counts));
                let score = format!("{:.0}", 50.0 + 50.0 * share);
                svg.text(&format!("ink {small}"), x + size / 2.0, y + size / 2.0 + 3.5, Anchor::Middle, score);
            }
            if (board.traps[0] | board.traps[1] | board.both_dens()).has(square) {
                svg.rect("mark", [x + 2.0, y + 2.0, size - 4.0, size - 4.0], 1.0, "");
            }
            if board.both_dens().has(square) {
                svg.rect("mark", [x + 5.0, y + 5.0, size - 10.0, size - 10.0], 1.0, "");
            }
        }
        let (width, height) = (size * f64::from(Square::FILES), size * f64::from(board.ranks));
        svg.rect("frame", [self.left, self.top, width, height], 1.0, "");
        for file in 0..Square::FILES {
            let x = self.left + (f64::from(file) + 0.5) * size;
            svg.text("soft tiny", x, self.top + height + 12.0, Anchor::Middle, char::from(b'a' + file));
        }
        for rank in 0..board.ranks {
            let y = self.top + height - (f64::from(rank) + 0.5) * size + 3.0;
            svg.text("soft tiny", self.left - 5.0, y, Anchor::End, rank + 1);
        }
    }

    fn corner(&self, square: Square) -> [f64; 2] {
        let rank = self.board.ranks - 1 - square.rank();
        [self.left + f64::from(square.file()) * self.size, self.top + f64::from(rank) * self.size]
    }
}

/// The CSS class of the side that wins more.
const fn side(share: f64) -> &'static str {
    if share < 0.0 { "black" } else { "white" }
}

/// Opacity of a square's color, limited so that the number on it stays readable.
fn strength(share: f64) -> f64 {
    0.85 * share.abs()
}

fn hint(square: Square, counts: Counts) -> String {
    let percent = |count: u64| 100.0 * count as f64 / counts.total() as f64;
    format!(
        "{square}: White wins {:.1} %, drawn {:.1} %, Black wins {:.1} % of {}",
        percent(counts.wins),
        percent(counts.draws),
        percent(counts.losses),
        grouped(counts.total()),
    )
}
