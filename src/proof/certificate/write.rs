//! Writing of a strategy as a certificate.

use super::strategy::{Rest, Strategy, StrategyError};
use super::wire::{Head, PackedPosition, RuleBytes, TableUse, code, put_number};
use crate::game::{Move, Position};
use crate::material::Material;
use crate::system::{Cancel, Output};
use crate::table::Metric;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// Zstandard level. A certificate is written once and distributed; most are small.
const LEVEL: i32 = 19;
/// Bytes of the strategy packed at a time.
const PART: usize = 1 << 16;

/// Statistics of a written certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The plies of the claim: those that the strategy takes, which may be fewer than requested.
    pub plies: u16,
    /// Number of positions with a strategy of their own: ended neither at once nor in a table.
    pub positions: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of tables that it depends on.
    pub tables: usize,
}

impl Strategy<'_> {
    /// Writes the certificate.
    ///
    /// # Errors
    /// Returns an error if the output fails, a table is damaged, or on cancellation.
    pub fn write(&mut self, out: &mut dyn Write, cancel: &Cancel) -> Result<Written, StrategyError> {
        for node in &mut self.nodes {
            (node.ways, node.label) = (0, None);
        }
        let root = self.root;
        let mut found = Found::default();
        let plies = self.rest(&root)?.map_or(0, |rest| self.height(rest));
        self.count(&root, &mut found, cancel)?;
        let head = Head {
            keys: RuleBytes::of(self.rules),
            rules: self.rules.name().to_owned(),
            root: PackedPosition::of(&root),
            winner: self.winner,
            plies,
            tables: self.table_uses(&found.tables)?,
        };
        let mut out = Summed { out, hash: Xxh3::new(), bytes: 0 };
        out.write_all(&head.to_bytes())?;
        let mut layout = Layout {
            strategy: self,
            out: zstd::stream::write::Encoder::new(&mut out, LEVEL)?,
            is_long: false,
            part: Vec::with_capacity(PART),
            labels: 0,
            cancel,
        };
        layout.root(&root)?;
        if !layout.is_long {
            // With its size known beforehand, a short certificate takes little memory to pack.
            layout.out.set_pledged_src_size(Some(layout.part.len() as u64))?;
        }
        layout.out.write_all(&layout.part)?;
        layout.out.finish()?;
        let checksum = out.hash.digest().to_le_bytes();
        out.write_all(&checksum)?;
        Ok(Written { plies, positions: found.positions, bytes: out.bytes, tables: head.tables.len() })
    }

    /// Writes the certificate to a file, which appears once complete and synced.
    ///
    /// # Errors
    /// Returns an error if the file system fails, a table is damaged, or on cancellation.
    pub fn write_file(&mut self, path: &Path, cancel: &Cancel) -> Result<Written, StrategyError> {
        let mut out = Output::create(path)?;
        let written = self.write(&mut out, cancel)?;
        out.finish()?;
        Ok(written)
    }

    /// Counts the moves to each stored position that the strategy reaches.
    fn count(&mut self, position: &Position, found: &mut Found, cancel: &Cancel) -> Result<(), StrategyError> {
        let number = match self.rest(position)? {
            Some(Rest::Kept(number)) => number as usize,
            Some(Rest::Table(class, _)) => {
                found.tables.insert(class);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(node) = self.nodes.get_mut(number) else { return Ok(()) };
        node.ways += 1;
        if node.ways > 1 {
            return Ok(());
        }
        found.positions += 1;
        if found.positions.is_multiple_of(1024) && cancel.is_cancelled() {
            return Err(StrategyError::Interrupted);
        }
        let mv = node.mv;
        for (_, next) in self.moves(position, mv) {
            self.count(&next, found, cancel)?;
        }
        Ok(())
    }

    /// The legal moves in order, or only the winner's; with their numbers.
    fn moves(&self, position: &Position, only: Option<Move>) -> Vec<(usize, Position)> {
        let mut successors: Vec<_> = position.successors(self.rules).collect();
        successors.sort_unstable_by_key(|successor| successor.mv);
        let numbered = successors.iter().enumerate();
        let wanted = numbered.filter(|(_, successor)| only.is_none_or(|mv| mv == successor.mv));
        wanted.map(|(number, successor)| (number, successor.position)).collect()
    }

    /// The tables by the names of their classes.
    fn table_uses(&self, classes: &BTreeSet<Material>) -> Result<Vec<TableUse>, StrategyError> {
        let mut uses = Vec::new();
        for &representative in classes {
            let class = &self.tables.place(representative)?.class;
            let table = self.tables.registry().table(class, Metric::Dtw)?;
            uses.push(TableUse { class: class.name(), checksum: table.checksum() });
        }
        uses.sort_unstable_by(|a, b| a.class.cmp(&b.class));
        Ok(uses)
    }
}

/// The result of traversing a strategy.
#[derive(Default)]
struct Found {
    positions: u64,
    tables: BTreeSet<Material>,
}

/// Serializes the positions of a strategy, each after the one that first leads to it.
struct Layout<'s, 'a, W: Write> {
    strategy: &'s mut Strategy<'a>,
    out: zstd::stream::write::Encoder<'static, W>,
    part: Vec<u8>,
    /// Whether some parts are packed already.
    is_long: bool,
    /// Number of labels assigned.
    labels: u32,
    cancel: &'s Cancel,
}

impl<W: Write> Layout<'_, '_, W> {
    fn root(&mut self, root: &Position) -> Result<(), StrategyError> {
        if root.to_move() == self.strategy.winner {
            return self.winner_to_move(root);
        }
        if let Some(Rest::Table(..)) = self.strategy.rest(root)? {
            self.part.push(code::THEN_TABLE);
            return Ok(());
        }
        self.part.push(code::THEN_REPLIES);
        self.replies(root)
    }

    fn winner_to_move(&mut self, position: &Position) -> Result<(), StrategyError> {
        if self.part.len() >= PART {
            if self.cancel.is_cancelled() {
                return Err(StrategyError::Interrupted);
            }
            self.out.write_all(&self.part)?;
            self.part.clear();
            self.is_long = true;
        }
        let number = match self.strategy.rest(position)? {
            Some(Rest::Kept(number)) => number,
            Some(end @ (Rest::LastMove | Rest::Table(..))) => {
                self.part.push(if end == Rest::LastMove { code::LAST } else { code::TABLE });
                return Ok(());
            }
            Some(Rest::Over) | None => return Err(self.lost(position)),
        };
        match self.label(number) {
            Labelled::Before(back) => {
                self.part.push(code::REFERENCE);
                put_number(&mut self.part, back);
                return Ok(());
            }
            Labelled::Now => self.part.push(code::LABEL),
            Labelled::No => {}
        }
        let mv = self.strategy.nodes.get(number as usize).and_then(|node| node.mv);
        let moves = self.strategy.moves(position, mv);
        let &[(number, next)] = &moves[..] else { return Err(self.lost(position)) };
        let number = u8::try_from(number).ok().filter(|&number| number < code::MOVES);
        let number = number.ok_or_else(|| self.lost(position))?;
        match self.strategy.rest(&next)? {
            Some(Rest::Over) => self.part.push(number | code::THEN_REPLIES),
            Some(Rest::Table(..)) => self.part.push(number | code::THEN_TABLE),
            Some(Rest::Kept(kept)) => match self.label(kept) {
                Labelled::Before(back) => {
                    self.part.push(number | code::THEN_REFERENCE);
                    put_number(&mut self.part, back);
                }
                labelled => {
                    let then = if labelled == Labelled::Now { code::THEN_LABEL } else { code::THEN_REPLIES };
                    self.part.push(number | then);
                    self.replies(&next)?;
                }
            },
            Some(Rest::LastMove) | None => return Err(self.lost(&next)),
        }
        Ok(())
    }

    fn replies(&mut self, position: &Position) -> Result<(), StrategyError> {
        for (_, reply) in self.strategy.moves(position, None) {
            self.winner_to_move(&reply)?;
        }
        Ok(())
    }

    /// Whether a stored position has a label; assigns one if several moves lead to it.
    fn label(&mut self, number: u32) -> Labelled {
        let Some(node) = self.strategy.nodes.get_mut(number as usize) else { return Labelled::No };
        match node.label {
            Some(label) => Labelled::Before(self.labels - label),
            None if node.ways > 1 => {
                node.label = Some(self.labels);
                self.labels += 1;
                Labelled::Now
            }
            None => Labelled::No,
        }
    }

    /// The error for a position missing from the strategy.
    fn lost(&self, position: &Position) -> StrategyError {
        StrategyError::Contradiction { position: position.to_text(self.strategy.rules), plies: 0 }
    }
}

/// Label state of a stored position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labelled {
    /// It needs no label.
    No,
    /// It gets a label now.
    Now,
    /// It has a label, assigned this many labels ago.
    Before(u32),
}

/// A writer that also computes the checksum.
struct Summed<'a> {
    out: &'a mut dyn Write,
    hash: Xxh3,
    bytes: u64,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(bytes.get(..written).unwrap_or_default());
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
