//! Every request gets a response: never a panic, never a 500, JSON errors under `/api`, no files from outside.

use super::client::{POSITION, Site};
use super::routes::copy;
use axum::body::Body;
use axum::http::{Method, Request, Uri};
use jungletb::serve::Settings;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SECRET: &str = "nobody may read this";

/// Words with a meaning in paths and queries, and some that attempt to escape.
const WORDS: [&str; 34] = [
    "api",
    "standard",
    "leiden",
    "probe",
    "line",
    "stats",
    "heat",
    "plot",
    "materials",
    "rules",
    "openapi.json",
    "LvR",
    "LvR.svg",
    "EvELT",
    "ELTPWDCRvELTPWDCR",
    "vvv",
    "health",
    "metrics",
    "index.html",
    "",
    ".",
    "..",
    "%2e%2e",
    "%2f",
    "%ff",
    "%00",
    "secret.txt",
    "..%2f..%2fsecret.txt",
    "~",
    "*",
    "{rules}",
    "%25",
    "\u{e9}",
    "CHECKSUMS",
];

fn path() -> impl Strategy<Value = String> {
    let word = prop_oneof![6 => select(&WORDS[..]).prop_map(str::to_owned), 1 => "[ -~]{0,12}"];
    let from_root = prop_oneof![4 => Just("/api/standard/"), 1 => Just("/api/"), 2 => Just("/")];
    (from_root, vec(word, 0..4)).prop_map(|(root, words)| format!("{root}{}", words.join("/")))
}

fn query() -> impl Strategy<Value = String> {
    let board = "[1-9ELTPWDCReltpwdcr/]{0,30}( [wb])?";
    let value = prop_oneof![3 => board, 2 => Just(POSITION.to_owned()), 1 => "\\PC{0,20}"];
    let key = prop_oneof![4 => Just("position".to_owned()), 1 => Just("fen".to_owned()), 1 => "\\PC{0,6}"];
    vec((key, value), 0..3).prop_map(|pairs| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs);
        query.finish()
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![Just(POSITION.to_owned()), "[1-9ELTPelt/]{0,20} [wb]", "\\PC{0,10}"];
    prop_oneof![
        vec(text, 0..5).prop_map(|list| json!(list).to_string().into_bytes()),
        vec(any::<u8>(), 0..40),
        Just(b"{\"positions\":[\"\"]}".to_vec()),
        (0..200_usize).prop_map(|depth| "[".repeat(depth).into_bytes()),
    ]
}

#[test]
fn random_requests_never_break_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.txt"), SECRET).unwrap();
    let tables = folder.path().join("tables");
    copy("LvR", Path::new(super::client::SHIPPED), &tables);
    fs::write(tables.join("secret.txt"), SECRET).unwrap();
    let site = Site::new(&tables, Settings::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let methods = select(vec![Method::GET, Method::GET, Method::GET, Method::HEAD, Method::POST, Method::OPTIONS]);
    let mut runner = TestRunner::new(Config { cases: 4000, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(methods, path(), query(), body()), |(method, path, query, body)| {
        // Text that is not a URL never reaches the router.
        let Ok(uri) = format!("{path}?{query}").parse::<Uri>() else { return Ok(()) };
        let is_api = uri.path().starts_with("/api/") || uri.path() == "/api";
        let request = Request::builder().method(method.clone()).uri(uri.clone()).body(Body::from(body)).unwrap();
        let reply = runtime.block_on(site.send(request));
        prop_assert!(reply.status.as_u16() < 500, "{method} {uri}: {}", reply.text());
        prop_assert!(!reply.text().contains(SECRET), "{method} {uri}");
        let is_error = reply.status.is_client_error();
        if method == Method::HEAD || reply.status == 304 {
            prop_assert!(reply.body.is_empty());
        } else if is_api && is_error {
            let value: Value = serde_json::from_slice(&reply.body).expect("an error is JSON");
            prop_assert!(value["error"].is_string() && value["code"].is_string(), "{method} {uri}: {value}");
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
