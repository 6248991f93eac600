//! The lost positions of one side in memory: of a class itself, or of what is left of it after a capture.

use super::half::Half;
use super::layout::{Digit, Layout};
use crate::game::{Board, Category, Rules, SquareSet};
use crate::material::{Class, Place, Run, Side};
use crate::table::{Table, TableError, Value};
use rayon::prelude::*;
use std::io::ErrorKind;

/// Distances of the lost positions with one side to move, by configuration and lane of the layout.
pub struct Losses<H> {
    /// By slot of the layout, without the plane piece.
    digits: Vec<Digit>,
    cells: Vec<H>,
}

impl<H: Half> Losses<H> {
    /// Reads the lost positions of `side` from a table, which is that of the class, or of the class without a piece of
    /// the slot `victim`.
    pub fn new(
        rules: &Rules,
        class: &Class,
        layout: &Layout,
        victim: Option<usize>,
        place: &Place,
        table: &Table,
        side: Side,
    ) -> Result<Self, TableError> {
        let mut stride = if victim == Some(layout.plane()) { 1 } else { 64 };
        let mut digits = Vec::new();
        for (at, slot) in layout.dims().iter().enumerate().rev() {
            let size = slot.size - usize::from(victim == Some(at));
            let (digit, values) = Digit::new(size, slot.domain, stride, victim.is_none() && at == 0);
            digits.push(digit);
            stride *= values;
        }
        digits.reverse();
        let no_memory = |_| TableError::io(table.path(), "load")(ErrorKind::OutOfMemory.into());
        let cells = H::shared(stride).map_err(no_memory)?;
        let dealer = Dealer::new(rules, class, layout, victim, &digits, place, side);
        let (_, stored) = place.casting(side.color());
        let (len, step) = (place.class.index().len(), u64::from(table.header().block_len));
        let starts: Vec<u64> = (0..len).step_by(step as usize).collect();
        starts.into_par_iter().try_for_each_init(Vec::new, |values: &mut Vec<Value>, start| {
            values.clear();
            values.resize(step.min(len - start) as usize, Value::DRAW);
            table.read(stored, start, values)?;
            dealer.write::<H>(start, values, &cells);
            Ok::<(), TableError>(())
        })?;
        Ok(Self { digits, cells: H::unshare(cells) })
    }

    /// The offset of the lanes of a configuration, and whether they stand for its mirror image.
    #[inline]
    pub fn configuration(&self, set_of: impl Fn(usize) -> SquareSet) -> (usize, bool) {
        let mut offset = 0;
        let mut flip = false;
        for (at, digit) in self.digits.iter().enumerate() {
            let set = set_of(at);
            let (more, is_image) = digit.offset(if flip { set.mirror() } else { set });
            offset += more;
            flip |= is_image;
        }
        (offset, flip)
    }

    /// Whether the lanes of these squares of the first slot stand for the mirror image.
    #[inline]
    pub fn is_image(&self, first: SquareSet) -> bool {
        self.digits[0].offset(first).1
    }

    /// The lanes of a configuration.
    #[inline]
    pub fn lanes(&self, offset: usize) -> &[H; 64] {
        self.cells[offset..].first_chunk().expect("a configuration has 64 lanes")
    }

    /// One lane of a configuration; lane 0 if the plane piece was captured.
    #[inline]
    pub fn lane(&self, offset: usize, lane: usize) -> H {
        self.cells[offset + lane]
    }
}

/// Distributes the pieces of a table to the slots of the layout. Pieces that are alike in the table may differ in the
/// layout: each way of distributing them is then a separate placement.
struct Dealer<'a> {
    place: &'a Place,
    board: &'static Board,
    swapped: bool,
    /// For each group of the table: its slots, each with its number of pieces.
    deals: Vec<Vec<(usize, usize)>>,
    digits: &'a [Digit],
}

