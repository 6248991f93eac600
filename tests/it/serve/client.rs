//! A service without a socket, and requests to it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use jungletb::game::Rules;
use jungletb::serve::{Service, Settings, router};
use jungletb::table::SearchPath;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use tower::ServiceExt;

pub use crate::common::SHIPPED;

/// A position with three pieces, and its form in a query.
pub const POSITION: &str = "7/7/2r4/3L3/7/3c3/7/7/7 w";
pub const PROBE: &str = "/api/standard/probe?position=7/7/2r4/3L3/7/3c3/7/7/7+w";

/// The service without a socket.
pub struct Site {
    pub router: Router,
}

/// A whole response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Site {
    /// A site with the shipped tables.
    pub fn shipped() -> Self {
        Self::new(Path::new(SHIPPED), Settings::default())
    }

    /// A site with tables of the standard rules.
    pub fn new(tables: &Path, settings: Settings) -> Self {
        Self::with_rules(tables, &[Rules::standard()], settings)
    }

    /// A site with tables of some rules.
    pub fn with_rules(tables: &Path, rules: &[Rules], settings: Settings) -> Self {
        Self { router: router(Arc::new(Service::new(&SearchPath::new([tables]), rules, settings).unwrap())) }
    }

    /// The response to a request.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: head.status, headers: head.headers, body }
    }

    /// The response to a request without a body, with some header fields.
    pub async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Reply {
        self.ask(Method::GET, path, &[]).await
    }

    /// `POST`.
    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Reply {
        self.send(Request::post(path).body(body.into()).unwrap()).await
    }
}

impl Reply {
    /// A header field as text; empty if absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as a JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Asserts success.
    #[track_caller]
    pub fn good(self) -> Self {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        self
    }

    /// Asserts that this is the given error in the standard form, with a phrase in its text.
    #[track_caller]
    pub fn assert_error(&self, status: u16, code: &str, phrase: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        let json = self.json();
        assert_eq!(json["code"], code, "{json}");
        let error = json["error"].as_str().unwrap();
        assert!(error.contains(phrase) && !error.contains(char::is_control), "{phrase:?} is not in {error:?}");
        assert!(!error.contains(env!("CARGO_MANIFEST_DIR")) && !error.contains("/tmp"), "{error:?}");
    }
}
