//! Lines of any length and any bytes, read with a bound.

use super::numbers::bytes;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Bytes of one line that are read over before the input is called no text.
const MOST_SKIPPED: u64 = 256 << 20;

/// Reads lines, of each no more than a number of bytes.
///
/// A line ends with LF or CRLF, the last one with the input. A byte order mark (UTF-8) before the first line is read
/// over.
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
    /// Its number, from 1.
    pub number: usize,
    /// Its bytes without the line's end, at most as many as the limit.
    pub bytes: &'a [u8],
    /// Whether it is longer than the limit.
    pub is_cut: bool,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of which up to `limit` bytes are kept.
    pub const fn new(input: R, limit: usize) -> Self {
        Self { input, limit, number: 0, line: Vec::new() }
    }

    /// Bytes of a line that are kept.
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// Those of the input; [`ErrorKind::InvalidData`] for a line longer than 256 MiB, as a device may send.
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
            // One byte more than the limit, so that the CR of a line that just fits is seen.
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
    /// Whether reading on may have to wait: nothing is buffered.
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
