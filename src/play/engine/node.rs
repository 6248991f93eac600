//! Nodes of the search: a position with its evaluation, key and moves.

use super::evaluate::Evaluation;
use super::hash::Keys;
use crate::game::{Animal, Color, Move, Piece, Position, Rules, SquareSet};
use crate::material::Material;
use arrayvec::ArrayVec;

/// Data of the rules computed once per search.
pub struct Ground {
    pub rules: Rules,
    pub keys: Keys,
    pub evaluation: Evaluation,
    /// By color and animal: the squares from which it can step into the enemy den.
    gates: [[SquareSet; 8]; 2],
    /// By color, for all animals combined.
    any_gate: [SquareSet; 2],
}

/// A position with incrementally updated data.
#[derive(Clone, Copy)]
pub struct Node {
    pub position: Position,
    pub key: u64,
    pub material: Material,
    /// Value of White's pieces on their squares minus that of Black's.
    pub balance: i32,
    /// Plies since the last capture, as far as known.
    pub quiet_plies: u16,
}

/// A move with the data that a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub mv: Move,
    pub animal: Animal,
    pub capture: Option<Animal>,
}

/// Upper bound on the moves of any position: eight pieces, four directions, a step and a jump in each.
pub const MOST_MOVES: usize = 64;

/// The moves of a position.
pub type Candidates = ArrayVec<Candidate, MOST_MOVES>;

impl Ground {
    pub fn new(rules: &Rules) -> Self {
        let goal = |color| rules.board().goal(color);
        let gate = |color, animal| {
            let steps = &rules.movement(color, animal).steps;
            rules.board().squares.into_iter().filter(|square| steps[square.index()].has(goal(color))).collect()
        };
        let gates = Color::BOTH.map(|color| Animal::ALL.map(|animal| gate(color, animal)));
        let any_gate = gates.map(|gates| gates.into_iter().fold(SquareSet::EMPTY, |all, gate| all | gate));
        Self { rules: rules.clone(), keys: Keys::new(), evaluation: Evaluation::new(rules), gates, any_gate }
    }

    /// The root node of a position. `earlier`: the earlier positions of the game.
    pub fn node(&self, position: &Position, earlier: &[Position]) -> Node {
        let len = position.len();
        let quiet = earlier.iter().rev().take_while(|before| before.len() == len).count();
        Node {
            position: *position,
            key: self.key(position),
            material: Material::of(position),
            balance: position.pieces().map(|(piece, square)| self.evaluation.of(piece, square)).sum(),
            quiet_plies: quiet.min(usize::from(u16::MAX)) as u16,
        }
    }

    /// The key of a position.
    pub fn key(&self, position: &Position) -> u64 {
        let pieces = position.pieces().map(|(piece, square)| self.keys.of(piece, square));
        pieces.fold(self.keys.to_move(position.to_move()), |key, number| key ^ number)
    }

    /// The move into the den that a side could make if it were to move.
    #[inline]
    pub fn den_entry(&self, position: &Position, color: Color) -> Option<Move> {
        if !position.occupied(color).meets(self.any_gate[color.index()]) {
            return None;
        }
        let gates = &self.gates[color.index()];
        let at_gate = position.pieces_of(color).find(|(piece, square)| gates[piece.animal.index()].has(*square));
        at_gate.map(|(_, from)| Move { from, to: self.rules.board().goal(color) })
    }

    /// The legal moves, or only the captures.
    pub fn steps(&self, position: &Position, only_captures: bool) -> Candidates {
        let us = position.to_move();
        let (own, enemy) = (position.occupied(us), position.occupied(us.other()));
        let mut steps = Candidates::new();
        for (Piece { animal, .. }, from) in position.pieces_of(us) {
            let movement = self.rules.movement(us, animal);
            let reach = movement.reach(from, own, enemy).without(own);
            for to in reach & enemy {
                let Some(victim) = position.piece_at(to) else { continue };
                if movement.takes[victim.animal.index()][from.index()].has(to) {
                    steps.push(Candidate { mv: Move { from, to }, animal, capture: Some(victim.animal) });
                }
            }
            if !only_captures {
                let quiet = reach.without(enemy).into_iter();
                steps.extend(quiet.map(|to| Candidate { mv: Move { from, to }, animal, capture: None }));
            }
        }
        steps
    }

    /// The node after a legal move.
    #[inline]
    pub fn after(&self, node: &Node, step: Candidate) -> Node {
        let us = node.position.to_move();
        let Move { from, to } = step.mv;
        let mut next = *node;
        next.quiet_plies = node.quiet_plies.saturating_add(1);
        if let Some(animal) = step.capture {
            let victim = Piece { color: us.other(), animal };
            next.position.set(victim, None);
            next.key ^= self.keys.of(victim, to);
            next.balance -= self.evaluation.of(victim, to);
            next.material = node.material.without(victim);
            next.quiet_plies = 0;
        }
        let piece = Piece { color: us, animal: step.animal };
        next.position.set(piece, Some(to));
        next.position.set_to_move(us.other());
        next.key ^= self.keys.of(piece, from) ^ self.keys.of(piece, to) ^ self.keys.black_to_move;
        next.balance += self.evaluation.of(piece, to) - self.evaluation.of(piece, from);
        next
    }
}

impl Node {
    /// The estimate for the side to move.
    pub fn estimate(&self) -> i32 {
        Evaluation::clamp(match self.position.to_move() {
            Color::White => self.balance,
            Color::Black => -self.balance,
        })
    }

    /// Whether the side to move has lost its last piece.
    pub const fn is_bare(&self) -> bool {
        self.position.occupied(self.position.to_move()).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::PRESETS;

    /// Plays at random from the start position, or from one of four pieces, and compares each node with `game`.
    #[test]
    fn moves_and_all_that_is_kept_are_those_of_a_fresh_position() {
        let mut random = 1_u64;
        let mut captures = 0;
        for name in PRESETS {
            let rules = Rules::preset(name).unwrap();
            let ground = Ground::new(&rules);
            for _ in 0..40 {
                let position = Position::start(&rules)
                    .unwrap_or_else(|| Position::parse(&rules, "e1r3t/7/d6/7/6D/7/T3R1E w").unwrap());
                let mut node = ground.node(&position, &[]);
                let mut earlier = Vec::new();
                for _ in 0..120 {
                    let position = node.position;
                    let fresh = ground.node(&position, &earlier);
                    assert_eq!((node.key, node.material, node.balance), (fresh.key, fresh.material, fresh.balance));
                    assert_eq!(node.quiet_plies, fresh.quiet_plies);
                    if node.is_bare() {
                        break;
                    }
                    let steps = ground.steps(&position, false);
                    let mut moves: Vec<_> = steps.iter().map(|step| (step.mv, step.capture)).collect();
                    let mut expected: Vec<_> = position.successors(&rules).map(|s| (s.mv, s.capture)).collect();
                    moves.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(moves, expected, "{}", position.to_text(&rules));
                    let taking = ground.steps(&position, true);
                    assert!(taking.iter().eq(steps.iter().filter(|step| step.capture.is_some())));
                    let den = position.successors(&rules).find(|successor| successor.den);
                    assert_eq!(ground.den_entry(&position, position.to_move()).is_some(), den.is_some());
                    if den.is_some() || steps.is_empty() {
                        break;
                    }
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let step = steps[(random >> 33) as usize % steps.len()];
                    captures += usize::from(step.capture.is_some());
                    earlier.push(position);
                    node = ground.after(&node, step);
                    assert_eq!(Some(node.position), position.play(&rules, step.mv));
                }
            }
        }
        assert!(captures > 100, "{captures}");
    }
}
