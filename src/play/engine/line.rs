//! The best line at each ply during a search.

use crate::game::Move;

/// Lines by start ply.
pub struct Lines(Vec<Vec<Move>>);

impl Lines {
    /// Lines for plies up to and including `most`.
    pub fn new(most: usize) -> Self {
        Self(vec![Vec::new(); most + 2])
    }

    /// Clears the line at this ply.
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line at this ply to a move followed by the line one ply deeper.
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
