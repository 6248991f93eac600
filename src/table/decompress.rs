//! Decompression of blocks: by the library in C, and in WebAssembly, which has none, by one in Rust.

#[cfg(target_family = "wasm")]
pub use in_rust::decompress;
#[cfg(not(target_family = "wasm"))]
pub use native::decompress;

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::cell::RefCell;
    use std::io;
    use zstd::bulk::Decompressor;

    thread_local! {
        /// Reused: creating a decompressor takes longer than unpacking a WDL block.
        static DECOMPRESSOR: RefCell<io::Result<Decompressor<'static>>> = RefCell::new(Decompressor::new());
    }

    /// The contents of a frame of at most `len` bytes; `None` if it is damaged or has more.
    pub fn decompress(frame: &[u8], len: usize) -> Option<Vec<u8>> {
        DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.as_mut().ok()?.decompress(frame, len).ok())
    }
}

#[cfg(any(test, target_family = "wasm"))]
mod in_rust {
    use ruzstd::decoding::FrameDecoder;
    use std::cell::RefCell;

    thread_local! {
        static DECODER: RefCell<FrameDecoder> = RefCell::new(FrameDecoder::new());
    }

    /// The contents of a frame of at most `len` bytes; `None` if it is damaged or has more.
    pub fn decompress(frame: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut out = vec![0; len];
        let found = DECODER.with_borrow_mut(|decoder| decoder.decode_all(frame, &mut out).ok())?;
        out.truncate(found);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{in_rust, native};
    use crate::SHIPPED;
    use crate::table::Table;
    use std::path::Path;

    #[test]
    fn both_decoders_read_all_blocks_the_same() {
        let mut frames = 0;
        for file in Path::new(SHIPPED).join("standard").read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            let table = Table::open(&file).unwrap();
            for block in 0..table.blocks() {
                let frame = table.with_stored(block, <[u8]>::to_vec).unwrap();
                let most = table.header().block_len as usize * 2;
                let contents = native::decompress(&frame, most);
                assert_eq!(in_rust::decompress(&frame, most), contents, "{} {block}", file.display());
                frames += usize::from(contents.is_some());
                for at in (0..frame.len()).step_by(frame.len() / 3 + 1) {
                    let mut damaged = frame.clone();
                    damaged[at] ^= 0x55;
                    in_rust::decompress(&damaged, most);
                    in_rust::decompress(&frame[..at], most);
                }
            }
        }
        assert!(frames > 100, "{frames}");
    }
}
