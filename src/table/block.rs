//! Blocks: values packed and compressed independently of other blocks.
//!
//! A block holds a number of rows of positions. WDL takes two bits per position, and every row starts at a byte
//! boundary, so that equal rows are equal bytes; DTW takes one or two bytes per position. A block whose values are all
//! equal is not stored: its entry in the block table has length 0 and holds the value.

use super::header::Metric;
use super::value::Value;
use crate::game::Category;

/// How values are packed into bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// What is stored of each value.
    pub metric: Metric,
    /// Bytes per distance: 1 or 2.
    pub width: u8,
    /// Positions per row.
    pub row_len: usize,
}

/// WDL values per byte.
const PER_BYTE: usize = 4;

impl Packing {
    /// The value as it is read back: a WDL table drops the distance.
    pub fn kept(self, value: Value) -> Value {
        match self.metric {
            Metric::Wdl => Value::least(value.category()),
            Metric::Dtw => value,
        }
    }

    /// Length in bytes of a packed block with this number of values; the last row may be shorter.
    pub fn packed_len(self, values: usize) -> usize {
        match self.metric {
            Metric::Wdl => {
                values / self.row_len * self.row_len.div_ceil(PER_BYTE) + (values % self.row_len).div_ceil(PER_BYTE)
            }
            Metric::Dtw => values * usize::from(self.width),
        }
    }

    /// Packs the values of a block.
    pub fn pack(self, values: &[Value], out: &mut Vec<u8>) {
        out.clear();
        match (self.metric, self.width) {
            (Metric::Wdl, _) => {
                for row in values.chunks(self.row_len) {
                    out.extend(
                        row.chunks(PER_BYTE).map(|chunk| {
                            chunk.iter().rev().fold(0_u8, |byte, value| byte << 2 | value.category() as u8)
                        }),
                    );
                }
            }
            (Metric::Dtw, 1) => out.extend(values.iter().map(|value| value.code() as u8)),
            (Metric::Dtw, _) => out.extend(values.iter().flat_map(|value| value.code().to_le_bytes())),
        }
    }

    /// Fills `out` from a packed block; `None` if the block holds a different number of values, or invalid ones.
    pub fn unpack(self, packed: &[u8], out: &mut [Value]) -> Option<()> {
        if packed.len() != self.packed_len(out.len()) {
            return None;
        }
        match (self.metric, self.width) {
            (Metric::Wdl, _) => {
                let rows = packed.chunks(self.row_len.div_ceil(PER_BYTE));
                for (row, bytes) in out.chunks_mut(self.row_len).zip(rows) {
                    for (chunk, &byte) in row.chunks_mut(PER_BYTE).zip(bytes) {
                        for (value, shift) in chunk.iter_mut().zip([0, 2, 4, 6]) {
                            *value = result(byte >> shift)?;
                        }
                    }
                }
            }
            (Metric::Dtw, 1) => {
                for (value, &byte) in out.iter_mut().zip(packed) {
                    *value = Value::from_code(byte.into())?;
                }
            }
            (Metric::Dtw, _) => {
                for (value, bytes) in out.iter_mut().zip(packed.chunks_exact(2)) {
                    *value = Value::from_code(u16::from_le_bytes(bytes.try_into().ok()?))?;
                }
            }
        }
        Some(())
    }

    /// Reads one value of a packed block.
    #[inline]
    pub fn pick(self, packed: &[u8], at: usize) -> Option<Value> {
        match (self.metric, self.width) {
            (Metric::Wdl, _) => {
                let (row, column) = (at / self.row_len, at % self.row_len);
                let byte = packed.get(row * self.row_len.div_ceil(PER_BYTE) + column / PER_BYTE)?;
                result(byte >> (2 * (column % PER_BYTE)))
            }
            (Metric::Dtw, 1) => Value::from_code(packed.get(at).copied()?.into()),
            (Metric::Dtw, _) => {
                let bytes = packed.get(2 * at..2 * at + 2)?;
                Value::from_code(u16::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    }
}

/// The WDL value in the two lowest bits.
fn result(bits: u8) -> Option<Value> {
    Some(Value::least(match bits & 3 {
        0 => Category::Loss,
        1 => Category::Draw,
        2 => Category::Win,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_what_it_should() {
        let values: Vec<Value> = (0..1003).map(|n| Value::from_code(n * 7 % 250).unwrap()).collect();
        for (metric, width) in [(Metric::Wdl, 1), (Metric::Dtw, 1), (Metric::Dtw, 2)] {
            let packing = Packing { metric, width, row_len: 57 };
            let mut packed = Vec::new();
            packing.pack(&values, &mut packed);
            let mut out = vec![Value::DRAW; values.len()];
            assert_eq!(packing.unpack(&packed, &mut out), Some(()));
            for (at, (&value, &got)) in values.iter().zip(&out).enumerate() {
                assert_eq!(got, packing.kept(value));
                assert_eq!(packing.pick(&packed, at), Some(got));
            }
            assert_eq!(packing.unpack(&packed[1..], &mut out), None);
            assert_eq!(packing.pick(&packed, packed.len() * 5), None);
        }
    }
}
