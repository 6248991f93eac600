//! The rules compiled to masks: what one animal of one side may do.

use super::animal::{Animal, Color};
use super::board::Board;
use super::rules::{Blockers, ElephantTakesRat, Jumps, RuleKeys, TrappedAttack, Traps};
use super::square::{Square, SquareSet};

/// A jump across the river.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The first land square on the other side.
    pub to: Square,
    /// The water it crosses.
    pub path: SquareSet,
}

/// What one animal of one side may do under one rule set.
#[derive(Clone)]
pub struct Movement {
    /// Squares on which it can stand while the game continues: excludes dens and forbidden squares.
    pub domain: SquareSet,
    /// Squares it may step to from each square, including the enemy den.
    pub steps: [SquareSet; Square::COUNT],
    /// Its jumps from each square.
    pub jumps: Vec<Vec<Jump>>,
    /// Whether a friendly piece in the water blocks its jump.
    pub stopped_by_own: bool,
    /// Whether an enemy piece in the water blocks its jump.
    pub stopped_by_enemy: bool,
    /// `takes[victim][from]`: the reachable squares on which it may capture that enemy animal.
    pub takes: [[SquareSet; Square::COUNT]; 8],
}

impl Movement {
    pub(super) fn new(keys: &RuleKeys, board: &Board, color: Color, animal: Animal) -> Self {
        let judge = Judge { keys, board };
        let domain = judge.domain(animal);
        let mut movement = Self {
            domain,
            steps: [SquareSet::EMPTY; Square::COUNT],
            jumps: vec![Vec::new(); Square::COUNT],
            stopped_by_own: keys.jump_blockers == Blockers::Any && !keys.jumps_over_rats.contains(&animal),
            stopped_by_enemy: keys.jump_blockers != Blockers::None && !keys.jumps_over_rats.contains(&animal),
            takes: [[SquareSet::EMPTY; Square::COUNT]; 8],
        };
        for from in domain {
            let mut reach = SquareSet::EMPTY;
            for direction in DIRECTIONS {
                let Some(next) = step(board, from, direction) else { continue };
                if domain.has(next) || next == board.goal(color) {
                    movement.steps[from.index()] |= next.set();
                    reach |= next.set();
                }
                if let Some(jump) = judge.jump(animal, from, direction) {
                    movement.jumps[from.index()].push(jump);
                    reach |= jump.to.set();
                }
            }
            for victim in Animal::ALL {
                let victims = judge.domain(victim) & reach & domain;
                movement.takes[victim.index()][from.index()] =
                    victims.into_iter().filter(|&to| judge.may_take(color, animal, from, victim, to)).collect();
            }
        }
        movement
    }

    /// The squares this animal reaches from `from` with a step or a jump, given the pieces in the water that would
    /// block it. Does not check whether it may capture a piece on them.
    #[inline]
    pub fn reach(&self, from: Square, own: SquareSet, enemy: SquareSet) -> SquareSet {
        let mut reach = self.steps[from.index()];
        let jumps = &self.jumps[from.index()];
        if !jumps.is_empty() {
            let stoppers = self.stoppers(own, enemy);
            for jump in jumps.iter().filter(|jump| !jump.path.meets(stoppers)) {
                reach |= jump.to.set();
            }
        }
        reach
    }

    /// Of the given pieces, those that block its jump when they are on its path.
    #[inline]
    pub fn stoppers(&self, own: SquareSet, enemy: SquareSet) -> SquareSet {
        let none = SquareSet::EMPTY;
        (if self.stopped_by_own { own } else { none }) | (if self.stopped_by_enemy { enemy } else { none })
    }

    /// Whether it can jump from any square.
    pub fn is_jumper(&self) -> bool {
        self.jumps.iter().any(|jumps| !jumps.is_empty())
    }
}

/// File and rank steps: west, east, south, north.
const DIRECTIONS: [(i8, i8); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

fn step(board: &Board, from: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let file = from.file().checked_add_signed(files).filter(|&file| file < Square::FILES)?;
    let rank = from.rank().checked_add_signed(ranks).filter(|&rank| rank < board.ranks)?;
    Some(Square::at(file, rank))
}

/// Evaluates the keys for the construction of the masks.
struct Judge<'a> {
    keys: &'a RuleKeys,
    board: &'a Board,
}

