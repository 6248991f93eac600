//! Blocks: values packed and compressed independently of other blocks.
//!
//! A block holds a number of rows of positions. Results take two bits per position, and every row starts at a byte
//! boundary, so that equal rows are equal bytes; distances take one or two bytes each. A block whose values are all equal
//! is not stored: its entry in the block table has length 0 and holds the value.
//!
//! In version 2, a block of distances holds those of lost positions only, one after the other. The results tell which
//! positions these are.

use super::value::Value;
use crate::game::Category;

/// What a block stores of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Win, draw or loss.
    Results,
    /// The plies of every position, as format version 1 stores them.
    Plies,
    /// Half the plies of each lost position; nothing of others.
    Losses,
}

/// How values are packed into bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// What is stored of each value.
    pub content: Content,
    /// Bytes per stored distance: 1 or 2.
    pub width: u8,
    /// Positions per row.
    pub row_len: usize,
}

/// Results per byte.
const PER_BYTE: usize = 4;

impl Packing {
    /// The common value of a block that need not be stored.
    pub fn constant(self, values: &[Value]) -> Option<Value> {
        let first = match self.content {
            Content::Results => Value::least(values.first()?.category()),
            Content::Plies => *values.first()?,
            Content::Losses => losses(values).next().unwrap_or(Value::least(Category::Loss)),
        };
        let is_same = |&value: &Value| match self.content {
            Content::Results => value.category() == first.category(),
            Content::Plies => value == first,
            Content::Losses => value.category() != Category::Loss || value == first,
        };
        values.iter().all(is_same).then_some(first)
    }

    /// The number that stands for the value of a constant block in the block table.
    pub fn constant_code(self, value: Value) -> u64 {
        match self.content {
            Content::Results | Content::Plies => value.code().into(),
            Content::Losses => half(value).into(),
        }
    }

    /// The inverse of [`Packing::constant_code`].
    #[inline]
    pub fn constant_of(self, code: u64) -> Option<Value> {
        let code = u16::try_from(code).ok()?;
        match self.content {
            Content::Results | Content::Plies => Value::from_code(code),
            Content::Losses => loss(code),
        }
    }

    /// Length in bytes of a packed block; the last row may be shorter. Of the values, only the results count.
    pub fn packed_len(self, values: &[Value]) -> usize {
        let count = values.len();
        match self.content {
            Content::Results => {
                count / self.row_len * self.row_len.div_ceil(PER_BYTE) + (count % self.row_len).div_ceil(PER_BYTE)
            }
            Content::Plies => count * usize::from(self.width),
            Content::Losses => losses(values).count() * usize::from(self.width),
        }
    }

    /// Packs the values of a block.
    pub fn pack(self, values: &[Value], out: &mut Vec<u8>) {
        out.clear();
        match (self.content, self.width) {
            (Content::Results, _) => {
                for row in values.chunks(self.row_len) {
                    out.extend(
                        row.chunks(PER_BYTE).map(|chunk| {
                            chunk.iter().rev().fold(0_u8, |byte, value| byte << 2 | value.category() as u8)
                        }),
                    );
                }
            }
            (Content::Plies, 1) => out.extend(values.iter().map(|value| value.code() as u8)),
            (Content::Plies, _) => out.extend(values.iter().flat_map(|value| value.code().to_le_bytes())),
            (Content::Losses, 1) => out.extend(losses(values).map(|loss| half(loss) as u8)),
            (Content::Losses, _) => out.extend(losses(values).flat_map(|loss| half(loss).to_le_bytes())),
        }
    }

    /// Fills `out` from a packed block; `None` if the block holds a different number of values, or invalid ones. For a
    /// block of losses, `out` must hold the results, of which each loss gets its distance.
    pub fn unpack(self, packed: &[u8], out: &mut [Value]) -> Option<()> {
        if packed.len() != self.packed_len(out) {
            return None;
        }
        if self.content == Content::Results {
            let rows = packed.chunks(self.row_len.div_ceil(PER_BYTE));
            for (row, bytes) in out.chunks_mut(self.row_len).zip(rows) {
                for (chunk, &byte) in row.chunks_mut(PER_BYTE).zip(bytes) {
                    let results = RESULTS.get(usize::from(byte)).and_then(Option::as_ref)?;
                    chunk.copy_from_slice(results.get(..chunk.len())?);
                }
            }
            return Some(());
        }
        let is_all = self.content == Content::Plies;
        let stored = out.iter_mut().filter(|value| is_all || value.category() == Category::Loss);
        if self.width == 1 {
            for (value, &byte) in stored.zip(packed) {
                *value = self.distance(byte.into())?;
            }
        } else {
            for (value, bytes) in stored.zip(packed.chunks_exact(2)) {
                *value = self.distance(u16::from_le_bytes(bytes.try_into().ok()?))?;
            }
        }
        Some(())
    }

    /// Gives each position of a packed block of losses its own place, as [`Packing::pick`] needs; `None` if the block
    /// holds another number of losses than the results.
    pub fn spread(self, packed: &[u8], results: &[Value]) -> Option<Vec<u8>> {
        let width = usize::from(self.width);
        let mut out = vec![0; results.len() * width];
        let mut stored = packed.chunks_exact(width);
        for (place, result) in out.chunks_exact_mut(width).zip(results) {
            if result.category() == Category::Loss {
                place.copy_from_slice(stored.next()?);
            }
        }
        (stored.next().is_none() && stored.remainder().is_empty()).then_some(out)
    }

