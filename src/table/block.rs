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
/// Bytes per row of the index of a block of losses.
const INDEX_ENTRY: usize = 12;

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
        let losses = if self.content == Content::Losses { losses(values).count() } else { 0 };
        self.packed_len_of(values.len(), losses)
    }

    /// Length in bytes of a packed block of `count` positions, of which `losses` are lost.
    pub fn packed_len_of(self, count: usize, losses: usize) -> usize {
        match self.content {
            Content::Results => count / self.row_len * self.row_bytes() + (count % self.row_len).div_ceil(PER_BYTE),
            Content::Plies => count * usize::from(self.width),
            Content::Losses => losses * usize::from(self.width),
        }
    }

    /// A byte of results that all are this one.
    pub const fn results_byte(result: Category) -> u8 {
        result as u8 * 0b0101_0101
    }

    /// Bytes per row of results.
    pub const fn row_bytes(self) -> usize {
        self.row_len.div_ceil(PER_BYTE)
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

    /// A packed block of losses with an index in front, which [`Packing::pick`] needs to find one of them; `None` if it
    /// holds another number of losses than the results of the same `count` positions.
    ///
    /// The index has an entry per row: one bit per position, set if it is lost, and the place of the row's first loss.
    pub fn index_losses(self, packed: &[u8], results: &PackedResults) -> Option<Vec<u8>> {
        let width = usize::from(self.width);
        let index_len = results.losses.len() * INDEX_ENTRY;
        let mut out = Vec::with_capacity(index_len + packed.len());
        let mut place = index_len;
        for &losses in &results.losses {
            out.extend(losses.to_le_bytes());
            out.extend(u32::try_from(place).ok()?.to_le_bytes());
            place += losses.count_ones() as usize * width;
        }
        out.extend(packed);
        (place == out.len()).then_some(out)
    }

    /// Reads one value of a packed block. A block of losses must have its index; of a position that is not lost, it has
    /// none.
    #[inline]
    pub fn pick(self, packed: &[u8], at: usize) -> Option<Value> {
        match (self.content, self.width) {
            (Content::Results, _) => {
                let (row, column) = (at / self.row_len, at % self.row_len);
                let byte = packed.get(row * self.row_bytes() + column / PER_BYTE)?;
                result(byte >> (2 * (column % PER_BYTE)))
            }
            (Content::Plies, width) => self.distance(number(packed, at * usize::from(width), width)?),
            (Content::Losses, width) => {
                let (row, column) = (at / self.row_len, at % self.row_len);
                let entry = packed.get(row * INDEX_ENTRY..(row + 1) * INDEX_ENTRY)?;
                let (losses, place) = entry.split_at_checked(8)?;
                let losses = u64::from_le_bytes(losses.try_into().ok()?);
                let place = u32::from_le_bytes(place.try_into().ok()?);
                let bit = 1_u64.checked_shl(column as u32).filter(|bit| losses & bit != 0)?;
                let before = (losses & (bit - 1)).count_ones() as usize;
                self.distance(number(packed, place as usize + before * usize::from(width), width)?)
            }
        }
    }

    /// The value of a number in a block of distances.
    #[inline]
    fn distance(self, number: u16) -> Option<Value> {
        if self.content == Content::Losses { loss(number) } else { Value::from_code(number) }
    }
}

/// A number of one or two bytes.
#[inline]
fn number(bytes: &[u8], at: usize, width: u8) -> Option<u16> {
    let low = *bytes.get(at)?;
    let high = if width == 1 { 0 } else { *bytes.get(at + 1)? };
    Some(u16::from_le_bytes([low, high]))
}

/// The losses among packed results, by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedResults {
    /// One bit per position of each row.
    losses: Vec<u64>,
}

