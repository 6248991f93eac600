//! Bounds on capturing all pieces and on leaving no legal move.

use crate::proof::ground::{FAR, Ground, bits};
use crate::proof::node::Node;

/// A strategy of the defender: one piece moves back and forth between two squares until an attacking piece moves to
/// one of them; then another piece does the same. All other pieces stand still.
///
/// No two pairs share a square, so each piece stays on its own squares, and the strategy works until every pair is
/// disturbed. To capture all pieces or to disturb all pairs, the attacker must therefore visit squares. A visit takes at
/// least the moves that the visiting piece needs, on an empty board, from its start or from its previous visit.
pub struct Shuttles {
    defender: usize,
    /// By animal: the squares on which the piece can stand.
    pub squares: [u64; 8],
    /// The animals that have a pair.
    pub paired: u8,
}

impl Shuttles {
    /// Pairs for the pieces of a side; no piece moves to a square of `barred`.
    #[inline]
    pub fn new(ground: &Ground, node: &Node, defender: usize, barred: u64) -> Self {
        let mut free = !(node.occupied[0] | node.occupied[1] | barred);
        let mut found = Self { defender, squares: [0; 8], paired: 0 };
        for (animal, from) in node.pieces(defender) {
            let to = ground.ways[defender][animal].walks[from] & free;
            let to = to & to.wrapping_neg();
            free &= !to;
            found.squares[animal] = to | 1 << from;
            found.paired |= u8::from(to != 0) << animal;
        }
        found
    }

    /// Pieces that stay on their square and the squares next to it: they move back and forth, or guard a gate.
    pub fn around(ground: &Ground, node: &Node, defender: usize) -> Self {
        let mut found = Self { defender, squares: [0; 8], paired: 0 };
        for (animal, at) in node.pieces(defender) {
            found.squares[animal] = 1 << at | ground.ways[defender][animal].walks[at];
        }
        found
    }

    /// The least number of moves to capture all pieces or to leave them no legal move, or any number above `moves` if it
    /// exceeds `moves`.
    #[inline]
    pub fn end(&self, ground: &Ground, node: &Node, moves: u16) -> u16 {
        let capture = self.capture(ground, node, moves);
        if capture <= moves {
            return capture;
        }
        let least = capture.min(self.visits(ground, node, self.paired, moves, |_, _| u64::MAX));
        // Each capture takes a move, whatever the defender plays.
        if ground.no_move_loses { least } else { least.max(node.occupied[self.defender].count_ones() as u16) }
    }

    /// The same for capturing all pieces, while the strategy works.
    pub fn capture(&self, ground: &Ground, node: &Node, moves: u16) -> u16 {
        let takeable = &ground.takeable[1 - self.defender];
        self.visits(ground, node, u8::MAX, moves, |visitor, visited| takeable[visitor][visited])
    }

    /// Moves to visit each of these pieces, on squares given by visitor and visited piece, or any number above `moves` if
    /// they exceed `moves`.
    #[inline]
    fn visits(
        &self,
        ground: &Ground,
        node: &Node,
        animals: u8,
        moves: u16,
        squares: impl Fn(usize, usize) -> u64,
    ) -> u16 {
        let is_visited = |animal: &usize| animals >> animal & 1 != 0 && self.squares[*animal] != 0;
        let mut left = (0..8).filter(is_visited).count() as u16;
        let mut sum = 0;
        for animal in (0..8).filter(is_visited) {
            if sum + left > moves {
                break;
            }
            left -= 1;
            sum += u16::from(self.visit(ground, node, animal, animals, &squares));
        }
        sum + left
    }

    /// Moves to visit one piece, from the start or from a visit to another one; [`FAR`] if no piece can.
    #[inline]
    fn visit(
        &self,
        ground: &Ground,
        node: &Node,
        animal: usize,
        animals: u8,
        squares: &impl Fn(usize, usize) -> u64,
    ) -> u8 {
        let attacker = 1 - self.defender;
        let mut least = FAR;
        let mut all = 0;
        for (visitor, from) in node.pieces(attacker) {
            let moves_to = &ground.ways[attacker][visitor].moves_to[from];
            let squares = self.squares[animal] & squares(visitor, animal);
            all |= squares;
            for square in bits(squares) {
                least = least.min(moves_to[square]);
            }
        }
        for before in (0..8).filter(|before| *before != animal && animals >> before & 1 != 0) {
            for from in bits(self.squares[before]) {
                if least <= 1 {
                    return 1;
                }
                let moves_to = &ground.moves_to[attacker][from];
                for square in bits(all) {
                    least = least.min(moves_to[square]);
                }
            }
        }
        least.max(1)
    }

    /// The least number of moves to disturb all pairs except one of `gone`, if it exceeds `moves`.
    pub fn no_move_without(&self, ground: &Ground, node: &Node, gone: u8, moves: u16) -> u16 {
        let (mut sum, mut most) = (0, 0);
        for animal in (0..8).filter(|animal| self.paired >> animal & 1 != 0) {
            let least = u16::from(self.visit(ground, node, animal, self.paired, &|_, _| u64::MAX));
            sum += least;
            if gone >> animal & 1 != 0 {
                most = most.max(least);
            }
            if sum - most > moves {
                break;
            }
        }
        sum - most
    }
}
