//! Slabs: stretches of states of the lead, in the order of the index.

use crate::game::SquareSet;
use crate::material::{Class, MAX_PIECES, unrank_set};
use std::ops::Range;

/// Orders the states of the lead as the index does: so the placements of a slab have consecutive numbers, unless the
/// index has several parts.
pub struct LeadOrder<'a> {
    /// The class.
    pub class: &'a Class,
}

impl LeadOrder<'_> {
    /// The number of some placement with these squares of the first group.
    pub fn number(&self, set: SquareSet) -> u64 {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        sets[0] = set;
        let mut occupied = set;
        for (sets, group) in sets.iter_mut().zip(&self.class.groups).skip(1) {
            let free = group.domain.without(occupied);
            if free.len() < group.len() {
                return u64::MAX;
            }
            *sets = unrank_set(0, group.len(), free);
            occupied |= *sets;
        }
        self.class.index().encode(&sets)
    }
}

/// Divides the states of the lead, each with this number of configurations, into slabs of at least `least`.
pub fn slabs(states: usize, configurations: usize, least: usize) -> Vec<Range<usize>> {
    let step = least.div_ceil(configurations.max(1)).max(1);
    (0..states).step_by(step).map(|start| start..states.min(start + step)).collect()
}
