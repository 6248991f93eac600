//! Views: smaller tables as a class reads them after a capture.
//!
//! A view holds, for one victim, the value after its capture (a [`Code`]) for every placement of the remaining pieces,
//! laid out by the dims of the capturing class without any reduction, so that seeds find it by adding strides, without
//! a class, index or mirror lookup. Of the lead dim it holds only the states that captures in some slabs lead to, so
//! that the views of a large class need little memory.

use super::code::Code;
use super::error::SolveError;
use super::layout::{Layout, Ranker, Slot, SlotPieces};
use crate::distances::SideValues;
use crate::game::{Board, Category, Color, Rules, SquareSet};
use crate::material::{Class, Place};
use crate::table::Value;
use rayon::prelude::*;
use std::ops::Range;

/// Values after the captures of one victim.
pub struct View<C> {
    shape: Shape,
    codes: Vec<C>,
}

/// The sets of squares of the lead dim that a view holds.
#[derive(Clone)]
pub struct LeadSets {
    /// By rank of the set: its number in the view, or [`ABSENT`].
    numbers: Vec<u32>,
    count: usize,
}

const ABSENT: u32 = u32::MAX;

impl LeadSets {
    /// All sets of the lead dim without some of its pieces.
    fn all(layout: &Layout, victims: usize) -> Self {
        let count = layout.dims[0].ranker(victims).count();
        Self { numbers: (0..count as u32).collect(), count }
    }

    /// The sets of these states, and those that one move or capture of a piece leads to.
    pub fn around(layout: &Layout, states: &Range<usize>) -> Self {
        let lead = &layout.dims[0];
        if *states == (0..lead.states.len()) {
            return Self::all(layout, 0);
        }
        let ranker = lead.ranker(0);
        let mut numbers = vec![ABSENT; ranker.count()];
        let mut count = 0;
        let mut add = |set: SquareSet| {
            let number = &mut numbers[ranker.rank(set)];
            if *number == ABSENT {
                *number = count;
                count += 1;
            }
        };
        for &set in &lead.states[states.clone()] {
            add(set);
            for from in set {
                let others = set.without(from.set());
                for &(to, _) in &lead.steps_and_jumps[from.index()] {
                    if lead.domain.has(to) && !others.has(to) {
                        add(others | to.set());
                    }
                }
            }
        }
        Self { numbers, count: count as usize }
    }
}

/// Where a view keeps each placement.
struct Shape {
    /// For each dim of the layout, without the victim: its sets and their stride.
    dims: Vec<(Ranker, usize)>,
    lead: LeadSets,
}

impl Shape {
    fn new(layout: &Layout, victim: Slot, lead: &LeadSets) -> Self {
        let lanes = if victim == Slot::Plane { 1 } else { 64 };
        let lead = if victim == Slot::Dim(0) { LeadSets::all(layout, 1) } else { lead.clone() };
        let mut stride = lanes;
        let mut dims: Vec<(Ranker, usize)> = Vec::new();
        for (at, dim) in layout.dims.iter().enumerate().rev() {
            let ranker = dim.ranker(usize::from(victim == Slot::Dim(at)));
            let count = if at == 0 { lead.count } else { ranker.count() };
            dims.push((ranker, stride));
            stride *= count;
        }
        dims.reverse();
        Self { dims, lead }
    }

    /// Number of codes.
    fn len(&self) -> usize {
        // The lead has the largest stride.
        self.lead.count * self.dims[0].1
    }

    /// Offset of the squares of a slot; `None` if the view does not hold them.
    #[inline]
    fn offset(&self, slot: Slot, set: SquareSet) -> Option<usize> {
        match slot {
            Slot::Plane => Some(set.0.trailing_zeros() as usize),
            Slot::Dim(0) => {
                let (ranker, stride) = &self.dims[0];
                let number = self.lead.numbers[ranker.rank(set)];
                (number != ABSENT).then(|| number as usize * stride)
            }
            Slot::Dim(at) => Some(self.dims[at].0.rank(set) * self.dims[at].1),
        }
    }
}

