//! The moves of a class's pieces, from the masks of `game`: by state for the dims, by offset for the lane piece.

use super::lanes::Row;
use super::layout::Layout;
use crate::game::{Animal, Movement, Rules, Square, SquareSet};
use crate::material::{Class, Side};

/// The moves of all pieces of a class.
pub struct Moves<'a, R: Row> {
    /// By dim.
    pub dims: Vec<DimMoves<'a>>,
    /// Those of the lane piece.
    pub lane: LaneMoves<'a, R>,
}

/// The moves of the pieces of a dim.
pub struct DimMoves<'a> {
    /// What its pieces may do.
    pub movement: &'a Movement,
    /// The moves from each state.
    pub from: Vec<Vec<DimMove>>,
    /// By state: whether one of the pieces can enter the den.
    pub enters: Vec<bool>,
}

/// A move of one piece of a dim to a square that the rest of the dim leaves free.
#[derive(Clone, Copy)]
pub struct DimMove {
    /// Where it starts.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// The water it jumps over; empty for a step.
    pub path: SquareSet,
    /// The state it leads to.
    pub target: u32,
    /// Whether that is of the mirror image.
    pub flip: bool,
}

/// The moves of the lane piece.
pub struct LaneMoves<'a, R: Row> {
    /// What it may do.
    pub movement: &'a Movement,
    /// Its moves that capture nothing.
    pub shifts: Vec<Shift<R>>,
    /// The squares from which it can enter the den.
    pub enters: R::Mask,
    /// By animal and square: from where it takes that animal there, each with the water it jumps over.
    pub takes: Vec<Vec<Vec<(Square, SquareSet)>>>,
}

/// Moves of the lane piece with the same offset over the same water.
pub struct Shift<R: Row> {
    /// Target minus start.
    pub by: i8,
    /// The water it jumps over; empty for a step.
    pub path: SquareSet,
    /// The start squares.
    pub from: R::Mask,
}

impl<'a, R: Row> Moves<'a, R> {
    /// The moves of a class.
    pub fn new(rules: &'a Rules, class: &Class, layout: &Layout) -> Self {
        let dims = layout.dims.iter().map(|dim| {
            let movement = rules.movement(dim.side.color(), dim.animal);
            let goal = rules.board().goal(dim.side.color());
            let from = dim.states.iter().map(|&set| {
                let moves = set.into_iter().flat_map(|from| reachable(movement, from).map(move |to| (from, to)));
                let moves = moves.filter(|&(_, (to, _))| dim.domain.has(to) && !set.has(to));
                let moves = moves.map(|(from, (to, path))| {
                    let (target, flip) = dim.state(set.without(from.set()) | to.set());
                    DimMove { from, to, path, target, flip }
                });
                moves.collect()
            });
            let enters = dim.states.iter().map(|&set| enters(movement, set, goal));
            DimMoves { movement, from: from.collect(), enters: enters.collect() }
        });
        let dims = dims.collect();
        Self { dims, lane: LaneMoves::new(rules, class, layout) }
    }

    /// The slabs that a move of the lead leads to from a slab, in order.
    pub fn slabs_near(&self, layout: &Layout, slab: usize) -> Vec<usize> {
        let moves = self.dims[0].from[layout.leads(slab)].iter().flatten();
        let mut near: Vec<usize> = moves.map(|mv| layout.slab_of(mv.target as usize)).collect();
        near.sort_unstable();
        near.dedup();
        near
    }
}

impl<'a, R: Row> LaneMoves<'a, R> {
    fn new(rules: &'a Rules, class: &Class, layout: &Layout) -> Self {
        let lane = &layout.lane;
        let movement = rules.movement(lane.side.color(), lane.animal);
        let goal = rules.board().goal(lane.side.color());
        let moves = || {
            lane.domain
                .into_iter()
                .flat_map(move |from| reachable(movement, from).map(move |(to, path)| (from, to, path)))
        };
        let mut shifts: Vec<(i8, SquareSet, SquareSet)> = Vec::new();
        for (from, to, path) in moves().filter(|&(_, to, _)| lane.domain.has(to)) {
            let by = to.index() as i8 - from.index() as i8;
            match shifts.iter_mut().find(|shift| (shift.0, shift.1) == (by, path)) {
                Some((_, _, starts)) => *starts |= from.set(),
                None => shifts.push((by, path, from.set())),
            }
        }
        let shifts = shifts.into_iter().map(|(by, path, from)| Shift { by, path, from: R::mask(from) });
        let mut takes = vec![vec![Vec::new(); Square::COUNT]; Animal::ALL.len()];
        for (from, to, path) in moves() {
            for animal in class.material().animals(lane.side.other().color()) {
                if movement.takes[animal.index()][from.index()].has(to) {
                    takes[animal.index()][to.index()].push((from, path));
                }
            }
        }
        let entering = lane.domain.into_iter().filter(|from| enters(movement, from.set(), goal)).collect();
        Self { movement, shifts: shifts.collect(), enters: R::mask(entering), takes }
    }
}

/// The squares a piece reaches on an empty board, each with the water it jumps over.
fn reachable(movement: &Movement, from: Square) -> impl Iterator<Item = (Square, SquareSet)> {
    let steps = movement.steps[from.index()].into_iter().map(|to| (to, SquareSet::EMPTY));
    steps.chain(movement.jumps[from.index()].iter().map(|jump| (jump.to, jump.path)))
}

fn enters(movement: &Movement, set: SquareSet, goal: Square) -> bool {
    set.into_iter().any(|from| movement.steps[from.index()].has(goal))
}

/// Whether pieces of `owner` in the water block the jumps of a piece of `side`.
pub fn stops(movement: &Movement, side: Side, owner: Side) -> bool {
    if side == owner { movement.stopped_by_own } else { movement.stopped_by_enemy }
}
