//! The byte format of a certificate, specified in `FORMAT.md`: its head, and the codes of its strategy.

use crate::game::{Animal, Color, Position, Rules};
use crate::table::wire::{Bytes, Fields};
use std::ops::Range;

/// Detects text-mode damage as PNG's signature does: a byte above 127, CR LF, end-of-file, LF.
pub const MAGIC: [u8; 8] = *b"\x8bJTC\r\n\x1a\n";
/// The version that this program writes and reads.
pub const VERSION: u16 = 1;
/// Length in bytes before the variable part of the head: magic, version, length of the head.
pub const START_LEN: usize = 14;
/// Maximum length of the head: 65,535 tables take less than half of it.
pub const MAX_HEAD_LEN: u32 = 8 << 20;
/// Length in bytes of the checksum at the end of the file.
pub const CHECKSUM_LEN: u64 = 8;
/// Maximum number of plies of a claim.
pub const MAX_PLIES: u16 = 65_000;

/// Codes of the strategy. A byte below [`code::LAST`] plays the move with the number in its low six bits; its high two
/// bits give the continuation.
pub mod code {
    /// Numbers of moves are below this.
    pub const MOVES: u8 = 0x3c;
    /// A move that enters the den or captures the last piece.
    pub const LAST: u8 = 0x3c;
    /// The position's value is that of its table.
    pub const TABLE: u8 = 0x3d;
    /// The strategy is that of a labelled position.
    pub const REFERENCE: u8 = 0x3e;
    /// The position gets the next label; a move follows.
    pub const LABEL: u8 = 0x3f;
    /// The number of a move, in a byte.
    pub const MOVE_MASK: u8 = 0x3f;
    /// After the move: nothing if the game is over, else all replies.
    pub const THEN_REPLIES: u8 = 0x00;
    /// As `THEN_REPLIES`, and the position after the move gets the next label.
    pub const THEN_LABEL: u8 = 0x40;
    /// After the move: the strategy of a labelled position.
    pub const THEN_REFERENCE: u8 = 0x80;
    /// After the move: the table value.
    pub const THEN_TABLE: u8 = 0xc0;
    /// The continuation after a move, in a byte.
    pub const THEN_MASK: u8 = 0xc0;
}

/// The claim of a certificate, and the tables it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The keys of the rules.
    pub keys: RuleBytes,
    /// The name of the rules, for messages.
    pub rules: String,
    /// The position.
    pub root: PackedPosition,
    /// The winner.
    pub winner: Color,
    /// Upper bound on the plies.
    pub plies: u16,
    /// The DTW tables that it depends on.
    pub tables: Vec<TableUse>,
}

/// A DTW table that a certificate depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableUse {
    /// The name of its class under the certificate's rules.
    pub class: String,
    /// Its checksum, which covers the whole file.
    pub checksum: u64,
}

impl Head {
    /// Magic, version and everything else before the strategy.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Bytes(MAGIC.to_vec());
        out.u16(VERSION);
        out.u32(0);
        out.0.extend(self.keys.0);
        out.text(&self.rules);
        out.0.extend(self.root.0);
        out.u8(self.winner.index() as u8);
        out.u16(self.plies);
        out.u16(self.tables.len() as u16);
        for table in &self.tables {
            out.text(&table.class);
            out.u64(table.checksum);
        }
        let len = (out.0.len() as u32).to_le_bytes();
        out.0.splice(START_LEN - 4..START_LEN, len);
        out.0
    }

    /// The inverse of [`Head::to_bytes`], without the first [`START_LEN`] bytes; `None` if the bytes are not a valid
    /// head.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        let head = Self {
            keys: RuleBytes(fields.bytes(RULE_BYTES)?.try_into().ok()?),
            rules: fields.text()?,
            root: PackedPosition(fields.bytes(17)?.try_into().ok()?),
            winner: *Color::BOTH.get(usize::from(fields.u8()?))?,
            plies: fields.u16().filter(|&plies| plies <= MAX_PLIES)?,
            tables: (0..fields.u16()?).map(|_| TableUse::read(&mut fields)).collect::<Option<_>>()?,
        };
        fields.0.is_empty().then_some(head)
    }
}

impl TableUse {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { class: fields.text()?, checksum: fields.u64()? })
    }
}

/// Length of the encoded keys of a rule set.
pub const RULE_BYTES: usize = 27;

/// The keys of a rule set in a fixed order: its fingerprint, from which the keys can be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleBytes(pub [u8; RULE_BYTES]);

/// The bytes of each key, under its name in rule files.
const KEYS: [(&str, Range<usize>); 13] = [
    ("board", 0..1),
    ("strength", 1..9),
    ("elephant_takes_rat", 9..10),
    ("rat_from_water_takes", 10..11),
    ("rat_on_land_takes_rat_in_water", 11..12),
    ("jumps", 12..20),
    ("jumps_over_rats", 20..21),
    ("jump_blockers", 21..22),
    ("traps", 22..23),
    ("trapped_piece_attacks", 23..24),
    ("trap_entry_max_strength", 24..25),
    ("swimmers", 25..26),
    ("no_legal_move", 26..27),
];

