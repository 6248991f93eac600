//! Proofs over HTTP: limited, counted, reported by events, cancelled when the client disconnects.

use super::client::{POSITION, Reply, SHIPPED, Site};
use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use jungletb::serve::Settings;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tower::ServiceExt;

const PROVE: &str = "/api/standard/prove";
const PUZZLE: &str = "5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w";
const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

fn streamed(body: &Value) -> Request<Body> {
    let request = Request::post(PROVE).header("accept", "text/event-stream");
    request.body(body.to_string().into()).unwrap()
}

/// Names and data of the events of a reply.
fn events(reply: &Reply) -> Vec<(String, Value)> {
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/event-stream"));
    let event = |text: &str| {
        let (name, data) = text.split_once('\n').unwrap();
        let data = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), data)
    };
    reply.text().split_terminator("\n\n").map(event).collect()
}

#[tokio::test]
async fn a_proof_is_what_the_program_gives() {
    let site = Site::shipped();
    let proof = site.post(PROVE, json!({"position": PUZZLE}).to_string()).await.good().json();
    assert_eq!((&proof["category"], &proof["dtw"], &proof["bound"]), (&"win".into(), &3.into(), &"exact".into()));
    assert_eq!((&proof["position"], &proof["rules"]), (&PUZZLE.into(), &"standard".into()));
    assert_eq!((proof["line"].as_array().unwrap().len(), &proof["certificate"]), (3, &Value::Null));
    let run = crate::common::run(&["prove", PUZZLE, "--json", "--threads", "1", "--tables", SHIPPED]).good().json();
    for field in ["position", "rules", "category", "dtw", "bound", "not_before", "line", "positions", "certificate"] {
        assert_eq!(proof[field], run[field], "{field}");
    }
    let table = site.post(PROVE, json!({"position": POSITION}).to_string()).await.good().json();
    assert_eq!((&table["dtw"], &table["positions"]), (&8.into(), &0.into()));
    let unknown = site.post(PROVE, json!({"position": START, "plies": 5}).to_string()).await.good().json();
    assert_eq!((&unknown["category"], &unknown["dtw"]), (&"unknown".into(), &Value::Null));
    assert!(unknown["not_before"].as_u64().unwrap() >= 6, "{unknown}");
    let tracked =
        site.post(&format!("{PROVE}?utm_source=x"), json!({"position": PUZZLE}).to_string()).await.good().json();
    assert_eq!(tracked["line"], proof["line"]);
    let few = site.post(PROVE, json!({"position": START, "positions": 1000}).to_string()).await.good().json();
    assert!(few["positions"].as_u64().unwrap() <= 1000, "{few}");

    let metrics = site.get("/metrics").await.good().text();
    for line in [
        "jungletb_proofs_total{result=\"proven\",rules=\"standard\"} 3",
        "jungletb_proofs_total{result=\"unknown\",rules=\"standard\"} 2",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
}

#[tokio::test]
async fn the_service_sets_the_time() {
    let settings = Settings { prove_time: Duration::from_millis(100), ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    let long = site.post(PROVE, json!({"position": START, "time": 1e9}).to_string()).await.good().json();
    assert_eq!(long["category"], "unknown");
    assert!(long["seconds"].as_f64().unwrap() < 30.0, "{long}");
}

#[tokio::test]
async fn bad_questions() {
    let site = Site::shipped();
    for (body, code, phrase) in [
        (json!({"position": "x"}).to_string(), "bad-position", "1 rank, but"),
        (json!({}).to_string(), "bad-body", "missing field `position`"),
        (json!({"position": START, "memory": 1}).to_string(), "bad-body", "unknown field `memory`"),
        (json!({"position": START, "time": 0}).to_string(), "bad-body", "above 0"),
        (json!({"position": START, "time": -1}).to_string(), "bad-body", "above 0"),
        (json!({"position": START, "positions": -1}).to_string(), "bad-body", "invalid value"),
        ("x".to_owned(), "bad-body", ""),
        ("[".repeat(1000), "bad-body", ""),
    ] {
        site.post(PROVE, body).await.assert_error(400, code, phrase);
    }
    site.post(PROVE, "x".repeat(200_000)).await.assert_error(413, "body-too-long", "");
    site.post("/api/x/prove", "{}").await.assert_error(404, "unknown-rules", "");
    site.get(PROVE).await.assert_error(405, "method-not-allowed", "");
    let busy = Site::new(Path::new(SHIPPED), Settings { prove_jobs: 0, prove_queue: 0, ..Settings::default() });
    busy.post(PROVE, json!({"position": START}).to_string()).await.assert_error(503, "overloaded", "");
    busy.post("/api/standard/probe", "[]").await.good();
    let events = events(&busy.send(streamed(&json!({"position": START}))).await);
    assert_eq!((events.len(), events[0].0.as_str(), &events[0].1["code"]), (1, "error", &"overloaded".into()));
}

#[tokio::test]
async fn progress_is_streamed() {
    let site = Site::shipped();
    let all = events(&site.send(streamed(&json!({"position": START, "plies": 9}))).await);
    let (last, before) = all.split_last().unwrap();
    assert_eq!(last.0, "proof");
    assert!(last.1["not_before"].as_u64().unwrap() >= 10, "{}", last.1);
    assert!(!before.is_empty());
    for (name, data) in before {
        assert_eq!(name, "progress");
        assert!(data["not_before"].as_u64().unwrap() <= 10 && data["positions"].is_u64(), "{data}");
        assert!(["white", "black"].contains(&data["looking_for"]["winner"].as_str().unwrap()), "{data}");
    }
    // An invalid position is reported before the stream begins.
    site.send(streamed(&json!({"position": "x"}))).await.assert_error(400, "bad-position", "");
}

/// Two searches of an hour, one with a single response and one streamed, end when their clients disconnect: a third one
/// gets its turn.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_ends_its_search() {
    let hour = Duration::from_hours(1);
    let settings = Settings { prove_time: hour, prove_jobs: 1, prove_queue: 1, ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    let question = json!({"position": START});
    for is_streamed in [false, true] {
        let mut request = streamed(&question);
        if !is_streamed {
            request.headers_mut().remove("accept");
        }
        let response = site.router.clone().oneshot(request);
        if is_streamed {
            let mut body = response.await.unwrap().into_body();
            assert!(body.frame().await.is_some());
        } else {
            assert!(tokio::time::timeout(Duration::from_millis(200), response).await.is_err());
        }
        let next = site.post(PROVE, json!({"position": PUZZLE}).to_string());
        let proof = tokio::time::timeout(Duration::from_mins(1), next).await.expect("a turn").good().json();
        assert_eq!(proof["dtw"], 3);
    }
    let metrics = site.get("/metrics").await.good().text();
    let cancelled = "jungletb_proofs_total{result=\"cancelled\",rules=\"standard\"} 2";
    assert!(metrics.lines().any(|line| line == cancelled), "{metrics}");
}
