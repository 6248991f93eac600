//! The least distance that the moves from a configuration lead to, for all squares of the plane piece at once.

use super::half::Half;
use super::layout::{Layout, SlotSets};
use super::losses::Losses;
use crate::game::{Jump, Rules, Square, SquareSet};
use crate::material::Side;

/// What is left after the capture of a piece.
pub enum Capture<H> {
    /// It was the last of its side: the game is won.
    Last,
    /// The lost positions of the smaller class.
    Losses(Losses<H>),
}

/// The moves of one side, with the distances of the lost positions that they lead to.
pub struct Moves<H> {
    layout: Layout,
    side: Side,
    /// The den to enter.
    goal: Square,
    /// The lost positions of the other side.
    quiet: Losses<H>,
    /// By slot; `None` for slots of the moving side.
    captures: Vec<Option<Capture<H>>>,
    /// If the plane piece moves: its steps by direction.
    steps: Vec<Steps<H>>,
    /// If the plane piece moves: the squares from which it enters the den.
    den_from: SquareSet,
    /// If the plane piece moves: its jumps, with their start squares.
    jumps: Vec<(Square, Jump)>,
    /// If the plane piece moves, by slot and square of a victim: the squares from which it takes it, and the water
    /// that it jumps over.
    takes: Vec<Vec<Vec<(Square, SquareSet)>>>,
}

/// Steps of the plane piece in one direction.
struct Steps<H> {
    /// Target number minus start number.
    shift: isize,
    /// By start square: the greatest value, which no minimum takes, where there is no step.
    closed: [H; 64],
}

/// Room beside the lanes, so that steps off the board read no other memory.
const MARGIN: usize = 8;

/// Greater than any distance of the lanes or equal to it.
type Row<H> = [H; 64];

impl<H: Half> Moves<H> {
    /// Prepares the moves of a side.
    pub fn new(rules: &Rules, layout: Layout, side: Side, quiet: Losses<H>, captures: Vec<Option<Capture<H>>>) -> Self {
        let goal = rules.board().goal(side.color());
        let plane = &layout.slots[layout.plane()];
        let mut steps: Vec<Steps<H>> = Vec::new();
        let mut den_from = SquareSet::EMPTY;
        let mut jumps = Vec::new();
        let mut takes = vec![vec![Vec::new(); 64]; layout.slots.len()];
        if plane.side == side {
            for from in plane.domain {
                jumps.extend(plane.movement.jumps[from.index()].iter().map(|jump| (from, *jump)));
                for (takes, victim) in takes.iter_mut().zip(layout.dims()).filter(|(_, victim)| victim.side != side) {
                    for to in plane.movement.takes[victim.animal][from.index()] {
                        let jump = plane.movement.jumps[from.index()].iter().find(|jump| jump.to == to);
                        takes[to.index()].push((from, jump.map_or(SquareSet::EMPTY, |jump| jump.path)));
                    }
                }
                for to in plane.movement.steps[from.index()] {
                    if to == goal {
                        den_from |= from.set();
                        continue;
                    }
                    let shift = to.index() as isize - from.index() as isize;
                    let known = steps.iter().position(|steps| steps.shift == shift);
                    let at = known.unwrap_or_else(|| {
                        steps.push(Steps { shift, closed: [H::NONE; 64] });
                        steps.len() - 1
                    });
                    steps[at].closed[from.index()] = H::ZERO;
                }
            }
        }
        Self { layout, side, goal, quiet, captures, steps, den_from, jumps, takes }
    }

    /// The layout of the class.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Half the distance of the quickest lost position that a move leads to, for each square of the plane piece. Means
    /// nothing on squares where it cannot stand.
    pub fn best(&self, sets: &SlotSets) -> Row<H> {
        // Half of the configurations would have to be read mirrored.
        if self.quiet.is_image(sets[0]) {
            mirrored(&self.best_of(&sets.map(SquareSet::mirror)))
        } else {
            self.best_of(sets)
        }
    }

    fn best_of(&self, sets: &SlotSets) -> Row<H> {
        let mut best = [H::NONE; 64];
        let mut sides = [SquareSet::EMPTY; 2];
        for (slot, &set) in self.layout.dims().iter().zip(sets) {
            sides[slot.side.index()] |= set;
        }
        for (mover, slot) in self.layout.dims().iter().enumerate().filter(|(_, slot)| slot.side == self.side) {
            for from in sets[mover] {
                for to in slot.movement.steps[from.index()] {
                    if to == self.goal {
                        return [H::ZERO; 64];
                    }
                    self.after(sets, sides, mover, from, to, &mut best);
                }
                for jump in &slot.movement.jumps[from.index()] {
                    if jump.path.meets(self.stoppers(mover, sides)) {
                        continue;
                    }
                    let before = best;
                    self.after(sets, sides, mover, from, jump.to, &mut best);
                    if slot.stopped_by[self.layout.slots[self.layout.plane()].side.index()] {
                        for square in jump.path {
                            best[square.index()] = before[square.index()];
                        }
                    }
                }
            }
        }
        if self.layout.slots[self.layout.plane()].side == self.side {
            self.plane_moves(sets, sides, &mut best);
        }
        best
    }