impl PackedResults {
    /// Finds the losses of `count` positions; `None` if there is a result that does not occur, or a row is longer than
    /// any index has.
    pub fn new(packing: Packing, packed: &[u8], count: usize) -> Option<Self> {
        if packing.row_len > u64::BITS as usize {
            return None;
        }
        let mut losses = Vec::with_capacity(count.div_ceil(packing.row_len));
        let mut rest = count;
        for row in packed.chunks(packing.row_bytes()) {
            let mut bytes = [0; 16];
            bytes.get_mut(..row.len())?.copy_from_slice(row);
            let len = rest.min(packing.row_len);
            if len == 0 {
                return None;
            }
            let (low, high) = (u128::from_le_bytes(bytes), u128::from_le_bytes(bytes) >> 1);
            let is_loss = !(low | high) & EVEN & (u128::MAX >> (u128::BITS - 2 * len as u32));
            if low & high & EVEN != 0 {
                return None;
            }
            losses.push(even_bits(is_loss as u64) | even_bits((is_loss >> 64) as u64) << 32);
            rest -= len;
        }
        (rest == 0 && losses.len() == count.div_ceil(packing.row_len)).then_some(Self { losses })
    }

    /// Number of losses.
    pub fn count(&self) -> usize {
        self.losses.iter().map(|losses| losses.count_ones() as usize).sum()
    }
}

/// Every other bit.
const EVEN: u128 = u128::MAX / 3;

/// Bits 0, 2, 4 … of a number, side by side.
fn even_bits(number: u64) -> u64 {
    let mut bits = number & EVEN as u64;
    for (shift, mask) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ] {
        bits = (bits | bits >> shift) & mask;
    }
    bits
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
            let mut indexed = packed.clone();
            if content == Content::Losses {
                let mut results = Vec::new();
                let as_results = Packing { content: Content::Results, ..packing };
                as_results.pack(&values, &mut results);
                let results = PackedResults::new(as_results, &results, values.len()).unwrap();
                assert_eq!(packing.packed_len_of(values.len(), results.count()), packed.len());
                indexed = packing.index_losses(&packed, &results).unwrap();
                assert_eq!(packing.index_losses(&packed[1..], &results), None);
                assert_eq!(packing.index_losses(&[&packed[..], &[1]].concat(), &results), None);
            }
            assert_eq!(packing.unpack(&packed, &mut out), Some(()));
            for (at, (&value, &got)) in values.iter().zip(&out).enumerate() {
                let is_exact = match content {
                    Content::Results => false,
                    Content::Plies => true,
                    Content::Losses => value.category() == Category::Loss,
                };
                assert_eq!(got, if is_exact { value } else { Value::least(value.category()) }, "{content:?} {at}");
                let is_stored = is_exact || content != Content::Losses;
                assert_eq!(packing.pick(&indexed, at), is_stored.then_some(got), "{content:?} {at}");
            }
            assert_eq!(packing.unpack(&packed[1..], &mut out), None);
            assert_eq!(packing.pick(&indexed, indexed.len() * 5), None);
        }
    }

    #[test]
    fn losses_are_found_in_rows_of_any_length() {
        for row_len in [1, 3, 4, 31, 32, 33, 57, 63, 64] {
            for count in [1, row_len, 5 * row_len, 5 * row_len + row_len / 2].into_iter().filter(|&count| count > 0) {
                let packing = Packing { content: Content::Results, width: 1, row_len };
                let values: Vec<Value> = (0..count).map(|n| Value::from_code((n * n % 5) as u16).unwrap()).collect();
                let mut packed = Vec::new();
                packing.pack(&values, &mut packed);
                let found = PackedResults::new(packing, &packed, count).unwrap();
                for (at, value) in values.iter().enumerate() {
                    let is_loss = found.losses[at / row_len] >> (at % row_len) & 1 == 1;
                    assert_eq!(is_loss, value.category() == Category::Loss, "{row_len} {count} {at}");
                }
                assert_eq!(found.count(), losses(&values).count());
                assert_eq!(PackedResults::new(packing, &packed, count + row_len), None);
            }
        }
        let long = Packing { content: Content::Results, width: 1, row_len: 65 };
        assert_eq!(PackedResults::new(long, &[0; 17], 65), None);
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
