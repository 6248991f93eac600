//! Writing both tables of a class in one pass over its positions.

use super::block::Packing;
use super::block_table::BlockTable;
use super::error::TableError;
use super::header::{HEADER_LEN, Header, HeaderGroup, MAX_BLOCK_LEN, Metric, VERSION};
use super::reader::Table;
use super::summary::{SideSummary, Summary, Tally};
use super::value::Value;
use super::wire::Bytes;
use crate::game::Rules;
use crate::material::{Class, Side};
use crate::system::WholeFile;
use rayon::prelude::*;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The source of the values of a class for writing.
pub trait Values: Sync {
    /// Called before the values of these placements are asked for, by several threads.
    ///
    /// # Errors
    /// Returns an error if the values cannot be read.
    fn prepare(&self, to_move: Side, numbers: Range<u64>) -> Result<(), TableError> {
        let _ = (to_move, numbers);
        Ok(())
    }
    /// Fills in the values of the placements from number `start` on.
    ///
    /// # Errors
    /// Returns an error if the values come from a damaged table.
    fn fill(&self, to_move: Side, start: u64, out: &mut [Value]) -> Result<(), TableError>;
    /// The counts of all positions, if they are known: otherwise the values are counted.
    fn summary(&self) -> Option<&Summary> {
        None
    }
    /// Called after each stretch of positions is packed.
    fn written(&self, positions: u64) {
        let _ = positions;
    }
}

/// How values are split into blocks and compressed. The default is the best found in FORMAT.md; all encodings hold the
/// same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Rows per WDL block.
    pub wdl_rows: usize,
    /// Rows per DTW block.
    pub dtw_rows: usize,
    /// Zstandard level for WDL.
    pub wdl_level: i32,
    /// Zstandard level for DTW.
    pub dtw_level: i32,
}

impl Default for Encoding {
    fn default() -> Self {
        Self { wdl_rows: 256, dtw_rows: 1024, wdl_level: 6, dtw_level: 9 }
    }
}

impl Encoding {
    /// Maximum number of rows per block.
    pub const MAX_ROWS: usize = MAX_BLOCK_LEN as usize / 64;

    const fn rows(self, metric: Metric) -> usize {
        match metric {
            Metric::Wdl => self.wdl_rows,
            Metric::Dtw => self.dtw_rows,
        }
    }

    const fn level(self, metric: Metric) -> i32 {
        match metric {
            Metric::Wdl => self.wdl_level,
            Metric::Dtw => self.dtw_level,
        }
    }

    /// Positions per block.
    fn block_len(self, class: &Class, metric: Metric) -> usize {
        class.index().row_len() * self.rows(metric)
    }
}
/// Stretches packed in parallel before they are written.
const BATCH: usize = 64;

