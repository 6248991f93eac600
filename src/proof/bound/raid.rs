//! An attack on the den, and guards that hold it from their posts.

use super::shuttles::Shuttles;
use crate::proof::ground::{FAR, Ground, bits};
use crate::proof::node::Node;

/// An attack on the den within a number of moves, counted on an empty board.
pub struct Raid {
    pub attacker: usize,
    moves: u16,
    /// Moves the nearest piece needs to enter the den.
    pub first: u16,
    /// Moves the second nearest piece needs.
    pub second: u16,
}

impl Raid {
    pub fn new(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> Self {
        let (mut first, mut second) = (FAR, FAR);
        for (animal, at) in node.pieces(attacker) {
            let moves = ground.ways[attacker][animal].to_den[at];
            second = second.min(moves.max(first));
            first = first.min(moves);
        }
        Self { attacker, moves, first: first.into(), second: second.into() }
    }

    /// Whether a guard captures an attacking piece that enters a gate, or blocks the gate by standing on it.
    #[inline]
    pub fn guards(&self, ground: &Ground, guard: usize, post: usize, raider: usize, gate: usize) -> bool {
        if post == gate {
            return ground.takeable[self.attacker][raider][guard] >> gate & 1 == 0;
        }
        let own = &ground.ways[1 - self.attacker][guard];
        own.steps[post] & own.takes[raider][post] & 1 << gate != 0
    }

    /// Whether guards on their posts hold the den, with either side to move. The error is the attacking piece and the
    /// gate that no guard covers, or `None` if the reason is another one.
    ///
    /// The defender's guards stand still while another piece moves back and forth; a guard captures an attacking piece
    /// that enters its gate. This works if, with all moves counted on an empty board:
    /// - two attacking pieces cannot both arrive: the first is captured on the gate, and too few moves are left for the
    ///   second;
    /// - each gate that a piece can pass in time has a guard that cannot be captured in time: the moves to the guard and
    ///   then to the den are too many;
    /// - a piece that is not a guard can move back and forth between two squares, and an attacking piece that disturbs it
    ///   has too few moves left for the den;
    /// - capturing all pieces, or leaving no legal move, takes too many moves, even with one guard moved to a gate.
    pub fn is_held(&self, ground: &Ground, node: &Node) -> Result<(), Option<(usize, usize)>> {
        let &Self { attacker, moves, first, .. } = self;
        let defender = 1 - attacker;
        let ways = &ground.ways[attacker];
        let to_den = |animal: usize| ways[animal].to_den[usize::from(node.squares[attacker][animal])];
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
        let (mut contested, mut guards) = (0, 0_u8);
        for (raider, at) in node.pieces(attacker).filter(|&(animal, _)| u16::from(to_den(animal)) <= moves) {
            for gate in bits(ground.gates[attacker]) {
                if ways[raider].steps[gate] & ground.goal[attacker] == 0
                    || u16::from(ways[raider].moves_to[at][gate]) + 1 > moves
                {
                    continue;
                }
                contested |= 1 << gate;
                let guard = node.pieces(defender).find(|&(guard, post)| {
                    self.guards(ground, guard, post, raider, gate) && is_stable(raider, at, gate, guard, post)
                });
                let Some((guard, _)) = guard else { return Err(Some((raider, gate))) };
                guards |= 1 << guard;
            }
        }
        let is_safe = |square: usize| {
            node.pieces(attacker).all(|(animal, from)| {
                let then = u16::from(ways[animal].to_den[square]).min(first);
                u16::from(ways[animal].moves_to[from][square]) + then > moves
            })
        };
        let free = !(node.occupied[0] | node.occupied[1]);
        let many = node.occupied[defender].count_ones() as u16 > moves;
        if !many && Shuttles::around(ground, node, defender).capture(ground, node, moves) <= moves {
            return Err(None);
        }
        let shuttle = node.pieces(defender).find_map(|(animal, from)| {
            let is_free = ground.posts[defender] >> from & 1 == 0 && is_safe(from);
            let to = if is_free { ground.ways[defender][animal].walks[from] & free } else { 0 };
            Some((animal, bits(to).find(|&to| is_safe(to))?))
        });
        let Some((animal, to)) = shuttle else { return Err(None) };
        if many && !ground.no_move_loses {
            return Ok(());
        }
        let mut shuttles = Shuttles::new(ground, node, defender, contested | 1 << to);
        shuttles.squares[animal] = 1 << to | 1 << node.squares[defender][animal];
        shuttles.paired |= 1 << animal;
        if shuttles.no_move_without(ground, node, guards, moves) > moves { Ok(()) } else { Err(None) }
    }
}
