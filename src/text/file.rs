//! Small text files, read whole.

use super::numbers::bytes;
use crate::system::open_regular;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a text file of at most `limit` bytes, dropping a byte order mark.
///
/// # Errors
/// Returns the errors of opening and reading, as of [`open_regular`]; [`ErrorKind::InvalidData`] for a file that is
/// longer than the limit or not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let bad = |what: String| io::Error::new(ErrorKind::InvalidData, what);
    let mut contents = Vec::new();
    open_regular(path)?.take(limit + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > limit {
        return Err(bad(format!("it is larger than the limit of {}", bytes(limit))));
    }
    if is_utf16(&contents) {
        return Err(bad("it is UTF-16; save it as UTF-8".to_owned()));
    }
    let text = String::from_utf8(contents).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        bad(format!("it is not UTF-8, at byte {}; save it as UTF-8", at + 1))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Whether a text begins with a UTF-16 byte order mark.
pub(super) fn is_utf16(text: &[u8]) -> bool {
    text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_with_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let read = |contents: &[u8]| {
            let path = folder.path().join("file");
            std::fs::write(&path, contents).unwrap();
            read_text(&path, 10).map_err(|error| (error.kind(), error.to_string()))
        };
        assert_eq!(read(b"\xef\xbb\xbfabc"), Ok("abc".to_owned()));
        assert_eq!(read(b"0123456789"), Ok("0123456789".to_owned()));
        for (contents, what) in [
            (&b"0123456789a"[..], "it is larger than the limit of 10 bytes"),
            (b"ab\xff", "it is not UTF-8, at byte 3; save it as UTF-8"),
            (b"\xff\xfea\0", "it is UTF-16; save it as UTF-8"),
        ] {
            assert_eq!(read(contents), Err((ErrorKind::InvalidData, what.to_owned())));
        }
        #[cfg(unix)]
        assert!(read_text(Path::new("/dev/zero"), 10).is_err());
    }
}
