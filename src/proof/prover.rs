//! The prover: positions in, values out.

use super::ground::Ground;
use super::leaves::{self, Leaves};
use super::limits::{Limits, Stop};
use super::line::best_line;
use super::node::Node;
use super::search::{MAX_PLIES, Search, Stopped};
use super::table::{Entry, NEVER, ProofTable, Span};
use super::{Basis, Bound, Options, Proof, ProofError};
use crate::game::{Category, Color, Position, Rules};
use crate::probe::Tablebase;
use crate::system::Cancel;
use std::time::{Duration, Instant};

/// The work of a position that was asked for.
const ALWAYS_KEPT: u32 = 63;

/// Positions to look at again for the best line: it is cut short rather than to take much longer than the proof.
const LINE_POSITIONS: u64 = 300_000;

/// What a search has come to.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Plies within which neither side forces a win, as far as was looked.
    pub plies: u16,
    /// Plies of the win that is being looked for.
    pub looking_for: u16,
    /// Whose win that is.
    pub winner: Color,
    /// Positions looked at.
    pub positions: u64,
    /// Time since the search was asked for.
    pub time: Duration,
}

/// Proves values of positions, and remembers from one to the next what it has shown.
///
/// ```
/// use jungletb::game::{Category, Position, Rules};
/// use jungletb::probe::Tablebase;
/// use jungletb::proof::{Bound, Limits, Options, Prover};
/// use jungletb::system::Cancel;
///
/// let rules = Rules::standard();
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
/// let prover = Prover::new(&tables, &Options { memory: 1 << 20, threads: 1 })?;
///
/// // Thirteen animals: no table reaches that far.
/// let position = Position::parse(&rules, "5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w")?;
/// let proof = prover.prove(&position, &Limits::default(), &Cancel::new(), &mut |_| {})?;
/// assert_eq!((proof.category, proof.dtw, proof.bound), (Some(Category::Win), Some(3), Bound::Exact));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prover<'a> {
    rules: Rules,
    ground: Ground,
    leaves: Leaves<'a>,
    table: ProofTable,
    threads: usize,
}