impl<C: Code> View<C> {
    /// Offset of the codes of a configuration; `set_of` gives the remaining pieces of each dim.
    #[inline]
    pub fn base(&self, set_of: impl Fn(usize) -> SquareSet) -> usize {
        let Shape { dims, lead, .. } = &self.shape;
        let (ranker, stride) = &dims[0];
        let first = lead.numbers[ranker.rank(set_of(0))] as usize * stride;
        let rest = dims.iter().enumerate().skip(1);
        first + rest.map(|(at, (ranker, stride))| ranker.rank(set_of(at)) * stride).sum::<usize>()
    }

    /// The codes of a configuration, one per square of the plane piece.
    #[inline]
    pub fn lanes(&self, base: usize) -> &[C; 64] {
        self.codes[base..].first_chunk().expect("a configuration has 64 codes")
    }

    /// One code: of a square of the plane piece, or of the whole configuration if the plane piece was the victim.
    #[inline]
    pub fn code(&self, base: usize, lane: usize) -> C {
        self.codes[base + lane]
    }

    /// Number of codes in the view for a victim.
    pub fn size(layout: &Layout, victim: Slot, lead: &LeadSets) -> usize {
        Shape::new(layout, victim, lead).len()
    }

    /// Resolves the values of the material that remains when `class` has lost `victim`, with its owner to move. Without
    /// `distances`, only the results count.
    ///
    /// # Errors
    /// Returns an error if the table is damaged or memory is insufficient.
    pub fn new(
        (rules, class, layout): (&Rules, &Class, &Layout),
        victim: Slot,
        lead: &LeadSets,
        place: &Place,
        values: &SideValues,
        distances: bool,
    ) -> Result<Self, SolveError> {
        let shape = Shape::new(layout, victim, lead);
        let victim_group = match victim {
            Slot::Dim(at) => layout.dims[at].group,
            Slot::Plane => layout.plane.group,
        };
        let to_move = class.groups[victim_group].side.color();
        let codes = C::shared(shape.len()).map_err(|_| SolveError::OutOfMemory(class.name()))?;
        let dealer = Dealer::new((rules, class, layout), victim, victim_group, &shape, place, to_move);

        let index = place.class.index();
        let step = u64::from(values.table().header().block_len);
        let starts: Vec<u64> = (0..index.len()).step_by(step as usize).collect();
        starts.into_par_iter().try_for_each_init(Vec::new, |part: &mut Vec<Value>, start| {
            part.resize(step.min(index.len() - start) as usize, Value::DRAW);
            values.read(start, part)?;
            if !distances {
                for value in &mut *part {
                    *value = Value::least(value.category());
                }
            }
            dealer.write::<C>(start, part, &codes);
            Ok::<(), SolveError>(())
        })?;
        Ok(Self { shape, codes: C::unshare(codes) })
    }
}

/// Distributes the pieces of the smaller class to the slots of the larger one. Pieces that are alike in the smaller
/// class may differ in the larger: each way of distributing them is then a separate placement.
struct Dealer<'a> {
    place: &'a Place,
    board: &'static Board,
    swapped: bool,
    /// For each group of the smaller class: slot, number of pieces.
    deals: Vec<Vec<(Slot, usize)>>,
    shape: &'a Shape,
}

impl<'a> Dealer<'a> {
    fn new(
        (rules, class, layout): (&Rules, &Class, &Layout),
        victim: Slot,
        victim_group: usize,
        shape: &'a Shape,
        place: &'a Place,
        to_move: Color,
    ) -> Self {
        let (casting, _) = place.casting(to_move);
        let mut deals = vec![Vec::new(); place.class.groups.len()];
        for &SlotPieces { slot, group, side, size, .. } in &layout.slots {
            let left = size - usize::from(slot == victim);
            if left == 0 {
                continue;
            }
            // The group's first animal stands for the victim, any other for the remaining ones.
            let group_animals = &class.groups[group].animals;
            let animal = group_animals[usize::from(group == victim_group)];
            let color = side.color();
            let found = place
                .class
                .groups
                .iter()
                .zip(&casting.animals)
                .position(|(smaller, animals)| casting.color(smaller.side) == color && animals.contains(&animal));
            deals[found.expect("every piece that is left is in the smaller class")].push((slot, left));
        }
        Self { place, board: rules.board(), swapped: casting.swapped, deals, shape }
    }

