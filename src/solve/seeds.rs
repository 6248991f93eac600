//! Seeds: values after captures and den entries, for whole configurations at once.

use super::code::Code;
use super::layout::{Layout, SlotPieces};
use super::view::View;
use crate::game::{Rules, SquareSet};
use crate::material::{MAX_PIECES, Side};

/// One set of squares per dim.
pub type DimSets = [SquareSet; MAX_PIECES];

/// Value after capturing a piece.
pub enum CaptureValue<C> {
    /// It was the last piece of its side: the game is won.
    Win,
    /// The values of the smaller table.
    View(View<C>),
}

/// Finds the values after the captures of a class.
pub struct Seeds<'a, C> {
    layout: &'a Layout,
    /// By slot.
    capture_values: &'a [CaptureValue<C>],
    /// `takes[mover][victim]`, by slot: target squares on which the mover may capture the victim, by start square.
    /// Empty for pieces of the same side.
    takes: Vec<Vec<Vec<SquareSet>>>,
    /// For each victim dim and square: the squares from which the plane piece captures it, and the water it jumps over.
    plane_takes: Vec<Vec<Vec<(SquareSet, SquareSet)>>>,
    /// By side: the squares next to the den it wants to enter.
    den_gates: [SquareSet; 2],
}

impl<'a, C: Code> Seeds<'a, C> {
    /// `capture_values`: by slot.
    pub fn new(rules: &Rules, layout: &'a Layout, capture_values: &'a [CaptureValue<C>]) -> Self {
        let slots = &layout.slots;
        let takes: Vec<Vec<Vec<SquareSet>>> = slots
            .iter()
            .map(|mover| {
                let movement = rules.movement(mover.side.color(), mover.animal);
                let against = |victim: &SlotPieces| {
                    if victim.side == mover.side { Vec::new() } else { movement.takes[victim.animal.index()].to_vec() }
                };
                slots.iter().map(against).collect()
            })
            .collect();
        let movement = rules.movement(layout.plane.side.color(), layout.plane.animal);
        let plane_takes = layout.dims.iter().zip(&takes[layout.plane_slot()]).map(|(_, takes)| {
            let mut by_target: Vec<Vec<(SquareSet, SquareSet)>> = vec![Vec::new(); 64];
            for (from, targets) in takes.iter().enumerate() {
                let from_set = SquareSet(1 << from);
                for to in *targets {
                    let jump = movement.jumps[from].iter().find(|jump| jump.to == to);
                    let path = jump.map_or(SquareSet::EMPTY, |jump| jump.path);
                    let list = &mut by_target[to.index()];
                    match list.iter_mut().find(|(_, other)| *other == path) {
                        Some((froms, _)) => *froms |= from_set,
                        None => list.push((from_set, path)),
                    }
                }
            }
            by_target
        });
        let plane_takes = plane_takes.collect();
        let den_gates = Side::BOTH.map(|side| {
            let goal = rules.board().goal(side.color());
            let steps = |from: &crate::game::Square| {
                let enters =
                    |pieces: &SlotPieces| rules.movement(side.color(), pieces.animal).steps[from.index()].has(goal);
                slots.iter().any(|pieces| pieces.side == side && enters(pieces))
            };
            rules.board().squares.into_iter().filter(steps).collect()
        });
        Self { layout, capture_values, takes, plane_takes, den_gates }
    }

    /// Which of these squares, by side, block jumps of a slot.
    #[inline]
    fn stoppers(&self, slot: usize, sides: &[SquareSet; 2]) -> SquareSet {
        let [by_first, by_second] = self.layout.slots[slot].stopped_by;
        let none = SquareSet::EMPTY;
        (if by_first { sides[0] } else { none }) | (if by_second { sides[1] } else { none })
    }

