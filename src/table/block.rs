//! Blocks: values packed and compressed, each block by itself.
//!
//! A block whose values are all the same is not stored: its entry in the block table has length 0 and gives the
//! value.

use super::header::Metric;
use super::value::Value;
use crate::game::Category;

/// How values become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// What is kept of each value.
    pub metric: Metric,
    /// Bytes a distance: 1 or 2.
    pub width: u8,
}

/// Results a byte: 3 to the 5th is 243.
const TRITS: usize = 5;

impl Packing {
    /// The value as it comes back: without its distance from a table of results.
    pub fn kept(self, value: Value) -> Value {
        match self.metric {
            Metric::Wdl => Value::least(value.category()),
            Metric::Dtw => value,
        }
    }

    /// Length of a packed block of so many values.
    pub fn packed_len(self, values: usize) -> usize {
        match self.metric {
            Metric::Wdl => values.div_ceil(TRITS),
            Metric::Dtw => values * usize::from(self.width),
        }
    }

    pub fn pack(self, values: &[Value], out: &mut Vec<u8>) {
        out.clear();
        match (self.metric, self.width) {
            (Metric::Wdl, _) => out.extend(
                values
                    .chunks(TRITS)
                    .map(|chunk| chunk.iter().rev().fold(0_u8, |byte, value| byte * 3 + value.category() as u8)),
            ),
            (Metric::Dtw, 1) => out.extend(values.iter().map(|value| value.code() as u8)),
            (Metric::Dtw, _) => out.extend(values.iter().flat_map(|value| value.code().to_le_bytes())),
        }
    }

    /// Fills `out` from a packed block; `None` if the block is not of that many values.
    pub fn unpack(self, packed: &[u8], out: &mut [Value]) -> Option<()> {
        if packed.len() != self.packed_len(out.len()) {
            return None;
        }
        match (self.metric, self.width) {
            (Metric::Wdl, _) => {
                for (chunk, &byte) in out.chunks_mut(TRITS).zip(packed) {
                    let mut byte = byte;
                    for value in chunk {
                        *value = trit(byte % 3);
                        byte /= 3;
                    }
                }
            }
            (Metric::Dtw, 1) => {
                out.iter_mut().zip(packed).for_each(|(value, &byte)| *value = Value::from_code(byte.into()));
            }
            (Metric::Dtw, _) => {
                for (value, bytes) in out.iter_mut().zip(packed.chunks_exact(2)) {
                    *value = Value::from_code(u16::from_le_bytes(bytes.try_into().ok()?));
                }
            }
        }
        Some(())
    }

    /// One value of a packed block.
    pub fn pick(self, packed: &[u8], at: usize) -> Option<Value> {
        match (self.metric, self.width) {
            (Metric::Wdl, _) => {
                const POWERS: [u8; TRITS] = [1, 3, 9, 27, 81];
                let byte = packed.get(at / TRITS)?;
                Some(trit(byte / POWERS.get(at % TRITS)? % 3))
            }
            (Metric::Dtw, 1) => packed.get(at).map(|&byte| Value::from_code(byte.into())),
            (Metric::Dtw, _) => {
                let bytes = packed.get(2 * at..2 * at + 2)?;
                Some(Value::from_code(u16::from_le_bytes(bytes.try_into().ok()?)))
            }
        }
    }
}

fn trit(digit: u8) -> Value {
    Value::least(match digit {
        0 => Category::Loss,
        1 => Category::Draw,
        _ => Category::Win,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_what_it_should() {
        let values: Vec<Value> = (0..1003).map(|n| Value::from_code(n * 7 % 250)).collect();
        for (metric, width) in [(Metric::Wdl, 1), (Metric::Dtw, 1), (Metric::Dtw, 2)] {
            let packing = Packing { metric, width };
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
