//! `re-encode`: rewrites tables with another encoding.

use super::{Common, exit, interrupt, output, targets};
use clap::Args;
use jungletb::table::{Encoding, Registry, reencode};
use serde_json::json;
use std::path::PathBuf;

/// Rewrite tables with other block sizes or compression, or in the current format, without solving
///
/// Larger blocks take less disk and more time per probe. The values stay the same. Tables of format version 1 become
/// tables of version 2, which take about half the disk.
#[derive(Args)]
pub struct Reencode {
    /// Materials whose tables to rewrite
    #[arg(required = true)]
    materials: Vec<String>,
    /// Rows per WDL block [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=Encoding::MAX_ROWS as i64))]
    wdl_rows: Option<u32>,
    /// Rows per DTW block [default: 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=Encoding::MAX_ROWS as i64))]
    dtw_rows: Option<u32>,
    /// Compression level of WDL, 1 to 22 [default: 6]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    wdl_level: Option<i32>,
    /// Compression level of DTW, 1 to 22 [default: 9]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(i32).range(1..=22))]
    dtw_level: Option<i32>,
    /// Folder of tables to write to [default: the first of --tables; tables there are replaced]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Reencode {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let tables = common.tablebase()?;
        let (rules, registry) = (tables.rules(), tables.registry());
        let usual = Encoding::default();
        let encoding = Encoding {
            wdl_rows: self.wdl_rows.map_or(usual.wdl_rows, |rows| rows as usize),
            dtw_rows: self.dtw_rows.map_or(usual.dtw_rows, |rows| rows as usize),
            wdl_level: self.wdl_level.unwrap_or(usual.wdl_level),
            dtw_level: self.dtw_level.unwrap_or(usual.dtw_level),
        };
        let to = self.out.as_deref().unwrap_or(registry.tables());
        let cancel = interrupt::cancel();
        let mut results = Vec::new();
        for material in targets::materials(&self.materials, rules)? {
            let table = tables.table(material)?;
            let class = &tables.place(material)?.class;
            let before: u64 = registry.bytes(class);
            drop(table);
            reencode(registry, rules, class, encoding, to, &cancel)?;
            let written = Registry::new(to, rules);
            results.push((class.name(), before, written.bytes(class)));
        }
        if common.json {
            let each = results
                .iter()
                .map(|(class, before, after)| json!({"class": class, "bytes_before": before, "bytes_after": after}));
            output::json(&each.collect())?;
        } else {
            let lines: Vec<String> = results
                .iter()
                .map(|(class, before, after)| {
                    format!("{class:<9} {:>14} bytes, were {:>14}\n", output::grouped(*after), output::grouped(*before))
                })
                .collect();
            output::text(&lines.concat())?;
        }
        Ok(exit::GOOD)
    }
}