impl<'a> Dealer<'a> {
    fn new(
        rules: &Rules,
        class: &Class,
        layout: &Layout,
        victim: Option<usize>,
        digits: &'a [Digit],
        place: &'a Place,
        to_move: Side,
    ) -> Self {
        let (casting, _) = place.casting(to_move.color());
        let victim_group = victim.map(|victim| layout.slots[victim].group);
        let mut deals = vec![Vec::new(); place.class.groups.len()];
        for (at, slot) in layout.slots.iter().enumerate() {
            let left = slot.size - usize::from(victim == Some(at));
            if left == 0 {
                continue;
            }
            // The group's first animal stands for the victim, any other for the remaining ones.
            let animal = class.groups[slot.group].animals[usize::from(victim_group == Some(slot.group))];
            let groups = place.class.groups.iter().zip(&casting.animals);
            let found = groups
                .map(|(group, animals)| (casting.color(group.side), animals))
                .position(|(color, animals)| color == slot.side.color() && animals.contains(&animal));
            deals[found.expect("every piece that is left is in the table")].push((at, left));
        }
        Self { place, board: rules.board(), swapped: casting.swapped, deals, digits }
    }

    fn write<H: Half>(&self, start: u64, values: &[Value], cells: &[H::Shared]) {
        let mut rest = values;
        let (mut bases, mut offsets) = (Vec::new(), Vec::new());
        for run in self.place.class.index().runs(start..start + values.len() as u64) {
            let (values, later) = rest.split_at(run.plane.len());
            rest = later;
            if values.iter().all(|value| value.category() != Category::Loss) {
                continue;
            }
            let lost = run.plane.into_iter().zip(values).filter(|(_, value)| value.category() == Category::Loss);
            let lost = lost.filter_map(|(square, value)| Some((square, H::of_plies(value.plies()?)?)));
            for mirror in [false, true] {
                let orient = |set: SquareSet| {
                    let set = if self.swapped { self.board.turn_set(set) } else { set };
                    if mirror { set.mirror() } else { set }
                };
                bases.clear();
                self.deal_others(&run, &orient, 0, 0, &mut bases);
                if bases.is_empty() {
                    continue;
                }
                let upper = orient(run.sets[run.plane_group]);
                match self.deals[run.plane_group][..] {
                    // The usual case: the squares of the run are those of a single piece.
                    [(slot, 1)] if upper.is_empty() => {
                        for (square, half) in lost.clone() {
                            let (offset, is_image) = self.offset(slot, orient(square.set()));
                            for base in bases.iter().filter(|_| !is_image) {
                                half.store(&cells[base + offset]);
                            }
                        }
                    }
                    ref deal => {
                        for (square, half) in lost.clone() {
                            offsets.clear();
                            self.deal(deal, upper | orient(square.set()), 0, &mut |offset| offsets.push(offset));
                            for base in &bases {
                                for offset in &offsets {
                                    half.store(&cells[base + offset]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The offset of the pieces of a slot, and whether they stand for the mirror image.
    #[inline]
    fn offset(&self, slot: usize, set: SquareSet) -> (usize, bool) {
        match self.digits.get(slot) {
            Some(digit) => digit.offset(set),
            None => (set.0.trailing_zeros() as usize & 63, false),
        }
    }

    /// Collects the offsets of all ways to distribute the groups other than the plane group of a run.
    fn deal_others(
        &self,
        run: &Run,
        orient: &impl Fn(SquareSet) -> SquareSet,
        group: usize,
        base: usize,
        bases: &mut Vec<usize>,
    ) {
        match self.deals.get(group) {
            None => bases.push(base),
            Some(_) if group == run.plane_group => self.deal_others(run, orient, group + 1, base, bases),
            Some(deal) => self.deal(deal, orient(run.sets[group]), base, &mut |base| {
                self.deal_others(run, orient, group + 1, base, bases);
            }),
        }
    }

    /// Visits the offsets of all ways to distribute the pieces of a group, except those that stand for mirror images.
    fn deal(&self, deal: &[(usize, usize)], left: SquareSet, base: usize, visit: &mut dyn FnMut(usize)) {
        let Some((&(slot, size), deal)) = deal.split_first() else { return visit(base) };
        for_each_subset(left, size, &mut |chosen| {
            let (offset, is_image) = self.offset(slot, chosen);
            if !is_image {
                self.deal(deal, left.without(chosen), base + offset, visit);
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
    let Some(first) = of.first() else { return };
    let later = of.without(first.set());
    for_each_subset(later, size - 1, &mut |chosen| f(chosen | first.set()));
    for_each_subset(later, size, f);
}
