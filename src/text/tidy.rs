//! Cleaning of typed or pasted values.

/// A value without surrounding spaces, byte order marks and other invisible characters, quotes, or a trailing `;` or
/// `,`.
///
/// ```
/// use jungletb::text::tidy;
///
/// assert_eq!(tidy("\u{feff}\"7/7/2r4/3L3/7/3c3/7/7/7 w\";\r\n"), "7/7/2r4/3L3/7/3c3/7/7/7 w");
/// assert_eq!(tidy("it's"), "it's");
/// ```
pub fn tidy(text: &str) -> &str {
    let mut text = text;
    loop {
        let trimmed = text.trim_matches(is_space).trim_end_matches(|c| is_space(c) || matches!(c, ';' | ','));
        let bare = QUOTES.iter().find_map(|&(open, close)| trimmed.strip_prefix(open)?.strip_suffix(close));
        let next = bare.unwrap_or(trimmed);
        if next.len() == text.len() {
            return text;
        }
        text = next;
    }
}

/// Pairs of quotes.
const QUOTES: [(char, char); 9] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»'), ('「', '」'), ('『', '』')];

/// Spaces and invisible characters: byte order mark, zero-width spaces, direction marks.
fn is_space(symbol: char) -> bool {
    symbol.is_whitespace() || matches!(symbol, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surrounds_is_taken_off() {
        for (text, expected) in [
            ("", ""),
            (" ; ", ""),
            ("\"", "\""),
            ("\"\"", ""),
            ("'\"a b\"'", "a b"),
            ("\"a\", \"b\"", "a\", \"b"),
            ("「狮对鼠」", "狮对鼠"),
            ("„a“;;", "a"),
            ("\u{200b}a;b;\u{2060}", "a;b"),
            ("a'", "a'"),
        ] {
            assert_eq!(tidy(text), expected, "{text:?}");
        }
    }
}