impl<'a> Prover<'a> {
    /// A prover whose searches end at these tables.
    ///
    /// # Errors
    /// No memory for the table of proofs.
    pub fn new(tables: &'a Tablebase, options: &Options) -> Result<Self, ProofError> {
        let table = ProofTable::new(options.memory).ok_or(ProofError::Memory { bytes: options.memory })?;
        let rules = tables.rules().clone();
        Ok(Self {
            ground: Ground::new(&rules),
            rules,
            leaves: Leaves::new(tables),
            table,
            threads: options.threads.max(1),
        })
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of threads that search together.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Forgets everything that was proven.
    pub fn clear(&self) {
        self.table.clear();
    }

    /// What is known of a position without a search: whether the game is over, what the tables say, what was proven
    /// before. The line is empty.
    ///
    /// # Errors
    /// A bad position; a damaged table.
    pub fn known(&self, position: &Position) -> Result<Proof, ProofError> {
        position.check(&self.rules)?;
        let root = Root::new(self, position)?;
        Ok(root.proof(position, 0, Instant::now()))
    }

    /// Searches until the value of a position is known or a limit is reached, and tells `listener` now and then how far
    /// it is. What is known then is the answer; cancelling is no error.
    ///
    /// # Errors
    /// A bad position; a damaged table.
    pub fn prove(
        &self,
        position: &Position,
        limits: &Limits,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Proof, ProofError> {
        self.prove_by(self.threads, position, limits, cancel, listener)
    }

    /// [`Prover::prove`] with another number of threads: provers of several positions share one table of proofs.
    pub(crate) fn prove_by(
        &self,
        threads: usize,
        position: &Position,
        limits: &Limits,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Proof, ProofError> {
        let start = Instant::now();
        position.check(&self.rules)?;
        let (proof, holds) = self.attempt(threads, position, limits, start, cancel, listener)?;
        if holds {
            return Ok(proof);
        }
        // An entry of another position was mistaken for that of one searched: nothing in the table can be trusted.
        self.table.clear();
        let (proof, holds) = self.attempt(threads, position, limits, start, cancel, listener)?;
        if holds {
            return Ok(proof);
        }
        let nothing = [Some(0); 2];
        let unknown = Proof { category: None, dtw: None, bound: Bound::None, basis: None, line: Vec::new(), ..proof };
        Ok(Proof { not_before: Some(0), not_before_by: nothing, ..unknown })
    }

    /// A search, and whether the best line bears out what it says.
    fn attempt(
        &self,
        threads: usize,
        position: &Position,
        limits: &Limits,
        start: Instant,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<(Proof, bool), ProofError> {
        let mut root = Root::new(self, position)?;
        let stop = Stop::new(limits, start, cancel, &self.leaves);
        let mut team = Team::new(self, threads, &stop);
        let most = limits.plies.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        for plies in 1..=most {
            if root.is_settled() {
                break;
            }
            // The side to move wins after an odd number of plies, the other after an even one.
            let attacker = if plies % 2 == 1 { root.node.side } else { 1 - root.node.side };
            if root.spans[attacker].low > plies {
                continue;
            }
            let winner = Color::BOTH[attacker];
            let positions = team.positions();
            listener(&Progress { plies: plies - 1, looking_for: plies, winner, positions, time: start.elapsed() });
            let Ok(value) = team.run(&root.node, attacker, plies) else { break };
            root.found(attacker, plies, value);
        }
        let positions = team.positions();
        if let Some(error) = self.leaves.take_error() {
            return Err(error.into());
        }
        if root.basis == Basis::Proof {
            self.table.put(root.node.key, root.node.side, Entry { spans: root.spans, moves: [0; 2] }, ALWAYS_KEPT);
        }
        let mut proof = root.proof(position, positions, start);
        let mut holds = true;
        if let Some(plies) = proof.dtw {
            let limits = Limits { positions: Some(LINE_POSITIONS), ..Limits::default() };
            let stop = Stop::new(&limits, start, cancel, &self.leaves);
            let mut search = Search::new(&self.ground, &self.table, &self.leaves, &stop);
            let tables = self.leaves.tables;
            let (line, line_holds) = best_line(&self.rules, &self.ground, tables, &mut search, position, plies)?;
            proof.line = line;
            holds = line_holds;
        }
        proof.time = start.elapsed();
        Ok((proof, holds))
    }
}

/// Threads that search together: each searches the whole, in another order, and finds in the table what the others have
/// done.
struct Team<'s> {
    searches: Vec<Search<'s>>,
    stop: &'s Stop<'s>,
    /// Positions that the last run took: a short one is not worth starting threads for.
    last: u64,
}

/// Positions of the last run from which on more than one thread takes part.
const WORTH_THREADS: u64 = 2_000;

impl<'s> Team<'s> {
    fn new(prover: &'s Prover, threads: usize, stop: &'s Stop<'s>) -> Self {
        let search = |n| {
            let mut search = Search::new(&prover.ground, &prover.table, &prover.leaves, stop);
            search.is_helper = n > 0;
            search
        };
        Self { searches: (0..threads).map(search).collect(), stop, last: 0 }
    }

    fn positions(&self) -> u64 {
        self.searches.iter().map(|search| search.positions).sum()
    }

    /// As [`Search::run`].
    fn run(&mut self, node: &Node, attacker: usize, plies: u16) -> Result<u16, Stopped> {
        let before = self.positions();
        let answer = if self.searches.len() == 1 || self.last < WORTH_THREADS {
            self.searches[0].run(node, attacker, plies)
        } else {
            self.run_all(node, attacker, plies)
        };
        self.last = self.positions() - before;
        answer
    }

    fn run_all(&mut self, node: &Node, attacker: usize, plies: u16) -> Result<u16, Stopped> {
        let stop = self.stop;
        stop.set_answered(false);
        let run = |search: &mut Search| {
            let answer = search.run(node, attacker, plies);
            if answer.is_ok() {
                stop.set_answered(true);
            }
            answer
        };
        let (first, others) = self.searches.split_first_mut().ok_or(Stopped)?;
        let answer = std::thread::scope(|scope| {
            let threads: Vec<_> = others.iter_mut().map(|search| scope.spawn(move || run(search))).collect();
            let mut answer = run(first);
            for thread in threads {
                let other = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                answer = answer.or(other);
            }
            answer
        });
        stop.set_answered(false);
        answer
    }
}

/// The position to prove and what is known of it.
struct Root {
    node: Node,
    /// By color.
    spans: [Span; 2],
    basis: Basis,
    /// The category that tables without distances give.
    category: Option<Category>,
}

impl Root {
    fn new(prover: &Prover, position: &Position) -> Result<Self, ProofError> {
        let node = Node::new(&prover.ground, position);
        if let Some(spans) = leaves::over(&prover.ground, &node) {
            return Ok(Self { node, spans, basis: Basis::Over, category: None });
        }
        let told = prover.leaves.ask(&node);
        if let Some(error) = prover.leaves.take_error() {
            return Err(error.into());
        }
        if let Some(spans) = told {
            let is_drawn = spans.iter().all(|span| span.low == NEVER);
            let winner = (0..2).find(|&color| spans[color].low != NEVER).filter(|_| !is_drawn);
            let category = winner.map(|winner| if winner == node.side { Category::Win } else { Category::Loss });
            return Ok(Self { node, spans, basis: Basis::Table, category });
        }
        let entry = prover.table.get(node.key, node.side).unwrap_or(Entry::UNKNOWN);
        let mut root = Self { node, spans: [Span::UNKNOWN; 2], basis: Basis::Proof, category: None };
        for (color, span) in entry.spans.into_iter().enumerate() {
            root.add(color, span);
        }
        Ok(root)
    }

    fn add(&mut self, color: usize, span: Span) {
        self.spans[color] = self.spans[color].and(span);
        if span.high != NEVER {
            // Who loses never wins.
            self.spans[1 - color].low = NEVER;
        }
    }

    fn found(&mut self, color: usize, plies: u16, value: u16) {
        let span = if value <= plies { Span { low: 0, high: value } } else { Span { low: value, high: NEVER } };
        self.add(color, span);
    }

    /// Whether there is nothing left to look for.
    fn is_settled(&self) -> bool {
        self.spans.iter().all(|span| span.low == NEVER || span.low >= span.high)
    }

    fn proof(&self, position: &Position, positions: u64, start: Instant) -> Proof {
        let winner = (0..2).find(|&color| self.spans[color].high != NEVER);
        let is_drawn = self.spans.iter().all(|span| span.low == NEVER);
        let category = match winner {
            Some(winner) if winner == self.node.side => Some(Category::Win),
            Some(_) => Some(Category::Loss),
            None if is_drawn => Some(Category::Draw),
            None => self.category,
        };
        let dtw = winner.map(|winner| self.spans[winner].high);
        let bound = match winner.map(|winner| self.spans[winner]) {
            Some(span) if span.low >= span.high => Bound::Exact,
            Some(_) => Bound::AtMost,
            None => Bound::None,
        };
        let by = self.spans.map(|span| (span.low != NEVER).then_some(span.low));
        Proof {
            position: *position,
            category,
            dtw,
            bound,
            basis: category.map(|_| self.basis),
            not_before: by.into_iter().flatten().min(),
            not_before_by: by,
            line: Vec::new(),
            positions,
            time: start.elapsed(),
        }
    }
}
