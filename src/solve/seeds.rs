//! Seeds: what captures and den entries come to, for whole configurations at a time.

use super::cell::Cell;
use super::layout::Layout;
use super::view::{Slot, View};
use crate::game::{Rules, SquareSet};
use crate::material::{Class, MAX_PIECES, Side};

/// One set of squares a dim.
pub type DimSets = [SquareSet; MAX_PIECES];

/// What capturing a piece comes to.
pub enum Prize<C> {
    /// It was its side's last: the game is won.
    Win,
    /// What the smaller table says.
    View(View<C>),
}

/// Finds what the captures of a class come to.
pub struct Seeds<'a, C> {
    layout: &'a Layout,
    /// By dim, then the plane piece.
    prizes: Vec<Prize<C>>,
    /// `takes[mover][victim]`: by slot; targets on which the mover may take the victim, by square. Empty for pieces
    /// of one side.
    takes: Vec<Vec<Vec<SquareSet>>>,
    /// For each victim dim and square: where the plane piece takes it from, and over which water.
    plane_takes: Vec<Vec<Vec<(SquareSet, SquareSet)>>>,
    /// By side: the squares next to the den it wants to enter.
    den_gates: [SquareSet; 2],
    /// By side of the mover: whether own and enemy pieces stop the jumps of each slot.
    stopped: Vec<[bool; 2]>,
}

impl<'a, C: Cell> Seeds<'a, C> {
    /// `prizes`: by dim, then the plane piece.
    pub fn new(rules: &Rules, class: &Class, layout: &'a Layout, prizes: Vec<Prize<C>>) -> Self {
        let slots: Vec<(Side, crate::game::Animal)> = layout
            .dims
            .iter()
            .map(|dim| (dim.side, dim.animal))
            .chain([(layout.plane.side, layout.plane.animal)])
            .collect();
        let takes: Vec<Vec<Vec<SquareSet>>> = slots
            .iter()
            .map(|&(side, animal)| {
                let movement = rules.movement(side.color(), animal);
                let against = |&(other, victim): &(Side, crate::game::Animal)| {
                    if other == side { Vec::new() } else { movement.takes[victim.index()].to_vec() }
                };
                slots.iter().map(against).collect()
            })
            .collect();
        let movement = rules.movement(layout.plane.side.color(), layout.plane.animal);
        let plane_takes = layout.dims.iter().zip(&takes[layout.dims.len()]).map(|(_, takes)| {
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
                slots.iter().any(|&(of, animal)| {
                    of == side && rules.movement(side.color(), animal).steps[from.index()].has(goal)
                })
            };
            rules.board().squares.into_iter().filter(steps).collect()
        });
        let stopped = slots
            .iter()
            .map(|&(side, animal)| {
                let movement = rules.movement(side.color(), animal);
                [movement.stopped_by_own, movement.stopped_by_enemy]
            })
            .collect();
        debug_assert_eq!(class.pieces(), layout.dims.iter().map(|dim| dim.size).sum::<usize>() + 1);
        Self { layout, prizes, takes, plane_takes, den_gates, stopped }
    }

    /// The squares in the water that stop jumps of a slot, given those of both sides.
    #[inline]
    fn stoppers(&self, slot: usize, own: SquareSet, enemy: SquareSet) -> SquareSet {
        let [by_own, by_enemy] = self.stopped[slot];
        let none = SquareSet::EMPTY;
        (if by_own { own } else { none }) | (if by_enemy { enemy } else { none })
    }

    /// Works out what the captures of `side` come to in a configuration, for each square of the plane piece. Returns
    /// whether there is anything; if not, `out` is as it was.
    pub fn configuration(&self, side: Side, sets: &DimSets, out: &mut [C; 64]) -> bool {
        let layout = self.layout;
        let plane = layout.dims.len();
        let mut sides = [SquareSet::EMPTY; 2];
        for (dim, &set) in layout.dims.iter().zip(sets) {
            sides[dim.side.index()] |= set;
        }
        let (own, enemy) = (sides[side.index()], sides[side.other().index()]);
        let win = C::win(1).expect("every cell holds a win at ply 1");
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
            let stoppers = self.stoppers(mover, own, enemy);
            let plane_stops = self.stopped[mover][usize::from(plane_is_enemy)];
            for from in sets[mover] {
                for &(to, path) in &dim.hops[from.index()] {
                    if !worth.has(to) || own.has(to) || path.meets(stoppers) {
                        continue;
                    }
                    let moved = sets[mover].without(from.set()) | to.set();
                    if !enemy.has(to) {
                        if plane_is_enemy && self.takes[mover][plane][from.index()].has(to) {
                            let code = match &self.prizes[plane] {
                                Prize::Win => win,
                                Prize::View(view) => {
                                    let base = view.base(|at| if at == mover { moved } else { sets[at] });
                                    view.cell(base, 0)
                                }
                            };
                            start(out);
                            let cell = &mut out[to.index()];
                            *cell = code.max(*cell);
                        }
                        continue;
                    }
                    let victim = self.dim_at(side.other(), sets, to.set());
                    if !self.takes[mover][victim][from.index()].has(to) {
                        continue;
                    }
                    start(out);
                    let open = if plane_stops { !path } else { !SquareSet::EMPTY };
                    match &self.prizes[victim] {
                        Prize::Win => raise(out, &[win; 64], open),
                        Prize::View(view) => {
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
            let stoppers = self.stoppers(plane, own, enemy);
            for (victim, dim) in layout.dims.iter().enumerate().filter(|(_, dim)| dim.side != side) {
                for at in sets[victim] {
                    let takes = &self.plane_takes[victim][at.index()];
                    if dim.size == 0 || takes.is_empty() {
                        continue;
                    }
                    let code = match &self.prizes[victim] {
                        Prize::Win => win,
                        Prize::View(view) => {
                            let base =
                                view.base(|dim| if dim == victim { sets[dim].without(at.set()) } else { sets[dim] });
                            view.cell(base, at.index())
                        }
                    };
                    start(out);
                    for &(from, path) in takes.iter().filter(|(_, path)| !path.meets(stoppers)) {
                        debug_assert!(path.is_empty() || !path.meets(from));
                        for square in from {
                            let cell = &mut out[square.index()];
                            *cell = code.max(*cell);
                        }
                    }
                }
            }
        }
        found
    }

    /// For which squares of the plane piece `side` can enter the den.
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

/// Raises each cell of `out` to that of `by`, for the squares in `open`.
#[inline]
fn raise<C: Cell>(out: &mut [C; 64], by: &[C; 64], open: SquareSet) {
    if open == !SquareSet::EMPTY {
        for (cell, &code) in out.iter_mut().zip(by) {
            *cell = code.max(*cell);
        }
    } else {
        for (lane, (cell, &code)) in out.iter_mut().zip(by).enumerate() {
            if open.0 >> lane & 1 != 0 {
                *cell = code.max(*cell);
            }
        }
    }
}

/// The slot of a victim, by its place in [`Seeds::new`]'s list of prizes.
pub fn slot(layout: &Layout, at: usize) -> Slot {
    if at < layout.dims.len() { Slot::Dim(at) } else { Slot::Plane }
}
