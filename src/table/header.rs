//! The header: the game of the table and the location of its blocks.

use super::block::{Content, Packing};
use super::error::TableError;
use super::wire::{Bytes, Fields};
use crate::game::{ConversionError, Rules};
use crate::material::{Class, Group};
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64;

/// What a table stores for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Plies to the end of the game, which also gives win, draw or loss.
    Dtw,
}

impl Metric {
    /// Both, in the order in which the files of a class are written.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtw];

    /// `wdl` or `dtw`; also the file name extension.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wdl => "wdl",
            Self::Dtw => "dtw",
        }
    }
}

/// `wdl` or `dtw`.
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses `wdl` or `dtw`, in any case.
///
/// ```
/// use jungletb::table::Metric;
///
/// assert_eq!(["wdl", "DTW"].map(str::parse), [Ok(Metric::Wdl), Ok(Metric::Dtw)]);
/// assert!("dtz".parse::<Metric>().is_err());
/// ```
impl FromStr for Metric {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let named = Self::ALL.into_iter().find(|metric| metric.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ConversionError::new(text, "a metric: write wdl or dtw"))
    }
}

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 1024;
/// Detects text-mode damage as PNG's signature does: a byte above 127, CR LF, end-of-file, LF.
const MAGIC: [u8; 8] = *b"\x8bJTB\r\n\x1a\n";
/// The version that this program writes. It also reads version 1.
pub const VERSION: u16 = 2;

/// The fixed part of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Version of the format: 1 or 2.
    pub version: u16,
    /// What the table stores.
    pub metric: Metric,
    /// Fingerprint of the game: [`crate::material::Class::fingerprint`].
    pub fingerprint: u64,
    /// Name of the class under the rules it was made for.
    pub class: String,
    /// The rules it was made for.
    pub rules: String,
    /// Groups in the order in which the index places them, in the orientation of the class.
    pub groups: Vec<HeaderGroup>,
    /// Number of placements.
    pub placements: u64,
    /// Number of stored sides to move, one after the other: 1 or 2.
    pub sides: u8,
    /// Positions per row.
    pub row_len: u16,
    /// Positions per block: whole rows.
    pub block_len: u32,
    /// Bytes per position within an unpacked DTW block: 1 or 2.
    pub width: u8,
    /// Offset of the block table, which is followed by the summary.
    pub tail_start: u64,
    /// Their length in bytes.
    pub tail_len: u64,
    /// A checksum that covers all contents: in version 1 that of block table and summary, in version 2 that of what
    /// follows the pages of the block table. The block table holds the checksum of each block.
    pub tail_checksum: u64,
    /// In a DTW table of version 2, the checksum of the WDL table that it belongs to; otherwise 0.
    pub results_checksum: u64,
}

/// A group of like pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderGroup {
    /// 0: the side at the bottom in the orientation of the class; 1: the other.
    pub side: u8,
    /// Squares the pieces may stand on, one bit per square.
    pub domain: u64,
    /// Letters of the animals under the rules that the table was made for.
    pub letters: String,
}

impl HeaderGroup {
    /// The groups of a class.
    pub fn all(class: &Class) -> Vec<Self> {
        let group = |group: &Group| Self {
            side: group.side as u8,
            domain: group.domain.0,
            letters: group.animals.iter().map(|animal| animal.letter()).collect(),
        };
        class.groups.iter().map(group).collect()
    }

    /// The part that does not depend on names: side, squares, number of pieces.
    pub(super) const fn shape(&self) -> (u8, u64, usize) {
        (self.side, self.domain, self.letters.len())
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { side: fields.u8()?, domain: fields.u64()?, letters: fields.text()? })
    }
}

/// Why a header is invalid.
#[derive(Debug)]
pub enum BadHeader {
    /// The file is not a table.
    NotATable,
    /// The table has another version.
    Version(u16),
    /// The header is damaged.
    Damaged,
}

impl Header {
    /// How the values of a block are packed.
    pub(super) const fn packing(&self) -> Packing {
        let content = match (self.metric, self.version) {
            (Metric::Wdl, _) => Content::Results,
            (Metric::Dtw, 1) => Content::Plies,
            (Metric::Dtw, _) => Content::Losses,
        };
        Packing { content, width: self.width, row_len: self.row_len as usize }
    }

    /// Whether the table holds distances of lost positions only: it is read together with a WDL table.
    pub const fn is_losses(&self) -> bool {
        matches!(self.packing().content, Content::Losses)
    }