    /// Computes the values after the captures of `side` in a configuration, for each square of the plane piece. Returns
    /// whether there is any; if not, `out` is unchanged.
    pub fn configuration(&self, side: Side, sets: &DimSets, out: &mut [C; 64]) -> bool {
        let layout = self.layout;
        let plane = layout.plane_slot();
        let mut sides = [SquareSet::EMPTY; 2];
        for (dim, &set) in layout.dims.iter().zip(sets) {
            sides[dim.side.index()] |= set;
        }
        let (own, enemy) = (sides[side.index()], sides[side.other().index()]);
        let win = C::win(1).expect("every code holds a win at ply 1");
        let plane_is_enemy = layout.plane.side != side;
        let worth = enemy | if plane_is_enemy { layout.plane.domain } else { SquareSet::EMPTY };
        let mut found = false;
        let mut start = |out: &mut [C; 64]| {
            if !found {
                out.fill(C::NONE);
                found = true;
            }
        };
        for (mover, dim) in layout.dims.iter().enumerate().filter(|(_, dim)| dim.side == side) {
            let stoppers = self.stoppers(mover, &sides);
            let plane_stops = layout.slots[mover].stopped_by[layout.plane.side.index()];
            for from in sets[mover] {
                for &(to, path) in &dim.steps_and_jumps[from.index()] {
                    if !worth.has(to) || own.has(to) || path.meets(stoppers) {
                        continue;
                    }
                    let moved = sets[mover].without(from.set()) | to.set();
                    if !enemy.has(to) {
                        if plane_is_enemy && self.takes[mover][plane][from.index()].has(to) {
                            let code = match &self.capture_values[plane] {
                                CaptureValue::Win => win,
                                CaptureValue::View(view) => {
                                    let base = view.base(|at| if at == mover { moved } else { sets[at] });
                                    view.code(base, 0)
                                }
                            };
                            start(out);
                            let best = &mut out[to.index()];
                            *best = code.max(*best);
                        }
                        continue;
                    }
                    let victim = self.dim_at(side.other(), sets, to.set());
                    if !self.takes[mover][victim][from.index()].has(to) {
                        continue;
                    }
                    start(out);
                    let open = if plane_stops { !path } else { !SquareSet::EMPTY };
                    match &self.capture_values[victim] {
                        CaptureValue::Win => raise(out, &[win; 64], open),
                        CaptureValue::View(view) => {
                            let base = view.base(|at| match at {
                                at if at == mover => moved,
                                at if at == victim => sets[at].without(to.set()),
                                at => sets[at],
                            });
                            raise(out, view.lanes(base), open);
                        }
                    }
                }
            }
        }
        if !plane_is_enemy {
            let stoppers = self.stoppers(plane, &sides);
            for (victim, dim) in layout.dims.iter().enumerate().filter(|(_, dim)| dim.side != side) {
                for at in sets[victim] {
                    let takes = &self.plane_takes[victim][at.index()];
                    if dim.size == 0 || takes.is_empty() {
                        continue;
                    }
                    let code = match &self.capture_values[victim] {
                        CaptureValue::Win => win,
                        CaptureValue::View(view) => {
                            let base =
                                view.base(|dim| if dim == victim { sets[dim].without(at.set()) } else { sets[dim] });
                            view.code(base, at.index())
                        }
                    };
                    start(out);
                    for &(from, path) in takes.iter().filter(|(_, path)| !path.meets(stoppers)) {
                        debug_assert!(path.is_empty() || !path.meets(from));
                        for square in from {
                            let best = &mut out[square.index()];
                            *best = code.max(*best);
                        }
                    }
                }
            }
        }
        found
    }

    /// The squares of the plane piece with which `side` can enter the den.
    #[inline]
    pub fn den_entries(&self, side: Side, sets: &DimSets) -> SquareSet {
        let layout = self.layout;
        let gate = self.den_gates[side.index()];
        let can_enter = layout.dims.iter().zip(sets).any(|(dim, set)| dim.side == side && set.meets(gate));
        match (can_enter, layout.plane.side == side) {
            (true, _) => !SquareSet::EMPTY,
            (false, true) => layout.plane.den_from,
            (false, false) => SquareSet::EMPTY,
        }
    }

    fn dim_at(&self, side: Side, sets: &DimSets, square: SquareSet) -> usize {
        let mut dims = self.layout.dims.iter().zip(sets);
        dims.position(|(dim, set)| dim.side == side && set.meets(square)).expect("an enemy piece stands there")
    }
}

/// Raises each code of `out` to at least that of `by`, for the squares in `open`.
#[inline]
fn raise<C: Code>(out: &mut [C; 64], by: &[C; 64], open: SquareSet) {
    if open == !SquareSet::EMPTY {
        for (best, &code) in out.iter_mut().zip(by) {
            *best = code.max(*best);
        }
    } else {
        for (lane, (best, &code)) in out.iter_mut().zip(by).enumerate() {
            if open.0 >> lane & 1 != 0 {
                *best = code.max(*best);
            }
        }
    }
}