/// Writes the tables of a class into a folder: WDL, and DTW if `distances` gives the greatest distance.
///
/// Creates the folder if necessary. A file gets its final name once it is complete and synced. Of a class with
/// distances, the WDL table gets its name first, immediately before the DTW table that belongs to it.
///
/// Of a won position only the result is stored, so `values` may give it any distance if it has a summary.
///
/// # Errors
/// Returns an error if the file system fails.
pub fn write(
    folder: &Path,
    rules: &Rules,
    class: &Class,
    distances: Option<u16>,
    encoding: Encoding,
    values: &dyn Values,
) -> Result<Summary, TableError> {
    std::fs::create_dir_all(folder).map_err(TableError::io(folder, "create"))?;
    let width = if distances.is_some_and(|plies| plies / 2 > u16::from(u8::MAX)) { 2 } else { 1 };
    let metrics: &[Metric] = if distances.is_some() { &[Metric::Wdl, Metric::Dtw] } else { &[Metric::Wdl] };
    let create = |&metric| TableFile::create(folder, rules, class, metric, width, encoding);
    let mut files = metrics.iter().map(create).collect::<Result<Vec<_>, _>>()?;
    // A common multiple of both block lengths.
    let stretch = metrics.iter().map(|&metric| encoding.block_len(class, metric)).fold(1, lcm);
    let known = values.summary();
    let mut summary = Summary::default();
    for &side in class.stored_sides() {
        let mut counts = SideSummary::default();
        let starts: Vec<u64> = (0..class.index().len()).step_by(stretch).collect();
        for starts in starts.chunks(BATCH) {
            let first = starts.first().copied().unwrap_or_default();
            let len = (starts.len() * stretch) as u64;
            values.prepare(side, first..class.index().len().min(first + len))?;
            let packings: Vec<Packing> = files.iter().map(|file| file.packing).collect();
            let pack = |&start: &u64| {
                let mut part = vec![Value::DRAW; (class.index().len() - start).min(stretch as u64) as usize];
                values.fill(side, start, &mut part)?;
                let counts = known.is_none().then(|| tally(class, start, &part).summary());
                let packed = Stretch { counts, blocks: pack(class, &part, &packings, encoding) };
                values.written(part.len() as u64);
                Ok(packed)
            };
            let stretches: Vec<Stretch> = starts.par_iter().map(pack).collect::<Result<_, TableError>>()?;
            for stretch in stretches {
                if let Some(more) = stretch.counts {
                    counts.merge(&more);
                }
                for (file, blocks) in files.iter_mut().zip(stretch.blocks) {
                    blocks.into_iter().try_for_each(|block| file.add(block))?;
                }
            }
        }
        summary.sides.push(counts);
    }
    let mut summary = known.cloned().unwrap_or(summary);
    if distances.is_none() {
        summary = summary.results_only();
    }
    let mut results_checksum = 0;
    for file in &mut files {
        results_checksum = file.complete(&summary, results_checksum)?;
    }
    files.into_iter().try_for_each(TableFile::finish)?;
    Ok(summary)
}

/// Positions packed together.
struct Stretch {
    /// `None` if the counts are known.
    counts: Option<SideSummary>,
    /// The blocks of each file.
    blocks: Vec<Vec<Block>>,
}

enum Block {
    /// The number that stands for its value.
    Constant(u64),
    Packed(Vec<u8>),
}

/// The blocks of each file.
fn pack(class: &Class, values: &[Value], packings: &[Packing], encoding: Encoding) -> Vec<Vec<Block>> {
    let each = packings.iter().zip(Metric::ALL).map(|(packing, metric)| {
        let mut compressor = zstd::bulk::Compressor::new(encoding.level(metric)).ok();
        let blocks = values.chunks(encoding.block_len(class, metric));
        blocks.map(|values| Block::new(*packing, values, compressor.as_mut())).collect()
    });
    each.collect()
}

/// Counts the values of the placements from `start` on, each weighted by the positions it represents.
fn tally(class: &Class, start: u64, values: &[Value]) -> Tally {
    let mut tally = Tally::new();
    let orders = class.like_orders();
    let mut rest = values;
    for run in class.index().runs(start..start + values.len() as u64) {
        let (values, later) = rest.split_at(run.plane.len());
        rest = later;
        let weight = orders * if run.is_mirror { 1 } else { 2 };
        for (&value, number) in values.iter().zip(run.start..) {
            tally.add(value, weight, number);
        }
    }
    tally
}

