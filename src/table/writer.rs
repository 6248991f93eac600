//! Writing both tables of a class in one pass over its positions.

use super::block::Packing;
use super::error::TableError;
use super::header::{HEADER_LEN, Header, HeaderGroup, MAX_BLOCK_LEN, Metric};
use super::reader::Table;
use super::summary::{Summary, Tally};
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
/// Creates the folder if necessary. A file gets its final name once it is complete and synced.
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
    let width = if distances.is_some_and(|plies| plies >= 255) { 2 } else { 1 };
    let metrics: &[Metric] = if distances.is_some() { &[Metric::Wdl, Metric::Dtw] } else { &[Metric::Wdl] };
    let create = |&metric| TableFile::create(folder, rules, class, metric, width, encoding);
    let mut files = metrics.iter().map(create).collect::<Result<Vec<_>, _>>()?;
    // A common multiple of both block lengths.
    let stretch = metrics.iter().map(|&metric| encoding.block_len(class, metric)).fold(1, lcm);
    let mut summary = Summary::default();
    for &side in class.stored_sides() {
        let mut counts = super::SideSummary::default();
        let starts: Vec<u64> = (0..class.index().len()).step_by(stretch).collect();
        for starts in starts.chunks(BATCH) {
            let first = starts.first().copied().unwrap_or_default();
            let len = (starts.len() * stretch) as u64;
            values.prepare(side, first..class.index().len().min(first + len))?;
            let packings: Vec<Packing> = files.iter().map(|file| file.packing).collect();
            let pack = |&start: &u64| {
                let mut part = vec![Value::DRAW; (class.index().len() - start).min(stretch as u64) as usize];
                values.fill(side, start, &mut part)?;
                let packed = Stretch::pack(class, start, &part, &packings, encoding);
                values.written(part.len() as u64);
                Ok(packed)
            };
            let stretches: Vec<Stretch> = starts.par_iter().map(pack).collect::<Result<_, TableError>>()?;
            for stretch in stretches {
                counts.merge(&stretch.tally.summary());
                for (file, blocks) in files.iter_mut().zip(stretch.blocks) {
                    blocks.into_iter().try_for_each(|block| file.add(block))?;
                }
            }
        }
        summary.sides.push(counts);
    }
    if distances.is_none() {
        summary = summary.results_only();
    }
    files.into_iter().try_for_each(|file| file.finish(&summary))?;
    Ok(summary)
}

/// Positions packed together.
struct Stretch {
    tally: Tally,
    /// The blocks of each file.
    blocks: Vec<Vec<Block>>,
}

enum Block {
    Constant(Value),
    Packed(Vec<u8>),
}

impl Stretch {
    fn pack(class: &Class, start: u64, values: &[Value], packings: &[Packing], encoding: Encoding) -> Self {
        let blocks = packings.iter().map(|packing| {
            let mut compressor = zstd::bulk::Compressor::new(encoding.level(packing.metric)).ok();
            let blocks = values.chunks(encoding.block_len(class, packing.metric));
            blocks.map(|values| Block::new(*packing, values, compressor.as_mut())).collect()
        });
        let blocks = blocks.collect();
        Self { tally: tally(class, start, values), blocks }
    }
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
        let first = values.first().map_or(Value::DRAW, |&value| packing.kept(value));
        if values.iter().all(|&value| packing.kept(value) == first) {
            return Self::Constant(first);
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
        };
        Ok(Self {
            path,
            out,
            packing: Packing { metric, width, row_len: class.index().row_len() },
            header,
            table: Bytes::default(),
        })
    }

    fn add(&mut self, block: Block) -> Result<(), TableError> {
        match block {
            Block::Constant(value) => {
                self.table.u32(0);
                self.table.u64(value.code().into());
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

    fn finish(self, summary: &Summary) -> Result<(), TableError> {
        let Self { path, mut out, packing, mut header, mut table } = self;
        match packing.metric {
            Metric::Wdl => summary.results_only().write(&mut table),
            Metric::Dtw => summary.write(&mut table),
        }
        header.tail_len = table.0.len() as u64;
        header.tail_checksum = xxh3_64(&table.0);
        let mut finish = || {
            out.write_all(&table.0)?;
            out.seek(SeekFrom::Start(0))?;
            out.write_all(&header.to_bytes())
        };
        finish().and_then(|()| out.finish()).map_err(TableError::io(&path, "write"))
    }
}

/// Copies a table of the same game from other rules, under the name that `class` has in `rules`.
///
/// # Errors
/// Returns an error if the table is damaged or of another game, or if the file system fails.
pub fn adopt(from: &Path, folder: &Path, rules: &Rules, class: &Class) -> Result<(), TableError> {
    let table = Table::open(from)?;
    table.check_game(rules, class)?;
    table.check_blocks()?;
    std::fs::create_dir_all(folder).map_err(TableError::io(folder, "create"))?;
    let header = Header {
        class: class.name(),
        rules: rules.name().to_owned(),
        groups: HeaderGroup::all(class),
        ..table.header().clone()
    };
    let path = folder.join(format!("{}.{}", class.name(), header.metric.name()));
    let mut file = WholeFile::create(&path).map_err(TableError::io(&path, "create"))?;
    file.write_all(&header.to_bytes()).map_err(TableError::io(&path, "write"))?;
    for piece in table.contents() {
        file.write_all(&piece?).map_err(TableError::io(&path, "write"))?;
    }
    file.finish().map_err(TableError::io(&path, "write"))
}
