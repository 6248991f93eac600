//! Shell quoting for commands suggested in messages.

use std::ffi::OsStr;

/// A word quoted for a shell, if it holds a space, a quote or another special character.
///
/// ```
/// use jungletb::text::quote;
///
/// assert_eq!(quote("tablebases".as_ref()), "tablebases");
/// assert_eq!(quote("my tables".as_ref()), "'my tables'");
/// ```
pub fn quote(word: &OsStr) -> String {
    // A control character would affect the terminal, and a replacement character would name another file: `$'…'` can
    // express both.
    match word.to_str().filter(|word| !word.contains(char::is_control)) {
        Some(word) => shlex::try_quote(word).map_or_else(|_| escaped(word.as_ref()), Into::into),
        None => escaped(word),
    }
}

fn escaped(word: &OsStr) -> String {
    let mut text = "$'".to_owned();
    for chunk in word.as_encoded_bytes().utf8_chunks() {
        for symbol in chunk.valid().chars() {
            match symbol {
                '\'' | '\\' => text.extend(['\\', symbol]),
                _ if symbol.is_control() => octal(&mut text, symbol.encode_utf8(&mut [0; 4]).as_bytes()),
                _ => text.push(symbol),
            }
        }
        octal(&mut text, chunk.invalid());
    }
    text + "'"
}

fn octal(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        *text += &format!("\\{byte:03o}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_shell_reads_what_was_meant() {
        use std::os::unix::ffi::OsStrExt;
        let words: [&[u8]; 9] = [
            b"tables",
            b"",
            b"my tables",
            b"it's \"here\"",
            b"$HOME `x` !",
            b"caf\xc3\xa9",
            b"caf\xe9 '",
            b"new\nline \\",
            b"\x1b[31m",
        ];
        for word in words {
            let quoted = quote(OsStr::from_bytes(word));
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            let script = format!("printf %s {quoted}");
            let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(output.stdout, word, "{quoted}");
        }
    }
}
