//! The structures of the header, and their conversions.

use crate::status::Failure;
use jungletb::game::{Category, Color, Over, Position, Rules};
use jungletb::probe::{Answer, RankedMove};
use std::ffi::c_int;

/// `JUNGLETB_NONE`, as an animal: none.
const NONE: u8 = u8::MAX;
/// `JUNGLETB_UNKNOWN`.
pub const UNKNOWN: c_int = 2;

/// `jungletb_position`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawPosition {
    squares: [[u8; 8]; 2],
    to_move: u8,
}

/// `jungletb_value`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawValue {
    category: i32,
    dtw: i32,
    over: i32,
}

/// `jungletb_move`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawMove {
    from: u8,
    to: u8,
    capture: u8,
    den: u8,
    value: RawValue,
}

/// `jungletb_options`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawOptions {
    pub cache_bytes: u64,
    pub read_files: u32,
    pub reserved: u32,
}

impl RawPosition {
    /// Converts to a position; the probe checks it.
    #[inline]
    pub fn read(&self, rules: &Rules) -> Result<Position, Failure> {
        let &to_move = Color::BOTH.get(usize::from(self.to_move)).ok_or(Failure::Side(self.to_move))?;
        Ok(Position::from_squares(rules, &self.squares, to_move)?)
    }
}

impl From<&Position> for RawPosition {
    fn from(position: &Position) -> Self {
        Self { squares: position.to_squares(), to_move: position.to_move().index() as u8 }
    }
}

/// `jungletb_category`.
#[inline]
pub const fn category(category: Category) -> c_int {
    match category {
        Category::Loss => -1,
        Category::Draw => 0,
        Category::Win => 1,
    }
}

impl From<Option<Answer>> for RawValue {
    fn from(answer: Option<Answer>) -> Self {
        let over = match answer.and_then(|answer| answer.over) {
            None => 0,
            Some(Over::Den) => 1,
            Some(Over::NoPieces) => 2,
            Some(Over::NoMoves) => 3,
        };
        Self {
            category: answer.map_or(UNKNOWN, |answer| category(answer.category)),
            dtw: answer.and_then(|answer| answer.dtw).map_or(-1, i32::from),
            over,
        }
    }
}

impl From<&RankedMove> for RawMove {
    fn from(mv: &RankedMove) -> Self {
        Self {
            from: mv.mv.from.index() as u8,
            to: mv.mv.to.index() as u8,
            capture: mv.capture.map_or(NONE, |animal| animal.index() as u8),
            den: mv.den.into(),
            value: mv.answer.into(),
        }
    }
}
