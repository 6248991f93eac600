//! Compression of responses, as the client accepts it.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Bytes;
use std::io::Write;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, DefaultPredicate};

/// A way to compress a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Brotli.
    Brotli,
    /// Gzip.
    Gzip,
}

impl Encoding {
    /// All of them, best first.
    pub const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in header fields.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The compressed bytes, as small as possible; `None` if the memory does not suffice.
    pub fn pack(self, bytes: &[u8]) -> Option<Bytes> {
        match self {
            Self::Brotli => {
                let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
                writer.write_all(bytes).ok()?;
                Some(writer.into_inner().into())
            }
            Self::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
                writer.write_all(bytes).ok()?;
                Some(writer.finish().ok()?.into())
            }
        }
    }
}

/// What a client accepts, by its field `Accept-Encoding`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// By [`Encoding::ALL`].
    packed: [bool; Encoding::ALL.len()],
    /// Uncompressed.
    plain: bool,
}

impl Accepted {
    /// What a request with these header fields accepts.
    pub fn of(headers: &HeaderMap) -> Self {
        let fields = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|field| field.to_str().ok());
        let (mut named, mut others) = ([None; Encoding::ALL.len() + 1], None);
        for item in fields.flat_map(|field| field.split(',')) {
            let mut parts = item.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            let is_accepted = weight.is_none_or(|weight| weight.parse() != Ok(0.0_f32));
            let known = Encoding::ALL.iter().map(|encoding| encoding.name()).chain(["identity"]);
            if name == "*" {
                others = Some(is_accepted);
            }
            for (slot, known) in named.iter_mut().zip(known) {
                if name.eq_ignore_ascii_case(known) || known == "gzip" && name.eq_ignore_ascii_case("x-gzip") {
                    *slot = Some(is_accepted);
                }
            }
        }
        let packed = |n: usize| named[n].or(others).unwrap_or(false);
        Self { packed: std::array::from_fn(packed), plain: named[Encoding::ALL.len()].or(others).unwrap_or(true) }
    }

    /// The best compression.
    pub fn best(self) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|&encoding| self.packed[encoding as usize])
    }
}

/// Marks a response that must be compressed, however short.
#[derive(Clone, Copy)]
struct MustPack;

/// Shorter responses fit one packet uncompressed; compressing them would only cost time.
pub const WORTH_PACKING: u64 = 1024;

/// Compresses responses that are worth it, and those that the client accepts in no other form.
pub fn layer() -> CompressionLayer<impl Predicate> {
    let usual = DefaultPredicate::new().and(SizeAbove::new(WORTH_PACKING));
    CompressionLayer::new().compress_when(Either(usual))
}

#[derive(Clone)]
struct Either<Usual>(Usual);

impl<Usual: Predicate> Predicate for Either<Usual> {
    fn should_compress<B: axum::body::HttpBody>(&self, response: &axum::http::Response<B>) -> bool {
        response.extensions().get::<MustPack>().is_some() || self.0.should_compress(response)
    }
}

/// Middleware: refuses clients that accept no form of a response, and tells caches that there are several.
pub async fn negotiate(request: Request, next: Next) -> Response {
    let accepted = Accepted::of(request.headers());
    let has_body = request.method() != Method::OPTIONS;
    if !accepted.plain && accepted.best().is_none() && has_body {
        let text = "send Accept-Encoding with br, gzip or identity\n";
        return (StatusCode::NOT_ACCEPTABLE, text).into_response();
    }
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_MODIFIED {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
    } else if !accepted.plain {
        response.extensions_mut().insert(MustPack);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_accepted() {
        for (fields, best, plain) in [
            (&[][..], None, true),
            (&["gzip"], Some(Encoding::Gzip), true),
            (&["deflate, x-gzip;q=0.5", "BR ; q=0.1"], Some(Encoding::Brotli), true),
            (&["br;q=0, gzip"], Some(Encoding::Gzip), true),
            (&["*"], Some(Encoding::Brotli), true),
            (&["*;q=0"], None, false),
            (&["*;q=0, gzip"], Some(Encoding::Gzip), false),
            (&["identity;q=0"], None, false),
            (&["identity;q=0.000, br"], Some(Encoding::Brotli), false),
            (&["identity, *;q=0"], None, true),
            (&["gzip;q=zero, ;;,"], Some(Encoding::Gzip), true),
        ] {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(field));
            }
            let accepted = Accepted::of(&headers);
            assert_eq!((accepted.best(), accepted.plain), (best, plain), "{fields:?}");
        }
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let text = include_bytes!("openapi.json");
        let (mut plain, mut packed) = (Vec::new(), Encoding::Gzip.pack(text).unwrap());
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut plain).unwrap();
        assert_eq!((plain == text, packed.len() * 4 < text.len()), (true, true));
        plain.clear();
        packed = Encoding::Brotli.pack(text).unwrap();
        brotli::Decompressor::new(&packed[..], 4096).read_to_end(&mut plain).unwrap();
        assert_eq!((plain == text, packed.len() * 4 < text.len()), (true, true));
    }
}
