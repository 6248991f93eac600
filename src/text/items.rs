//! Lists: one value per line.

use super::excerpt::excerpt;
use super::file::is_utf16;
use super::lines::LineReader;
use super::numbers::bytes;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// Reads a list with one value per line, such as a file of positions. Empty lines and lines that begin with `#` are
/// skipped; a byte order mark and CRLF are accepted.
#[derive(Debug)]
pub struct Items<R>(LineReader<R>);

/// A value of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Line number, from 1.
    pub line: usize,
    /// The trimmed text; only its beginning if the line is too long. Invalid UTF-8 is replaced by `\u{fffd}`.
    pub text: String,
    /// An error of the line itself, independent of its meaning.
    pub error: Option<String>,
}

impl Item {
    /// The text as quoted in messages.
    pub fn excerpt(&self) -> String {
        excerpt(&self.text)
    }
}

/// Maximum line length in bytes.
const LIMIT: usize = 64 << 10;

impl<R: BufRead> Items<R> {
    /// A reader of `input`.
    pub const fn new(input: R) -> Self {
        Self(LineReader::new(input, LIMIT))
    }

    /// The next value; `None` at the end.
    ///
    /// # Errors
    /// Returns the errors of the input; [`ErrorKind::InvalidData`] for input that is not text.
    pub fn read(&mut self) -> io::Result<Option<Item>> {
        loop {
            let Some(line) = self.0.read()? else { return Ok(None) };
            if line.number == 1 && is_utf16(line.bytes) && line.bytes.contains(&0) {
                return Err(io::Error::new(ErrorKind::InvalidData, "it is UTF-16; save it as UTF-8"));
            }
            let number = line.number;
            let is_skipped = match line.bytes.trim_ascii().first() {
                None => !line.is_cut,
                Some(first) => *first == b'#',
            };
            if is_skipped {
                continue;
            }
            let error = line.is_cut.then(|| format!("the line is longer than {}", bytes(LIMIT as u64)));
            let text = String::from_utf8_lossy(line.bytes).trim().to_owned();
            return Ok(Some(Item { line: number, text, error }));
        }
    }
}

impl<R: Read> Items<BufReader<R>> {
    /// Whether the next read may block: nothing is buffered.
    pub fn is_drained(&self) -> bool {
        self.0.is_drained()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let long = "x".repeat(LIMIT + 1);
        let input = format!("\u{feff}# a list\r\n\n  one \r\n   \n#two\n{long}\nthree # and more");
        let mut items = Items::new(input.as_bytes());
        let mut next = || items.read().unwrap();
        let one = next().unwrap();
        assert_eq!((one.line, &*one.text, one.error), (3, "one", None));
        let long = next().unwrap();
        assert_eq!((long.line, long.excerpt().chars().count()), (6, 81));
        assert_eq!(long.error.unwrap(), "the line is longer than 64.0 KiB");
        assert_eq!(&*next().unwrap().text, "three # and more");
        assert_eq!(next(), None);
        assert!(Items::new(&b"\xff\xfe7\0"[..]).read().is_err());
    }
}
