//! Views: smaller tables as a class reads them after a capture.
//!
//! A view holds, for one victim, the value after its capture (a [`Cell`] code) for every placement of the remaining
//! pieces, laid out by the dims of the capturing class without any reduction, so that seeds find it by adding strides,
//! without a class, index or mirror lookup.

use super::cell::Cell;
use super::error::{Deeper, SolveError, Unsolved};
use super::layout::{Layout, Ranker, Slot, SlotPieces};
use crate::game::{Board, Category, Color, Rules, Square, SquareSet};
use crate::material::{Class, Place};
use crate::table::{Table, Value};
use rayon::prelude::*;

/// Values after the captures of one victim.
pub struct View<C> {
    /// For each dim of the layout, without the victim.
    dims: Vec<(Ranker, usize)>,
    cells: Vec<C>,
}

impl<C: Cell> View<C> {
    /// Offset of the cells of a configuration; `set_of` gives the remaining pieces of each dim.
    #[inline]
    pub fn base(&self, set_of: impl Fn(usize) -> SquareSet) -> usize {
        self.dims.iter().enumerate().map(|(at, (ranker, stride))| ranker.rank(set_of(at)) * stride).sum()
    }

    /// The cells of a configuration, one per square of the plane piece.
    #[inline]
    pub fn lanes(&self, base: usize) -> &[C; 64] {
        self.cells[base..].first_chunk().expect("a configuration has 64 cells")
    }

    /// One cell: of a square of the plane piece, or of the whole configuration if the plane piece was the victim.
    #[inline]
    pub fn cell(&self, base: usize, lane: usize) -> C {
        self.cells[base + lane]
    }

    /// Number of cells in the view for a victim.
    pub fn size(layout: &Layout, victim: Slot) -> usize {
        let (dims, lanes) = Self::shape(layout, victim);
        dims.iter().map(|(ranker, _)| ranker.count()).product::<usize>() * lanes
    }

    fn shape(layout: &Layout, victim: Slot) -> (Vec<(Ranker, usize)>, usize) {
        let lanes = if victim == Slot::Plane { 1 } else { 64 };
        let mut stride = lanes;
        let mut dims: Vec<(Ranker, usize)> = Vec::new();
        for (at, dim) in layout.dims.iter().enumerate().rev() {
            let ranker = Ranker::new(dim.size - usize::from(victim == Slot::Dim(at)), dim.domain);
            let count = ranker.count();
            dims.push((ranker, stride));
            stride *= count;
        }
        dims.reverse();
        (dims, lanes)
    }

    /// Resolves the table of the material that remains when `class` has lost `victim`.
    ///
    /// # Errors
    /// Returns an error if the table is damaged, memory is insufficient, or distances do not fit the cells.
    pub fn new(
        rules: &Rules,
        class: &Class,
        layout: &Layout,
        victim: Slot,
        place: &Place,
        table: &Table,
    ) -> Result<Self, Unsolved> {
        let (dims, _) = Self::shape(layout, victim);
        let victim_group = match victim {
            Slot::Dim(at) => layout.dims[at].group,
            Slot::Plane => layout.plane.group,
        };
        let to_move = class.groups[victim_group].side.color();
        let (_, side) = place.casting(to_move);
        let cells = C::shared(Self::size(layout, victim)).map_err(|_| SolveError::OutOfMemory(class.name()))?;
        let dealer = Dealer::new(rules, class, layout, victim, victim_group, &dims, place, to_move);

        let index = place.class.index();
        let step = u64::from(table.header().block_len);
        let starts: Vec<u64> = (0..index.len()).step_by(step as usize).collect();
        starts.into_par_iter().try_for_each_init(Vec::new, |values: &mut Vec<Value>, start| {
            values.resize(step.min(index.len() - start) as usize, Value::DRAW);
            table.read(side, start, values)?;
            Ok::<(), Unsolved>(dealer.write::<C>(start, values, &cells)?)
        })?;
        Ok(Self { dims, cells: C::unshare(cells) })
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
    dims: &'a [(Ranker, usize)],
}

impl<'a> Dealer<'a> {
    #[allow(clippy::too_many_arguments)]
    fn new(
        rules: &Rules,
        class: &Class,
        layout: &Layout,
        victim: Slot,
        victim_group: usize,
        dims: &'a [(Ranker, usize)],
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
        Self { place, board: rules.board(), swapped: casting.swapped, deals, dims }
    }

    fn write<C: Cell>(&self, start: u64, values: &[Value], cells: &[C::Shared]) -> Result<(), Deeper> {
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
                    for (square, &value) in run.plane.into_iter().zip(values) {
                        let code = code::<C>(value)?;
                        let square = orient(square.set()).first().expect("it has one square");
                        let offset = self.offset(slot, square);
                        for base in &bases {
                            code.store(&cells[base + offset]);
                        }
                    }
                } else {
                    for (square, &value) in run.plane.into_iter().zip(values) {
                        let code = code::<C>(value)?;
                        bases.clear();
                        self.deal(&run.with(square).map(orient), 0, 0, &mut bases);
                        for &base in &bases {
                            code.store(&cells[base]);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Collects the offsets of the cells for all ways of distributing. Groups without squares are skipped.
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
            let offset = match slot {
                Slot::Plane => chosen.0.trailing_zeros() as usize,
                Slot::Dim(at) => self.dims[at].0.rank(chosen) * self.dims[at].1,
            };
            self.deal_group(sets, group, deal, left.without(chosen), base + offset, bases);
        });
    }

    #[inline]
    fn offset(&self, slot: Slot, square: Square) -> usize {
        match slot {
            Slot::Plane => square.index(),
            Slot::Dim(at) => self.dims[at].0.rank(square.set()) * self.dims[at].1,
        }
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
fn code<C: Cell>(value: Value) -> Result<C, Deeper> {
    match (value.category(), value.plies()) {
        (Category::Loss, Some(plies)) => C::win(plies + 1).ok_or(Deeper),
        (Category::Win, Some(plies)) => C::gate(plies + 1).ok_or(Deeper),
        _ => Ok(C::SAVED),
    }
}
