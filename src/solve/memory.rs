//! Memory and scratch space needed to solve a class, computed without laying it out.

use super::layout::{DimMove, DimShape};
use super::solver::Tuning;
use crate::game::SquareSet;
use crate::material::Class;

/// What solving a class takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Memory with everything that is read in each pass in memory.
    pub memory: u64,
    /// Memory with the bit planes in scratch files, which are read and written in each pass.
    pub streamed: u64,
    /// Scratch space for the journal, about; 0 if it is in memory.
    pub journal: u64,
    /// Scratch space for the bit planes, if they are in files.
    pub planes: u64,
}

/// Fixed overhead of the program, including blocks waiting to be written.
const OVERHEAD: u64 = 32 << 20;
/// Classes with at least this many stored positions keep their journal in a file.
pub const LONG: u64 = 100_000_000;
/// Classes with at least this many stored positions compress it, which takes a tenth more time.
pub const HUGE: u64 = 1_000_000_000;

impl Need {
    /// The need of a class, for DTW or for WDL only.
    pub fn of(class: &Class, distances: bool) -> Self {
        let planes = 2 * 3 * size_of::<u64>() as u64 * configurations(class);
        let marks = 2 * 2 * size_of::<u16>() as u64 * rows(class);
        let positions = class.stored_positions();
        // Measured with five pieces: 0.75 bytes per position in memory, 0.16 compressed.
        let in_memory = if distances && positions < LONG { positions } else { 0 };
        let journal = match (positions >= LONG, positions >= HUGE) {
            (false, _) => 0,
            (true, false) => positions,
            (true, true) => positions / 5,
        };
        let codes = if distances { codes(class) } else { 0 };
        let seeds = views(class) + if distances { restored(class) } else { 0 };
        let streamed = marks + in_memory + seeds.max(codes) + dims(class) + OVERHEAD;
        Self { memory: streamed + planes, streamed: streamed + planes / 8, journal, planes }
    }

    /// The memory to use under a limit, and whether the planes are then in files; `None` if the limit is too low.
    pub const fn within(&self, limit: u64) -> Option<PlanesIn> {
        if self.memory <= limit {
            Some(PlanesIn::Memory)
        } else if self.streamed <= limit {
            Some(PlanesIn::Files)
        } else {
            None
        }
    }
}

/// Where the bit planes of a class are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanesIn {
    /// In memory.
    Memory,
    /// In scratch files, mapped.
    Files,
}

/// Number of rows in the layout of a class.
fn rows(class: &Class) -> u64 {
    let dims = DimShape::all(class);
    let outer = dims.iter().enumerate().take(dims.len() - 1);
    outer.map(|(at, dim)| dim.states(at == 0)).product()
}

/// Upper bound in bytes of the lists of states and moves of all dims.
fn dims(class: &Class) -> u64 {
    let dims = DimShape::all(class).into_iter().enumerate();
    dims.map(|(at, dim)| {
        // A state, its mirror image and its moves: about four per piece. The capacity of a list is a power of two, and
        // the allocator adds some overhead.
        let moves = (4 * dim.size as u64).next_power_of_two() * size_of::<DimMove>() as u64;
        let state = 2 * size_of::<SquareSet>() as u64 + size_of::<Vec<DimMove>>() as u64 + moves + 16;
        // Each set is stored once permanently, and once while the states are enumerated.
        dim.sets(dim.size) * 16 + dim.states(at == 0) * state
    })
    .sum()
}

/// Number of configurations in the layout of a class.
fn configurations(class: &Class) -> u64 {
    let dims = DimShape::all(class).into_iter().enumerate();
    dims.map(|(at, dim)| dim.states(at == 0)).product()
}

/// States of the lead in a slab, and the configurations of each.
fn slab(class: &Class) -> (u64, u64) {
    let states = DimShape::all(class)[0].states(true);
    let each = configurations(class) / states;
    ((Tuning::DEFAULT.slab as u64).div_ceil(each.max(1)).min(states), each)
}

/// Bytes of the distances that are restored at a time: of two slabs, two bytes each.
fn codes(class: &Class) -> u64 {
    let (states, each) = slab(class);
    (2 * states * each).min(configurations(class)) * 64 * 2
}

