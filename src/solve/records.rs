//! Records: words of positions by configuration, in few bytes.
//!
//! A block of records lists configurations in ascending order, each with a word that is not 0: the distance from the
//! previous configuration as a variable-length number, a byte whose bits name the bytes of the word that are not
//! 0, and these bytes. Most words have few positions.

/// Records being collected, in ascending order of configurations.
#[derive(Debug, Default)]
pub struct Records {
    bytes: Vec<u8>,
    last: u64,
}

/// Length of the longest record: a number of 64 bits, a byte, a word.
const LONGEST: usize = 10 + 1 + 8;

impl Records {
    /// Adds a configuration, after all earlier ones, with a word that is not 0.
    #[inline]
    pub fn push(&mut self, configuration: u64, word: u64) {
        debug_assert!(word != 0 && configuration >= self.last);
        let mut record = [0; LONGEST];
        let mut len = 0;
        let mut step = configuration - self.last;
        while step >= 0x80 {
            record[len] = step as u8 | 0x80;
            step >>= 7;
            len += 1;
        }
        record[len] = step as u8;
        let mask_at = len + 1;
        len += 2;
        for (bit, byte) in word.to_le_bytes().into_iter().enumerate() {
            record[len] = byte;
            let is_there = usize::from(byte != 0);
            record[mask_at] |= (is_there << bit) as u8;
            len += is_there;
        }
        self.bytes.extend_from_slice(&record[..len]);
        self.last = configuration;
    }

    /// The records as a block; empty if there are none.
    pub fn into_block(mut self) -> Vec<u8> {
        if !self.bytes.is_empty() {
            // Each block starts anew: the end of its records is marked by a word without positions.
            self.bytes.extend([0, 0]);
        }
        self.bytes
    }
}

/// Visits the records of blocks that follow each other; `None` if they are malformed.
pub fn for_each_record(blocks: &[u8], mut f: impl FnMut(u64, u64)) -> Option<()> {
    let mut rest = blocks;
    let mut configuration = 0_u64;
    while !rest.is_empty() {
        let mut shift = 0;
        loop {
            let (&byte, later) = rest.split_first()?;
            rest = later;
            configuration = configuration.wrapping_add(u64::from(byte & 0x7f).checked_shl(shift)?);
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        let (&mask, later) = rest.split_first()?;
        if mask == 0 {
            configuration = 0;
            rest = later;
            continue;
        }
        let len = mask.count_ones() as usize;
        let mut word = 0;
        let mut bits = mask;
        for &byte in later.get(..len)? {
            word |= u64::from(byte) << (8 * bits.trailing_zeros());
            bits &= bits - 1;
        }
        rest = &later[len..];
        f(configuration, word);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let words = [1, u64::MAX, 1 << 63, 0x0100_0000_0001_0000, 0xff];
        let configurations = [0, 1, 200, 70_000, 70_001, 1 << 40];
        let expected: Vec<(u64, u64)> = configurations.into_iter().zip(words.into_iter().cycle()).collect();
        let block = || {
            let mut records = Records::default();
            for &(configuration, word) in &expected {
                records.push(configuration, word);
            }
            records.into_block()
        };
        let mut read = Vec::new();
        let blocks = [block(), Records::default().into_block(), block()].concat();
        for_each_record(&blocks, |configuration, word| read.push((configuration, word))).unwrap();
        assert_eq!(read, [&expected[..], &expected[..]].concat());
        for cut in [1, 3, blocks.len() / 3] {
            let part = &blocks[..blocks.len() - cut];
            let mut count = 0;
            // A cut within a record is an error; one between records loses the rest, which checksums detect.
            let _ = for_each_record(part, |_, _| count += 1);
            assert!(count < 2 * expected.len() || cut <= 2, "{cut}");
        }
    }
}
