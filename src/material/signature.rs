//! Signatures: the abilities of a side's pieces without their names, to decide when two materials are the same game.
//!
//! The value of a position depends on its animals only through what each may do on the empty board, which animals may
//! capture which where, and which block whose jumps. Each of these is hashed by content, so that signatures can be
//! compared between rule sets too. All hashes are of the masks of a white piece against a black one; those of the other
//! color are their rotated image.

use crate::game::{Animal, Color, Movement, NoLegalMove, Rules, Square};
use xxhash_rust::xxh3::xxh3_64;

/// Content hashes of all animals of a rule set.
pub struct Traits {
    /// What a piece may do on its own.
    alone: [u64; 8],
    /// `against[a][b]`: what `a` may do to an enemy `b`, and whether `b` in the water blocks its jump.
    against: [[u64; 8]; 8],
    /// `beside[a][b]`: whether a friendly `b` in the water blocks `a`'s jump.
    beside: [[u64; 8]; 8],
    /// The board, and the result for a side without a legal move.
    frame: u64,
}

impl Traits {
    /// Hashes the masks of a rule set.
    pub fn new(rules: &Rules) -> Self {
        let board = rules.board();
        let movement = |animal: Animal| rules.movement(Color::White, animal);
        let stops = |jumper: Animal, other: Animal, rule: bool| {
            rule && jumps_over(movement(jumper), rules.movement(Color::Black, other))
        };
        let per_pair = |hash: &dyn Fn(Animal, Animal) -> u64| Animal::ALL.map(|a| Animal::ALL.map(|b| hash(a, b)));
        Self {
            alone: Animal::ALL.map(|animal| hash_alone(movement(animal))),
            against: per_pair(&|a, b| {
                let takes = movement(a).takes[b.index()].map(|set| set.0);
                hash(takes.into_iter().chain([u64::from(stops(a, b, movement(a).stopped_by_enemy))]))
            }),
            beside: per_pair(&|a, b| u64::from(stops(a, b, movement(a).stopped_by_own))),
            frame: hash([
                u64::from(board.ranks),
                board.dens[0].set().0,
                board.dens[1].set().0,
                u64::from(rules.keys().no_legal_move == NoLegalMove::Draw),
            ]),
        }
    }

    /// What an animal may do on its own.
    pub const fn alone(&self, animal: Animal) -> u64 {
        self.alone[animal.index()]
    }

    /// Everything that determines the game of these pieces, in this order. Equal signatures mean the same game.
    pub fn signature(&self, sides: [&[Animal]; 2]) -> Vec<u64> {
        let mut signature = vec![sides[0].len() as u64, sides[1].len() as u64];
        for (side, others) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            for (i, &animal) in side.iter().enumerate() {
                signature.push(self.alone(animal));
                let own = side.iter().enumerate().filter(|&(j, _)| j != i);
                signature.extend(own.map(|(_, other)| self.beside[animal.index()][other.index()]));
                signature.extend(others.iter().map(|other| self.against[animal.index()][other.index()]));
            }
        }
        signature
    }

    /// Hash of a signature and of the frame: identifies the game of a table.
    pub fn fingerprint(&self, signature: &[u64]) -> u64 {
        hash(std::iter::once(self.frame).chain(signature.iter().copied()))
    }
}

fn jumps_over(jumper: &Movement, other: &Movement) -> bool {
    jumper.jumps.iter().flatten().any(|jump| jump.path.meets(other.domain))
}

fn hash_alone(movement: &Movement) -> u64 {
    let mut words = vec![movement.domain.0];
    words.extend(movement.steps.map(|set| set.0));
    for (from, jumps) in movement.jumps.iter().enumerate() {
        for jump in jumps {
            words.extend([from as u64, jump.to.set().0, jump.path.0]);
        }
    }
    debug_assert_eq!(movement.steps.len(), Square::COUNT);
    hash(words)
}

fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    xxh3_64(&bytes)
}
