//! The best line of each ply while a search is under way.

use crate::game::Move;

/// Lines by the ply at which they begin.
pub struct Lines(Vec<Vec<Move>>);

impl Lines {
    /// Lines for plies up to and including `most`.
    pub fn new(most: usize) -> Self {
        Self(vec![Vec::new(); most + 2])
    }

    /// There is no line at this ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line at this ply is a move and the line after it.
    pub fn set(&mut self, ply: usize, mv: Move) {
        let (lines, later) = self.0.split_at_mut(ply + 1);
        lines[ply].clear();
        lines[ply].push(mv);
        lines[ply].extend_from_slice(&later[0]);
    }

    /// The line at this ply.
    pub fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
