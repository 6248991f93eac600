//! Reading a table. Nothing in the file is trusted: a block is copied, and the copy is checked and used, because the
//! bytes of the file may change at any time.
//!
//! A DTW table of version 2 holds distances of lost positions only. It is read together with the WDL table beside it,
//! which holds which positions are lost; both together give the values as far as they are stored. The distance of a won
//! position follows from its successors: see [`crate::distances`].

use super::block::{PackedResults, Packing};
use super::block_table::{BlockEntry, BlockTable};
use super::decompress::decompress;
use super::error::TableError;
use super::files::FileId;
use super::header::{BadHeader, HEADER_LEN, Header, Metric, VERSION};
use super::pending::Pending;
use super::shelf::Shelf;
use super::source::{Access, ByteSource, Mapped, Positioned};
use super::summary::Summary;
use super::value::Value;
use super::wire::Fields;
use crate::game::{Category, Rules};
use crate::material::{Class, Side};
use crate::system::open_at_once;
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// An open table file. Opening checks the header and the block table; each block is checked when it is read.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: Header,
    checksum: u64,
    source: Box<dyn ByteSource>,
    /// Identity of the file when it was opened; `None` for other sources.
    id: Option<FileId>,
    blocks: BlockTable,
    summary: Summary,
    shelf: Shelf,
    /// The results of a table that holds distances of lost positions only.
    results: Option<Arc<Self>>,
}

