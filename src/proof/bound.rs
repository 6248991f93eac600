//! Lower bounds on the moves that a side needs to end the game, whatever the other side plays.

use super::ground::{FAR, Ground, bits};
use super::node::Node;

/// Moves that `attacker` needs at least to end the game, if that is more than `moves`; else any number up to `moves`.
///
/// Three ways end a game, and each takes moves of the attacker's own:
/// - *The den*: the nearest piece needs this number of moves even on an empty board.
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

/// Moves that `attacker` needs at least to leave the defender without a move; at most `moves + 1` is worked out.
///
/// A defender who has a piece on a square `s` with a free square `t` next to it can go to and fro between the two until
/// an attacker's piece goes to `s` or `t`. With such pairs of squares, no two with a square in common, he can do so as
/// long as one pair is left alone. To disturb a pair takes a move that ends in it; so to disturb all `k` of them takes
/// at least `k` moves, and the first of these cannot come before the nearest attacker's piece gets there.
#[inline]
fn no_move(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> u16 {
    let defender = 1 - attacker;
    let mut free = !(node.occupied[0] | node.occupied[1]);
    let (mut pairs, mut squares) = (0, 0_u64);
    for (animal, from) in node.pieces(defender) {
        let to = ground.ways[defender][animal].walks[from] & free;
        if to != 0 {
            let to = to & to.wrapping_neg();
            free &= !to;
            squares |= to | 1 << from;
            pairs += 1;
            if pairs > moves {
                return pairs;
            }
        }
    }
    if pairs == 0 {
        return 0;
    }
    let nearest = node.pieces(attacker).map(|(animal, from)| {
        let moves_to = &ground.ways[attacker][animal].moves_to[from];
        bits(squares).map(|square| moves_to[square]).min().unwrap_or(FAR)
    });
    u16::from(nearest.min().unwrap_or(FAR)) + pairs - 1
}
