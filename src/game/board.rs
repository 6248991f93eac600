//! The two boards, as diagrams.

use super::animal::{Animal, Color};
use super::square::{Square, SquareSet};

/// The board of a game.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    /// Ranks: 9 or 7. Files are always 7.
    pub ranks: u8,
    /// Dens, by owner.
    pub dens: [Square; 2],
    /// Traps, by owner.
    pub traps: [SquareSet; 2],
    /// The two lakes.
    pub water: SquareSet,
    /// All squares, including dens.
    pub squares: SquareSet,
    /// The animals in the game.
    pub animals: &'static [Animal],
}

/// The 7x9 board. `D`/`d` White's and Black's den, `t` a trap, `~` water.
pub static JUNGLE: Board = draw(
    [
        b"..tdt..", // 9
        b"...t...", // 8
        b".......", // 7
        b".~~.~~.", // 6
        b".~~.~~.", // 5
        b".~~.~~.", // 4
        b".......", // 3
        b"...t...", // 2
        b"..tDt..", // 1
    ],
    &Animal::ALL,
);

/// The 7x7 board of Animal Checkers: no water, no traps, four animals per side.
pub static ANIMAL_CHECKERS: Board = draw(
    [
        b"...d...", // 7
        b".......", // 6
        b".......", // 5
        b".......", // 4
        b".......", // 3
        b".......", // 2
        b"...D...", // 1
    ],
    &[Animal::Rat, Animal::Dog, Animal::Tiger, Animal::Elephant],
);

impl Board {
    /// The square rotated by 180 degrees, which exchanges the two sides' ends of the board. A square that is not on the
    /// board is returned unchanged.
    pub const fn turn(&self, square: Square) -> Square {
        match (self.ranks * Square::FILES - 1).checked_sub(square.index() as u8) {
            Some(turned) => Square::new(turned),
            None => square,
        }
    }

    /// A set of squares of this board, rotated by 180 degrees.
    pub const fn turn_set(&self, set: SquareSet) -> SquareSet {
        SquareSet(set.0.reverse_bits() >> (64 - self.ranks * Square::FILES))
    }

    /// Both dens.
    pub fn both_dens(&self) -> SquareSet {
        self.dens[0].set() | self.dens[1].set()
    }

    /// The den that `color` wants to enter.
    pub const fn goal(&self, color: Color) -> Square {
        self.dens[color.other().index()]
    }
}

const fn draw<const RANKS: usize>(picture: [&[u8; 7]; RANKS], animals: &'static [Animal]) -> Board {
    let ranks = RANKS as u8;
    let mut board = Board {
        ranks,
        dens: [Square::new(0); 2],
        traps: [SquareSet::EMPTY; 2],
        water: SquareSet::EMPTY,
        squares: SquareSet((1 << (ranks * Square::FILES)) - 1),
        animals,
    };
    let mut n = 0;
    while n < ranks * Square::FILES {
        let square = Square::new(n);
        match picture[(ranks - 1 - square.rank()) as usize][square.file() as usize] {
            b'D' => board.dens[0] = square,
            b'd' => board.dens[1] = square,
            b'~' => board.water.0 |= square.set().0,
            b't' => board.traps[(square.rank() > ranks / 2) as usize].0 |= square.set().0,
            _ => {}
        }
        n += 1;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_symmetric_and_as_described() {
        for board in [&JUNGLE, &ANIMAL_CHECKERS] {
            assert_eq!(board.turn(board.dens[0]), board.dens[1]);
            assert_eq!(board.turn_set(board.traps[0]), board.traps[1]);
            for set in [board.water, board.traps[0], board.traps[1], board.both_dens(), board.squares] {
                assert_eq!(set.mirror(), set);
            }
            assert_eq!(board.turn_set(board.water), board.water);
        }
        assert_eq!(JUNGLE.dens.map(|s| s.to_string()), ["d1", "d9"]);
        let names = |set: SquareSet| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(JUNGLE.traps[0]), "c1 e1 d2");
        assert_eq!(names(JUNGLE.traps[1]), "d8 c9 e9");
        assert_eq!(names(JUNGLE.water), "b4 c4 e4 f4 b5 c5 e5 f5 b6 c6 e6 f6");
        assert_eq!(ANIMAL_CHECKERS.dens.map(|s| s.to_string()), ["d1", "d7"]);
    }
}
