//! Links to the web page, accepted where a position is expected.

use form_urlencoded::parse;

/// The content of a link to the page: `http://host/?rules=standard&position=7/7/2r4/3L3/7/3c3/7/7/7_w`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The value of `rules`.
    pub rules: Option<String>,
    /// The value of `position` or `fen`.
    pub position: Option<String>,
}

impl Link {
    /// Parses the query of a link; `None` if the text is not a link. Other parameters are ignored.
    ///
    /// ```
    /// use jungletb::text::Link;
    ///
    /// let link = Link::read("http://localhost:8080/?rules=german&position=7/7/2r4/3L3/7/3c3/7/7/7_w&utm_source=x");
    /// assert_eq!(link.unwrap().rules.as_deref(), Some("german"));
    /// assert_eq!(Link::read("7/7/2r4/3L3/7/3c3/7/7/7 w"), None);
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        let (_, query) = text.split_once('?')?;
        let query = query.split('#').next().unwrap_or(query);
        if !query.contains('=') {
            return None;
        }
        let mut link = Self::default();
        for (key, value) in parse(query.as_bytes()) {
            match &*key {
                "rules" => link.rules = Some(value.into_owned()),
                "position" | "fen" if link.position.is_none() => link.position = Some(value.into_owned()),
                _ => {}
            }
        }
        Some(link)
    }
}
