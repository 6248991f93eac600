//! What a side cannot do in so many moves, whatever the other plays.

use super::ground::{FAR, Ground, MOST_WITHIN, bits};
use super::node::Node;

/// Moves that `attacker` needs at least to end the game, if that is more than `moves`; else any number up to `moves`.
///
/// Three ways end a game, and each takes moves of the attacker's own:
/// - *The den*: his nearest piece needs so many moves even on an empty board.
/// - *The last piece*: one move for each piece of the defender's.
/// - *No move*: see [`no_move`].
///
/// The defender's strategy that the third rests on is to move one piece to and fro; the first two hold whatever he
/// plays, so one strategy refutes all three.
#[inline]
pub fn least_moves(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> u16 {
    let least = den(ground, node, attacker).min(node.occupied[1 - attacker].count_ones() as u16);
    if least <= moves || !ground.no_move_loses {
        return least;
    }
    least.min(no_move(ground, node, attacker, moves))
}

/// Moves to the den of the nearest piece.
#[inline]
pub fn den(ground: &Ground, node: &Node, attacker: usize) -> u16 {
    let ways = &ground.ways[attacker];
    let squares = &node.squares[attacker];
    // Off the board is far.
    (0..8).map(|animal| ways[animal].to_den[squares[animal] as usize]).min().unwrap_or(FAR).into()
}

/// Squares paired up for pieces of a side to go to and fro between, no two pairs with a square in common: how many
/// pairs, up to `most`, and their squares.
#[inline]
fn pairs(ground: &Ground, node: &Node, side: usize, most: u16) -> (u16, u64) {
    let mut free = !(node.occupied[0] | node.occupied[1]);
    let (mut count, mut squares) = (0, 0_u64);
    for (animal, from) in node.pieces(side) {
        let to = ground.ways[side][animal].walks[from] & free;
        if to != 0 {
            let to = to & to.wrapping_neg();
            free &= !to;
            squares |= to | 1 << from;
            count += 1;
            if count >= most {
                break;
            }
        }
    }
    (count, squares)
}

/// Moves that `attacker` needs at least to leave the defender without a move; at most `moves + 1` is worked out.
///
/// A defender who has a piece on a square `s` with a free square `t` next to it can go to and fro between the two until
/// an attacker's piece goes to `s` or `t`. With such pairs of squares, no two with a square in common, he can do so as
/// long as one pair is left alone. To disturb a pair takes a move that ends in it; so to disturb all `k` of them takes
/// at least `k` moves, and the first of these cannot come before the nearest attacker's piece gets there.
#[inline]
fn no_move(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> u16 {
    let (count, squares) = pairs(ground, node, 1 - attacker, moves + 1);
    if count == 0 || count > moves {
        return count;
    }
    let nearest = node.pieces(attacker).map(|(animal, from)| {
        let moves_to = &ground.ways[attacker][animal].moves_to[from];
        bits(squares).map(|square| moves_to[square]).min().unwrap_or(FAR)
    });
    u16::from(nearest.min().unwrap_or(FAR)) + count - 1
}

/// Whether standing guards keep `attacker` out of the den for so many moves of his, whoever is to move.
///
/// The defender's strategy: the guards stand still, another piece goes to and fro, and the attacker's piece that steps
/// to a gate of the den is taken there by a guard of that gate. It holds if, counting only moves that an empty board
/// would allow to be fewer:
/// - no two attackers can come in: the first is taken at the gate, and the moves left are too few for the second;
/// - each gate that a piece can get through in time has a guard that nobody can take in time: the moves to the guard and
///   those to the den are too many together;
/// - some piece that is no guard has a pair of squares to go to and fro between, and who disturbs it has too few moves
///   left for the den;
/// - the other ways to end the game are too long, with a guard gone from its place.
pub fn is_guarded(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> bool {
    let defender = 1 - attacker;
    let ways = &ground.ways[attacker];
    let to_den = |animal: usize| ways[animal].to_den[usize::from(node.squares[attacker][animal])];
    let (mut first, mut second) = (FAR, FAR);
    for animal in 0..8 {
        let moves = to_den(animal);
        second = second.min(moves.max(first));
        first = first.min(moves);
    }
    let first = u16::from(first);
    if first < 2 || first + u16::from(second) <= moves + 1 {
        return false;
    }
    if node.occupied[defender].count_ones() as u16 <= moves
        || ground.no_move_loses && no_move(ground, node, attacker, moves + 1) <= moves + 1
    {
        return false;
    }
    let is_stable = |raider: usize, at: usize, gate: usize, guard: usize, post: usize| {
        node.pieces(attacker).all(|(animal, from)| {
            if ground.takeable[attacker][animal][guard] >> post & 1 == 0 {
                return true;
            }
            let there = u16::from(ways[animal].moves_to[from][post]);
            let then =
                if animal == raider { ways[animal].moves_to[post][gate] } else { ways[raider].moves_to[at][gate] };
            there + u16::from(then) + 1 > moves
        })
    };
    for (raider, at) in node.pieces(attacker).filter(|&(animal, _)| u16::from(to_den(animal)) <= moves) {
        for gate in bits(ground.gates[attacker]) {
            if ways[raider].steps[gate] & ground.goal[attacker] == 0
                || u16::from(ways[raider].moves_to[at][gate]) + 1 > moves
            {
                continue;
            }
            let is_guarded = node.pieces(defender).any(|(guard, post)| {
                let guards = if post == gate {
                    ground.takeable[attacker][raider][guard] >> gate & 1 == 0
                } else {
                    let own = &ground.ways[defender][guard];
                    own.steps[post] & own.takes[raider][post] & 1 << gate != 0
                };
                guards && is_stable(raider, at, gate, guard, post)
            });
            if !is_guarded {
                return false;
            }
        }
    }
    let is_safe = |square: usize| {
        node.pieces(attacker).all(|(animal, from)| {
            let then = u16::from(ways[animal].to_den[square]).min(first);
            u16::from(ways[animal].moves_to[from][square]) + then > moves
        })
    };
    let free = !(node.occupied[0] | node.occupied[1]);
    node.pieces(defender).any(|(animal, from)| {
        ground.posts[defender] >> from & 1 == 0
            && is_safe(from)
            && bits(ground.ways[defender][animal].walks[from] & free).any(is_safe)
    })
}

/// Which moves of the attacker, who is to move, can be the first of a win with so many more moves after it.
pub struct Promising {
    /// Moves after this one.
    left: usize,
    /// The piece nearest to the den may be the one to enter it, if it is not further than `left` without moving.
    others_near: [bool; 8],
    is_all: bool,
}

impl Promising {
    /// `left`: moves of the attacker after this one.
    #[inline]
    pub fn new(ground: &Ground, node: &Node, left: u16) -> Self {
        let attacker = node.side;
        let defenders = node.occupied[1 - attacker].count_ones() as u16;
        // One move takes at most one piece, and disturbs at most one pair.
        let by_capture = defenders <= left + 1;
        let by_no_move = ground.no_move_loses && pairs(ground, node, 1 - attacker, left + 2).0 <= left + 1;
        if by_capture || by_no_move {
            return Self { left: usize::from(left), others_near: [true; 8], is_all: true };
        }
        let near = |animal: usize| {
            u16::from(ground.ways[attacker][animal].to_den[usize::from(node.squares[attacker][animal])]) <= left
        };
        let near: [bool; 8] = std::array::from_fn(near);
        let count = near.iter().filter(|near| **near).count();
        // Some other piece can still enter if that one moves elsewhere.
        let others_near = near.map(|near| count > usize::from(near));
        Self { left: usize::from(left), others_near, is_all: others_near == [true; 8] }
    }

    /// Whether no move was left out.
    pub const fn is_all(&self) -> bool {
        self.is_all
    }

    /// The squares that a piece may go to: anywhere if another can still enter in time, else near enough itself.
    #[inline]
    pub fn targets(&self, ground: &Ground, side: usize, animal: usize) -> u64 {
        if self.others_near[animal] { u64::MAX } else { ground.ways[side][animal].within[self.left.min(MOST_WITHIN)] }
    }
}
