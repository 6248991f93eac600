//! Moves and their results.

use super::animal::{Animal, Piece};
use super::position::Position;
use super::rules::Rules;
use super::square::Square;
use std::fmt;

/// A move of one piece from a square to another: a step or a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

impl Move {
    /// Parses `d7d8`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.is_ascii().then(|| text.split_at_checked(2)).flatten()?;
        Some(Self { from: Square::parse(from)?, to: Square::parse(to)? })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// A legal move with its effects.
#[derive(Clone, Copy, Debug)]
pub struct Successor {
    /// The move.
    pub mv: Move,
    /// The captured animal.
    pub capture: Option<Animal>,
    /// Whether the move enters the enemy den.
    pub den: bool,
    /// The position after the move.
    pub position: Position,
}

impl Position {
    /// The legal moves with the resulting positions. Empty once a den is entered or a side has no piece left.
    pub fn successors<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = Successor> + 'a {
        let us = self.to_move();
        let them = us.other();
        let (own, enemy) = (self.occupied(us), self.occupied(them));
        let goal = rules.board().goal(us);
        let running = self.conversion(rules).is_none();
        self.pieces_of(us).filter(move |_| running).flat_map(move |(piece, from)| {
            let movement = rules.movement(us, piece.animal);
            movement.reach(from, own, enemy).without(own).into_iter().filter_map(move |to| {
                let capture = if enemy.has(to) { self.piece_at(to) } else { None };
                if let Some(victim) = capture
                    && !movement.takes[victim.animal.index()][from.index()].has(to)
                {
                    return None;
                }
                let mv = Move { from, to };
                let position = self.after(piece, to, capture);
                Some(Successor { mv, capture: capture.map(|victim| victim.animal), den: to == goal, position })
            })
        })
    }

    fn after(&self, piece: Piece, to: Square, capture: Option<Piece>) -> Self {
        let mut position = *self;
        if let Some(victim) = capture {
            position.set(victim, None);
        }
        position.set(piece, Some(to));
        position.set_to_move(self.to_move().other());
        position
    }

    /// The position after a move; `None` if the move is illegal.
    pub fn play(&self, rules: &Rules, mv: Move) -> Option<Self> {
        self.successors(rules).find(|successor| successor.mv == mv).map(|successor| successor.position)
    }
}
