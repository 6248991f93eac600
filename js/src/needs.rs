//! Which bytes JavaScript is to bring.

use crate::remote::{Missing, Remote};
use jungletb::probe::Tablebase;
use serde_json::{Value, json};
use std::sync::Arc;

/// Rows per block as `generate` writes them, entries per page, and bytes per entry: see the format.
const WDL_ROWS: u64 = 256;
const DTW_ROWS: u64 = 1024;
const ENTRIES: u64 = 512;
const ENTRY: u64 = 12;
/// Room for the list of the distances of one side.
const DISTANCES: u64 = 1024;
/// A block table of up to this many bytes is brought as a whole.
const SMALL: u64 = 8192;

/// All needs of all sources: `[{"source","file","tail"}]` for the header and about that many bytes at the end of a
/// file, `[{"source","file","ranges":[[start,end]]}]` for parts of a file.
pub fn all(tables: &Tablebase, sources: &[Arc<Remote>]) -> String {
    let each = (0_u32..).zip(sources).flat_map(|(source, remote)| {
        remote.take_missing().into_iter().map(move |(file, missing)| match missing {
            Missing::Header => json!({ "source": source, "file": file, "tail": tail(tables, &file) }),
            Missing::Ranges(ranges) => {
                let ranges: Vec<[u64; 2]> = ranges.iter().map(|range| [range.start, range.end]).collect();
                json!({ "source": source, "file": file, "ranges": ranges })
            }
        })
    });
    each.collect::<Value>().to_string()
}

/// About how long the part of a table is that is read when it is opened: the list of the pages and the summary, with
/// the block table if it is short.
fn tail(tables: &Tablebase, file: &str) -> Option<u64> {
    let name = file.strip_prefix(tables.rules().name())?.strip_prefix('/')?;
    let (class, metric) = name.split_once('.')?;
    let material = crate::material(tables.rules(), class).ok()?;
    let class = &tables.place(material).ok()?.class;
    let (rows, distances) = if metric == "wdl" { (WDL_ROWS, 0) } else { (DTW_ROWS, DISTANCES) };
    let sides = class.stored_sides().len() as u64;
    let blocks = class.index().len().div_ceil(class.index().row_len() as u64 * rows) * sides;
    let list = 16 * blocks.div_ceil(ENTRIES) + sides * (36 + distances);
    let entries = blocks * ENTRY;
    Some(list + if entries <= SMALL { entries } else { 0 })
}
