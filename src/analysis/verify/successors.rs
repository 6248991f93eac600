//! The value of a row of positions by their successors: the one place that knows the moves.

use super::captures::{Captures, Lost};
use super::lanes::{Code, LANES, Row};
use super::layout::{Config, Layout};
use super::moves::{DimMove, Moves, stops};
use crate::game::{Movement, NoLegalMove, Rules, SquareSet};
use crate::material::{MAX_PIECES, Side};
use crate::table::Value;

/// The successors of the positions with one side to move.
pub struct Successors<'a, R: Row> {
    pub layout: &'a Layout,
    pub moves: &'a Moves<'a, R>,
    /// What captures of this side lead to.
    pub captures: &'a Captures<R>,
    pub side: Side,
    /// The value of a side without a legal move.
    pub stuck: R::Code,
}

/// The rows of the other side, by slab; empty for a slab that no move of the row leads to.
pub type Slabs<'a, R> = [&'a [R]];

impl<'a, R: Row> Successors<'a, R> {
    /// The successors with one side to move.
    pub fn new(
        rules: &Rules,
        layout: &'a Layout,
        moves: &'a Moves<'a, R>,
        captures: &'a Captures<R>,
        side: Side,
    ) -> Self {
        let stuck = match rules.keys().no_legal_move {
            NoLegalMove::Loss => Value::decided(0),
            NoLegalMove::Draw => Value::DRAW,
        };
        Self { layout, moves, captures, side, stuck: code(stuck) }
    }

    /// The value of each position of a row in which no two dims share a square. Lanes without a position have any
    /// value.
    pub fn value(&self, config: &Config, others: &Slabs<'_, R>) -> R {
        let (layout, side) = (self.layout, self.side);
        let is_own = |at: usize| layout.dims[at].side == side;
        let (mut own, mut enemy) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for (at, &set) in config.sets[..layout.dims.len()].iter().enumerate() {
            *if is_own(at) { &mut own } else { &mut enemy } |= set;
        }
        let slab_rows = layout.slab_rows();
        let (slab, at_row) = (config.row / slab_rows, config.row % slab_rows);
        let mut best = R::NOTHING;
        for at in (0..layout.dims.len()).filter(|&at| is_own(at)) {
            let (state, moves) = (config.states[at], &self.moves.dims[at]);
            if moves.enters[state as usize] {
                best = best.best(won());
            }
            let stoppers = moves.movement.stoppers(own, enemy);
            let lane_stops = stops(moves.movement, side, layout.lane.side);
            for mv in moves.from[state as usize].iter().filter(|mv| !mv.path.meets(stoppers)) {
                if own.has(mv.to) {
                    continue;
                }
                let open = |row: R| {
                    if mv.path.is_empty() || !lane_stops { row } else { row.only(R::mask(!mv.path)) }
                };
                if enemy.has(mv.to) {
                    if let Some(row) = self.capture(config, at, mv, moves.movement) {
                        best = best.best(open(row));
                    }
                    continue;
                }
                let (row, source) = if at == 0 {
                    let mut states = config.states;
                    states[0] = mv.target;
                    let row = layout.row(&states, mv.flip);
                    let source = others[row / slab_rows][row % slab_rows];
                    (row, if mv.flip { source.mirrored() } else { source })
                } else {
                    let (target, start) = (mv.target as usize, state as usize);
                    let to = |row: usize| row + target * layout.strides[at] - start * layout.strides[at];
                    (to(config.row), others[slab][to(at_row)])
                };
                best = best.best(open(source.aged()));
                if layout.lane.side != side
                    && moves.movement.takes[layout.lane.animal.index()][mv.from.index()].has(mv.to)
                {
                    let lane = mv.to.index();
                    let taken = match &self.captures.lane {
                        Lost::All => code(Value::decided(0)),
                        Lost::One(values) => values[row],
                    };
                    best.set(lane, best.lane(lane).max(taken.aged()));
                }
            }
        }
        if layout.lane.side == side {
            best = best.best(self.lane_moves(config, (own, enemy), &others[slab][at_row]));
        }
        best.without_moves(self.stuck)
    }

    /// The values after a capture by a piece of a dim; `None` if it may not take the piece there.
    fn capture(&self, config: &Config, at: usize, mv: &DimMove, movement: &Movement) -> Option<R> {
        let victim = (0..self.layout.dims.len()).find(|&at| config.sets[at].has(mv.to))?;
        let animal = self.layout.dims[victim].animal;
        if !movement.takes[animal.index()][mv.from.index()].has(mv.to) {
            return None;
        }
        let lost = match &self.captures.dims[victim] {
            Lost::All => return Some(won()),
            Lost::One(lost) => lost,
        };
        let mut states = config.states;
        states[at] = mv.target;
        let (row, flip) = lost.row(&states, victim, config.states[victim], mv.to, mv.flip);
        let row = lost.rows[row];
        Some((if flip { row.mirrored() } else { row }).aged())
    }

    /// The values after the moves of the lane piece.
    fn lane_moves(&self, config: &Config, (own, enemy): (SquareSet, SquareSet), here: &R) -> R {
        let (layout, moves) = (self.layout, &self.moves.lane);
        let stoppers = moves.movement.stoppers(own, enemy);
        let mut best = won::<R>().only(moves.enters);
        let here = here.aged();
        for shift in moves.shifts.iter().filter(|shift| !shift.path.meets(stoppers)) {
            best = best.best(here.ahead(shift.by).only(shift.from));
        }
        for (victim, dim) in layout.dims.iter().enumerate().filter(|(_, dim)| dim.side != self.side) {
            for to in config.sets[victim] {
                let takes = &moves.takes[dim.animal.index()][to.index()];
                if takes.is_empty() {
                    continue;
                }
                let taken = match &self.captures.dims[victim] {
                    Lost::All => code(Value::decided(0)),
                    Lost::One(lost) => {
                        let (row, flip) = lost.row(&config.states, victim, config.states[victim], to, false);
                        lost.rows[row].lane(if flip { to.mirror() } else { to }.index())
                    }
                };
                for (from, _) in takes.iter().filter(|(_, path)| !path.meets(stoppers)) {
                    best.set(from.index(), best.lane(from.index()).max(taken.aged()));
                }
            }
        }
        best
    }
}

/// A win by the next move in every lane.
fn won<R: Row>() -> R {
    let mut row = R::ABSENT;
    for lane in 0..LANES {
        row.set(lane, code(Value::decided(0)));
    }
    row.aged()
}

/// The code of a value that every row holds.
fn code<C: Code>(value: Value) -> C {
    C::of(value).unwrap_or(C::ABSENT)
}

/// The states of a configuration.
pub type States = [u32; MAX_PIECES];
