//! The bounded search: can one side force the end of the game within a number of plies?

use super::bound::{Promising, is_guarded, least_moves};
use super::ground::Ground;
use super::leaves::Leaves;
use super::limits::Stop;
use super::node::{MOST_MOVES, NOBODY, Node, Step, Steps};
use super::table::{Entry, NEVER, ProofTable, Span};
use arrayvec::ArrayVec;

/// Maximum depth of the search in plies.
pub const MAX_PLIES: u16 = 500;

/// The search was stopped by a limit.
pub struct Stopped;

/// Scores of moves that succeeded elsewhere: by color to move, animal and target square.
type History = [[[i32; 64]; 8]; 2];

/// A search of one thread.
pub struct Search<'s> {
    pub ground: &'s Ground,
    pub table: &'s ProofTable,
    pub leaves: &'s Leaves<'s>,
    pub stop: &'s Stop<'s>,
    /// Positions looked at.
    pub positions: u64,
    /// Positions left before the next check of the limits.
    left: u64,
    attacker: usize,
    /// By the attacker.
    history: Box<[History; 2]>,
    killers: Box<[[u16; 2]; MAX_PLIES as usize + 2]>,
    /// By the attacker and its last move: the move that refuted it elsewhere.
    replies: Box<[[u16; NO_REPLY + 1]; 2]>,
    /// Whether it tries the moves in another order than the first thread.
    pub is_helper: bool,
}

/// The index of replies without a last move.
const NO_REPLY: usize = 8 * 64;

/// The index of a move in the replies.
fn reply_to(step: Step) -> usize {
    usize::from(step.animal) << 6 | usize::from(step.to)
}

/// Least plies of a table entry: a shorter search takes less time than a lookup.
const WORTH_A_PLACE: u16 = 4;

/// One ply more.
pub const fn later(plies: u16) -> u16 {
    if plies == NEVER { NEVER } else { plies + 1 }
}

impl<'s> Search<'s> {
    pub fn new(ground: &'s Ground, table: &'s ProofTable, leaves: &'s Leaves<'s>, stop: &'s Stop<'s>) -> Self {
        Self {
            ground,
            table,
            leaves,
            stop,
            positions: 0,
            left: 0,
            attacker: 0,
            history: Box::new([[[[0; 64]; 8]; 2]; 2]),
            killers: Box::new([[0; 2]; MAX_PLIES as usize + 2]),
            replies: Box::new([[0; NO_REPLY + 1]; 2]),
            is_helper: false,
        }
    }

    /// Searches for a win of `attacker` within `plies`. A result up to `plies` is the length of a forced win; a larger one
    /// is a lower bound on the length of every win.
    pub fn run(&mut self, node: &Node, attacker: usize, plies: u16) -> Result<u16, Stopped> {
        self.attacker = attacker;
        if node.side == attacker { self.attack(node, plies) } else { self.defend(node, plies, NO_REPLY) }
    }

    #[inline]
    fn count(&mut self) -> Result<(), Stopped> {
        if self.left == 0 {
            self.left = self.stop.take();
            if self.left == 0 {
                return Err(Stopped);
            }
        }
        self.left -= 1;
        self.positions += 1;
        Ok(())
    }

    /// Prefetches the table entry of a position.
    #[inline]
    fn fetch(&self, next: &Node, plies: u16) {
        if plies >= WORTH_A_PLACE {
            self.table.prefetch(next.key);
        }
    }

    /// The known result for a position without a search, and its table entry.
    #[inline]
    fn known(&self, node: &Node, plies: u16) -> (Option<u16>, Entry) {
        let entry = if plies < WORTH_A_PLACE { None } else { self.table.get(node.key, node.side) };
        let entry = entry.unwrap_or_else(|| match self.leaves.ask(node) {
            Some(spans) => Entry { spans, moves: [0; 2] },
            None => Entry::UNKNOWN,
        });
        let span = entry.spans[self.attacker];
        let value = if span.high <= plies {
            Some(span.high)
        } else if entry.spans[1 - self.attacker].high != NEVER {
            // The other side wins.
            Some(NEVER)
        } else {
            (span.low > plies).then_some(span.low)
        };
        (value, entry)
    }