    /// Reads one value of a packed block, or of a spread one of losses.
    #[inline]
    pub fn pick(self, packed: &[u8], at: usize) -> Option<Value> {
        match (self.content, self.width) {
            (Content::Results, _) => {
                let (row, column) = (at / self.row_len, at % self.row_len);
                let byte = packed.get(row * self.row_len.div_ceil(PER_BYTE) + column / PER_BYTE)?;
                result(byte >> (2 * (column % PER_BYTE)))
            }
            (_, 1) => self.distance(packed.get(at).copied()?.into()),
            (_, _) => {
                let bytes = packed.get(2 * at..2 * at + 2)?;
                self.distance(u16::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    }

    /// The value of a number in a block of distances.
    #[inline]
    fn distance(self, number: u16) -> Option<Value> {
        if self.content == Content::Losses { loss(number) } else { Value::from_code(number) }
    }
}

/// Half the plies of a loss.
fn half(loss: Value) -> u16 {
    loss.plies().unwrap_or(0) / 2
}

/// A loss in twice this number of plies; `None` above [`Value::MAX_PLIES`].
#[inline]
fn loss(half: u16) -> Option<Value> {
    Value::from_code(half.checked_mul(2)?.checked_add(1)?)
}

/// The losses among the values.
fn losses(values: &[Value]) -> impl Iterator<Item = Value> {
    values.iter().copied().filter(|value| value.category() == Category::Loss)
}

/// The four results of each byte; `None` for a byte that no packed row has.
#[allow(clippy::indexing_slicing)] // While the program is compiled.
static RESULTS: [Option<[Value; PER_BYTE]>; 256] = {
    let mut all = [None; 256];
    let mut byte = 0;
    while byte < all.len() {
        if byte & (byte >> 1) & 0x55 == 0 {
            let mut four = [Value::DRAW; PER_BYTE];
            let mut at = 0;
            while at < PER_BYTE {
                four[at] = match byte >> (2 * at) & 3 {
                    0 => Value::least(Category::Loss),
                    1 => Value::DRAW,
                    _ => Value::least(Category::Win),
                };
                at += 1;
            }
            all[byte] = Some(four);
        }
        byte += 1;
    }
    all
};

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
        for (content, width) in [Content::Results, Content::Plies, Content::Losses]
            .into_iter()
            .zip([1, 1, 1])
            .chain([(Content::Plies, 2), (Content::Losses, 2)])
        {
            let packing = Packing { content, width, row_len: 57 };
            let mut packed = Vec::new();
            packing.pack(&values, &mut packed);
            let mut out: Vec<Value> = values.iter().map(|value| Value::least(value.category())).collect();
            let spread =
                if content == Content::Losses { packing.spread(&packed, &out).unwrap() } else { packed.clone() };
            assert_eq!(packing.unpack(&packed, &mut out), Some(()));
            for (at, (&value, &got)) in values.iter().zip(&out).enumerate() {
                let is_exact = match content {
                    Content::Results => false,
                    Content::Plies => true,
                    Content::Losses => value.category() == Category::Loss,
                };
                assert_eq!(got, if is_exact { value } else { Value::least(value.category()) }, "{content:?} {at}");
                if is_exact || content != Content::Losses {
                    assert_eq!(packing.pick(&spread, at), Some(got));
                }
            }
            assert_eq!(packing.unpack(&packed[1..], &mut out), None);
            assert_eq!(packing.pick(&spread, spread.len() * 5), None);
            if content == Content::Losses {
                assert_eq!(packing.spread(&packed[1..], &values), None);
                assert_eq!(packing.spread(&[&packed[..], &[1]].concat(), &values), None);
            }
        }
    }

    #[test]
    fn results_that_do_not_occur_are_refused() {
        let packing = Packing { content: Content::Results, width: 1, row_len: 4 };
        for byte in 0..=u8::MAX {
            let has_three = (0..4).any(|at| byte >> (2 * at) & 3 == 3);
            assert_eq!(packing.unpack(&[byte], &mut [Value::DRAW; 4]).is_none(), has_three, "{byte:08b}");
        }
    }

    #[test]
    fn blocks_with_one_value_are_constant() {
        let [loss, win, long] = [2, 3, 8].map(Value::decided);
        let constant = |content, values: &[Value]| Packing { content, width: 1, row_len: 4 }.constant(values);
        assert_eq!(constant(Content::Results, &[loss, long]), Some(Value::least(Category::Loss)));
        assert_eq!(constant(Content::Plies, &[loss, long]), None);
        assert_eq!(constant(Content::Losses, &[win, long, Value::DRAW, long]), Some(long));
        assert_eq!(constant(Content::Losses, &[win, long, Value::DRAW, loss]), None);
        assert_eq!(constant(Content::Losses, &[win]), Some(Value::least(Category::Loss)));
        let packing = Packing { content: Content::Losses, width: 2, row_len: 4 };
        assert_eq!(packing.constant_of(packing.constant_code(long)), Some(long));
        assert_eq!(packing.constant_of(40_000), None);
    }
}
