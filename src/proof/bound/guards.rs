//! Whether guards, standing or on the move, keep the attacker out of the den.

use super::raid::Raid;
use crate::proof::ground::{FAR, Ground, bits};
use crate::proof::node::Node;

/// Whether guards keep `attacker` out of the den for this number of its moves: guards on their posts, and guards that
/// reach a post in time.
///
/// The defender first moves guards to their posts. Even on an empty board the attacker could neither stop them in time
/// nor reach a gate before. From then on the guards hold the den as if they had been there from the start: see
/// [`Raid::is_held`].
pub fn is_guarded(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> bool {
    let raid = Raid::new(ground, node, attacker, moves);
    if raid.first < 2 || raid.first + raid.second <= moves + 1 {
        return false;
    }
    let gap = match raid.is_held(ground, node) {
        Ok(()) => return true,
        Err(None) => return false,
        Err(Some(gap)) => gap,
    };
    // Moves of the defender before an attacking piece can stand on a gate and must be captured.
    let lead = u8::from(node.side != attacker);
    let time = (raid.first as u8 + lead).saturating_sub(2).min(guard_moves(moves, lead));
    time > 0 && March::new(ground, node, &raid, lead, time).closes(node, gap, 0)
}

/// The most moves that all guards together may need; longer marches cost more time than they save.
const fn guard_moves(moves: u16, lead: u8) -> u8 {
    match moves {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2 - lead,
    }
}

/// Guards that move to their posts.
struct March<'n> {
    ground: &'n Ground,
    start: &'n Node,
    raid: &'n Raid,
    /// 1 if the defender is to move, and so one move ahead.
    lead: u8,
    /// Most moves of the guards.
    time: u8,
    /// By square: moves until an attacking piece can be there.
    arrivals: [u8; 64],
}

impl<'n> March<'n> {
    fn new(ground: &'n Ground, start: &'n Node, raid: &'n Raid, lead: u8, time: u8) -> Self {
        let mut arrivals = [FAR; 64];
        for (animal, from) in start.pieces(raid.attacker) {
            let moves_to = &ground.ways[raid.attacker][animal].moves_to[from];
            for (arrival, moves) in arrivals.iter_mut().zip(moves_to) {
                *arrival = (*arrival).min(*moves);
            }
        }
        Self { ground, start, raid, lead, time, arrivals }
    }

    /// Whether guards can close a gap, and the gaps that remain, after `spent` moves.
    fn closes(&self, node: &Node, gap: (usize, usize), spent: u8) -> bool {
        let defender = 1 - self.raid.attacker;
        node.pieces(defender).any(|(guard, from)| {
            let moves_to = &self.ground.ways[defender][guard].moves_to[from];
            let near = bits(self.ground.posts[defender]).any(|post| moves_to[post] <= self.time - spent);
            near && self.is_untouched(guard, from, spent + 1) && self.goes(node, gap, guard, from, spent)
        })
    }

    /// The same, with this guard moving next.
    fn goes(&self, node: &Node, gap: (usize, usize), guard: usize, from: usize, spent: u8) -> bool {
        let defender = 1 - self.raid.attacker;
        let free = !(node.occupied[0] | node.occupied[1]);
        let spent = spent + 1;
        bits(self.ground.ways[defender][guard].walks[from] & free).any(|to| {
            if self.arrivals[to].saturating_add(self.lead) <= spent {
                return false;
            }
            let next = node.with(defender, guard, to);
            if self.raid.guards(self.ground, guard, to, gap.0, gap.1) {
                match self.raid.is_held(self.ground, &next) {
                    Ok(()) => return true,
                    Err(Some(gap)) if spent < self.time && self.closes(&next, gap, spent) => return true,
                    Err(_) => {}
                }
            }
            spent < self.time && self.is_untouched(guard, to, spent + 1) && self.goes(&next, gap, guard, to, spent)
        })
    }

    /// Whether no attacking piece can capture a guard on a square before the defender's move of this number.
    fn is_untouched(&self, guard: usize, at: usize, number: u8) -> bool {
        let attacker = self.raid.attacker;
        self.start.pieces(attacker).all(|(animal, from)| {
            self.ground.takeable[attacker][animal][guard] >> at & 1 == 0
                || self.ground.ways[attacker][animal].moves_to[from][at].saturating_add(self.lead) > number
        })
    }
}
