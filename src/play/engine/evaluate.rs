//! Evaluation of positions that neither tables nor search decide: material, and the distance to the enemy den.
//!
//! Both are computed from the masks of the rules, so every rule set has its own evaluation. The value of an animal
//! increases with the number of enemies it captures, decreases with the number that capture it, and is higher if it
//! crosses water. A piece gains value near the den, most on the last squares, and slightly more if it is strong and so
//! harder to stop.

use super::score::Score;
use crate::game::{Animal, Color, Movement, Piece, Rules, Square, SquareSet};

/// Value of each piece on each square: positive for White, negative for Black.
pub struct Evaluation {
    values: Box<[[[i32; Square::COUNT]; 8]; 2]>,
    /// By animal, without the square: for sorting captures.
    material: [i32; 8],
}

/// Base value of an animal that captures nothing, in hundredths of the weakest piece's value.
const BASE: i32 = 100;
/// Bonus per enemy that it captures.
const TAKES: i32 = 80;
/// Bonus per enemy that does not capture it.
const SAFE: i32 = 25;
/// Bonus for jumping over the river or swimming in it.
const CROSSES_WATER: i32 = 150;
/// Bonus of a piece by its distance from the den in moves; 0 beyond the end of the table.
const NEAR: [i32; 14] = [0, 150, 110, 85, 68, 56, 46, 37, 29, 22, 16, 10, 5, 2];

impl Evaluation {
    /// Computes the value of every piece on every square.
    pub fn new(rules: &Rules) -> Self {
        let material = Animal::ALL.map(|animal| worth(rules, animal));
        let mut values = Box::new([[[0; Square::COUNT]; 8]; 2]);
        for color in Color::BOTH {
            let sign = if color == Color::White { 1 } else { -1 };
            for animal in Animal::ALL {
                let distances = distances(rules, color, animal);
                for square in rules.movement(color, animal).domain {
                    let away = distances[square.index()].min(NEAR.len() - 1);
                    let near = NEAR[away] * (1000 + material[animal.index()]) / 2000;
                    values[color.index()][animal.index()][square.index()] = sign * (material[animal.index()] + near);
                }
            }
        }
        Self { values, material }
    }

    /// Value of a piece on a square.
    #[inline]
    pub fn of(&self, piece: Piece, square: Square) -> i32 {
        self.values[piece.color.index()][piece.animal.index()][square.index()]
    }

    /// Value of an animal on any square.
    pub const fn material(&self, animal: Animal) -> i32 {
        self.material[animal.index()]
    }

    /// An estimate limited to the range of estimates.
    pub fn clamp(estimate: i32) -> i32 {
        estimate.clamp(-Score::ESTIMATE, Score::ESTIMATE)
    }
}

fn worth(rules: &Rules, animal: Animal) -> i32 {
    let board = rules.board();
    let plain = board.squares.without(board.traps[0] | board.traps[1] | board.water);
    let takes = |attacker: Animal, victim: Animal| {
        let takes = &rules.movement(Color::White, attacker).takes[victim.index()];
        plain.into_iter().any(|from| takes[from.index()].meets(plain))
    };
    let movement = rules.movement(Color::White, animal);
    let crosses = movement.is_jumper() || movement.domain.meets(board.water);
    let count = |test: &dyn Fn(Animal) -> bool| board.animals.iter().filter(|&&other| test(other)).count() as i32;
    BASE + TAKES * count(&|other| takes(animal, other))
        + SAFE * count(&|other| !takes(other, animal))
        + if crosses { CROSSES_WATER } else { 0 }
}

/// Moves to the enemy den on the empty board, from each square; `usize::MAX` if it cannot be reached.
fn distances(rules: &Rules, color: Color, animal: Animal) -> [usize; Square::COUNT] {
    let movement: &Movement = rules.movement(color, animal);
    let mut distances = [usize::MAX; Square::COUNT];
    let mut reached = rules.board().goal(color).set();
    for distance in 1.. {
        let next: SquareSet = movement
            .domain
            .without(reached)
            .into_iter()
            .filter(|&from| movement.reach(from, SquareSet::EMPTY, SquareSet::EMPTY).meets(reached))
            .collect();
        if next.is_empty() {
            break;
        }
        for square in next {
            distances[square.index()] = distance;
        }
        reached |= next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PRESETS, Position};

    fn balance(evaluation: &Evaluation, position: &Position) -> i32 {
        position.pieces().map(|(piece, square)| evaluation.of(piece, square)).sum()
    }

    #[test]
    fn both_sides_are_judged_alike() {
        for name in PRESETS {
            let rules = Rules::preset(name).unwrap();
            let evaluation = Evaluation::new(&rules);
            for animal in rules.board().animals {
                for square in rules.movement(Color::White, *animal).domain {
                    let mut position = Position::empty(Color::White);
                    position.set(Piece { color: Color::White, animal: *animal }, Some(square));
                    let value = balance(&evaluation, &position);
                    assert!(value > 0);
                    assert_eq!(balance(&evaluation, &position.mirror()), value);
                    assert_eq!(balance(&evaluation, &position.swap_colors(&rules)), -value);
                }
            }
        }
    }

    #[test]
    fn animals_and_squares_are_worth_what_players_think() {
        let rules = Rules::standard();
        let evaluation = Evaluation::new(&rules);
        let worth = |animal| evaluation.material(animal);
        assert!(worth(Animal::Cat) < worth(Animal::Dog) && worth(Animal::Dog) < worth(Animal::Wolf));
        assert!(worth(Animal::Cat) < worth(Animal::Rat) && worth(Animal::Rat) < worth(Animal::Tiger));
        assert!(worth(Animal::Leopard) < worth(Animal::Tiger) && worth(Animal::Tiger) < worth(Animal::Lion));
        let lion = distances(&rules, Color::White, Animal::Lion);
        let at = |text: &str| lion[Square::parse(text).unwrap().index()];
        assert_eq!(["d8", "c9", "d7", "d3", "b3", "a5"].map(at), [1, 1, 2, 5, 5, 5]);
        let dog = distances(&rules, Color::White, Animal::Dog);
        assert_eq!(dog[Square::parse("b3").unwrap().index()], 8);
        assert_eq!(dog[Square::parse("b5").unwrap().index()], usize::MAX);
    }
}
