//! The bytes of the strategy, unpacked.

use std::io::{self, BufRead, ErrorKind, Read, Take};
use zstd::stream::read::Decoder;

/// The unpacked bytes of the strategy.
pub struct Stream<R> {
    decoder: R,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    /// Number of bytes returned so far.
    pub offset: u64,
    /// Number of bytes of the file before the checksum.
    pub end: u64,
}

impl<R: BufRead> Stream<Decoder<'_, Take<R>>> {
    pub fn new(decoder: Decoder<'_, Take<R>>, end: u64) -> Stream<Decoder<'_, Take<R>>> {
        Stream { decoder, buffer: vec![0; 1 << 14], at: 0, filled: 0, offset: 0, end }
    }

    /// The next byte; `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<u8>> {
        while self.at == self.filled {
            self.filled = match self.decoder.read(&mut self.buffer) {
                Ok(0) => return Ok(None),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.at = 0;
        }
        let byte = self.buffer.get(self.at).copied();
        self.at += 1;
        self.offset += 1;
        Ok(byte)
    }

    /// Number of packed bytes not read yet.
    pub fn unread(&self) -> u64 {
        self.decoder.get_ref().limit()
    }
}
