//! Values as the package's numbers.

use jungletb::game::Category;

/// A category as a number.
pub const fn category(category: Category) -> i8 {
    match category {
        Category::Loss => -1,
        Category::Draw => 0,
        Category::Win => 1,
    }
}

/// The category of a position that was left out.
pub const NO_CATEGORY: i8 = i8::MIN;

/// A distance as a number.
#[derive(Clone, Copy)]
pub struct Distance(pub i32);

impl Distance {
    /// A draw has none.
    pub const DRAW: Self = Self(-1);
    /// The tables do not tell it.
    pub const UNKNOWN: Self = Self(-2);

    /// The distance of a value.
    pub fn of(category: Category, plies: Option<u16>) -> Self {
        match (category, plies) {
            (Category::Draw, _) => Self::DRAW,
            (_, Some(plies)) => Self(plies.into()),
            (_, None) => Self::UNKNOWN,
        }
    }
}
