//! Request bodies, read within limits, and lists of positions in them.

use super::error::ApiError;
use super::service::Settings;
use axum::extract::Request;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Bytes;
use serde_json::Value;

/// Reads the positions in a body: a JSON array of texts, or an object with such an array as `positions`.
///
/// # Errors
/// Returns an error if the body is too long, arrives too late, or is malformed.
pub async fn read(settings: &Settings, request: Request) -> Result<Vec<String>, ApiError> {
    positions(&body(settings, request).await?, settings.positions)
}

/// Reads the body of a request.
///
/// # Errors
/// Returns an error if the body is too long, arrives too late, or is incomplete.
pub async fn body(settings: &Settings, request: Request) -> Result<Bytes, ApiError> {
    body_within(settings.body_bytes, settings, request).await
}

/// Reads the body of a request of up to `limit` bytes.
///
/// # Errors
/// Returns an error if the body is too long, arrives too late, or is incomplete.
pub async fn body_within(limit: usize, settings: &Settings, request: Request) -> Result<Bytes, ApiError> {
    let body = Limited::new(request.into_body(), limit).collect();
    let body = tokio::time::timeout(settings.body_time, body).await.map_err(|_| ApiError::Timeout)?;
    let body = body.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
        Some(_) => ApiError::BodyTooLong(limit),
        None => ApiError::Body("the connection ended before the end of the body".to_owned()),
    })?;
    Ok(body.to_bytes())
}

fn positions(body: &[u8], limit: usize) -> Result<Vec<String>, ApiError> {
    let value: Value = serde_json::from_slice(body).map_err(|error| ApiError::Body(error.to_string()))?;
    let list = match value {
        Value::Array(list) => Some(list),
        Value::Object(mut object) => match object.remove("positions") {
            Some(Value::Array(list)) if object.is_empty() => Some(list),
            _ => None,
        },
        _ => None,
    };
    let list = list.ok_or_else(|| ApiError::Body("give a JSON array of positions".to_owned()))?;
    if list.len() > limit {
        return Err(ApiError::TooManyPositions { found: list.len(), limit });
    }
    let text = |(n, value)| match value {
        Value::String(text) => Ok(text),
        _ => Err(ApiError::Body(format!("entry {n} of the array is not a string"))),
    };
    list.into_iter().enumerate().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_texts_are_read_and_nothing_else() {
        for good in ["[\"a\",\"b\"]", " {\"positions\":[\"a\",\"b\"]} "] {
            assert_eq!(positions(good.as_bytes(), 2).unwrap(), ["a", "b"]);
        }
        assert!(positions(b"[]", 2).unwrap().is_empty());
        for (bad, phrase) in [
            ("", "EOF"),
            ("null", "give a JSON array"),
            ("\"a\"", "give a JSON array"),
            ("{\"positions\":\"a\"}", "give a JSON array"),
            ("{\"positions\":[],\"more\":1}", "give a JSON array"),
            ("[\"a\",1]", "entry 1 of the array is not a string"),
            ("[\"a\"", "EOF"),
            ("[\"a\"] x", "trailing"),
            ("[\"a\",\"b\",\"c\"]", "3 positions: give at most 2 per request"),
        ] {
            let error = positions(bad.as_bytes(), 2).unwrap_err().to_string();
            assert!(error.contains(phrase), "{bad}: {error}");
        }
        assert!(positions(&[b'[', b'"', 0xff, b'"', b']'], 2).is_err());
        let deep = "[".repeat(100_000);
        assert!(positions(deep.as_bytes(), 2).is_err());
    }
}
