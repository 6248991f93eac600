//! What a side cannot do in so many moves, whatever the other plays.

use super::ground::{FAR, Ground, MOST_WITHIN, bits};
use super::node::Node;

/// Moves that `attacker` needs at least to end the game, if that is more than `moves`; else any number up to `moves`.
///
/// Three ways end a game, and each takes moves of the attacker's own:
/// - *The den*: his nearest piece needs so many moves even on an empty board.
/// - *The last piece*: see [`Shuttles::capture`].
/// - *No move*: see [`Shuttles::no_move`].
///
/// The defender's strategy that the last two rest on is to move one piece to and fro; the first holds whatever he plays,
/// so one strategy refutes all three.
#[inline]
pub fn least_moves(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> u16 {
    let den = den(ground, node, attacker);
    if den <= moves { den } else { den.min(Shuttles::new(ground, node, 1 - attacker, 0).end(ground, node, moves)) }
}

/// Moves to the den of the nearest piece.
#[inline]
pub fn den(ground: &Ground, node: &Node, attacker: usize) -> u16 {
    let ways = &ground.ways[attacker];
    let squares = &node.squares[attacker];
    // Off the board is far.
    (0..8).map(|animal| ways[animal].to_den[squares[animal] as usize]).min().unwrap_or(FAR).into()
}

/// A defender's strategy: one piece goes to and fro between two squares until an attacker's piece goes to either of
/// them, then another piece does so, while all others stand still.
///
/// No two pairs of squares have a square in common, so each piece is on its own squares for ever, and the strategy can
/// be followed until all pairs are disturbed. What the attacker has to do then is to visit squares, and that takes
/// moves: each visit at least as many as the visitor needs from where it stood at first or from where it made its last
/// visit, on an empty board.
pub struct Shuttles {
    defender: usize,
    /// By animal: the squares where the piece may be.
    squares: [u64; 8],
    /// The animals that have a pair.
    paired: u8,
}

impl Shuttles {
    /// Pairs for the pieces of a side, with no square of `barred`.
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

    /// Pieces that stay where they are or on the squares around, whether they go to and fro or guard a gate.
    fn around(ground: &Ground, node: &Node, defender: usize) -> Self {
        let mut found = Self { defender, squares: [0; 8], paired: 0 };
        for (animal, at) in node.pieces(defender) {
            found.squares[animal] = 1 << at | ground.ways[defender][animal].walks[at];
        }
        found
    }

    /// Moves that the attacker needs at least to take all pieces or to leave none a move; exact up to `moves` only.
    #[inline]
    pub fn end(&self, ground: &Ground, node: &Node, moves: u16) -> u16 {
        let capture = self.capture(ground, node, moves);
        if capture <= moves {
            return capture;
        }
        let least = capture.min(self.visits(ground, node, self.paired, moves, |_, _| u64::MAX));
        // Each capture is a move of its own, whatever the defender plays.
        if ground.no_move_loses { least } else { least.max(node.occupied[self.defender].count_ones() as u16) }
    }

    /// Moves that the attacker needs at least to take all pieces, as long as the strategy can be followed.
    fn capture(&self, ground: &Ground, node: &Node, moves: u16) -> u16 {
        let takeable = &ground.takeable[1 - self.defender];
        self.visits(ground, node, u8::MAX, moves, |visitor, visited| takeable[visitor][visited])
    }

    /// Moves for a visit to each of these pieces, on squares that depend on the visitor and the visited; exact up to
    /// `moves` only.
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

    /// Moves for a visit to one piece after visits to others, [`FAR`] if nobody can.
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

    /// Moves that the attacker needs at least to disturb all pairs but any one of `gone`, if that is more than `moves`.
    fn no_move_without(&self, ground: &Ground, node: &Node, gone: u8, moves: u16) -> u16 {
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

/// Whether guards keep `attacker` out of the den for so many moves of his: standing ones, and such as get to their posts
/// in time.
///
/// The defender's strategy: first the guards on the way go to their posts, which nothing on an empty board could prevent
/// in time; no gate can be reached before. Then it is as if they had stood there from the beginning: [`Raid::is_held`].
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
    // The moves that the defender has before somebody stands at a gate and is to be taken.
    let lead = u8::from(node.side != attacker);
    let time = (raid.first as u8 + lead).saturating_sub(2).min(guard_moves(moves, lead));
    time > 0 && March::new(ground, node, &raid, lead, time).closes(node, gap, 0)
}

/// Moves of guards to their posts, of all together, at most: more of them cost more time than they save.
const fn guard_moves(moves: u16, lead: u8) -> u8 {
    match moves {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2 - lead,
    }
}

/// Guards on the way to their posts.
struct March<'n> {
    ground: &'n Ground,
    start: &'n Node,
    raid: &'n Raid,
    /// 1 if the defender is to move: he is ahead of the attacker by so much.
    lead: u8,
    /// Moves that may be made.
    time: u8,
    /// Moves that the attacker needs to each square.
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

    /// Whether guards can close a gap, and those that are left then, after so many moves.
    fn closes(&self, node: &Node, gap: (usize, usize), spent: u8) -> bool {
        let defender = 1 - self.raid.attacker;
        node.pieces(defender).any(|(guard, from)| {
            let moves_to = &self.ground.ways[defender][guard].moves_to[from];
            let near = bits(self.ground.posts[defender]).any(|post| moves_to[post] <= self.time - spent);
            near && self.is_untouched(guard, from, spent + 1) && self.goes(node, gap, guard, from, spent)
        })
    }

    /// The same, with this guard.
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

    /// Whether no attacker can have taken a guard on a square before the defender's move of this number.
    fn is_untouched(&self, guard: usize, at: usize, number: u8) -> bool {
        let attacker = self.raid.attacker;
        self.start.pieces(attacker).all(|(animal, from)| {
            self.ground.takeable[attacker][animal][guard] >> at & 1 == 0
                || self.ground.ways[attacker][animal].moves_to[from][at].saturating_add(self.lead) > number
        })
    }
}

/// An attack on the den within so many moves, as far as an empty board would allow.
struct Raid {
    attacker: usize,
    moves: u16,
    /// Moves that the nearest piece needs into the den.
    first: u16,
    /// The same of the next one.
    second: u16,
}

impl Raid {
    fn new(ground: &Ground, node: &Node, attacker: usize, moves: u16) -> Self {
        let (mut first, mut second) = (FAR, FAR);
        for (animal, at) in node.pieces(attacker) {
            let moves = ground.ways[attacker][animal].to_den[at];
            second = second.min(moves.max(first));
            first = first.min(moves);
        }
        Self { attacker, moves, first: first.into(), second: second.into() }
    }

    /// Whether a guard on its post takes what comes to a gate, or holds the gate by standing there.
    #[inline]
    fn guards(&self, ground: &Ground, guard: usize, post: usize, raider: usize, gate: usize) -> bool {
        if post == gate {
            return ground.takeable[self.attacker][raider][guard] >> gate & 1 == 0;
        }
        let own = &ground.ways[1 - self.attacker][guard];
        own.steps[post] & own.takes[raider][post] & 1 << gate != 0
    }

    /// Whether standing guards hold the den, whoever is to move; else the piece and the gate that it can come through,
    /// if it is that.
    ///
    /// The defender's strategy: the guards stand still, another piece goes to and fro, and the attacker's piece that
    /// steps to a gate of the den is taken there by a guard of that gate. It holds if, counting only moves that an empty
    /// board would allow to be fewer:
    /// - no two attackers can come in: the first is taken at the gate, and the moves left are too few for the second;
    /// - each gate that a piece can get through in time has a guard that nobody can take in time: the moves to the guard
    ///   and those to the den are too many together;
    /// - some piece that is no guard has a pair of squares to go to and fro between, and who disturbs it has too few
    ///   moves left for the den;
    /// - the other ways to end the game are too long, with a guard gone from its place to a gate.
    fn is_held(&self, ground: &Ground, node: &Node) -> Result<(), Option<(usize, usize)>> {
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
        if Shuttles::new(ground, node, 1 - attacker, 0).end(ground, node, left + 1) <= left + 1 {
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
