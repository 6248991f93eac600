//! Which position of a table is in which lane: the pieces of a layout as groups of a class.

use super::layout::{Config, DimSets, Layout};
use crate::game::{Animal, Board, SquareSet};
use crate::material::{Class, MAX_PIECES, Place, Side};
use std::sync::Arc;

/// The assignment of the pieces of a layout to the groups of a class, and to one of its stored sides.
pub struct Mapping {
    /// The class of the table.
    pub class: Arc<Class>,
    /// The side to move in the table.
    pub side: Side,
    /// The group of each dim.
    dims: Vec<usize>,
    /// The group of the lane piece; `None` if it is not on the board.
    pub lane: Option<usize>,
    /// Whether the board is turned.
    pub turned: bool,
    /// Whether placements that differ only in the lane piece have numbers that follow from one of them.
    pub is_regular: bool,
}

impl Mapping {
    /// The class's own positions with one of its stored sides to move.
    pub fn own(class: &Arc<Class>, layout: &Layout, side: Side) -> Self {
        let dims = layout.dims.iter().map(|dim| dim.group).collect();
        Self::new(Arc::clone(class), side, dims, Some(layout.lane.group), false)
    }

    /// The class's own positions with either side to move. `place` is that of the class's own material.
    pub fn of_side(class: &Arc<Class>, layout: &Layout, side: Side, place: &Place) -> Self {
        if class.symmetric && side == Side::Second {
            // Not stored: the color swap is.
            Self::cast(class, layout, None, true, place, side)
        } else {
            Self::own(class, layout, side)
        }
    }

    /// The positions after a capture of a piece of the dim `victim`, or of the lane piece, with `side` to move.
    pub fn of_rest(class: &Class, rest: &Layout, victim: Option<usize>, place: &Place, side: Side) -> Self {
        let group = rest.dims.get(victim.unwrap_or(usize::MAX)).map_or(rest.lane.group, |dim| dim.group);
        Self::cast(class, rest, Some(group), victim.is_some(), place, side)
    }

    fn cast(
        class: &Class,
        layout: &Layout,
        weakened: Option<usize>,
        with_lane: bool,
        place: &Place,
        to_move: Side,
    ) -> Self {
        let (casting, side) = place.casting(to_move.color());
        let target = |of: Side, animal: Animal| {
            let groups = place.class.groups.iter().zip(&casting.animals);
            let mut found =
                groups.map(|(group, animals)| casting.color(group.side) == of.color() && animals.contains(&animal));
            found.position(std::convert::identity).unwrap_or_default()
        };
        // The captured piece is the first of its group.
        let animal = |group: usize| class.groups[group].animals[usize::from(weakened == Some(group))..].first();
        let group = |group: usize| animal(group).map_or(0, |&animal| target(class.groups[group].side, animal));
        let dims = layout.dims.iter().map(|dim| group(dim.group)).collect();
        let lane = with_lane.then(|| group(layout.lane.group));
        Self::new(Arc::clone(&place.class), side, dims, lane, casting.swapped)
    }

    fn new(class: Arc<Class>, side: Side, dims: Vec<usize>, lane: Option<usize>, turned: bool) -> Self {
        let is_regular = lane == Some(class.groups.len() - 1) && class.index().leads().is_some();
        Self { class, side, dims, lane, turned, is_regular }
    }

    /// The squares of each group of the class.
    #[inline]
    pub fn sets(&self, board: &Board, layout: &Layout, config: &Config) -> DimSets {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for ((_, set), &group) in layout.dims.iter().zip(config.sets).zip(&self.dims) {
            sets[group] |= self.look(board, set);
        }
        sets
    }

    /// Squares of the layout on the board of the table.
    #[inline]
    pub fn look(&self, board: &Board, set: SquareSet) -> SquareSet {
        if self.turned { board.turn_set(set) } else { set }
    }
}
