//! Equivalence of positions: the same game under other names, with any number of pieces.

use super::classes::Classes;
use crate::game::{Animal, Color, Position, Rules};

/// A key shared by all positions that differ only by mirroring, by the colors, or by exchanging animals with equal
/// abilities; positions of different games have different keys.
///
/// The squares determine an order of a position's pieces. What each piece may do alone and to each other, in that
/// order, determines the game.
///
/// ```
/// use jungletb::game::{Position, Rules};
/// use jungletb::material::{Classes, same_game_key};
///
/// let rules = Rules::standard();
/// let classes = Classes::new(&rules);
/// let key = |text: &str| same_game_key(&classes, &rules, &Position::parse(&rules, text).unwrap());
/// let cat_and_dog = key("7/2c4/7/7/7/7/7/3D3/7 w");
/// assert_eq!(cat_and_dog, key("7/4c2/7/7/7/7/7/3D3/7 w"));
/// assert_eq!(cat_and_dog, key("7/3d3/7/7/7/7/7/4C2/7 b"));
/// assert_eq!(cat_and_dog, key("7/2w4/7/7/7/7/7/3P3/7 w"));
/// assert_ne!(cat_and_dog, key("7/2d4/7/7/7/7/7/3C3/7 w"));
/// ```
pub fn same_game_key(classes: &Classes, rules: &Rules, position: &Position) -> Vec<u64> {
    let position = match position.to_move() {
        Color::White => *position,
        Color::Black => position.swap_colors(rules),
    };
    form(classes, &position).min(form(classes, &position.mirror()))
}

fn form(classes: &Classes, position: &Position) -> Vec<u64> {
    let mut key = Vec::new();
    let sides = Color::BOTH.map(|color| {
        let mut pieces: Vec<_> =
            position.pieces_of(color).map(|(piece, square)| (square.index(), piece.animal)).collect();
        pieces.sort_unstable();
        key.extend(pieces.iter().map(|(square, _)| *square as u64));
        pieces.into_iter().map(|(_, animal)| animal).collect::<Vec<Animal>>()
    });
    key.extend(classes.traits().signature([&sides[0], &sides[1]]));
    key
}