impl Block {
    fn new(packing: Packing, values: &[Value], compressor: Option<&mut zstd::bulk::Compressor<'_>>) -> Self {
        if let Some(value) = packing.constant(values) {
            return Self::Constant(packing.constant_code(value));
        }
        let mut packed = Vec::new();
        packing.pack(values, &mut packed);
        // A block that compression does not shrink is stored uncompressed; its length shows which.
        let compressed = compressor.and_then(|compressor| compressor.compress(&packed).ok());
        Self::Packed(compressed.filter(|bytes| bytes.len() < packed.len()).unwrap_or(packed))
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// A table file that does not have its final name yet.
struct TableFile {
    path: PathBuf,
    out: WholeFile,
    packing: Packing,
    header: Header,
    /// The entries of the block table.
    table: Bytes,
}

impl TableFile {
    fn create(
        folder: &Path,
        rules: &Rules,
        class: &Class,
        metric: Metric,
        width: u8,
        encoding: Encoding,
    ) -> Result<Self, TableError> {
        let path = folder.join(format!("{}.{}", class.name(), metric.name()));
        let mut out = WholeFile::create(&path).map_err(TableError::io(&path, "create"))?;
        out.write_all(&[0; HEADER_LEN]).map_err(TableError::io(&path, "write"))?;
        let header = Header {
            version: VERSION,
            metric,
            fingerprint: class.fingerprint,
            class: class.name(),
            rules: rules.name().to_owned(),
            groups: HeaderGroup::all(class),
            placements: class.index().len(),
            sides: class.stored_sides().len() as u8,
            row_len: class.index().row_len() as u16,
            block_len: encoding.block_len(class, metric) as u32,
            width,
            tail_start: HEADER_LEN as u64,
            tail_len: 0,
            tail_checksum: 0,
            results_checksum: 0,
        };
        Ok(Self { path, out, packing: header.packing(), header, table: Bytes::default() })
    }

    fn add(&mut self, block: Block) -> Result<(), TableError> {
        match block {
            Block::Constant(code) => {
                self.table.u32(0);
                self.table.u64(code);
            }
            Block::Packed(bytes) => {
                self.table.u32(bytes.len() as u32);
                self.table.u64(xxh3_64(&bytes));
                self.header.tail_start += bytes.len() as u64;
                self.out.write_all(&bytes).map_err(TableError::io(&self.path, "write"))?;
            }
        }
        Ok(())
    }

    /// Writes what is left, and the header, to the disk; returns the checksum of the file. `results_checksum`: that of
    /// the WDL table, for a DTW table.
    fn complete(&mut self, summary: &Summary, results_checksum: u64) -> Result<u64, TableError> {
        let mut tail = BlockTable::pages(&self.table.0);
        match self.header.metric {
            Metric::Wdl => summary.results_only().write(&mut tail),
            Metric::Dtw => summary.write(&mut tail),
        }
        self.header.tail_len = (self.table.0.len() + tail.0.len()) as u64;
        self.header.tail_checksum = xxh3_64(&tail.0);
        self.header.results_checksum = results_checksum;
        let header = self.header.to_bytes();
        let mut write = || {
            self.out.write_all(&self.table.0)?;
            self.out.write_all(&tail.0)?;
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&header)?;
            self.out.sync()
        };
        write().map_err(TableError::io(&self.path, "write"))?;
        Ok(Header::checksum(&header))
    }

    /// Gives the file its name.
    fn finish(self) -> Result<(), TableError> {
        self.out.finish().map_err(TableError::io(&self.path, "write"))
    }
}

/// Copies a table of the same game from other rules, under the name that `class` has in `rules`; with a DTW table that
/// needs its WDL table, copies that too. Returns the checksum of the copy.
///
/// # Errors
/// Returns an error if the table is damaged or of another game, or if the file system fails.
pub fn adopt(from: &Path, folder: &Path, rules: &Rules, class: &Class) -> Result<u64, TableError> {
    let table = Table::open(from)?;
    table.check_game(rules, class)?;
    table.check_blocks()?;
    std::fs::create_dir_all(folder).map_err(TableError::io(folder, "create"))?;
    let results = table.results().map(|results| adopt(results.path(), folder, rules, class)).transpose()?;
    let header = Header {
        class: class.name(),
        rules: rules.name().to_owned(),
        groups: HeaderGroup::all(class),
        results_checksum: results.unwrap_or(0),
        ..table.header().clone()
    };
    let path = folder.join(format!("{}.{}", class.name(), header.metric.name()));
    let mut file = WholeFile::create(&path).map_err(TableError::io(&path, "create"))?;
    let header = header.to_bytes();
    file.write_all(&header).map_err(TableError::io(&path, "write"))?;
    for piece in table.contents() {
        file.write_all(&piece?).map_err(TableError::io(&path, "write"))?;
    }
    file.finish().map_err(TableError::io(&path, "write"))?;
    Ok(Header::checksum(&header))
}
