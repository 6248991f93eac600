//! The prover: positions in, values out.

use super::ground::Ground;
use super::leaves::{Leaves, over};
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

/// The work stored for the root position, which is never overwritten by cheaper entries.
const ALWAYS_KEPT: u32 = 63;

/// Most positions searched for the best line; beyond that, the line is cut short.
const LINE_POSITIONS: u64 = 300_000;

/// Progress of a search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Plies within which neither side forces a win.
    pub plies: u16,
    /// Plies of the win that is searched for.
    pub looking_for: u16,
    /// The side whose win that is.
    pub winner: Color,
    /// Number of positions searched.
    pub positions: u64,
    /// Time since the start of the search.
    pub time: Duration,
}

/// Proves values of positions and keeps its results for later positions. Threads can share a prover.
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
    tables: &'a Tablebase,
    table: ProofTable,
    threads: usize,
}

impl<'a> Prover<'a> {
    /// A prover that uses these tables.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory for the proof table.
    pub fn new(tables: &'a Tablebase, options: &Options) -> Result<Self, ProofError> {
        let table = ProofTable::new(options.memory).ok_or(ProofError::Memory { bytes: options.memory })?;
        let rules = tables.rules().clone();
        Ok(Self { ground: Ground::new(&rules), rules, tables, table, threads: options.threads.max(1) })
    }

    /// The rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of threads that search together.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Clears the proof table.
    pub fn clear(&self) {
        self.table.clear();
    }

    /// The value of a position without a search: from the end of the game, a table, or an earlier proof. The line is
    /// empty.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn known(&self, position: &Position) -> Result<Proof, ProofError> {
        position.check(&self.rules)?;
        let root = Root::new(self, &Leaves::new(self.tables), position)?;
        Ok(root.proof(position, 0, Instant::now()))
    }

    /// Searches until the value of a position is known or a limit is reached, and reports progress to `listener`. After
    /// a limit or a cancellation, which is not an error, the result is what is known so far.
    ///
    /// # Errors
    /// Returns an error if the position is invalid or a table is damaged.
    pub fn prove(
        &self,
        position: &Position,
        limits: &Limits,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Proof, ProofError> {
        self.prove_by(self.threads, position, limits, cancel, listener)
    }

    /// [`Prover::prove`] with another number of threads, to search several positions at a time with one proof table.
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

    /// A search, and whether the best line confirms its result.
    fn attempt(
        &self,
        threads: usize,
        position: &Position,
        limits: &Limits,
        start: Instant,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<(Proof, bool), ProofError> {
        // Errors of tables belong to the search that read them.
        let leaves = Leaves::new(self.tables);
        let mut root = Root::new(self, &leaves, position)?;
        let stop = Stop::new(limits, start, cancel, &leaves);
        let mut team = Team::new(self, &leaves, threads, &stop);
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
        if let Some(error) = leaves.take_error() {
            return Err(error.into());
        }
        if root.basis == Basis::Proof {
            self.table.put(root.node.key, root.node.side, Entry { spans: root.spans, moves: [0; 2] }, ALWAYS_KEPT);
        }
        let mut proof = root.proof(position, positions, start);
        let mut holds = true;
        if let Some(plies) = proof.dtw {
            let limits = Limits { positions: Some(LINE_POSITIONS), ..Limits::default() };
            let stop = Stop::new(&limits, start, cancel, &leaves);
            let mut search = Search::new(&self.ground, &self.table, &leaves, &stop);
            let (line, line_holds) = best_line(&self.rules, &self.ground, self.tables, &mut search, position, plies)?;
            if let Some(error) = leaves.take_error() {
                return Err(error.into());
            }
            proof.line = line;
            holds = line_holds;
        }
        proof.time = start.elapsed();
        Ok((proof, holds))
    }
}

/// Threads that search the same position, each in another order, and share results through the proof table.
struct Team<'s> {
    searches: Vec<Search<'s>>,
    stop: &'s Stop<'s>,
    /// Positions of the last run: a short run is not worth starting threads.
    last: u64,
}

/// Least positions of the last run for using more than one thread.
const WORTH_THREADS: u64 = 2_000;

impl<'s> Team<'s> {
    fn new(prover: &'s Prover, leaves: &'s Leaves<'s>, threads: usize, stop: &'s Stop<'s>) -> Self {
        let search = |n| {
            let mut search = Search::new(&prover.ground, &prover.table, leaves, stop);
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

/// The position to prove, and its known value.
struct Root {
    node: Node,
    /// By color.
    spans: [Span; 2],
    basis: Basis,
    /// The category, if it comes from WDL tables.
    category: Option<Category>,
}

impl Root {
    fn new(prover: &Prover, leaves: &Leaves<'_>, position: &Position) -> Result<Self, ProofError> {
        let node = Node::new(&prover.ground, position);
        if let Some(spans) = over(&prover.ground, &node) {
            return Ok(Self { node, spans, basis: Basis::Over, category: None });
        }
        let told = leaves.ask(&node);
        if let Some(error) = leaves.take_error() {
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
            // A side that loses never wins.
            self.spans[1 - color].low = NEVER;
        }
    }

    fn found(&mut self, color: usize, plies: u16, value: u16) {
        let span = if value <= plies { Span { low: 0, high: value } } else { Span { low: value, high: NEVER } };
        self.add(color, span);
    }

    /// Whether nothing is left to search.
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
