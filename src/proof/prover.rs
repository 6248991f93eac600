//! The prover: positions in, values out.

use super::ground::Ground;
use super::leaves::{self, Leaves};
use super::limits::{Limits, Stop};
use super::line::best_line;
use super::node::Node;
use super::search::{MAX_PLIES, Search};
use super::table::{Entry, NEVER, ProofTable, Span};
use super::{Basis, Bound, Options, Proof, ProofError};
use crate::game::{Category, Color, Position, Rules};
use crate::probe::Tablebase;
use crate::system::Cancel;
use std::time::{Duration, Instant};

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
/// let mut prover = Prover::new(&tables, &Options { memory: 1 << 20, threads: 1 })?;
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
}

impl<'a> Prover<'a> {
    /// A prover whose searches end at these tables.
    ///
    /// # Errors
    /// No memory for the table of proofs.
    pub fn new(tables: &'a Tablebase, options: &Options) -> Result<Self, ProofError> {
        let table = ProofTable::new(options.memory).ok_or(ProofError::Memory { bytes: options.memory })?;
        let rules = tables.rules().clone();
        Ok(Self { ground: Ground::new(&rules), rules, leaves: Leaves::new(tables), table })
    }

    /// Forgets everything that was proven.
    pub fn clear(&mut self) {
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
        &mut self,
        position: &Position,
        limits: &Limits,
        cancel: &Cancel,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Proof, ProofError> {
        let start = Instant::now();
        position.check(&self.rules)?;
        let mut root = Root::new(self, position)?;
        let stop = Stop::new(limits, start, cancel, &self.leaves);
        let mut search = Search::new(&self.ground, &self.table, &self.leaves, &stop);
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
            let positions = search.positions;
            listener(&Progress { plies: plies - 1, looking_for: plies, winner, positions, time: start.elapsed() });
            let Ok(value) = search.run(&root.node, attacker, plies) else { break };
            root.found(attacker, plies, value);
        }
        let positions = search.positions;
        if let Some(error) = self.leaves.take_error() {
            return Err(error.into());
        }
        let mut proof = root.proof(position, positions, start);
        if let Some(plies) = proof.dtw {
            let limits = Limits { positions: Some(LINE_POSITIONS), ..Limits::default() };
            let stop = Stop::new(&limits, start, cancel, &self.leaves);
            let mut search = Search::new(&self.ground, &self.table, &self.leaves, &stop);
            let tables = self.leaves.tables;
            let (line, _) = best_line(&self.rules, &self.ground, tables, &mut search, position, plies)?;
            proof.line = line;
        }
        proof.time = start.elapsed();
        Ok(proof)
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