    /// Stores a result: the win takes `value` plies, or if that exceeds `plies`, at least `value`.
    fn store(&self, node: &Node, mut entry: Entry, plies: u16, value: u16, mv: u16, from: u64) {
        if plies < WORTH_A_PLACE {
            return;
        }
        let span = if value <= plies { Span { low: 0, high: value } } else { Span { low: value, high: NEVER } };
        entry.spans[self.attacker] = entry.spans[self.attacker].and(span);
        entry.moves[usize::from(node.side != self.attacker)] = mv;
        self.table.put(node.key, node.side, entry, (self.positions - from).checked_ilog2().unwrap_or(0));
    }

    /// The attacker is to move; `plies` is odd.
    fn attack(&mut self, node: &Node, plies: u16) -> Result<u16, Stopped> {
        self.count()?;
        let us = self.attacker;
        if node.den_entry(self.ground, us).is_some() {
            return Ok(1);
        }
        let moves = plies.div_ceil(2);
        let least = least_moves(self.ground, node, us, moves);
        if least > moves {
            return Ok(2 * least - 1);
        }
        let (value, entry) = self.known(node, plies);
        if let Some(value) = value {
            return Ok(value);
        }
        let from = self.positions;
        if is_guarded(self.ground, node, us, moves) {
            self.store(node, entry, plies, plies + 2, 0, from);
            return Ok(plies + 2);
        }
        // A piece that would enter our den next must be captured now.
        let threat = node.den_entry(self.ground, 1 - us);
        let targets = threat.map_or(u64::MAX, |entry| 1 << entry.from);
        let promising = Promising::new(self.ground, node, moves - 1);
        let steps = node.steps_to(self.ground, |animal| targets & promising.targets(self.ground, us, animal));
        // A win by a move that is left out takes at least two more plies.
        let mut best = if promising.is_all() { NEVER } else { plies + 2 };
        let mut best_move = 0;
        let mut order = self.order(node, &steps, entry.moves[0], plies, 0);
        let mut next = order.next().map(|step| (step, node.after(self.ground, step)));
        while let Some((step, after)) = next {
            // The entry of the next position is fetched while this one is searched.
            next = order.next().map(|step| (step, node.after(self.ground, step)));
            if let Some((_, after)) = &next {
                self.fetch(after, plies - 1);
            }
            let value =
                if after.occupied[1 - us] == 0 { 1 } else { later(self.defend(&after, plies - 1, reply_to(step))?) };
            if value < best {
                best = value;
                best_move = step.code();
            }
            if value <= plies {
                self.reward(node, step, plies);
                break;
            }
        }
        self.store(node, entry, plies, best, if best <= plies { best_move } else { 0 }, from);
        Ok(best)
    }

