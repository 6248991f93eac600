//! Memory needed to solve a class, computed without laying it out.

use super::layout::{DimMove, DimShape};
use crate::game::SquareSet;
use crate::material::Class;

/// Fixed overhead of the program, including blocks waiting to be written.
const OVERHEAD: u64 = 24 << 20;

/// Bytes of memory needed to solve a class, by bytes per distance: 0 for WDL only, usually 1, and 2 for a class with
/// wins of more than 250 plies.
pub fn memory_need(class: &Class, width: usize) -> u64 {
    let words = 3 * size_of::<u64>() as u64;
    let cells = 64 * width as u64;
    let both = configurations(class) * (words + cells) + rows(class) * 4;
    2 * both + views(class) * width.max(1) as u64 + dims(class) + OVERHEAD
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

/// Number of cells in the views for all victims.
fn views(class: &Class) -> u64 {
    let dims = DimShape::all(class);
    let without = |victim: usize| -> u64 {
        let left = dims.iter().enumerate().map(|(at, dim)| dim.sets(dim.size - usize::from(at == victim)));
        left.product()
    };
    let of_dims = dims.iter().enumerate().filter(|(_, dim)| dim.size > 0).map(|(at, _)| 64 * without(at));
    of_dims.sum::<u64>() + without(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Dim, Layout};
    use super::super::view::View;
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
                let layout = Layout::new(&rules, &class);
                let slots = layout.slots.iter().filter(|pieces| pieces.size > 0);
                let size: usize = slots.map(|pieces| View::<u8>::size(&layout, pieces.slot)).sum();
                assert_eq!(configurations(&class), layout.configurations() as u64, "{name} {class:?}");
                assert_eq!(views(&class), size as u64, "{name} {class:?}");
                assert_eq!(rows(&class), layout.rows as u64, "{name} {class:?}");
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
        let largest = classes.with_pieces(&rules, 8).iter().map(|class| memory_need(class, 1)).max();
        assert!(largest.unwrap() > 1 << 40, "{largest:?}");
    }
}
