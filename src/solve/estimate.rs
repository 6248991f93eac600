//! Estimates of time and disk per class, from measured classes.
//!
//! The figures were measured under the standard rules on one machine. Other rules make other games, but time per
//! position and compression differ little.

use crate::table::Metric;

/// Measured figures of the classes with one number of pieces.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Number of pieces.
    pub pieces: usize,
    /// Stored positions solved and written per CPU second: WDL only, with DTW.
    pub rate: [f64; 2],
    /// Bits per stored position on disk, without the constant size of a file: WDL, DTW.
    pub bits: [f64; 2],
    /// Source of the figures.
    pub from: &'static str,
}

/// By number of pieces, from two up. Single classes differ: `ELTvLR`, with many jumpers, takes 50 % more disk and a
/// seventh more time than the mean for its number of pieces.
const MEASURED: [Measured; 7] = [
    Measured { pieces: 2, rate: [78.7e6, 39.2e6], bits: [1.07, 2.14], from: "measured on all 10 classes" },
    Measured { pieces: 3, rate: [78.7e6, 39.2e6], bits: [0.202, 0.371], from: "measured on all 42 classes" },
    Measured { pieces: 4, rate: [78.7e6, 39.2e6], bits: [0.171, 0.205], from: "measured on all 134 classes" },
    Measured {
        pieces: 5,
        rate: [69.4e6, 35.0e6],
        bits: [0.122, 0.187],
        from: "measured on all 340 classes; speed of WDL only on one",
    },
    Measured {
        pieces: 6,
        rate: [40.4e6, 22.1e6],
        bits: [0.122, 0.187],
        from: "speed measured on the slower of two classes, of WDL only on one; bits as for 5 pieces",
    },
    Measured { pieces: 7, rate: [40.4e6, 22.1e6], bits: [0.122, 0.187], from: "not measured: as for 6 pieces" },
    Measured { pieces: 8, rate: [40.4e6, 22.1e6], bits: [0.122, 0.187], from: "not measured: as for 6 pieces" },
];

/// Constant CPU seconds per class.
const SECONDS_A_CLASS: f64 = 0.003;
/// Constant bytes per file: header and summary.
const BYTES_A_FILE: u64 = 1100;

impl Measured {
    /// The figures for a number of pieces.
    pub fn for_pieces(pieces: usize) -> &'static Self {
        &MEASURED[pieces.clamp(2, MEASURED.len() + 1) - 2]
    }

    /// CPU seconds to solve and write this number of positions.
    pub fn cpu_seconds(&self, positions: u64, distances: bool) -> f64 {
        SECONDS_A_CLASS + positions as f64 / self.rate[usize::from(distances)]
    }

    /// Size in bytes of a table with this number of positions.
    pub fn bytes(&self, positions: u64, metric: Metric) -> u64 {
        let bits = self.bits[usize::from(metric == Metric::Dtw)];
        BYTES_A_FILE + (positions as f64 * bits / 8.0) as u64
    }
}
