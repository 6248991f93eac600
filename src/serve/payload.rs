//! Responses: bytes computed once, with an entity tag and a cache lifetime.

use super::encoding::{Encoding, WORTH_PACKING};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Bytes;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

/// How long a response may be reused without revalidation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// One hour: it rests only on existing tables.
    Lasting,
    /// Always revalidated: it reports something missing, or depends on the program version.
    Checked,
    /// A year: other contents would have another path.
    Forever,
}

impl Freshness {
    const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Lasting => "public, max-age=3600",
            Self::Checked => "no-cache",
            Self::Forever => "public, max-age=31536000, immutable",
        })
    }
}

/// The content of a response.
#[derive(Clone, Debug)]
pub struct Payload {
    status: StatusCode,
    content_type: HeaderValue,
    encoding: Option<Encoding>,
    body: Bytes,
    tag: HeaderValue,
    freshness: Freshness,
}

impl Payload {
    /// A response with an entity tag computed from its contents.
    pub fn new(content_type: &'static str, body: impl Into<Bytes>, freshness: Freshness) -> Self {
        let body = body.into();
        let tag = tag(xxh3_64(&body));
        let content_type = HeaderValue::from_static(content_type);
        Self { status: StatusCode::OK, content_type, encoding: None, body, tag, freshness }
    }

    /// A JSON value.
    pub fn json(value: &Value, freshness: Freshness) -> Self {
        Self::new(JSON, value.to_string(), freshness)
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Sets the entity tag.
    #[must_use]
    pub fn with_tag(self, tag: HeaderValue) -> Self {
        Self { tag, ..self }
    }

    /// Sets the freshness.
    #[must_use]
    pub fn with_freshness(self, freshness: Freshness) -> Self {
        Self { freshness, ..self }
    }

    /// Whether compression is worth its time.
    pub fn is_worth_packing(&self) -> bool {
        self.body.len() as u64 >= WORTH_PACKING
    }

    /// The same response, compressed; unchanged if that fails.
    #[must_use]
    pub fn packed(&self, encoding: Encoding) -> Self {
        match encoding.pack(&self.body) {
            Some(body) => Self { encoding: Some(encoding), body, ..self.clone() },
            None => self.clone(),
        }
    }

    /// The bytes.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Approximate memory size in bytes.
    pub const fn weight(&self) -> u64 {
        self.body.len() as u64 + 128
    }

    /// Whether it may be cached: it does not depend on tables that may still be added.
    pub fn is_lasting(&self) -> bool {
        self.freshness == Freshness::Lasting
    }

    /// The HTTP response, without a body if the client has it already. `known` is the request's `If-None-Match`.
    pub fn respond(self, known: Option<&HeaderValue>) -> Response {
        if let Some(response) = not_modified(known, &self.tag, self.freshness).filter(|_| self.status == StatusCode::OK)
        {
            return response;
        }
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type);
        if let Some(encoding) = self.encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        headers.insert(header::ETAG, self.tag);
        headers.insert(header::CACHE_CONTROL, self.freshness.header());
        response
    }
}

impl IntoResponse for Payload {
    fn into_response(self) -> Response {
        self.respond(None)
    }
}

/// Content type of JSON.
pub const JSON: &str = "application/json";

/// Content type of SVG images.
pub const SVG: &str = "image/svg+xml";

/// The response to a client that has the response with this tag; `None` for other clients.
pub fn not_modified(known: Option<&HeaderValue>, tag: &HeaderValue, freshness: Freshness) -> Option<Response> {
    known.filter(|known| matches(known, tag))?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(header::ETAG, tag.clone());
    response.headers_mut().insert(header::CACHE_CONTROL, freshness.header());
    Some(response)
}

/// A weak entity tag: the same response may be sent with different compression.
pub fn tag(number: u64) -> HeaderValue {
    HeaderValue::try_from(format!("W/\"{number:016x}\"")).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

/// Whether a list of tags contains this one, by weak comparison.
pub fn matches(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let strip = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let tag = strip(tag.as_bytes());
    known
        .as_bytes()
        .split(|&byte| byte == b',')
        .map(<[u8]>::trim_ascii)
        .any(|known| known == b"*" || strip(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_weakly() {
        let tag = tag(0x12ab);
        assert_eq!(tag, "W/\"00000000000012ab\"");
        for (known, is_same) in [
            ("W/\"00000000000012ab\"", true),
            ("\"00000000000012ab\"", true),
            ("\"x\" , W/\"00000000000012ab\"", true),
            ("*", true),
            ("\"x\"", false),
            ("", false),
            ("00000000000012ab", false),
        ] {
            assert_eq!(matches(&HeaderValue::from_static(known), &tag), is_same, "{known}");
        }
    }
}
