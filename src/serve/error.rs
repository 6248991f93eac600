//! Errors of requests: one table maps them to status, code and log level.

use super::payload::{Freshness, Payload};
use crate::game::PositionError;
use crate::material::{MAX_PIECES, MaterialError};
use crate::probe::fault;
use crate::probe::{MissingTable, ProbeError};
use crate::table::TableError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::time::Duration;
use thiserror::Error;
use tracing::Level;

/// Why a request failed. The text is for the client and reveals nothing about the machine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApiError {
    /// An invalid position.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// An invalid material.
    #[error("bad material: {0}")]
    Material(#[from] MaterialError),
    /// A malformed query.
    #[error("bad query: {0}")]
    Query(String),
    /// A malformed body.
    #[error("bad body: {0}")]
    Body(String),
    /// The path is not valid text.
    #[error("bad path: it is not UTF-8 once decoded")]
    Path,
    /// The rules are not served.
    #[error("unknown rules {found:?}; the rules are {known}: see /api/rules")]
    UnknownRules {
        /// The requested rules.
        found: String,
        /// The rules that are served.
        known: String,
    },
    /// More pieces than any table has.
    #[error("{0} pieces: no table has more than {max}", max = MAX_PIECES)]
    TooManyPieces(usize),
    /// The table was not generated.
    #[error(
        "no table for {material} (class {class}) here; `jungletb generate {material}` makes it",
        material = .0.material(), class = .0.class()
    )]
    MissingTable(MissingTable),
    /// The material has too many positions to count in a request.
    #[error("{material} has {positions} stored positions; heat maps are limited to {limit}")]
    TooLarge {
        /// The material.
        material: String,
        /// The number of its stored positions.
        positions: u64,
        /// The limit.
        limit: u64,
    },
    /// A table exists but cannot be used. The details go to the log.
    #[error("the table that holds the answer is damaged; the log of the service has details")]
    Table(TableError),
    /// A table exists but cannot be read now: a system limit or a failing device.
    #[error("the table that holds the answer cannot be read at the moment: retry in a second")]
    Unavailable(TableError),
    /// The page was not found.
    #[error("unknown path: see /api/openapi.json")]
    NoRoute,
    /// The method is not allowed for this path.
    #[error("this path does not support this method: see /api/openapi.json")]
    Method,
    /// The body arrived too late.
    #[error("the body did not arrive in time")]
    Timeout,
    /// The body is too long.
    #[error("the body is longer than {0} bytes")]
    BodyTooLong(usize),
    /// Too many positions in one request.
    #[error("{found} positions: give at most {limit} per request")]
    TooManyPositions {
        /// Their number.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The client is rate-limited.
    #[error("too many requests from this address: the limit is {per_second} per second")]
    RateLimit {
        /// The limit.
        per_second: u32,
        /// Time until the next request is within it.
        wait: Duration,
    },
    /// The client has too many open connections.
    #[error("too many connections from this address: the limit is {0}")]
    Connections(u32),
    /// A file of games, or a game, is malformed.
    #[error("bad game: {0}")]
    Game(String),
    /// The service is overloaded.
    #[error("overloaded: retry in a second")]
    Overloaded,
    /// An error in the program.
    #[error("internal error")]
    Internal,
}

impl ApiError {
    /// Status, stable short code, and log level.
    pub const fn row(&self) -> (StatusCode, &'static str, Level) {
        match self {
            Self::Position(_) => (StatusCode::BAD_REQUEST, "bad-position", Level::DEBUG),
            Self::Material(_) => (StatusCode::BAD_REQUEST, "bad-material", Level::DEBUG),
            Self::Query(_) => (StatusCode::BAD_REQUEST, "bad-query", Level::DEBUG),
            Self::Body(_) => (StatusCode::BAD_REQUEST, "bad-body", Level::DEBUG),
            Self::Game(_) => (StatusCode::BAD_REQUEST, "bad-game", Level::DEBUG),
            Self::Path => (StatusCode::BAD_REQUEST, "bad-path", Level::DEBUG),
            Self::UnknownRules { .. } => (StatusCode::NOT_FOUND, "unknown-rules", Level::DEBUG),
            Self::TooManyPieces(_) => (StatusCode::NOT_FOUND, "too-many-pieces", Level::DEBUG),
            Self::MissingTable { .. } => (StatusCode::NOT_FOUND, "missing-table", Level::DEBUG),
            Self::NoRoute => (StatusCode::NOT_FOUND, "no-such-path", Level::DEBUG),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", Level::DEBUG),
            Self::Timeout => (StatusCode::REQUEST_TIMEOUT, "timeout", Level::DEBUG),
            Self::BodyTooLong(_) => (StatusCode::PAYLOAD_TOO_LARGE, "body-too-long", Level::DEBUG),
            Self::TooManyPositions { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "too-many-positions", Level::DEBUG),
            Self::TooLarge { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "too-large", Level::DEBUG),
            Self::RateLimit { .. } => (StatusCode::TOO_MANY_REQUESTS, "rate-limited", Level::INFO),
            Self::Connections(_) => (StatusCode::SERVICE_UNAVAILABLE, "too-many-connections", Level::INFO),
            Self::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, "overloaded", Level::WARN),
            Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable", Level::ERROR),
            Self::Table(_) => (StatusCode::INTERNAL_SERVER_ERROR, "damaged-table", Level::ERROR),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", Level::ERROR),
        }
    }

    /// `{"error","code"}`.
    pub fn json(&self) -> Value {
        fault::json(None, self, self.row().1)
    }

    /// Writes the error to the log.
    pub fn log(&self) {
        let (_, code, level) = self.row();
        let text = match self {
            Self::Table(error) | Self::Unavailable(error) => error.to_string(),
            error => error.to_string(),
        };
        match level {
            Level::ERROR => tracing::error!(code, "{text}"),
            Level::WARN => tracing::warn!(code, "{text}"),
            Level::INFO => tracing::info!(code, "{text}"),
            _ => tracing::debug!(code, "{text}"),
        }
    }
}

impl From<ProbeError> for ApiError {
    fn from(error: ProbeError) -> Self {
        match error {
            ProbeError::Position(error) => Self::Position(error),
            ProbeError::TooManyPieces { pieces } => Self::TooManyPieces(pieces),
            ProbeError::MissingTable(missing) => Self::MissingTable(missing),
            ProbeError::Table(error) => error.into(),
        }
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> Self {
        if error.is_transient() { Self::Unavailable(error) } else { Self::Table(error) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let (status, ..) = self.row();
        let mut response = Payload::json(&self.json(), Freshness::Checked).with_status(status).into_response();
        let headers = response.headers_mut();
        headers.remove(header::ETAG);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let wait = match self {
            Self::RateLimit { wait, .. } => Some(wait),
            Self::Connections(_) | Self::Overloaded | Self::Unavailable(_) => Some(Duration::from_secs(1)),
            _ => None,
        };
        if let Some(wait) = wait {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, seconds.max(1).into());
        }
        response
    }
}
