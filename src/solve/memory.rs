//! How much memory solving a class takes, without laying it out.

use super::layout::{DimMove, DimShape};
use super::side_state::Marks;
use crate::game::SquareSet;
use crate::material::Class;

/// What the program itself takes, and blocks on their way to the disk.
const OVERHEAD: u64 = 24 << 20;

/// Bytes of memory that solving a class takes, by the number of bytes per distance: 0 for WDL only, usually 1, and
/// 2 for a class with wins of more than 250 plies.
pub fn memory_need(class: &Class, width: usize) -> u64 {
    let words = 3 * size_of::<u64>() as u64;
    let cells = 64 * width as u64;
    let both = configurations(class) * (words + cells) + rows(class) * size_of::<Marks>() as u64;
    2 * both + views(class) * width.max(1) as u64 + dims(class) + OVERHEAD
}

/// Rows of a class's layout.
fn rows(class: &Class) -> u64 {
    let dims = DimShape::all(class);
    let outer = dims.iter().enumerate().take(dims.len() - 1);
    outer.map(|(at, dim)| dim.states(at == 0)).product()
}

/// Bytes of the lists of states and moves of all dims, at most.
fn dims(class: &Class) -> u64 {
    let dims = DimShape::all(class).into_iter().enumerate();
    dims.map(|(at, dim)| {
        // A state, its mirror image and its moves. Four for each piece or not many more; a list's room is a power of
        // two, and the allocator adds some.
        let moves = (4 * dim.size as u64).next_power_of_two() * size_of::<DimMove>() as u64;
        let state = 2 * size_of::<SquareSet>() as u64 + size_of::<Vec<DimMove>>() as u64 + moves + 16;
        // Each set is listed once for good, and once while the states are found.
        dim.sets(dim.size) * 16 + dim.states(at == 0) * state
    })
    .sum()
}

/// Configurations of a class's layout.
fn configurations(class: &Class) -> u64 {
    let dims = DimShape::all(class).into_iter().enumerate();
    dims.map(|(at, dim)| dim.states(at == 0)).product()
}

/// Cells of the views that its victims leave.
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

    /// A class whose seven like pieces have hundreds of millions of states once took them all into memory.
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
