//! What captures lead to: the values of the smaller classes, laid out like those of the class itself.
//!
//! A capture by one side leaves the other to move without one piece. If the victim stands in a dim, its values are rows
//! again, with the same lanes; if it is the lane piece, they are one value per row.

use super::gather::Source;
use super::lanes::{Code, Row};
use super::layout::{Config, Layout};
use super::mapping::Mapping;
use super::successors::States;
use super::{Failure, Verifier, VerifyError};
use crate::game::{Square, SquareSet};
use crate::material::{Class, Place, Side};
use crate::system::filled;
use crate::table::Table;
use rayon::prelude::*;
use std::sync::Arc;

/// What is left after the capture of a piece.
pub enum Lost<T> {
    /// Nothing: it was the last piece of its side, and the game is over.
    All,
    /// Positions of a smaller class.
    One(T),
}

/// The values after the captures of one side.
pub struct Captures<R: Row> {
    /// By dim of the victim; empty for dims of the same side.
    pub dims: Vec<Lost<Rest<R>>>,
    /// If the victim is the lane piece: by row.
    pub lane: Lost<Vec<R::Code>>,
}

/// The values after the capture of a piece of a dim.
pub struct Rest<R: Row> {
    layout: Layout,
    /// The values.
    pub rows: Vec<R>,
    /// By state of the victim's dim and square of the victim: the state that is left, and whether it is of the mirror
    /// image.
    left: Vec<Vec<(Square, u32, bool)>>,
}

impl<R: Row> Rest<R> {
    /// The row for these states of the class, of which a piece on `at` is captured from the dim `victim` in `state`,
    /// and whether it holds the mirror images. `flip`: the lead's state is already that of the mirror image.
    #[inline]
    pub fn row(&self, states: &States, victim: usize, state: u32, at: Square, flip: bool) -> (usize, bool) {
        let mut states = *states;
        let left = self.left[state as usize].iter().find(|left| left.0 == at);
        let (state, turned) = left.map_or((0, false), |&(_, state, turned)| (state, turned));
        states[victim] = state;
        let flip = flip != turned;
        (self.layout.row(&states, flip), flip)
    }
}

/// How the distances of a class that has only WDL are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// By those that are worst for the side that captures.
    Least,
    /// By those that are best for it.
    Most,
}

/// The tables of the smaller classes.
pub struct Smaller {
    /// By dim, then the lane piece: what is left after its capture; `None` if nothing is.
    pub classes: Vec<Option<Arc<Place>>>,
    /// The best table of each.
    pub tables: Vec<Option<Arc<Table>>>,
}

impl Smaller {
    /// The classes that captures of pieces of these sides lead to.
    pub fn new(
        verifier: &Verifier<'_>,
        class: &Class,
        layout: &Layout,
        captured: &[Side],
    ) -> Result<Self, VerifyError> {
        let groups = layout.dims.iter().map(|dim| dim.group).chain([layout.lane.group]);
        let (mut classes, mut tables) = (Vec::new(), Vec::new());
        for group in groups {
            let group = &class.groups[group];
            let rest = class.material().without(group.piece());
            let is_left = captured.contains(&group.side) && !rest.is_one_sided();
            let place = if is_left { Some(Arc::clone(verifier.tables.place(rest)?)) } else { None };
            let table = place.as_ref().map(|place| verifier.tables.table(place.class.representative));
            tables.push(table.transpose()?);
            classes.push(place);
        }
        Ok(Self { classes, tables })
    }

    /// The classes with their tables.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<Place>, &Arc<Table>)> {
        self.classes.iter().flatten().zip(self.tables.iter().flatten())
    }
}

/// Reads all values of one side of a table, in the order of its index.
pub type Whole<'a, C> = dyn Fn(&Mapping) -> Result<Vec<C>, Failure> + 'a;

impl<R: Row> Captures<R> {
    /// Reads the values after all captures by a side. `whole` gives those of one side of a table.
    pub fn read(
        verifier: &Verifier<'_>,
        class: &Class,
        layout: &Layout,
        smaller: &Smaller,
        side: Side,
        whole: &Whole<'_, R::Code>,
    ) -> Result<Self, Failure> {
        let mut dims = Vec::new();
        for (victim, dim) in layout.dims.iter().enumerate() {
            let place = smaller.classes[victim].as_ref().filter(|_| dim.side != side);
            let Some(place) = place else {
                dims.push(Lost::All);
                continue;
            };
            let rest = Layout::after(class, Some(victim));
            let mapping = Mapping::of_rest(class, &rest, Some(victim), place, dim.side);
            let values = whole(&mapping)?;
            let source = Source::new(verifier.tables.rules(), &mapping, &values, 0);
            let mut rows = filled(rest.rows, R::ABSENT).map_err(|_| VerifyError::OutOfMemory(class.name()))?;
            source.fill(&rest, 0, &mut rows);
            let left = dim.states.iter().map(|&set| {
                let without = |at: Square| {
                    let (state, flip) = rest.dims[victim].state(set.without(at.set()));
                    (at, state, flip)
                };
                set.into_iter().map(without).collect()
            });
            let left = left.collect();
            dims.push(Lost::One(Rest { layout: rest, rows, left }));
        }
        let place = smaller.classes[layout.dims.len()].as_ref().filter(|_| layout.lane.side != side);
        let lane = match place {
            None => Lost::All,
            Some(place) => {
                let mapping = Mapping::of_rest(class, layout, None, place, layout.lane.side);
                let values = whole(&mapping)?;
                let source = Source::new(verifier.tables.rules(), &mapping, &values, 0);
                let mut codes =
                    filled(layout.rows, R::Code::ABSENT).map_err(|_| VerifyError::OutOfMemory(class.name()))?;
                codes.par_chunks_mut(super::CHUNK).enumerate().for_each(|(n, codes)| {
                    let mut config = Config::at(layout, n * super::CHUNK);
                    for code in codes {
                        if config.occupied(layout).is_some() {
                            *code = source.code(layout, &config, SquareSet::EMPTY);
                        }
                        config.advance(layout);
                    }
                });
                Lost::One(codes)
            }
        };
        Ok(Self { dims, lane })
    }
}