    /// The pieces other than the plane piece that block the jumps of a slot.
    fn stoppers(&self, slot: usize, sides: [SquareSet; 2]) -> SquareSet {
        let stopped_by = self.layout.slots[slot].stopped_by;
        let stops = |side: usize| if stopped_by[side] { sides[side] } else { SquareSet::EMPTY };
        stops(0) | stops(1)
    }

    /// Takes into account the move of a piece other than the plane piece.
    #[inline]
    fn after(&self, sets: &SlotSets, sides: [SquareSet; 2], mover: usize, from: Square, to: Square, best: &mut Row<H>) {
        if sides[self.side.index()].has(to) {
            return;
        }
        let moved = sets[mover].without(from.set()) | to.set();
        let takes = |victim: usize| {
            let animal = self.layout.slots[victim].animal;
            self.layout.slots[mover].movement.takes[animal][from.index()].has(to)
        };
        if sides[self.side.other().index()].has(to) {
            let slots = self.layout.dims().iter().zip(sets);
            let victim = slots.map(|(slot, set)| slot.side != self.side && set.has(to)).position(|is_there| is_there);
            let Some(victim) = victim.filter(|&victim| takes(victim)) else { return };
            match &self.captures[victim] {
                None => {}
                Some(Capture::Last) => best.fill(H::ZERO),
                Some(Capture::Losses(losses)) => {
                    let (offset, _) = losses.configuration(|at| match at {
                        at if at == mover => moved,
                        at if at == victim => sets[at].without(to.set()),
                        at => sets[at],
                    });
                    lower(best, losses.lanes(offset));
                }
            }
            return;
        }
        let set_of = |at: usize| if at == mover { moved } else { sets[at] };
        let (offset, flip) = self.quiet.configuration(set_of);
        let lanes = self.quiet.lanes(offset);
        if flip {
            lower(best, &mirrored(lanes));
        } else {
            lower(best, lanes);
        }
        let plane = self.layout.plane();
        if let Some(capture) = self.captures[plane].as_ref().filter(|_| takes(plane)) {
            let half = match capture {
                Capture::Last => H::ZERO,
                Capture::Losses(losses) => losses.lane(losses.configuration(set_of).0, 0),
            };
            best[to.index()] = best[to.index()].min(half);
        }
    }

    /// Takes into account the moves of the plane piece. The configuration must not stand for its mirror image.
    fn plane_moves(&self, sets: &SlotSets, sides: [SquareSet; 2], best: &mut Row<H>) {
        let (offset, _) = self.quiet.configuration(|at| sets[at]);
        let here = self.quiet.lanes(offset);
        let mut wide = [H::NONE; 64 + 2 * MARGIN];
        wide[MARGIN..][..64].copy_from_slice(here);
        for Steps { shift, closed } in &self.steps {
            let targets: &Row<H> =
                wide[MARGIN.wrapping_add_signed(*shift)..].first_chunk().expect("steps stay within the margin");
            for ((best, &target), &closed) in best.iter_mut().zip(targets).zip(closed) {
                *best = (*best).min(target.max(closed));
            }
        }
        let stoppers = self.stoppers(self.layout.plane(), sides);
        for (from, jump) in self.jumps.iter().filter(|(_, jump)| !jump.path.meets(stoppers)) {
            best[from.index()] = best[from.index()].min(here[jump.to.index()]);
        }
        for square in self.den_from {
            best[square.index()] = H::ZERO;
        }
        for (victim, (slot, &set)) in self.layout.dims().iter().zip(sets).enumerate() {
            for to in set.into_iter().filter(|_| slot.side != self.side) {
                let half = match &self.captures[victim] {
                    None => continue,
                    Some(Capture::Last) => H::ZERO,
                    Some(Capture::Losses(losses)) => {
                        let set_of = |at: usize| if at == victim { sets[at].without(to.set()) } else { sets[at] };
                        losses.lane(losses.configuration(set_of).0, to.index())
                    }
                };
                for (from, _) in self.takes[victim][to.index()].iter().filter(|(_, path)| !path.meets(stoppers)) {
                    best[from.index()] = best[from.index()].min(half);
                }
            }
        }
    }
}

#[inline]
fn lower<H: Half>(best: &mut Row<H>, by: &Row<H>) {
    for (best, &by) in best.iter_mut().zip(by) {
        *best = (*best).min(by);
    }
}

/// The lanes of the mirror image.
fn mirrored<H: Half>(row: &Row<H>) -> Row<H> {
    let mut image = *row;
    for rank in 0..9 {
        let files = &mut image[rank * usize::from(Square::FILES)..][..usize::from(Square::FILES)];
        files.reverse();
    }
    image
}