thread_local! {
    /// A block as stored in the file.
    static STORED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Table {
    /// Opens a table file as a memory map, and the WDL table beside it if it is needed.
    ///
    /// # Errors
    /// Returns an error if the file is missing, unreadable, not a table, of another version, or has a damaged header or
    /// block table, or if the WDL table that it needs is missing or another one.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        Self::open_with(path, Access::Map)
    }

    /// Opens a table file with the given access method.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_with(path: &Path, access: Access) -> Result<Self, TableError> {
        Self::open_beside(path, access, |_| None)
    }

    /// Opens a table file. `opened` may give the WDL table at a path if it is open already.
    pub(super) fn open_beside(
        path: &Path,
        access: Access,
        opened: impl FnOnce(&Path) -> Option<Arc<Self>>,
    ) -> Result<Self, TableError> {
        let (source, id) = open_source(path, access)?;
        let mut table = Self::of_source(path, source, Some(id))?;
        if table.header.is_losses() {
            let beside = path.with_extension(Metric::Wdl.name());
            let named = table.header.results_checksum;
            if beside == path {
                return Err(TableError::damaged(path, "it is a table of the other metric, renamed"));
            }
            let results = match opened(&beside).filter(|results| results.checksum == named) {
                Some(results) => results,
                None => Arc::new(Self::open_with(&beside, access).map_err(|error| match error {
                    TableError::Missing { .. } => TableError::Incomplete { path: path.to_owned(), needs: beside },
                    error => error,
                })?),
            };
            table.join(results)?;
        }
        Ok(table)
    }

    /// Attaches the results to a table of distances of lost positions.
    fn join(&mut self, results: Arc<Self>) -> Result<(), TableError> {
        let (ours, theirs) = (&self.header, results.header());
        if results.checksum != ours.results_checksum {
            let what = format!(
                "it belongs to a WDL table with the checksum {:016x}, but that of {} is {:016x}",
                ours.results_checksum,
                results.path.display(),
                results.checksum
            );
            return Err(TableError::damaged(&self.path, what));
        }
        let is_same = ours.fingerprint == theirs.fingerprint
            && ours.groups == theirs.groups
            && (ours.placements, ours.sides) == (theirs.placements, theirs.sides);
        if theirs.metric != Metric::Wdl || !is_same {
            return Err(TableError::damaged(&self.path, "the WDL table it names is of another class"));
        }
        self.results = Some(results);
        Ok(())
    }

    /// Reads only the header of a table file; also returns the length of the file, which is checked against the header.
    ///
    /// # Errors
    /// As [`Table::open`], except for the block table.
    pub fn read_header(path: &Path) -> Result<(Header, u64), TableError> {
        let (source, _) = open_source(path, Access::Read)?;
        Self::header_of(path, source.as_ref())
    }

    /// As [`Table::read_header`], from any source of bytes.
    pub(super) fn header_of(path: &Path, source: &dyn ByteSource) -> Result<(Header, u64), TableError> {
        let (header, _) = header(path, source)?;
        Ok((header, source.size()))
    }

    /// Opens a table from any source of bytes; `path` is the name used in errors. `results`: the WDL table that a DTW
    /// table of version 2 needs.
    ///
    /// # Errors
    /// As [`Table::open`], except for the file system.
    pub fn from_source(
        path: &Path,
        source: Box<dyn ByteSource>,
        results: Option<Arc<Self>>,
    ) -> Result<Self, TableError> {
        let mut table = Self::of_source(path, source, None)?;
        match results {
            Some(results) if table.header.is_losses() => table.join(results)?,
            None if table.header.is_losses() => {
                let needs = path.with_extension(Metric::Wdl.name());
                return Err(TableError::Incomplete { path: path.to_owned(), needs });
            }
            _ => {}
        }
        Ok(table)
    }

    fn of_source(path: &Path, source: Box<dyn ByteSource>, id: Option<FileId>) -> Result<Self, TableError> {
        let (header, checksum) = header(path, source.as_ref())?;
        let damaged = |what| TableError::damaged(path, what);
        let pages = BlockTable::unlisted_len(&header).map_err(damaged)?;
        // The lengths in the header were checked against the file length, so this allocation is bounded by it.
        let mut tail = vec![0; (header.tail_len - pages) as usize];
        read(path, source.as_ref(), header.tail_start + pages, &mut tail)?;
        let (blocks, summary) = read_tail(&header, &tail).map_err(damaged)?;
        let shelf = Shelf::new(blocks.len());
        Ok(Self { path: path.to_owned(), header, checksum, source, id, blocks, summary, shelf, results: None })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The checksum that covers the whole file.
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The WDL table that a DTW table of version 2 is read with.
    #[inline]
    pub const fn results(&self) -> Option<&Arc<Self>> {
        self.results.as_ref()
    }

    /// The counts of positions.
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.source.size()
    }

    /// Identity of the file when it was opened; `None` for other sources.
    pub(crate) const fn id(&self) -> Option<&FileId> {
        self.id.as_ref()
    }

    /// The cached unpacked blocks.
    pub(crate) const fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Advises the system that the whole file will be read soon.
    pub fn prefetch(&self) {
        self.source.prefetch();
    }

    /// Checks that this is the table of a class under these rules, under any names.
    ///
    /// # Errors
    /// Returns [`TableError::OtherGame`], naming both games; a table whose groups are in another order counts as
    /// damaged.
    pub fn check_game(&self, rules: &Rules, class: &Class) -> Result<(), TableError> {
        self.header.check_game(&self.path, rules, class)
    }

    /// Checks every block against its checksum.
    ///
    /// # Errors
    /// Returns an error for the first damaged block.
    pub fn check_blocks(&self) -> Result<(), TableError> {
        (0..self.blocks.len()).try_for_each(|block| self.with_stored(block, |_| ()))
    }

    /// Number of blocks, for all sides.
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The block that holds a position, and the offset within it.
    #[inline]
    pub fn locate(&self, to_move: Side, number: u64) -> (usize, usize) {
        let len = u64::from(self.header.block_len);
        let block = to_move.index() as u64 * self.header.blocks_per_side() + number / len;
        (block as usize, (number % len) as usize)
    }

    /// Reads a block, unpacked as far as [`Table::pick`] needs.
    ///
    /// # Errors
    /// Returns an error if the block is damaged.
    pub fn block(&self, block: usize) -> Result<Vec<u8>, TableError> {
        let mut pending = Pending::default();
        let entry = pending.keep(self.entry(block))?;
        if entry.is_some_and(|entry| entry.len == 0) {
            return Ok(Vec::new());
        }
        let (packing, count) = (self.header.packing(), self.values_in(block));
        let Some(results) = &self.results else {
            pending.end()?;
            return self.unpacked(block, packing.packed_len_of(count, 0));
        };
        let does_not_fit = || self.damaged_block(block, "does not fit the results");
        let results = pending.keep(results.packed_results(self, block))?;
        if results.is_none() {
            pending.keep(self.with_stored(block, |_| ()))?;
        }
        pending.end()?;
        let results = results.flatten().ok_or_else(does_not_fit)?;
        let packed = self.unpacked(block, packing.packed_len_of(count, results.count()))?;
        packing.index_losses(&packed, &results).ok_or_else(does_not_fit)
    }

    /// The results of the positions of a block of another table of the same class; `None` if the tables have other
    /// rows.
    fn packed_results(&self, other: &Self, block: usize) -> Result<Option<PackedResults>, TableError> {
        let (packing, count) = (self.header.packing(), other.values_in(block));
        let (side, mut number) = other.first_in(block);
        let end = number + count as u64;
        if packing.row_len != usize::from(other.header.row_len) || end > self.header.placements {
            return Ok(None);
        }
        let guard = crossbeam_epoch::pin();
        let mut pending = Pending::default();
        let mut rows = Vec::with_capacity(packing.packed_len_of(count, 0));
        while number < end {
            let (block, at) = self.locate(side, number);
            let in_block = self.values_in(block);
            let len = (in_block - at).min((end - number) as usize);
            let bytes = packing.packed_len_of(at, 0)..packing.packed_len_of(at + len, 0);
            number += len as u64;
            let Some(entry) = pending.keep(self.entry(block))? else { continue };
            if entry.len == 0 {
                rows.resize(rows.len() + bytes.len(), Packing::results_byte(self.constant(block)?.category()));
            } else if let Some(cached) = self.shelf.get(block, &guard) {
                rows.extend(cached.get(bytes).unwrap_or_default());
            } else if let Some(unpacked) = pending.keep(self.unpacked(block, packing.packed_len_of(in_block, 0)))? {
                rows.extend(unpacked.get(bytes).unwrap_or_default());
            }
        }
        pending.end()?;
        Ok(PackedResults::new(packing, &rows, count))
    }

    /// Reads what tells the results of the block of a position, without unpacking it: to have a store bring it.
    pub(crate) fn ask(&self, to_move: Side, number: u64) -> Result<(), TableError> {
        let (block, at) = self.locate(to_move, number);
        let Some(results) = &self.results else { return self.with_stored(block, |_| ()) };
        let mut pending = Pending::default();
        pending.keep(self.entry(block))?;
        let start = number - at as u64;
        let end = start + self.values_in(block) as u64;
        for number in (start..end).step_by(results.header.block_len as usize) {
            pending.keep(results.ask(to_move, number))?;
        }
        pending.end()
    }

    /// The bytes of a stored block, uncompressed.
    fn unpacked(&self, block: usize, len: usize) -> Result<Vec<u8>, TableError> {
        let unpack = |stored: &[u8]| {
            if stored.len() == len {
                return Some(stored.to_vec());
            }
            decompress(stored, len)
        };
        let packed = self.with_stored(block, unpack)?;
        packed.filter(|packed| packed.len() == len).ok_or_else(|| self.damaged_block(block, "does not unpack"))
    }

    /// The common value of a constant block, which is not stored; `None` for other blocks, and for those whose entry
    /// was not read yet.
    #[inline]
    pub(crate) fn constant_of(&self, block: usize) -> Option<Value> {
        let entry = self.blocks.known(block).filter(|entry| entry.len == 0)?;
        self.header.packing().constant_of(entry.checksum)
    }

    /// Reads one value of an unpacked block, of this table alone: a DTW table of version 2 gives the distance of a
    /// position provided that it is lost.
    ///
    /// # Errors
    /// Returns an error if the block is damaged.
    #[inline]
    pub fn pick(&self, block: usize, unpacked: &[u8], at: usize) -> Result<Value, TableError> {
        if unpacked.is_empty() {
            return self.constant(block);
        }
        self.header.packing().pick(unpacked, at).ok_or_else(|| self.damaged_block(block, "is too short"))
    }

    /// Reads the values of the placements from number `start` on, as far as they are stored: in a WDL table, wins and
    /// losses have the least possible distance; in a DTW table of version 2, wins have. [`crate::distances::SideValues`]
    /// gives all distances.
    ///
    /// # Errors
    /// Returns an error if a block is damaged.
    ///
    /// # Panics
    /// Panics if `start` plus the length of `out` exceeds the number of placements.
    pub fn read(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        assert!(start + out.len() as u64 <= self.header.placements, "read past the end");
        self.read_results(to_move, start, out)?;
        let mut rest = out;
        let mut number = start;
        let mut whole = Vec::new();
        let mut pending = Pending::default();
        while !rest.is_empty() {
            let (block, at) = self.locate(to_move, number);
            let len = (self.values_in(block) - at).min(rest.len());
            let (head, later) = std::mem::take(&mut rest).split_at_mut(len);
            pending.keep(self.read_in_block(to_move, number, head, &mut whole))?;
            number += head.len() as u64;
            rest = later;
        }
        pending.end()
    }

    /// As [`Table::read`], of values in one block. `whole` is room for a block.
    fn read_in_block(
        &self,
        to_move: Side,
        number: u64,
        out: &mut [Value],
        whole: &mut Vec<Value>,
    ) -> Result<(), TableError> {
        let (block, at) = self.locate(to_move, number);
        let in_block = self.values_in(block);
        if self.entry(block)?.len == 0 {
            let value = self.constant(block)?;
            let is_kept = |result: &Value| self.results.is_some() && *result != Value::least(Category::Loss);
            out.iter_mut().filter(|result| !is_kept(result)).for_each(|result| *result = value);
        } else if out.len() == in_block {
            self.unpack(block, out)?;
        } else {
            whole.resize(in_block, Value::DRAW);
            self.read_results(to_move, number - at as u64, whole)?;
            self.unpack(block, whole)?;
            out.copy_from_slice(whole.get(at..at + out.len()).unwrap_or_default());
        }
        Ok(())
    }

    /// Reads the results of a table that has them in another file.
    fn read_results(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError> {
        self.results.as_ref().map_or(Ok(()), |results| results.read(to_move, start, out))
    }

    /// Fills in the values of a stored block; `out` holds the results if they are in another file.
    fn unpack(&self, block: usize, out: &mut [Value]) -> Result<(), TableError> {
        let packing = self.header.packing();
        let unpacked = self.unpacked(block, packing.packed_len(out))?;
        packing.unpack(&unpacked, out).ok_or_else(|| self.damaged_block(block, "holds no values"))
    }

    /// The file contents after the header, in pieces.
    pub(super) fn contents(&self) -> impl Iterator<Item = Result<Vec<u8>, TableError>> {
        const PIECE: u64 = 1 << 20;
        let len = self.source.size();
        (HEADER_LEN as u64..len).step_by(PIECE as usize).map(move |start| {
            let mut piece = vec![0; PIECE.min(len - start) as usize];
            read(&self.path, self.source.as_ref(), start, &mut piece)?;
            Ok(piece)
        })
    }

    fn entry(&self, block: usize) -> Result<BlockEntry, TableError> {
        let entry = self.blocks.entry(block, &self.path, self.source.as_ref())?;
        entry.ok_or_else(|| self.damaged_block(block, "is not there"))
    }

    fn constant(&self, block: usize) -> Result<Value, TableError> {
        let code = self.entry(block)?.checksum;
        self.header.packing().constant_of(code).ok_or_else(|| self.damaged_block(block, "has no value"))
    }

    /// Calls `with` on the checked bytes of a block as stored. Constant blocks have none.
    pub(super) fn with_stored<T>(&self, block: usize, with: impl FnOnce(&[u8]) -> T) -> Result<T, TableError> {
        let entry = self.entry(block)?;
        STORED.with_borrow_mut(|stored| {
            stored.resize(entry.len as usize, 0);
            read(&self.path, self.source.as_ref(), entry.start, stored)?;
            if entry.len > 0 && xxh3_64(stored) != entry.checksum {
                return Err(self.damaged_block(block, "fails its checksum"));
            }
            Ok(with(stored))
        })
    }

    /// The side of a block, and the number of its first placement.
    fn first_in(&self, block: usize) -> (Side, u64) {
        let (block, per_side) = (block as u64, self.header.blocks_per_side().max(1));
        let side = if block / per_side == 0 { Side::First } else { Side::Second };
        (side, block % per_side * u64::from(self.header.block_len))
    }

    /// Number of values in a block; the last block of each side may be shorter.
    fn values_in(&self, block: usize) -> usize {
        let (_, start) = self.first_in(block);
        (self.header.placements - start).min(self.header.block_len.into()) as usize
    }

    fn damaged_block(&self, block: usize, how: &str) -> TableError {
        TableError::damaged(&self.path, format!("block {block} of {} {how}", self.blocks.len()))
    }
}

