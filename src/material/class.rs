//! Classes: materials that share a table.

use super::group::Group;
use super::index::Index;
use super::material::Material;
use super::placement::{MAX_PIECES, Sets};
use super::side::Side;
use crate::game::{Animal, Color, Piece, Position, Rules, SquareSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The materials that are the same game under other names.
///
/// A class has its own orientation, in which its first side plays White; in the representative material either color
/// may be the first side. Orientation, order of groups and hence the index depend only on what the pieces may do, not
/// on names, so that tables can be shared between rule sets.
pub struct Class {
    /// The representative material, which names the class.
    pub representative: Material,
    /// Its groups in the order in which the index places them; the last is the plane group.
    pub groups: Vec<Group>,
    /// Whether exchanging the sides gives the same class; then only one side to move is stored.
    pub symmetric: bool,
    /// Hash of what the pieces may do and of the board: identifies the game, independent of names.
    pub fingerprint: u64,
    pub(super) index: OnceLock<Index>,
}

impl Class {
    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        self.groups.iter().map(Group::len).sum()
    }

    /// The sides to move that a table of this class stores.
    pub fn stored_sides(&self) -> &'static [Side] {
        if self.symmetric { &Side::BOTH[..1] } else { &Side::BOTH }
    }

    /// Number of placements that a stored one without fixed symmetry represents by exchanging like pieces.
    pub fn like_orders(&self) -> u64 {
        self.groups.iter().map(|group| (1..=group.len() as u64).product::<u64>()).product()
    }

    /// The name of its tables: that of the representative material.
    pub fn name(&self) -> String {
        self.representative.to_string()
    }

    /// The material of its groups in the class's own orientation.
    pub fn material(&self) -> Material {
        let mut sides = [0_u8; 2];
        for group in &self.groups {
            for animal in &group.animals {
                sides[group.side.index()] |= 1 << animal.index();
            }
        }
        Material::new(sides[0], sides[1])
    }

    /// The index of its placements.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.groups))
    }

    /// Number of positions a table of this class stores.
    pub fn stored_positions(&self) -> u64 {
        self.index().len() * self.stored_sides().len() as u64
    }
}

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        self.representative == other.representative && self.fingerprint == other.fingerprint
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Class({})", self.representative)
    }
}

/// The location of a material's positions: its class, and how to convert them to the class's orientation.
#[derive(Clone, Debug)]
pub struct Place {
    /// The class.
    pub class: Arc<Class>,
    /// One, or two for a symmetric class, which differ in the color that plays the first side.
    pub(super) castings: Vec<Casting>,
}

/// Assignment of the pieces of a material to the groups of a class.
#[derive(Clone, Debug)]
pub struct Casting {
    /// Whether White plays the class's second side.
    pub swapped: bool,
    /// The animals of the material in each group of the class.
    pub animals: Vec<Vec<Animal>>,
}

impl Casting {
    /// The color that plays a side.
    pub const fn color(&self, side: Side) -> Color {
        Color::BOTH[side.index() ^ self.swapped as usize]
    }

    /// The side that a color plays.
    pub const fn side(&self, color: Color) -> Side {
        Side::BOTH[color.index() ^ self.swapped as usize]
    }
}

impl Place {
    /// A casting in which the class stores this side to move, and that side.
    #[inline]
    pub fn casting(&self, to_move: Color) -> (&Casting, Side) {
        let stored = |casting: &&Casting| !self.class.symmetric || casting.side(to_move) == Side::First;
        let casting = self.castings.iter().find(stored).unwrap_or(&self.castings[0]);
        (casting, casting.side(to_move))
    }

    /// The squares of each group, and the stored side to move.
    #[inline]
    pub fn sets(&self, rules: &Rules, position: &Position) -> (Sets, Side) {
        let (casting, side) = self.casting(position.to_move());
        let mut sets = [SquareSet::EMPTY; MAX_PIECES];
        for ((set, group), animals) in sets.iter_mut().zip(&self.class.groups).zip(&casting.animals) {
            let color = casting.color(group.side);
            let squares = animals.iter().filter_map(|&animal| position.square(Piece { color, animal }));
            let squares = squares.collect::<SquareSet>();
            *set = if casting.swapped { rules.board().turn_set(squares) } else { squares };
        }
        (sets, side)
    }

    /// The position with these squares and this color to move, like pieces in ascending order: the inverse of
    /// [`Place::sets`].
    pub fn position(&self, rules: &Rules, sets: &Sets, to_move: Color) -> Position {
        let (casting, _) = self.casting(to_move);
        let mut position = Position::empty(to_move);
        for ((group, animals), set) in self.class.groups.iter().zip(&casting.animals).zip(*sets) {
            let color = casting.color(group.side);
            let set = if casting.swapped { rules.board().turn_set(set) } else { set };
            for (&animal, square) in animals.iter().zip(set) {
                position.set(Piece { color, animal }, Some(square));
            }
        }
        position
    }
}
