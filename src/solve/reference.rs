//! A reference solver by the plainest method, using only `game`. It shares no code with the passes, which are tested
//! against it.
//!
//! Every position of a material, with either side to move, holds a value; ply by ply, every undecided position is
//! examined and gets a value if its successors decide it. Slow, and written to be read.

use crate::game::{Animal, Category, Color, Piece, Position, Rules, Square};
use crate::material::Material;
use crate::table::Value;
use std::collections::HashMap;

/// Solved materials.
pub struct Reference<'a> {
    rules: &'a Rules,
    solved: HashMap<Material, Vec<Option<Value>>>,
}

impl<'a> Reference<'a> {
    /// A solver without solved materials.
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, solved: HashMap::new() }
    }

    /// Solves a material and everything its captures lead to.
    pub fn solve(&mut self, material: Material) {
        if self.solved.contains_key(&material) {
            return;
        }
        for (color, animal) in pieces(material) {
            let rest = material.without(Piece { color, animal });
            if !rest.is_one_sided() {
                self.solve(rest);
            }
        }
        let mut values = vec![None; 2 * 64_usize.pow(material.len() as u32)];
        let mut open = positions(self.rules, material);
        let mut last_change = 0;
        for ply in 0.. {
            let mut found = Vec::new();
            open.retain(|position| {
                let value = self.value_at(position, ply, material, &values);
                found.extend(value.map(|value| (number(position), value)));
                value.is_none()
            });
            for (number, value) in found {
                values[number] = Some(value);
                last_change = ply;
            }
            // Captures can take effect up to the greatest distance of the smaller materials.
            if ply > last_change + 1 && ply > self.longest() {
                break;
            }
        }
        for position in open {
            values[number(&position)] = Some(Value::DRAW);
        }
        self.solved.insert(material, values);
    }

    /// The value of a position of a solved material, or of a finished game.
    ///
    /// # Panics
    /// Panics if the material was not solved.
    pub fn value(&self, position: &Position) -> Value {
        match position.conversion(self.rules) {
            Some((_, winner)) if winner == position.to_move() => Value::decided(1),
            Some(_) => Value::decided(0),
            None => {
                let values = &self.solved[&Material::of(position)];
                values[number(position)].expect("every position of a solved material has a value")
            }
        }
    }

    /// All positions of a material in which the game continues or ends because the side to move has no move.
    pub fn positions(&self, material: Material) -> Vec<Position> {
        positions(self.rules, material)
    }

    /// The value of a position if it is decided in exactly `ply` plies.
    fn value_at(&self, position: &Position, ply: u16, material: Material, values: &[Option<Value>]) -> Option<Value> {
        if let Some((_, category)) = position.over(self.rules) {
            return match category {
                Category::Draw => Some(Value::DRAW),
                _ => Some(Value::decided(0)),
            };
        }
        let known = |successor: &Position| {
            if successor.conversion(self.rules).is_none() && Material::of(successor) == material {
                values[number(successor)]
            } else {
                Some(self.value(successor))
            }
        };
        // After a move to a lost position: won one ply later. After the longest of moves that all lead to won
        // positions: lost.
        let mut slowest = 0;
        let mut all_lose = true;
        for successor in position.successors(self.rules) {
            match known(&successor.position) {
                Some(value) if value.category() == Category::Loss => {
                    if value.plies().is_some_and(|plies| plies < ply) {
                        return Some(value.before());
                    }
                    all_lose = false;
                }
                Some(value) if value.category() == Category::Win => {
                    slowest = slowest.max(value.plies().unwrap_or(0));
                }
                _ => all_lose = false,
            }
        }
        (all_lose && slowest < ply).then(|| Value::decided(slowest + 1))
    }

    fn longest(&self) -> u16 {
        let all = self.solved.values().flatten().flatten();
        all.filter_map(|value| value.plies()).max().unwrap_or(0) + 1
    }
}

fn pieces(material: Material) -> Vec<(Color, Animal)> {
    Color::BOTH.into_iter().flat_map(|color| material.animals(color).map(move |animal| (color, animal))).collect()
}

/// The squares of the pieces as base-64 digits, and the side to move.
fn number(position: &Position) -> usize {
    let squares = position.pieces().fold(0, |number, (_, square)| number * 64 + square.index());
    squares * 2 + position.to_move().index()
}

fn positions(rules: &Rules, material: Material) -> Vec<Position> {
    let mut positions = vec![Position::empty(Color::White)];
    for (color, animal) in pieces(material) {
        let squares: Vec<Square> = rules.movement(color, animal).domain.into_iter().collect();
        let place = |position: &Position| {
            let occupied = position.occupied(Color::White) | position.occupied(Color::Black);
            let free = squares.clone().into_iter().filter(move |&square| !occupied.has(square));
            let position = *position;
            free.map(move |square| {
                let mut position = position;
                position.set(Piece { color, animal }, Some(square));
                position
            })
            .collect::<Vec<_>>()
        };
        positions = positions.iter().flat_map(place).collect();
    }
    let both = |mut position: Position| {
        Color::BOTH.map(|color| {
            position.set_to_move(color);
            position
        })
    };
    positions.into_iter().flat_map(both).collect()
}