impl RuleBytes {
    /// The keys of some rules.
    pub fn of(rules: &Rules) -> Self {
        let keys = rules.keys();
        let set = |animals: &[Animal]| animals.iter().fold(0_u8, |set, animal| set | 1 << animal.index());
        let mut bytes = Vec::with_capacity(RULE_BYTES);
        bytes.push(keys.board as u8);
        bytes.extend(keys.strength);
        bytes.push(keys.elephant_takes_rat as u8);
        bytes.push(set(&keys.rat_from_water_takes));
        bytes.push(keys.rat_on_land_takes_rat_in_water.into());
        bytes.extend(keys.jumps.map(|jumps| jumps as u8));
        bytes.push(set(&keys.jumps_over_rats));
        bytes.push(keys.jump_blockers as u8);
        bytes.push(keys.traps as u8);
        bytes.push(keys.trapped_piece_attacks as u8);
        bytes.push(keys.trap_entry_max_strength);
        bytes.push(set(&keys.swimmers));
        bytes.push(keys.no_legal_move as u8);
        let mut all = [0; RULE_BYTES];
        all.copy_from_slice(&bytes);
        Self(all)
    }

    /// The names of the keys in which two rule sets differ.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let differs = |range: &Range<usize>| self.0.get(range.clone()) != other.0.get(range.clone());
        KEYS.iter().filter(|(_, range)| differs(range)).map(|&(name, _)| name).collect()
    }
}

/// A position in 17 bytes: the squares of White's rat to elephant, then Black's, 255 for a piece off the board; the
/// side to move, 0 for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition(pub [u8; 17]);

impl PackedPosition {
    /// Packs a position.
    pub fn of(position: &Position) -> Self {
        let [white, black] = position.to_squares();
        let mut bytes = [0; 17];
        bytes[..8].copy_from_slice(&white);
        bytes[8..16].copy_from_slice(&black);
        bytes[16] = position.to_move().index() as u8;
        Self(bytes)
    }

    /// The position; `None` if it is invalid under these rules.
    pub fn unpack(&self, rules: &Rules) -> Option<Position> {
        let mut squares = [[0; 8]; 2];
        squares[0].copy_from_slice(&self.0[..8]);
        squares[1].copy_from_slice(&self.0[8..16]);
        let to_move = *Color::BOTH.get(usize::from(self.0[16]))?;
        let position = Position::from_squares(rules, &squares, to_move).ok()?;
        position.check(rules).ok()?;
        Some(position)
    }
}

/// Appends a number in groups of seven bits, lowest first; each byte except the last has its top bit set.
pub fn put_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number written by [`put_number`], byte by byte; `Ok(None)` for a number of more than 32 bits.
pub fn read_number<E>(mut next: impl FnMut() -> Result<u8, E>) -> Result<Option<u32>, E> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let byte = next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(u32::try_from(number).ok());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_heads_survive_a_round_trip() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            put_number(&mut bytes, number);
            let mut rest = bytes.iter().copied();
            assert_eq!(read_number(|| rest.next().ok_or(())), Ok(Some(number)));
            assert_eq!(rest.next(), None);
        }
        let mut rest = std::iter::repeat_n(0xff_u8, 9);
        assert_eq!(read_number(|| rest.next().ok_or(())), Ok(None));

        let rules = Rules::preset("leiden").unwrap();
        let start = Position::start(&rules).unwrap();
        let head = Head {
            keys: RuleBytes::of(&rules),
            rules: "leiden".into(),
            root: PackedPosition::of(&start),
            winner: Color::Black,
            plies: 13,
            tables: vec![TableUse { class: "ERvL".into(), checksum: 7 }],
        };
        let bytes = head.to_bytes();
        assert_eq!(bytes[10..14], (bytes.len() as u32).to_le_bytes());
        assert_eq!(Head::from_bytes(&bytes[START_LEN..]).as_ref(), Some(&head));
        assert_eq!(head.root.unpack(&rules), Some(start));
        for len in START_LEN..bytes.len() {
            assert_eq!(Head::from_bytes(&bytes[START_LEN..len]), None);
        }
    }

    #[test]
    fn the_keys_of_each_preset_have_the_bytes_of_the_format() {
        let bytes = |name| RuleBytes::of(&Rules::preset(name).unwrap()).0;
        let standard = [0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 1, 0, 8, 1, 0];
        assert_eq!(bytes("standard"), standard);
        let leiden = [0, 1, 2, 4, 3, 5, 6, 7, 8, 2, 1, 1, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 1, 0, 8, 1, 0];
        assert_eq!(bytes("leiden"), leiden);
        assert_eq!(bytes("german")[22], 2);
        assert_eq!(bytes("japanese")[17], 1);
        assert_eq!(bytes("animal-checkers")[0], 1);
        let standard = RuleBytes(standard);
        assert!(standard.differences(&standard).is_empty());
        let differences = RuleBytes(leiden).differences(&standard);
        let expected = ["strength", "elephant_takes_rat", "rat_from_water_takes", "rat_on_land_takes_rat_in_water"];
        assert_eq!(differences, expected);
    }
}
