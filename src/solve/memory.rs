//! How much memory solving a class takes, without laying it out.

use super::layout::DimShape;
use crate::material::Class;

/// What the program itself takes, and blocks on their way to the disk.
const OVERHEAD: u64 = 24 << 20;

/// Bytes of memory that solving a class takes, with so many bytes for a distance: 0 for results alone, usually 1, and
/// 2 for a class with wins of more than 250 plies.
pub fn memory_need(class: &Class, width: usize) -> u64 {
    let words = 3 * size_of::<u64>() as u64;
    let cells = 64 * width as u64;
    2 * configurations(class) * (words + cells) + views(class) * width.max(1) as u64 + OVERHEAD
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
    use super::super::layout::Layout;
    use super::super::view::{Slot, View};
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
                let dims = layout.dims.iter().enumerate().filter(|(_, dim)| dim.size > 0);
                let slots = dims.map(|(at, _)| Slot::Dim(at)).chain([Slot::Plane]);
                let size: usize = slots.map(|victim| View::<u8>::size(&layout, victim)).sum();
                assert_eq!(configurations(&class), layout.configurations() as u64, "{name} {class:?}");
                assert_eq!(views(&class), size as u64, "{name} {class:?}");
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