    fn write<C: Code>(&self, start: u64, values: &[Value], codes: &[C::Shared]) {
        let index = self.place.class.index();
        let mut rest = values;
        let mut bases = Vec::new();
        for run in index.runs(start..start + values.len() as u64) {
            let (values, later) = rest.split_at(run.plane.len());
            rest = later;
            let single = match self.deals[run.plane_group][..] {
                [(slot, 1)] if run.sets[run.plane_group].is_empty() => Some(slot),
                _ => None,
            };
            for mirror in [false, true] {
                let orient = |set: SquareSet| {
                    let set = if self.swapped { self.board.turn_set(set) } else { set };
                    if mirror { set.mirror() } else { set }
                };
                if let Some(slot) = single {
                    bases.clear();
                    self.deal(&run.sets.map(orient), 0, 0, &mut bases);
                    if bases.is_empty() {
                        continue;
                    }
                    for (square, &value) in run.plane.into_iter().zip(values) {
                        let code = code::<C>(value);
                        let Some(offset) = self.shape.offset(slot, orient(square.set())) else { continue };
                        for base in &bases {
                            code.store(&codes[base + offset]);
                        }
                    }
                } else {
                    for (square, &value) in run.plane.into_iter().zip(values) {
                        let code = code::<C>(value);
                        bases.clear();
                        self.deal(&run.with(square).map(orient), 0, 0, &mut bases);
                        for &base in &bases {
                            code.store(&codes[base]);
                        }
                    }
                }
            }
        }
    }

    /// Collects the offsets of the codes for all ways of distributing. Groups without squares are skipped.
    fn deal(&self, sets: &[SquareSet], group: usize, base: usize, bases: &mut Vec<usize>) {
        match self.deals.get(group) {
            None => bases.push(base),
            Some(_) if sets[group].is_empty() => self.deal(sets, group + 1, base, bases),
            Some(deal) => self.deal_group(sets, group, deal, sets[group], base, bases),
        }
    }

    fn deal_group(
        &self,
        sets: &[SquareSet],
        group: usize,
        deal: &[(Slot, usize)],
        left: SquareSet,
        base: usize,
        bases: &mut Vec<usize>,
    ) {
        let Some((&(slot, size), deal)) = deal.split_first() else {
            return self.deal(sets, group + 1, base, bases);
        };
        for_each_subset(left, size, &mut |chosen| {
            if let Some(offset) = self.shape.offset(slot, chosen) {
                self.deal_group(sets, group, deal, left.without(chosen), base + offset, bases);
            }
        });
    }
}

fn for_each_subset(of: SquareSet, size: usize, f: &mut dyn FnMut(SquareSet)) {
    if size == of.len() {
        return f(of);
    }
    if size == 0 {
        return f(SquareSet::EMPTY);
    }
    let first = of.first().expect("there are more squares than wanted").set();
    let later = of.without(first);
    for_each_subset(later, size - 1, &mut |chosen| f(chosen | first));
    for_each_subset(later, size, f);
}

/// The value for the capturing side after a capture into a position with this value.
#[inline]
fn code<C: Code>(value: Value) -> C {
    let code = match (value.category(), value.plies()) {
        (Category::Loss, Some(plies)) => C::win(plies + 1),
        (Category::Win, Some(plies)) => C::gate(plies + 1),
        _ => Some(C::SAVED),
    };
    code.expect("the code is wide enough for the longest win of the table")
}
