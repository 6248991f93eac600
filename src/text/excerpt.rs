//! Excerpts of possibly long text for messages.

/// Maximum number of characters that a message quotes.
pub const MOST_QUOTED: usize = 80;

/// The text, or its first [`MOST_QUOTED`] characters and `…`.
///
/// ```
/// assert_eq!(jungletb::text::excerpt("short"), "short");
/// assert_eq!(jungletb::text::excerpt(&"x".repeat(1000)).chars().count(), 81);
/// ```
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// An excerpt in quotes, with control characters escaped, for single-line messages.
pub fn quoted(text: &str) -> String {
    format!("{:?}", excerpt(text))
}
