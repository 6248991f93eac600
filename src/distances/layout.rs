//! Where the pieces of a class stand in memory: the plane piece as lanes, the others as the digits of a configuration.

use crate::game::{Movement, Rules, SquareSet};
use crate::material::{Class, MAX_PIECES, Material, Side, binomial, rank_set, unrank_set};

/// One set of squares per slot; those of the plane piece are unused.
pub type SlotSets = [SquareSet; MAX_PIECES];

/// Like pieces of a class that share a digit, or the plane piece.
pub struct Slot {
    /// Index of their group in the class.
    pub group: usize,
    /// Their side.
    pub side: Side,
    /// Index of any of the animals.
    pub animal: usize,
    /// Number of pieces.
    pub size: usize,
    /// Squares they may stand on.
    pub domain: SquareSet,
    /// What they may do.
    pub movement: Movement,
    /// By side: whether its pieces in the water block their jumps.
    pub stopped_by: [bool; 2],
}

/// The slots of a class.
pub struct Layout {
    /// The slot with the most sets first, the plane piece last.
    pub slots: Vec<Slot>,
}

impl Layout {
    /// Lays out a class in its own orientation.
    pub fn new(rules: &Rules, class: &Class) -> Self {
        let plane_group = class.groups.len() - 1;
        let slot = |group: usize, size: usize| {
            let pieces = &class.groups[group];
            let movement = rules.movement(pieces.side.color(), pieces.animal()).clone();
            let stops = |owner| if owner == pieces.side { movement.stopped_by_own } else { movement.stopped_by_enemy };
            Slot {
                group,
                side: pieces.side,
                animal: pieces.animal().index(),
                size,
                domain: pieces.domain,
                stopped_by: Side::BOTH.map(stops),
                movement,
            }
        };
        let sizes = class.groups.iter().enumerate();
        let sizes = sizes.map(|(group, pieces)| (group, pieces.len() - usize::from(group == plane_group)));
        let mut slots: Vec<Slot> = sizes.filter(|(_, size)| *size > 0).map(|(group, size)| slot(group, size)).collect();
        slots.sort_by_key(|slot| (std::cmp::Reverse(binomial(slot.domain.len(), slot.size)), slot.group));
        slots.push(slot(plane_group, 1));
        Self { slots }
    }

    /// Index of the plane piece's slot.
    pub const fn plane(&self) -> usize {
        self.slots.len() - 1
    }

    /// The slots other than the plane piece.
    pub fn dims(&self) -> &[Slot] {
        &self.slots[..self.plane()]
    }

    /// The sets of each slot, from those of each group without the plane piece.
    pub fn sets(&self, groups: &[SquareSet]) -> SlotSets {
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for (set, slot) in sets.iter_mut().zip(self.dims()) {
            *set = groups[slot.group];
        }
        sets
    }
}

/// The digit of a slot within a configuration.
pub struct Digit {
    size: usize,
    domain: SquareSet,
    /// Rank of each square, for single pieces.
    ranks: [u8; 64],
    /// Lanes between consecutive values of the digit.
    pub stride: usize,
    /// For the leading digit of a class reduced by its mirror symmetry, by rank of the set: the value of the digit, and
    /// whether it stands for the mirror image.
    images: Vec<(u32, bool)>,
}

impl Digit {
    /// The digit of `size` pieces, and its number of values. Mirrored: one value for each set and its image.
    pub fn new(size: usize, domain: SquareSet, stride: usize, is_mirrored: bool) -> (Self, usize) {
        let mut ranks = [0; 64];
        for (rank, square) in (0..).zip(domain) {
            ranks[square.index()] = rank;
        }
        let sets = binomial(domain.len(), size);
        let mut digit = Self { size, domain, ranks, stride, images: Vec::new() };
        if !is_mirrored {
            return (digit, sets as usize);
        }
        let mut values = 0;
        for rank in 0..sets {
            let image = rank_set(unrank_set(rank, size, domain).mirror(), domain) as usize;
            if image < rank as usize {
                digit.images.push((digit.images[image].0, true));
            } else {
                digit.images.push((values, false));
                values += 1;
            }
        }
        (digit, values as usize)
    }

    /// The offset of a set, and whether it stands for the mirror image.
    #[inline]
    pub fn offset(&self, set: SquareSet) -> (usize, bool) {
        let rank = match self.size {
            0 => 0,
            1 => self.ranks[set.0.trailing_zeros() as usize & 63].into(),
            _ => rank_set(set, self.domain) as usize,
        };
        match self.images.get(rank) {
            Some(&(value, flip)) => (value as usize * self.stride, flip),
            None => (rank * self.stride, false),
        }
    }
}

/// The material that is left when a slot loses a piece.
pub fn material_without(class: &Class, slot: &Slot) -> Material {
    class.material().without(class.groups[slot.group].piece())
}
