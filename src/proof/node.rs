//! Nodes of the search: a position and its moves.

use super::ground::{Ground, bits};
use crate::game::{Color, Position, Rules};
use crate::material::Material;
use arrayvec::ArrayVec;

/// The square of a piece that is off the board.
pub const OFF: u8 = 63;

/// No animal.
pub const NOBODY: u8 = 8;

/// A position, small enough to copy for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// By side and animal; [`OFF`] if off the board.
    pub squares: [[u8; 8]; 2],
    /// By side.
    pub occupied: [u64; 2],
    /// Location in the table, and check.
    pub key: [u64; 2],
    /// The side to move.
    pub side: usize,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: u8,
    pub to: u8,
    pub animal: u8,
    /// [`NOBODY`] for a quiet move.
    pub victim: u8,
}

/// Upper bound on the moves of any position: eight pieces, four directions, a step and a jump in each.
pub const MOST_MOVES: usize = 64;

/// The moves of a position.
pub type Steps = ArrayVec<Step, MOST_MOVES>;

impl Step {
    /// From-square and to-square in twelve bits. Never 0: no move goes from a1 to a1.
    #[inline]
    pub const fn code(self) -> u16 {
        self.from as u16 | (self.to as u16) << 6
    }
}

impl Node {
    pub fn new(ground: &Ground, position: &Position) -> Self {
        let mut node = Self { squares: [[OFF; 8]; 2], occupied: [0; 2], key: [0; 2], side: 0 };
        for (piece, square) in position.pieces() {
            let (side, animal, square) = (piece.color.index(), piece.animal.index(), square.index());
            node.squares[side][animal] = square as u8;
            node.occupied[side] |= 1 << square;
            node.flip(ground.keys[side][animal][square]);
        }
        if position.to_move() == Color::Black {
            node.side = 1;
            node.flip(ground.turn);
        }
        node
    }

    /// The position as a type of `game`.
    pub fn position(&self, rules: &Rules) -> Position {
        let squares = self.squares.map(|side| side.map(|at| if at == OFF { Position::OFF_BOARD } else { at }));
        Position::from_squares(rules, &squares, Color::BOTH[self.side])
            .expect("moves keep pieces on squares of their own")
    }

    #[inline]
    fn flip(&mut self, number: [u64; 2]) {
        self.key[0] ^= number[0];
        self.key[1] ^= number[1];
    }

    /// The pieces of a side: animal and square.
    #[inline]
    pub fn pieces(&self, side: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.squares[side].iter().enumerate().filter(|&(_, &at)| at != OFF).map(|(animal, &at)| (animal, at as usize))
    }

    /// The animal of a side on a square; [`NOBODY`] if there is none.
    #[inline]
    pub fn animal_at(&self, side: usize, square: usize) -> u8 {
        let found = self.squares[side].iter().position(|&at| at as usize == square);
        found.map_or(NOBODY, |animal| animal as u8)
    }

    /// A move into the enemy den that a side could make if it were to move.
    #[inline]
    pub fn den_entry(&self, ground: &Ground, side: usize) -> Option<Step> {
        if self.occupied[side] & ground.gates[side] == 0 {
            return None;
        }
        let goal = ground.goal[side];
        let entry = self.pieces(side).find(|&(animal, at)| ground.ways[side][animal].steps[at] & goal != 0);
        let to = goal.trailing_zeros() as u8;
        entry.map(|(animal, at)| Step { from: at as u8, to, animal: animal as u8, victim: NOBODY })
    }

    /// The moves of the side to move to these squares, by animal.
    #[inline]
    pub fn steps_to(&self, ground: &Ground, targets: impl Fn(usize) -> u64) -> Steps {
        let us = self.side;
        let (own, enemy) = (self.occupied[us], self.occupied[1 - us]);
        let mut steps = Steps::new();
        for (animal, from) in self.pieces(us) {
            let ways = &ground.ways[us][animal];
            let reach = ways.reach(from, own, enemy) & targets(animal) & !own;
            let step = |to: usize, victim| Step { from: from as u8, to: to as u8, animal: animal as u8, victim };
            for to in bits(reach & enemy) {
                let victim = self.animal_at(1 - us, to);
                if ways.takes[victim as usize][from] >> to & 1 != 0 {
                    steps.push(step(to, victim));
                }
            }
            for to in bits(reach & !enemy) {
                steps.push(step(to, NOBODY));
            }
        }
        steps
    }

    /// Whether a side would have a legal move if it were to move.
    #[inline]
    pub fn has_move(&self, ground: &Ground, side: usize) -> bool {
        let (own, enemy) = (self.occupied[side], self.occupied[1 - side]);
        let empty = !(own | enemy);
        if self.pieces(side).any(|(animal, from)| ground.ways[side][animal].steps[from] & empty != 0) {
            return true;
        }
        self.pieces(side).any(|(animal, from)| {
            let ways = &ground.ways[side][animal];
            let reach = ways.reach(from, own, enemy);
            reach & empty != 0
                || bits(reach & enemy).any(|to| ways.takes[self.animal_at(1 - side, to) as usize][from] >> to & 1 != 0)
        })
    }

    /// The node after a move.
    #[inline]
    pub fn after(&self, ground: &Ground, step: Step) -> Self {
        let us = self.side;
        let mut next = *self;
        let (animal, from, to) = (step.animal as usize, step.from as usize, step.to as usize);
        if step.victim != NOBODY {
            let victim = step.victim as usize;
            next.squares[1 - us][victim] = OFF;
            next.occupied[1 - us] &= !(1 << to);
            next.flip(ground.keys[1 - us][victim][to]);
        }
        next.squares[us][animal] = step.to;
        next.occupied[us] ^= 1 << from | 1 << to;
        next.flip(ground.keys[us][animal][from]);
        next.flip(ground.keys[us][animal][to]);
        next.flip(ground.turn);
        next.side = 1 - us;
        next
    }

    /// The node with one piece elsewhere, for bounds alone: its key is that of the old place.
    pub fn with(&self, side: usize, animal: usize, to: usize) -> Self {
        let mut node = *self;
        node.occupied[side] ^= 1 << node.squares[side][animal] | 1 << to;
        node.squares[side][animal] = to as u8;
        node
    }

    /// The pieces of both sides.
    #[inline]
    pub fn material(&self) -> Material {
        let side = |side: usize| self.pieces(side).fold(0, |set, (animal, _)| set | 1 << animal);
        Material::new(side(0), side(1))
    }
}
