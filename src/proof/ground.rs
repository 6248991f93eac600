//! The rules in the form a search reads: masks, distances and random numbers in flat tables.

use crate::game::{Animal, Color, NoLegalMove, Rules, Square, SquareSet};
use arrayvec::ArrayVec;

/// More moves than any piece needs: unreachable.
pub const FAR: u8 = u8::MAX;

/// One entry per square, rounded up to a power of two so that a shift finds it.
type BySquare<T> = [T; 64];

/// A jump: its target, and the water it crosses.
#[derive(Clone, Copy)]
pub struct Jump {
    pub to: u64,
    pub path: u64,
}

/// What one animal of one side may do.
pub struct Ways {
    /// Squares it may step to, including the enemy den.
    pub steps: BySquare<u64>,
    /// The same without the den: from each of them it may step back, if the square is empty.
    pub walks: BySquare<u64>,
    pub jumps: BySquare<ArrayVec<Jump, 4>>,
    /// Whether it can jump from anywhere.
    pub is_jumper: bool,
    /// All ones if pieces of its own side, of the other side, block its jump.
    pub stopped_by: [u64; 2],
    /// By captured animal and start square: the squares on which it may capture that animal.
    pub takes: [BySquare<u64>; 8],
    /// Number of moves it needs to each square on the empty board, by start square.
    pub moves_to: Box<[BySquare<u8>; 64]>,
    /// Number of moves it needs into the enemy den on the empty board.
    pub to_den: BySquare<u8>,
    /// The squares from which it needs at most that many moves.
    pub within: [u64; MOST_WITHIN + 1],
}

/// More moves than any piece needs into the den.
pub const MOST_WITHIN: usize = 63;

/// All tables of a rule set.
pub struct Ground {
    /// By color and animal.
    pub ways: Box<[[Ways; 8]; 2]>,
    /// The enemy den of each side.
    pub goal: [u64; 2],
    /// By side: the squares from which some animal of the side steps into the enemy den.
    pub gates: [u64; 2],
    /// By side: the gates of its own den and the squares next to them.
    pub posts: [u64; 2],
    /// By color, animal and captured animal: the squares on which a capture is possible, from any start square.
    pub takeable: Box<[[[u64; 8]; 8]; 2]>,
    /// By side: number of moves that its fastest animal needs from each square to each other on the empty board.
    pub moves_to: Box<[[BySquare<u8>; 64]; 2]>,
    /// Whether a side without a legal move has lost.
    pub no_move_loses: bool,
    /// Random numbers by color, animal and square: one for the location of a position in the table, one for its check.
    pub keys: Box<[[BySquare<[u64; 2]>; 8]; 2]>,
    /// The random numbers for Black to move.
    pub turn: [u64; 2],
}

impl Ground {
    pub fn new(rules: &Rules) -> Self {
        let ways = Box::new(Color::BOTH.map(|color| Animal::ALL.map(|animal| Ways::new(rules, color, animal))));
        let goal = Color::BOTH.map(|color| rules.board().goal(color).set().0);
        let gates = [0, 1].map(|side: usize| {
            let is_gate = |square: &usize| ways[side].iter().any(|ways| ways.steps[*square] & goal[side] != 0);
            (0..Square::COUNT).filter(is_gate).fold(0, |gates, square| gates | 1 << square)
        });
        let posts = [0, 1].map(|side: usize| {
            let gates = gates[1 - side];
            let leads_to_gate = |square: &usize| ways[side].iter().any(|ways| ways.steps[*square] & gates != 0);
            (0..Square::COUNT).filter(leads_to_gate).fold(gates, |posts, square| posts | 1 << square)
        });
        let takeable = |ways: &Ways| ways.takes.map(|squares| squares.iter().fold(0, |all, squares| all | squares));
        let takeable =
            Box::new([0, 1].map(|side: usize| std::array::from_fn(|animal: usize| takeable(&ways[side][animal]))));
        let quickest = |ways: &[Ways; 8], from: usize, to: usize| ways.iter().map(|ways| ways.moves_to[from][to]).min();
        let moves_to = [0, 1].map(|side: usize| {
            std::array::from_fn(|from| std::array::from_fn(|to| quickest(&ways[side], from, to).unwrap_or(FAR)))
        });
        let mut random = SplitMix(0x6a75_6e67_6c65);
        let mut pair = || [random.next(), random.next()];
        let keys = Box::new(std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| pair()))));
        let no_move_loses = rules.keys().no_legal_move == NoLegalMove::Loss;
        Self { ways, goal, gates, posts, takeable, moves_to: Box::new(moves_to), no_move_loses, keys, turn: pair() }
    }
}

impl Ways {
    fn new(rules: &Rules, color: Color, animal: Animal) -> Self {
        let movement = rules.movement(color, animal);
        let goal = rules.board().goal(color);
        let by_square = |of: &dyn Fn(usize) -> SquareSet| -> BySquare<u64> {
            std::array::from_fn(|square| if square < Square::COUNT { of(square).0 } else { 0 })
        };
        let steps = by_square(&|square| movement.steps[square]);
        let jumps = std::array::from_fn(|square| {
            let jumps = movement.jumps.get(square).into_iter().flatten();
            jumps.map(|jump| Jump { to: jump.to.set().0, path: jump.path.0 }).collect()
        });
        let reach = |square: usize| {
            let jumps: &ArrayVec<Jump, 4> = &jumps[square];
            jumps.iter().fold(steps[square], |reach, jump| reach | jump.to)
        };
        let moves_to = Box::new(std::array::from_fn(|from| distances(from, &reach)));
        let to_den: BySquare<u8> = std::array::from_fn(|from| moves_to_of(&moves_to, from, goal));
        let within = |moves: usize| {
            let near = (0..Square::COUNT).filter(|&from| usize::from(to_den[from]) <= moves);
            near.fold(0, |set, from| set | 1 << from)
        };
        let all = |yes: bool| if yes { u64::MAX } else { 0 };
        Self {
            walks: steps.map(|squares| squares & !goal.set().0),
            takes: Animal::ALL.map(|victim| by_square(&|square| movement.takes[victim.index()][square])),
            is_jumper: movement.is_jumper(),
            stopped_by: [all(movement.stopped_by_own), all(movement.stopped_by_enemy)],
            within: std::array::from_fn(within),
            to_den,
            moves_to,
            steps,
            jumps,
        }
    }

    /// The squares it reaches from a square with a step or a jump, given the pieces in the water.
    #[inline]
    pub fn reach(&self, from: usize, own: u64, enemy: u64) -> u64 {
        let mut reach = self.steps[from];
        if self.is_jumper {
            let stoppers = own & self.stopped_by[0] | enemy & self.stopped_by[1];
            for jump in &self.jumps[from] {
                if jump.path & stoppers == 0 {
                    reach |= jump.to;
                }
            }
        }
        reach
    }
}

fn moves_to_of(moves_to: &[BySquare<u8>; 64], from: usize, to: Square) -> u8 {
    moves_to[from][to.index()]
}

/// Number of moves from a square to all others.
fn distances(from: usize, reach: &impl Fn(usize) -> u64) -> BySquare<u8> {
    let mut moves = [FAR; 64];
    let (mut seen, mut front) = (1_u64 << from, 1_u64 << from);
    let mut count = 0;
    while front != 0 {
        let mut next = 0;
        for square in bits(front) {
            moves[square] = count;
            next |= reach(square);
        }
        front = next & !seen;
        seen |= next;
        count += 1;
    }
    moves
}

/// The squares of a set.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        (set != 0).then(|| set &= set - 1)?;
        Some(square)
    })
}

/// The random number generator `SplitMix64`.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