    /// The checksum of a serialized header, which identifies the whole file.
    pub(super) fn checksum(bytes: &[u8]) -> u64 {
        bytes.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Number of stored positions.
    pub fn positions(&self) -> Option<u64> {
        self.placements.checked_mul(self.sides.into())
    }

    /// Number of blocks per side to move.
    pub fn blocks_per_side(&self) -> u64 {
        self.placements.div_ceil(u64::from(self.block_len).max(1))
    }

    /// Checks that the table is of this class under these rules.
    pub(super) fn check_game(&self, path: &Path, rules: &Rules, class: &Class) -> Result<(), TableError> {
        let fits = self.fingerprint == class.fingerprint
            && self.placements == class.index().len()
            && usize::from(self.sides) == class.stored_sides().len();
        // The same game with another numbering: every value would belong to another position.
        let ours = HeaderGroup::all(class);
        let same_letters = self.rules != rules.name() || self.groups == ours;
        if fits && !(same_letters && self.groups.iter().map(HeaderGroup::shape).eq(ours.iter().map(HeaderGroup::shape)))
        {
            return Err(TableError::damaged(path, "its groups are not in the order of this program's index"));
        }
        if fits {
            return Ok(());
        }
        Err(TableError::OtherGame {
            path: path.to_owned(),
            class: class.name(),
            rules: rules.name().to_owned(),
            found_class: self.class.clone(),
            found_rules: self.rules.clone(),
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Bytes(MAGIC.to_vec());
        out.u16(self.version);
        out.u8(self.metric as u8);
        out.u8(self.sides);
        out.u32(self.block_len);
        out.u64(self.fingerprint);
        out.u64(self.placements);
        out.u64(self.tail_start);
        out.u64(self.tail_len);
        out.u64(self.tail_checksum);
        out.u8(self.width);
        out.u16(self.row_len);
        if self.version > 1 {
            out.u64(self.results_checksum);
        }
        out.text(&self.class);
        out.text(&self.rules);
        out.u8(self.groups.len() as u8);
        for group in &self.groups {
            out.u8(group.side);
            out.u64(group.domain);
            out.text(&group.letters);
        }
        out.0.resize(HEADER_LEN - 8, 0);
        let checksum = xxh3_64(&out.0);
        out.u64(checksum);
        out.0
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, BadHeader> {
        let mut fields = Fields(bytes);
        if fields.bytes(MAGIC.len()) != Some(&MAGIC) {
            return Err(BadHeader::NotATable);
        }
        let version = fields.u16().ok_or(BadHeader::Damaged)?;
        if !(1..=VERSION).contains(&version) {
            return Err(BadHeader::Version(version));
        }
        Self::rest(version, bytes, fields).ok_or(BadHeader::Damaged)
    }

    fn rest(version: u16, bytes: &[u8], mut fields: Fields<'_>) -> Option<Self> {
        let (body, checksum) = bytes.get(..HEADER_LEN)?.split_at_checked(HEADER_LEN - 8)?;
        if Fields(checksum).u64()? != xxh3_64(body) {
            return None;
        }
        let metric = match fields.u8()? {
            0 => Metric::Wdl,
            1 => Metric::Dtw,
            _ => return None,
        };
        let sides = fields.u8().filter(|sides| (1..=2).contains(sides))?;
        let block_len = fields.u32().filter(|len| (1..=MAX_BLOCK_LEN).contains(len))?;
        Some(Self {
            version,
            metric,
            sides,
            block_len,
            fingerprint: fields.u64()?,
            placements: fields.u64()?,
            tail_start: fields.u64()?,
            tail_len: fields.u64()?,
            tail_checksum: fields.u64()?,
            width: fields.u8().filter(|width| (1..=2).contains(width))?,
            row_len: fields.u16().filter(|&len| len > 0 && block_len % u32::from(len) == 0)?,
            results_checksum: if version > 1 { fields.u64()? } else { 0 },
            class: fields.text()?,
            rules: fields.text()?,
            groups: (0..fields.u8()?).map(|_| HeaderGroup::read(&mut fields)).collect::<Option<_>>()?,
        })
    }
}

/// Maximum block length, so that a hostile header cannot request much memory.
pub const MAX_BLOCK_LEN: u32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_survives_a_round_trip_and_no_bit_flip() {
        for version in 1..=VERSION {
            survives(version);
        }
    }

    fn survives(version: u16) {
        let header = Header {
            version,
            metric: Metric::Dtw,
            fingerprint: 1,
            class: "ERvL".into(),
            rules: "standard".into(),
            groups: vec![HeaderGroup { side: 1, domain: 77, letters: "PW".into() }],
            placements: 12,
            sides: 2,
            row_len: 7,
            block_len: 14,
            width: 1,
            tail_start: 3,
            tail_len: 4,
            tail_checksum: 5,
            results_checksum: if version > 1 { 6 } else { 0 },
        };
        let mut bytes = header.to_bytes();
        assert_eq!(bytes.len(), HEADER_LEN);
        assert_eq!(Header::from_bytes(&bytes).unwrap(), header);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::from_bytes(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for len in 0..bytes.len() {
            assert!(Header::from_bytes(&bytes[..len]).is_err());
        }
    }
}
