//! The lines of a record file, decoded and bounded in length.

use super::RecordError;
use crate::text::{LineReader, bytes};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};
use std::io::{BufReader, Read};

/// Maximum line length in bytes. A game of ten thousand moves takes about 60,000.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// A character encoding, identified by a label of the WHATWG Encoding Standard.
///
/// ```
/// use jungletb::play::record::Encoding;
/// assert_eq!(Encoding::named("GBK").map(Encoding::name), Some("GBK"));
/// assert!(Encoding::named("runes").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The encoding with this label, such as `gbk`, `shift_jis`, `windows-1251` or `latin1`; `None` for an unknown
    /// label.
    pub fn named(label: &str) -> Option<Self> {
        encoding_rs::Encoding::for_label(label.trim().as_bytes()).map(Self)
    }

    /// The name of the encoding.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

/// The numbered lines of a file, none longer than [`LONGEST_LINE`].
///
/// A byte order mark determines the encoding and is dropped, also at the start of a later line, where files were
/// concatenated. Without one, and without a given encoding, a line is read as UTF-8, or as Windows-1252 if it is not
/// UTF-8.
pub(super) struct Lines<R> {
    lines: LineReader<BufReader<DecodeReaderBytes<R, Vec<u8>>>>,
    /// A line that was read ahead.
    pub(super) pending: Option<(usize, String)>,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R, encoding: Option<Encoding>) -> Self {
        let mut decoder = DecodeReaderBytesBuilder::new();
        decoder.encoding(encoding.map(|encoding| encoding.0)).bom_override(true).strip_bom(true);
        // Without a given encoding, bytes pass through unchanged, so that each line can be examined.
        decoder.utf8_passthru(encoding.is_none());
        Self { lines: LineReader::new(BufReader::new(decoder.build(input)), LONGEST_LINE), pending: None }
    }

    /// The next line with its number, from 1, without the line ending.
    pub(super) fn next(&mut self) -> Result<Option<(usize, String)>, RecordError> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        let Some(line) = self.lines.read()? else { return Ok(None) };
        if line.is_cut {
            let what = format!("the line is longer than {}", bytes(LONGEST_LINE as u64));
            return Err(RecordError::Bad { line: line.number, what });
        }
        let text = match std::str::from_utf8(line.bytes) {
            Ok(text) => text.into(),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(line.bytes).0,
        };
        Ok(Some((line.number, text.trim_start_matches('\u{feff}').to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], encoding: Option<&str>) -> Vec<String> {
        let encoding = encoding.map(|label| Encoding::named(label).unwrap());
        let mut lines = Lines::new(bytes, encoding);
        std::iter::from_fn(|| lines.next().unwrap()).map(|(_, line)| line).collect()
    }

    #[test]
    fn text_is_decoded_by_mark_by_name_or_by_what_it_is() {
        assert_eq!(lines("\u{feff}Zoë\r\n\u{feff}b".as_bytes(), None), ["Zoë", "b"]);
        assert_eq!(lines(b"Zo\xeb\nZo\xc3\xab\n", None), ["Zoë", "Zoë"]);
        let utf_16: Vec<u8> = "\u{feff}Zoë\n象".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(lines(&utf_16, None), ["Zoë", "象"]);
        assert_eq!(lines(&utf_16, Some("gbk")), ["Zoë", "象"], "the mark goes before the name");
        assert_eq!(lines(b"\xcf\xf3 v \xca\xf3\n", Some("gbk")), ["象 v 鼠"]);
        assert_eq!(lines(b"\xf1\xeb\xee\xed\n", Some("windows-1251")), ["слон"]);
        for bytes in [&b"\xef\xbb"[..], b"\xff\xfe", b"\xff", b"", b"\n"] {
            assert!(lines(bytes, None).len() <= 1);
        }
    }
}
