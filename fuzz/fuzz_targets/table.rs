//! The table reader: any bytes, and the same with their checksums put right, so that what lies behind is reached.
#![no_main]

use jungletb::material::Side;
use jungletb::table::{Table, Value};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 1024;

/// Puts the checksums of tail and header right, and the tail where the file ends. In version 2 the pages of the block
/// table have checksums of their own, which are not touched.
fn seal(bytes: &mut [u8]) {
    let Some(start) = bytes.get(32..40).map(|field| u64::from_le_bytes(field.try_into().unwrap())) else { return };
    if bytes.len() < HEADER {
        return;
    }
    let start = start.clamp(HEADER as u64, bytes.len() as u64) as usize;
    let tail_len = (bytes.len() - start) as u64;
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let per_block = u64::from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).max(1);
    let blocks = number(24).div_ceil(per_block).saturating_mul(bytes[11].into());
    let pages = if bytes[8] == 1 { 0 } else { blocks.saturating_mul(12).min(tail_len) };
    let tail_checksum = xxh3_64(&bytes[start + pages as usize..]);
    bytes[32..40].copy_from_slice(&(start as u64).to_le_bytes());
    bytes[40..48].copy_from_slice(&tail_len.to_le_bytes());
    bytes[48..56].copy_from_slice(&tail_checksum.to_le_bytes());
    let header_checksum = xxh3_64(&bytes[..HEADER - 8]);
    bytes[HEADER - 8..HEADER].copy_from_slice(&header_checksum.to_le_bytes());
}

fn read_all(bytes: Vec<u8>) {
    let Ok(table) = Table::from_source(Path::new("fuzz"), Box::new(bytes), None) else { return };
    let _ = table.check_blocks();
    for block in 0..table.blocks().min(64) {
        if let Ok(unpacked) = table.block(block) {
            for at in [0, 1, 57, unpacked.len(), usize::MAX / 4] {
                let _ = table.pick(block, &unpacked, at);
            }
        }
    }
    let mut values = vec![Value::DRAW; table.header().placements.min(10_000) as usize];
    let _ = table.read(Side::First, 0, &mut values);
}

fuzz_target!(|data: &[u8]| {
    let mut sealed = data.to_vec();
    seal(&mut sealed);
    read_all(sealed);
    read_all(data.to_vec());
});
