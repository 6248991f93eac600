//! Bit planes: what is known about the positions of a class with one side to move, a word per configuration.

use super::layout::Layout;
use crate::system::zeroed;

/// Known facts about the positions with one side to move.
pub struct Planes {
    /// Won positions; also set for squares the plane piece cannot take.
    pub win: Vec<u64>,
    /// Lost positions.
    pub loss: Vec<u64>,
    /// Positions that are not lost by now, whatever the quiet moves: a capture saves them, or prevents the loss until a
    /// later ply, or having no move is a draw there.
    pub saved: Vec<u64>,
    /// By row: the [`mark`] of the last ply at which a position was won.
    pub won_at: Vec<u16>,
    /// By row: the [`mark`] of the last ply at which a position was lost.
    pub lost_at: Vec<u16>,
}

/// Stands for a ply; 0 for none.
#[inline]
pub const fn mark(ply: u16) -> u16 {
    ply + 1
}

impl Planes {
    /// Allocates the planes of one side to move, with nothing known; `None` if memory is insufficient.
    pub fn new(layout: &Layout) -> Option<Self> {
        let words = || zeroed(layout.configurations()).ok();
        let marks = || zeroed(layout.rows).ok();
        Some(Self { win: words()?, loss: words()?, saved: words()?, won_at: marks()?, lost_at: marks()? })
    }
}