fn open_source(path: &Path, access: Access) -> Result<(Box<dyn ByteSource>, FileId), TableError> {
    let file = open_at_once(path, File::options().read(true)).map_err(TableError::io(path, "open"))?;
    let metadata = file.metadata().map_err(TableError::io(path, "open"))?;
    if !metadata.is_file() {
        let what = "it is a folder, pipe or device where a table file should be; move it away".to_owned();
        return Err(TableError::Unreadable { path: path.to_owned(), what });
    }
    if metadata.len() == 0 {
        return Err(TableError::damaged(path, "it is empty"));
    }
    let id = FileId::of(&metadata);
    Ok(match access {
        Access::Map => (Box::new(Mapped::new(path, &file, id).map_err(TableError::io(path, "map"))?), id),
        Access::Read => (Box::new(Positioned::new(path, file, id).map_err(TableError::io(path, "open"))?), id),
    })
}

/// Reads part of a table. Missing bytes count as damage; other errors are the system's.
pub(super) fn read(path: &Path, source: &dyn ByteSource, start: u64, into: &mut [u8]) -> Result<(), TableError> {
    source.read(start, into).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => TableError::damaged(path, format!("it cannot be read to the end: {error}")),
        _ => TableError::io(path, "read")(error),
    })
}

/// The header, checked against the file length, and its checksum.
fn header(path: &Path, source: &dyn ByteSource) -> Result<(Header, u64), TableError> {
    let len = source.size();
    let mut start = vec![0; len.min(HEADER_LEN as u64) as usize];
    read(path, source, 0, &mut start)?;
    let header = Header::from_bytes(&start).map_err(|bad| match bad {
        BadHeader::NotATable => TableError::Unreadable {
            path: path.to_owned(),
            what: "it is not a table of jungletb; move it away".to_owned(),
        },
        BadHeader::Version(found) => TableError::Unreadable {
            path: path.to_owned(),
            what: format!(
                "format version {found}, but this program reads versions 1 to {VERSION}; delete the file and generate it again"
            ),
        },
        BadHeader::Damaged if len < HEADER_LEN as u64 => {
            TableError::damaged(path, format!("{len} bytes are too few for a header"))
        }
        BadHeader::Damaged => TableError::damaged(path, "its header fails its checksum"),
    })?;
    let end = header.tail_start.checked_add(header.tail_len);
    if end != Some(len) || header.tail_start < HEADER_LEN as u64 {
        return Err(TableError::damaged(path, "its length does not match its header"));
    }
    let checksum = Header::checksum(&start);
    Ok((header, checksum))
}

/// The block table and summary, checked against the header.
fn read_tail(header: &Header, tail: &[u8]) -> Result<(BlockTable, Summary), &'static str> {
    if xxh3_64(tail) != header.tail_checksum {
        return Err("its block table fails its checksum");
    }
    let mut fields = Fields(tail);
    let blocks = BlockTable::read(header, &mut fields)?;
    let summary = Summary::read(&mut fields, header.sides.into());
    let summary = summary.filter(|summary| fields.0.is_empty() && summary.fits(header.placements));
    Ok((blocks, summary.ok_or("its summary does not fit its header")?))
}