impl Judge<'_> {
    fn domain(&self, animal: Animal) -> SquareSet {
        if !self.board.animals.contains(&animal) {
            return SquareSet::EMPTY;
        }
        let mut barred = self.board.both_dens();
        if !self.keys.swimmers.contains(&animal) {
            barred |= self.board.water;
        }
        if self.strength(animal) > self.keys.trap_entry_max_strength {
            barred |= self.board.traps[0] | self.board.traps[1];
        }
        self.board.squares.without(barred)
    }

    fn jump(&self, animal: Animal, from: Square, direction: (i8, i8)) -> Option<Jump> {
        let allowed = match self.keys.jumps[animal.index()] {
            Jumps::None => false,
            Jumps::Along => direction.0 == 0,
            Jumps::Across => direction.1 == 0,
            Jumps::Both => true,
        };
        if !allowed || self.board.water.has(from) {
            return None;
        }
        let mut path = SquareSet::EMPTY;
        let mut to = step(self.board, from, direction)?;
        while self.board.water.has(to) {
            path |= to.set();
            to = step(self.board, to, direction)?;
        }
        (!path.is_empty() && self.domain(animal).has(to)).then_some(Jump { to, path })
    }

    fn strength(&self, animal: Animal) -> u8 {
        self.keys.strength[animal.index()]
    }

    /// Whether a trap weakens a piece of this color on this square.
    fn is_weakened(&self, color: Color, square: Square) -> bool {
        let traps = self.board.traps;
        match self.keys.traps {
            Traps::None => false,
            Traps::Enemy => traps[color.other().index()].has(square),
            Traps::All => (traps[0] | traps[1]).has(square),
        }
    }

    fn may_take(&self, color: Color, attacker: Animal, from: Square, victim: Animal, to: Square) -> bool {
        let keys = self.keys;
        let by_strength = self.strength(attacker) >= self.strength(victim);
        match (self.board.water.has(from), self.board.water.has(to)) {
            (true, true) => by_strength,
            (true, false) => attacker == Animal::Rat && keys.rat_from_water_takes.contains(&victim),
            (false, true) => attacker == Animal::Rat && victim == Animal::Rat && keys.rat_on_land_takes_rat_in_water,
            (false, false) => {
                let victim_weakened = self.is_weakened(color.other(), to);
                let powerless = keys.trapped_piece_attacks == TrappedAttack::Powerless;
                if powerless && self.is_weakened(color, from) && !victim_weakened {
                    return false;
                }
                match (attacker, victim) {
                    (Animal::Elephant, Animal::Rat) => match keys.elephant_takes_rat {
                        ElephantTakesRat::Never => false,
                        ElephantTakesRat::InTrap => victim_weakened,
                        ElephantTakesRat::Always => true,
                    },
                    (Animal::Rat, Animal::Elephant) => true,
                    _ => victim_weakened || by_strength,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Rules;
    use super::*;

    fn names(set: SquareSet) -> String {
        set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn domains_and_steps() {
        let rules = Rules::standard();
        let rat = rules.movement(Color::White, Animal::Rat);
        let cat = rules.movement(Color::Black, Animal::Cat);
        assert_eq!(rat.domain.len(), 61);
        assert_eq!(cat.domain.len(), 49);
        assert_eq!(names(rat.steps[Square::at(3, 7).index()]), "d7 c8 e8 d9");
        assert_eq!(names(cat.steps[Square::at(3, 7).index()]), "d7 c8 e8");
        assert_eq!(names(cat.steps[Square::at(3, 3).index()]), "d3 d5");
    }

    #[test]
    fn jumps_cross_the_river() {
        let rules = Rules::standard();
        let lion = rules.movement(Color::White, Animal::Lion);
        assert_eq!(names(lion.reach(Square::at(1, 2), SquareSet::EMPTY, SquareSet::EMPTY)), "b2 a3 c3 b7");
        assert_eq!(names(lion.reach(Square::at(3, 4), SquareSet::EMPTY, SquareSet::EMPTY)), "d4 a5 g5 d6");
        let stopper = Square::at(1, 4).set();
        assert_eq!(names(lion.reach(Square::at(3, 4), stopper, SquareSet::EMPTY)), "d4 g5 d6");
        assert_eq!(rules.movement(Color::White, Animal::Leopard).jumps.concat(), []);
    }

    #[test]
    fn colors_are_each_others_turned_image() {
        for name in super::super::PRESETS {
            let rules = Rules::preset(name).unwrap();
            let board = rules.board();
            for animal in Animal::ALL {
                let [white, black] = Color::BOTH.map(|color| rules.movement(color, animal));
                assert_eq!(board.turn_set(white.domain), black.domain);
                for square in board.squares {
                    let turned = board.turn(square).index();
                    assert_eq!(board.turn_set(white.steps[square.index()]), black.steps[turned]);
                    for victim in Animal::ALL {
                        let v = victim.index();
                        assert_eq!(board.turn_set(white.takes[v][square.index()]), black.takes[v][turned]);
                    }
                }
            }
        }
    }
}
