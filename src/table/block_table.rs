//! The block table: where each block is stored.
//!
//! In version 2 it is divided into pages. Opening a table reads only the list of the pages; a page is read and checked
//! when one of its blocks is first used. The table of a file in version 1 is a single page.

use super::error::TableError;
use super::header::{HEADER_LEN, Header};
use super::source::ByteSource;
use super::wire::{Bytes, Fields};
use std::path::Path;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// An entry of the block table.
#[derive(Clone, Copy, Debug)]
pub struct BlockEntry {
    /// Offset in the file.
    pub start: u64,
    /// Stored length; 0 for a constant block, whose value is then in place of the checksum.
    pub len: u32,
    /// Checksum of the stored bytes.
    pub checksum: u64,
}

/// The entries of all blocks.
#[derive(Debug)]
pub struct BlockTable {
    blocks: usize,
    /// Entries per page.
    page_len: usize,
    /// Offset of the first page.
    start: u64,
    pages: Box<[Page]>,
}

/// A page of the block table.
#[derive(Debug)]
struct Page {
    /// Where its blocks start and end.
    stored: [u64; 2],
    checksum: u64,
    entries: OnceLock<Box<[BlockEntry]>>,
}

/// Bytes per entry.
pub const ENTRY_LEN: usize = 12;
/// Entries per page.
pub const PAGE_LEN: usize = 512;

/// The message for a block table that contradicts the header.
const MISFIT: &str = "its block table does not fit its header";

impl BlockTable {
    /// Number of blocks of a table, as far as its tail can hold their entries.
    fn count(header: &Header) -> Option<usize> {
        let blocks = header.blocks_per_side().checked_mul(header.sides.into())?;
        let len = blocks.checked_mul(ENTRY_LEN as u64).filter(|&len| len <= header.tail_len)?;
        usize::try_from(len).ok().map(|len| len / ENTRY_LEN)
    }

    /// Length of the pages in bytes, which the checksum of the tail does not cover.
    pub fn unlisted_len(header: &Header) -> Result<u64, &'static str> {
        if header.version == 1 {
            return Ok(0);
        }
        Self::count(header).map(|blocks| (blocks * ENTRY_LEN) as u64).ok_or(MISFIT)
    }

    /// Reads the part of the block table at the start of the checked part of the tail: the table itself in version 1,
    /// the list of its pages in version 2.
    pub fn read(header: &Header, fields: &mut Fields<'_>) -> Result<Self, &'static str> {
        let blocks = Self::count(header).ok_or(MISFIT)?;
        let pages: Box<[Page]> = if header.version == 1 {
            let bytes = fields.bytes(blocks * ENTRY_LEN).ok_or(MISFIT)?;
            let stored = [HEADER_LEN as u64, header.tail_start];
            let entries = entries(bytes, stored).ok_or(MISFIT)?;
            [Page { stored, checksum: 0, entries: entries.into() }].into()
        } else {
            let mut starts = Vec::new();
            for _ in 0..blocks.div_ceil(PAGE_LEN) {
                starts.push(fields.u64().zip(fields.u64()).ok_or(MISFIT)?);
            }
            let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([header.tail_start]);
            let pages = starts.iter().zip(ends);
            let pages = pages.map(|(&(start, checksum), end)| Page {
                stored: [start, end],
                checksum,
                entries: OnceLock::new(),
            });
            pages.collect()
        };
        let starts_right = pages.first().map_or(header.tail_start, |page| page.stored[0]) == HEADER_LEN as u64;
        if !starts_right || pages.iter().any(|Page { stored: [start, end], .. }| start > end) {
            return Err(MISFIT);
        }
        let page_len = if header.version == 1 { blocks.max(1) } else { PAGE_LEN };
        Ok(Self { blocks, page_len, start: header.tail_start, pages })
    }

    /// Number of blocks.
    pub const fn len(&self) -> usize {
        self.blocks
    }

    /// The entry of a block if its page was read before.
    #[inline]
    pub fn known(&self, block: usize) -> Option<&BlockEntry> {
        self.pages.get(block / self.page_len)?.entries.get()?.get(block % self.page_len)
    }

    /// The entry of a block; `None` if there is no such block.
    pub fn entry(&self, block: usize, path: &Path, source: &dyn ByteSource) -> Result<Option<BlockEntry>, TableError> {
        if let Some(entry) = self.known(block) {
            return Ok(Some(*entry));
        }
        let number = block / self.page_len;
        let Some(page) = self.pages.get(number) else { return Ok(None) };
        let len = (self.blocks - number * self.page_len).min(self.page_len);
        let mut bytes = vec![0; len * ENTRY_LEN];
        let start = self.start + (number * self.page_len * ENTRY_LEN) as u64;
        super::reader::read(path, source, start, &mut bytes)?;
        let damaged = |how: &str| {
            TableError::damaged(path, format!("page {number} of {} of its block table {how}", self.pages.len()))
        };
        if xxh3_64(&bytes) != page.checksum {
            return Err(damaged("fails its checksum"));
        }
        let entries = entries(&bytes, page.stored).ok_or_else(|| damaged("does not fit the next one"))?;
        Ok(page.entries.get_or_init(|| entries).get(block % self.page_len).copied())
    }

    /// The list of the pages for the entries of a new table.
    pub fn pages(entries: &[u8]) -> Bytes {
        let mut list = Bytes::default();
        let mut start = HEADER_LEN as u64;
        for page in entries.chunks(PAGE_LEN * ENTRY_LEN) {
            list.u64(start);
            list.u64(xxh3_64(page));
            let mut fields = Fields(page);
            while let Some((len, _)) = fields.u32().zip(fields.u64()) {
                start += u64::from(len);
            }
        }
        list
    }
}

/// The entries of blocks that are stored back to back in a range of the file.
fn entries(bytes: &[u8], [mut start, end]: [u64; 2]) -> Option<Box<[BlockEntry]>> {
    let mut fields = Fields(bytes);
    let mut entries = Vec::with_capacity(bytes.len() / ENTRY_LEN);
    while let Some((len, checksum)) = fields.u32().zip(fields.u64()) {
        entries.push(BlockEntry { start, len, checksum });
        start = start.checked_add(len.into())?;
    }
    (start == end).then(|| entries.into())
}