/// Bytes of the views that are held at a time.
fn views(class: &Class) -> u64 {
    let dims = DimShape::all(class);
    let lead = dims[0];
    // Of each set of the lead: the placements of the other dims, without the victim.
    let without = |victim: usize| -> u64 {
        let left = dims.iter().enumerate().skip(1).map(|(at, dim)| dim.sets(dim.size - usize::from(at == victim)));
        left.product()
    };
    let victims = dims.iter().enumerate().skip(1).filter(|(_, dim)| dim.size > 0);
    let each = victims.map(|(at, _)| 64 * without(at)).sum::<u64>() + without(usize::MAX);
    let sets = lead.sets(lead.size);
    // A state, and those that one of at most six moves or jumps of each piece leads to.
    let around_slab = (slab(class).0 * (1 + 6 * lead.size as u64)).min(sets);
    let of_lead = 64 * lead.sets(lead.size - 1) * without(usize::MAX);
    of_lead + (each * sets).min((Tuning::DEFAULT.views as u64).max(each * around_slab))
}

/// Bytes of the values of one smaller class, whose distances are restored while they are read: a byte for each
/// placement, up to mirror images.
fn restored(class: &Class) -> u64 {
    let dims = DimShape::all(class);
    let without = |victim: usize| -> u64 {
        let left = dims.iter().enumerate().map(|(at, dim)| dim.sets(dim.size - usize::from(at == victim)));
        left.product()
    };
    let of_dims = dims.iter().enumerate().filter(|(_, dim)| dim.size > 0).map(|(at, _)| 64 * without(at));
    of_dims.max().unwrap_or(0).max(without(usize::MAX)) / 5 * 3
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Dim, Layout};
    use super::super::view::{LeadSets, View};
    use super::*;
    use crate::game::Rules;
    use crate::material::{Classes, graph};

    #[test]
    fn counts_are_those_of_the_layout() {
        let mut checked = 0;
        for name in ["standard", "japanese", "animal-checkers"] {
            let rules = Rules::preset(name).unwrap();
            let classes = Classes::new(&rules);
            for class in graph::up_to(&classes, &rules, 4) {
                let layout = Layout::new(&rules, &class, Tuning::DEFAULT.slab);
                let slots = layout.slots.iter().filter(|pieces| pieces.size > 0);
                let lead = LeadSets::around(&layout, &(0..layout.dims[0].states.len()));
                let size: usize = slots.map(|pieces| View::<u8>::size(&layout, pieces.slot, &lead)).sum();
                assert_eq!(configurations(&class), layout.configurations() as u64, "{name} {class:?}");
                assert_eq!(views(&class), size as u64, "{name} {class:?}");
                assert_eq!(rows(&class), layout.rows as u64, "{name} {class:?}");
                let slabs = layout.slabs.iter().map(|slab| slab.len() as u64);
                assert_eq!(slab(&class).0, slabs.max().unwrap(), "{name} {class:?}");
                let taken: usize = layout.dims.iter().map(Dim::bytes).sum();
                let (taken, counted) = (taken as u64, dims(&class));
                assert!((taken..3 * taken + 100).contains(&counted), "{name} {class:?}: {taken} and {counted}");
                checked += 1;
            }
        }
        assert!(checked > 300, "{checked}");
    }

    /// Solving a class whose seven like pieces have hundreds of millions of states once listed them all in memory.
    #[test]
    fn many_like_pieces_are_counted_at_once() {
        let text = "base = \"standard\"\n[strength]\nrat = 8\ncat = 8\ndog = 8\nwolf = 8\nleopard = 8\ntiger = 8\nlion = 8\n\
                    [jumps]\ntiger = \"none\"\nlion = \"none\"\n";
        let rules = Rules::from_toml("alike", text).unwrap();
        let classes = Classes::new(&rules);
        let largest = classes.with_pieces(&rules, 8).iter().map(|class| Need::of(class, true).memory).max();
        assert!(largest.unwrap() > 1 << 40, "{largest:?}");
    }
}
