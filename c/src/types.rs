//! The structures of the header, and their conversions.

use crate::status::Failure;
use jungletb::analysis::stats::MaterialStats;
use jungletb::game::{Category, Color, Move, Over, Position, Rules};
use jungletb::probe::{Answer, Available, RankedMove};
use jungletb::table::{Metric, SideSummary};
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

/// `jungletb_step`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RawStep {
    from: u8,
    to: u8,
}

/// `jungletb_class`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawClass {
    name: [u8; 16],
    pieces: u8,
    has_wdl: u8,
    has_dtw: u8,
}

/// `jungletb_counts`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawCounts {
    win: u64,
    draw: u64,
    loss: u64,
}

/// `jungletb_material_stats`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawStats {
    white: RawCounts,
    black: RawCounts,
    longest: i32,
    longest_position: RawPosition,
}

/// `jungletb_options`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawOptions {
    pub cache_bytes: u64,
    pub read_files: u32,
    pub shipped: u32,
}

impl RawPosition {
    /// Converts to a position; the probe checks it.
    #[inline]
    pub fn read(&self, rules: &Rules) -> Result<Position, Failure> {
        let &to_move = Color::BOTH.get(usize::from(self.to_move)).ok_or(Failure::Side(self.to_move.into()))?;
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

impl From<&Move> for RawStep {
    fn from(mv: &Move) -> Self {
        Self { from: mv.from.into(), to: mv.to.into() }
    }
}

impl From<&Available> for RawClass {
    fn from(available: &Available) -> Self {
        let mut name = [0; 16];
        // A class of eight pieces has a name of nine letters.
        for (byte, letter) in name.iter_mut().zip(available.class.name().bytes()) {
            *byte = letter;
        }
        let has = |metric| available.metrics.contains(&metric).into();
        Self { name, pieces: available.class.pieces() as u8, has_wdl: has(Metric::Wdl), has_dtw: has(Metric::Dtw) }
    }
}

impl From<&SideSummary> for RawCounts {
    fn from(counts: &SideSummary) -> Self {
        Self { win: counts.wins, draw: counts.draws, loss: counts.losses }
    }
}

impl From<&MaterialStats> for RawStats {
    fn from(stats: &MaterialStats) -> Self {
        let [white, black] = stats.by_color.each_ref().map(RawCounts::from);
        let (longest, position) = match &stats.longest {
            Some((plies, position)) => (i32::from(*plies), *position),
            None => (-1, Position::empty(Color::White)),
        };
        Self { white, black, longest, longest_position: (&position).into() }
    }
}