    /// The defender is to move, after a move of the attacker; `plies` is even.
    fn defend(&mut self, node: &Node, plies: u16, last: usize) -> Result<u16, Stopped> {
        self.count()?;
        let us = 1 - self.attacker;
        if node.den_entry(self.ground, us).is_some() {
            return Ok(NEVER);
        }
        let moves = plies / 2;
        let least = least_moves(self.ground, node, self.attacker, moves);
        if least > moves {
            return Ok(2 * least);
        }
        let (value, entry) = self.known(node, plies);
        if let Some(value) = value {
            return Ok(value);
        }
        let from = self.positions;
        if plies >= 4 && is_guarded(self.ground, node, self.attacker, moves) {
            self.store(node, entry, plies, plies + 2, 0, from);
            return Ok(plies + 2);
        }
        let threat = if plies == 0 { None } else { node.den_entry(self.ground, 1 - us) };
        let targets = threat.map_or(u64::MAX, |entry| 1 << entry.from);
        let steps = node.steps_to(self.ground, |_| targets);
        if steps.is_empty() {
            let value = if threat.is_some() && node.has_move(self.ground, us) {
                2
            } else if self.ground.no_move_loses {
                0
            } else {
                NEVER
            };
            self.store(node, entry, plies, value, 0, from);
            return Ok(value);
        }
        if plies == 0 {
            return Ok(2);
        }
        // Every move except the capture of the piece at the gate loses at once.
        let mut worst = if threat.is_some() { 2 } else { 0 };
        let mut worst_move = 0;
        let mut order = self.order(node, &steps, entry.moves[1], plies, self.replies[self.attacker][last]);
        while let Some(step) = order.next() {
            let next = node.after(self.ground, step);
            self.fetch(&next, plies - 1);
            let value = if next.occupied[self.attacker] == 0 { NEVER } else { later(self.attack(&next, plies - 1)?) };
            if value > worst {
                worst = value;
                worst_move = step.code();
            }
            if value > plies {
                self.reward(node, step, plies);
                self.replies[self.attacker][last] = step.code();
                break;
            }
        }
        self.store(node, entry, plies, worst, worst_move, from);
        Ok(worst)
    }

    fn reward(&mut self, node: &Node, step: Step, plies: u16) {
        let killers = &mut self.killers[usize::from(plies)];
        if step.victim == NOBODY && killers[0] != step.code() {
            *killers = [step.code(), killers[0]];
        }
        let count = &mut self.history[self.attacker][node.side][usize::from(step.animal)][usize::from(step.to)];
        *count += 4 * i32::from(plies) - *count / 64;
    }

    fn order(&self, node: &Node, steps: &Steps, table_move: u16, plies: u16, reply: u16) -> Order {
        let us = node.side;
        let killers = self.killers[usize::from(plies)];
        let history = &self.history[self.attacker][us];
        let rank = |step: &Step| {
            let code = step.code();
            if code == table_move {
                return 1 << 28;
            }
            let (animal, from, to) = (usize::from(step.animal), usize::from(step.from), usize::from(step.to));
            let to_den = &self.ground.ways[us][animal].to_den;
            let nearer = i32::from(to_den[from]) - i32::from(to_den[to]);
            let mut rank = history[animal][to] + 64 * nearer - 4 * i32::from(to_den[to]);
            if step.victim != NOBODY {
                let victim = usize::from(step.victim);
                rank += (1 << 20) - 4096 * i32::from(self.ground.ways[1 - us][victim].to_den[to]);
            } else if code == reply {
                rank += 3 << 19;
            } else if code == killers[0] {
                rank += 1 << 19;
            } else if code == killers[1] {
                rank += 1 << 18;
            }
            rank
        };
        let ranked = steps.iter().map(|step| (rank(step), *step)).collect();
        Order { ranked, at: 0, from_last: self.is_helper && us == self.attacker }
    }
}

/// Moves in order of promise, sorted only as far as they are used.
struct Order {
    ranked: ArrayVec<(i32, Step), MOST_MOVES>,
    at: usize,
    /// Whether the order is reversed after the first few moves, so that two threads meet in the middle.
    from_last: bool,
}

/// Number of first moves that every thread tries in the same order.
const TOGETHER: usize = 2;

impl Order {
    #[inline]
    fn next(&mut self) -> Option<Step> {
        let rest = &self.ranked[self.at..];
        let mut best = 0;
        if self.from_last && self.at >= TOGETHER {
            for n in 1..rest.len() {
                if rest[n].0 < rest[best].0 {
                    best = n;
                }
            }
        } else {
            for n in 1..rest.len() {
                if rest[n].0 > rest[best].0 {
                    best = n;
                }
            }
        }
        let step = rest.get(best)?.1;
        self.ranked.swap(self.at, self.at + best);
        self.at += 1;
        Some(step)
    }
}
