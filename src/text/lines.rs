//! Bounded reading of lines with any length and content.

use super::numbers::bytes;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Maximum bytes skipped in one line before the input is rejected as not text.
const MOST_SKIPPED: u64 = 256 << 20;

/// Reads lines, keeping a bounded number of bytes of each.
///
/// A line ends with LF or CRLF, the last one with the input. A UTF-8 byte order mark before the first line is skipped.
///
/// ```
/// let mut lines = jungletb::text::LineReader::new(&b"\xef\xbb\xbfone\r\na long line\n"[..], 6);
/// let line = lines.read()?.expect("there is a first line");
/// assert_eq!((line.number, line.bytes, line.is_cut), (1, &b"one"[..], false));
/// let line = lines.read()?.expect("there is a second line");
/// assert_eq!((line.number, line.bytes, line.is_cut), (2, &b"a long"[..], true));
/// assert!(lines.read()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    number: usize,
    line: Vec<u8>,
}

/// A line of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: usize,
    /// The bytes without the line ending, up to the limit.
    pub bytes: &'a [u8],
    /// Whether the line is longer than the limit.
    pub is_cut: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader that keeps up to `limit` bytes of each line.
    pub const fn new(input: R, limit: usize) -> Self {
        Self { input, limit, number: 0, line: Vec::new() }
    }

    /// Maximum bytes kept per line.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// Returns the errors of the input; [`ErrorKind::InvalidData`] for a line longer than 256 MiB, as a device may
    /// produce.
    pub fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut length = 0_u64;
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                if length == 0 {
                    return Ok(None);
                }
                break;
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            // One byte above the limit, to see the CR of a line that just fits.
            let room = self.limit + 1 - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let taken = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(taken);
            length += taken as u64;
            if end.is_some() {
                length -= 1;
                break;
            }
            if length > MOST_SKIPPED {
                let what = format!("line {} is longer than {}: this is not text", self.number + 1, bytes(MOST_SKIPPED));
                return Err(io::Error::new(ErrorKind::InvalidData, what));
            }
        }
        self.number += 1;
        let is_whole = length == self.line.len() as u64;
        let mut line = &self.line[..];
        if is_whole {
            line = line.strip_suffix(b"\r").unwrap_or(line);
        }
        let is_cut = !is_whole || line.len() > self.limit;
        line = &line[..line.len().min(self.limit)];
        if self.number == 1 {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        Ok(Some(Line { number: self.number, bytes: line, is_cut }))
    }
}

impl<R: Read> LineReader<BufReader<R>> {
    /// Whether the next read may block: nothing is buffered.
    pub fn is_drained(&self) -> bool {
        self.input.buffer().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds() {
        for capacity in [1, 7, 4096] {
            let input = b"\xef\xbb\xbfone\r\n\n12345678\r\n123456789\n\xff\xfe\n\r\n\xef\xbb\xbflast";
            let mut lines = LineReader::new(BufReader::with_capacity(capacity, &input[..]), 8);
            let mut next = || lines.read().unwrap().map(|line| (line.number, line.bytes.to_vec(), line.is_cut));
            for (number, bytes, is_cut) in [
                (1, &b"one"[..], false),
                (2, b"", false),
                (3, b"12345678", false),
                (4, b"12345678", true),
                (5, b"\xff\xfe", false),
                (6, b"", false),
                (7, b"\xef\xbb\xbflast", false),
            ] {
                assert_eq!(next(), Some((number, bytes.to_vec(), is_cut)), "{capacity}");
            }
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn an_endless_line_ends() {
        let error = LineReader::new(BufReader::new(io::repeat(0)), 10).read().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "line 1 is longer than 256.0 MiB: this is not text");
    }
}
