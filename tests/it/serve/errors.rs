//! Every error: its status, code and text.

use super::client::{PROBE, SHIPPED, Site};
use super::routes::copy;
use axum::body::Body;
use axum::http::{Method, Request};
use jungletb::serve::Settings;
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::time::Duration;

#[tokio::test]
async fn requests_that_cannot_be_meant() {
    let site = Site::shipped();
    let probe = "/api/standard/probe";
    let cases = [
        ("", "bad-query", "no position; give position="),
        ("?", "bad-query", "no position"),
        ("?position", "bad-position", "no position given"),
        ("?position=", "bad-position", "no position given"),
        ("?positon=x&utm_source=y", "bad-query", "no position; give position="),
        ("?position=x&position=y", "bad-query", "more than one position"),
        ("?position=x&fen=y", "bad-query", "more than one position"),
        ("?position=7/7/7/1E5/7/7/7/7/e6+w", "bad-position", "white elephant on b6: it cannot stand in the water"),
        ("?position=E6/7/7/7/7/7/7/7/e6+x", "bad-position", "side to move is \"x\""),
        ("?position=7/7/7/7/7/7/7/7/7+w", "bad-position", "the board is empty"),
        ("?position=%ff%fe", "bad-position", "1 rank,"),
        (
            "?position=http://host/?rules%3dgerman%26fen%3d7/7/7/7/7/7/7/7/7_w",
            "bad-position",
            "the link is to a position of the rules \"german\", but these are standard",
        ),
        ("?position=%00%0d%0a+w", "bad-position", "1 rank,"),
        ("?position=E6/7/7/7/7/7/7/7/e6%09b%1b%5b31m", "bad-position", "side to move is"),
    ];
    for path in [probe, "/api/standard/line"] {
        for (query, code, phrase) in cases {
            site.get(&format!("{path}{query}")).await.assert_error(400, code, phrase);
        }
    }
    for what in ["stats", "heat"] {
        let path = |rest: &str| format!("/api/standard/{what}/{rest}");
        for (material, phrase) in
            [("E", "write White's letters, v"), ("EvX", "'X' is not an animal"), ("..", "write White")]
        {
            site.get(&path(material)).await.assert_error(400, "bad-material", phrase);
        }
        site.get(&path("%2e%2e%2fEvE")).await.assert_error(400, "bad-material", "'.' is not an animal");
        site.get(&path("%ff")).await.assert_error(400, "bad-path", "UTF-8");
    }
    for (rest, code, phrase) in [
        ("EvX.svg", "bad-material", "'X' is not an animal"),
        ("LvR.svg?piece=x", "bad-query", "give piece=… with one of L, r"),
        ("LvR.svg?piece=E", "bad-query", "give piece=…"),
        ("LvR.svg?piece=LL", "bad-query", "give piece=…"),
        ("LvR.svg?piece=L&piece=r", "bad-query", "give piece=…"),
        ("LvR.svg?color=red&piece=", "bad-query", "give piece=…"),
    ] {
        site.get(&format!("/api/standard/plot/{rest}")).await.assert_error(400, code, phrase);
    }
    for (body, phrase) in [("", "EOF"), ("{}", "give a JSON array"), ("[1]", "entry 0"), ("[\"a\"]x", "trailing")] {
        site.post(probe, body).await.assert_error(400, "bad-body", phrase);
    }
}

/// Parameters added to an address by trackers and caches are not rejected.
#[tokio::test]
async fn parameters_that_are_not_known_are_ignored() {
    let site = Site::shipped();
    for path in [
        "/api/standard/probe?position=7/7/2r4/3L3/7/3c3/7/7/7+w",
        "/api/standard/line?fen=7/7/2r4/3L3/7/3c3/7/7/7+w",
        "/api/standard/stats/LvR",
        "/api/standard/heat/LvR",
        "/api/standard/plot/LvR.svg",
        "/api/standard/plot/LvR.svg?piece=L",
        "/api/standard/materials",
    ] {
        let plain = site.get(path).await;
        assert_eq!(plain.status, 200, "{path}");
        let sign = if path.contains('?') { '&' } else { '?' };
        for more in ["utm_source=x", "x", "x=1&x=2", "%ff"] {
            let reply = site.get(&format!("{path}{sign}{more}")).await;
            assert_eq!((reply.status.as_u16(), &reply.body), (200, &plain.body), "{path} {more}");
        }
    }
    assert_eq!(site.post("/api/standard/probe?x=1", "[]").await.status, 200);
}

/// As on the command line.
#[tokio::test]
async fn positions_materials_and_rules_in_any_spelling() {
    let site = Site::shipped();
    let spellings: Vec<String> = serde_json::from_str(include_str!("../../data/spellings.json")).unwrap();
    let query = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let plain = site.get(&format!("/api/standard/probe?position={}", query(&spellings[0]))).await;
    for text in &spellings {
        for key in ["position", "fen"] {
            let reply = site.get(&format!("/api/Standard/probe?{key}={}", query(text))).await;
            assert_eq!((reply.status.as_u16(), &reply.body), (200, &plain.body), "{text}");
        }
    }
    let many = site.post("/api/STANDARD/probe", serde_json::to_string(&spellings).unwrap()).await.json();
    assert_eq!(many.as_array().unwrap().len(), spellings.len());
    assert!(many.as_array().unwrap().iter().all(|one| *one == plain.json()));
    let stats = site.get("/api/standard/stats/LvR").await;
    for material in ["lvr", "LVR", "l%20v%20r", "lion%20vs.%20rat", "%E7%8B%AE%E5%AF%B9%E9%BC%A0"] {
        let reply = site.get(&format!("/api/standard/stats/{material}")).await;
        assert_eq!((reply.status.as_u16(), &reply.body), (200, &stats.body), "{material}");
    }
    // Only a short excerpt of a long text is quoted.
    let long = "x".repeat(10_000);
    let answers = site.post("/api/standard/probe", format!("[\"{long}\"]")).await.json();
    assert_eq!(answers[0]["position"].as_str().unwrap().chars().count(), 81);
    assert_eq!(answers[0]["code"], "bad-position");
}

#[tokio::test]
async fn what_is_not_here() {
    let site = Site::shipped();
    for path in ["probe?position=x", "line?position=x", "materials", "stats/LvR", "heat/LvR", "plot/LvR.svg"] {
        for rules in ["leiden", "%2e%2e", "x%2fy", "STANDARDS"] {
            let reply = site.get(&format!("/api/{rules}/{path}")).await;
            reply.assert_error(404, "unknown-rules", "the rules are standard: see /api/rules");
        }
    }
    for path in ["/api", "/api/", "/api/x", "/api/standard", "/api/standard/", "/api/standard/x", "/api/a/b/c/d/e"] {
        site.get(path).await.assert_error(404, "no-such-path", "/api/openapi.json");
    }
    site.get("/api/standard/plot/LvR").await.assert_error(404, "no-such-path", "unknown path");
    for path in ["/x", "/api.html", "/assets/../Cargo.toml", "/%2e%2e/Cargo.toml", "//", "/index.html/"] {
        let reply = site.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.header("content-type").starts_with("text/plain"), "{path}");
    }
    let missing = "no table for ELTvP (class ";
    for path in ["stats/ELTvP", "heat/ELTvP", "plot/ELTvP.svg", "line?position=EL4T/7/7/7/7/7/7/7/p6+w"] {
        site.get(&format!("/api/standard/{path}")).await.assert_error(404, "missing-table", missing);
    }
    let reply = site.get("/api/standard/probe?position=EL4T/7/7/7/7/7/7/7/p6+w").await;
    reply.assert_error(404, "missing-table", missing);
    // Known values are included nonetheless.
    let json = reply.json();
    assert_eq!((&json["category"], json["moves"].as_array().unwrap().len()), (&"unknown".into(), 5));
    assert!(json["class"].as_str().unwrap().contains('v'));
    let many = "EL3PW/T6/7/7/7/7/7/t6/el3pw";
    for what in ["probe", "line"] {
        let reply = site.get(&format!("/api/standard/{what}?position={many}+w")).await;
        reply.assert_error(404, "too-many-pieces", "10 pieces: no table has more than 8");
    }
    site.get("/api/standard/heat/ELTPWvELTPW").await.assert_error(404, "too-many-pieces", "10 pieces");
}

#[tokio::test]
async fn other_methods() {
    let site = Site::shipped();
    for path in [PROBE, "/api/rules", "/api/standard/stats/LvR", "/health", "/metrics", "/", "/api/standard/materials"]
    {
        for method in [Method::PUT, Method::DELETE, Method::PATCH, Method::TRACE] {
            site.ask(method, path, &[]).await.assert_error(405, "method-not-allowed", "does not support this method");
        }
    }
    site.post("/api/standard/line", "").await.assert_error(405, "method-not-allowed", "");
    site.post("/", "").await.assert_error(405, "method-not-allowed", "");
    assert_eq!(site.ask(Method::PUT, "/api/rules", &[]).await.header("allow"), "GET,HEAD");
}

/// A copy of the tables of a class, with the middle byte of some files changed.
fn damaged(class: &str, metrics: &[&str], byte: impl Fn(usize) -> usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(class, Path::new(SHIPPED), folder.path());
    for metric in metrics {
        let path = folder.path().join(format!("standard/{class}.{metric}"));
        let mut bytes = fs::read(&path).unwrap();
        let at = byte(bytes.len());
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).unwrap();
    }
    folder
}

#[tokio::test]
async fn damaged_tables() {
    const ASK: &str = "position=5r1/7/7/7/7/7/7/7/6L+b";
    const DAMAGED: &str = "the table that holds the answer is damaged";
    // In a block: requests that need the block fail every time; the summary is still valid.
    let folder = damaged("LvR", &["wdl", "dtw"], |_| 1024 + 40);
    let site = Site::new(folder.path(), Settings::default());
    let mut bad = 0;
    for file in 'a'..='g' {
        let position = format!("{}/7/7/7/7/7/7/7/L6 b", gap(file));
        let reply = site.get(&format!("/api/standard/probe?position={}", position.replace(' ', "+"))).await;
        if reply.status == 500 {
            reply.assert_error(500, "damaged-table", DAMAGED);
            let again = site.post("/api/standard/probe", format!("[\"{position}\"]")).await.good().json();
            assert_eq!((&again[0]["code"], &again[0]["position"]), (&"damaged-table".into(), &position.into()));
            bad += 1;
        }
    }
    assert!(bad > 0);
    for path in ["heat/LvR", "plot/LvR.svg"] {
        for _ in 0..2 {
            site.get(&format!("/api/standard/{path}")).await.assert_error(500, "damaged-table", DAMAGED);
        }
    }
    site.get("/api/standard/stats/LvR").await.good();
    // In the header: nothing of the table is used.
    let folder = damaged("LvR", &["dtw"], |_| 600);
    let site = Site::new(folder.path(), Settings::default());
    for path in ["probe?position=5r1/7/7/7/7/7/7/7/6L+b", &format!("line?{ASK}"), "stats/LvR"] {
        site.get(&format!("/api/standard/{path}")).await.assert_error(500, "damaged-table", DAMAGED);
    }
    let list = site.get("/api/standard/materials").await.good().json();
    let entry = list["tables"].as_array().unwrap().iter().find(|entry| entry["class"] == "LvR").unwrap().clone();
    assert_eq!(entry["state"], "damaged");
    assert!(entry["error"].as_str().unwrap().starts_with("damaged; "), "{entry}");
}

/// A rank with a rat on this file.
fn gap(file: char) -> String {
    let before = file as u8 - b'a';
    let gap = |n: u8| if n > 0 { n.to_string() } else { String::new() };
    format!("{}r{}", gap(before), gap(6 - before))
}

#[tokio::test]
async fn too_much_at_once() {
    let settings = Settings { heat_positions: 1000, ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    let list = |len: usize| serde_json::to_string(&vec!["x"; len]).unwrap();
    site.post("/api/standard/probe", list(1000)).await.good();
    site.post("/api/standard/probe", list(1001)).await.assert_error(
        413,
        "too-many-positions",
        "1001 positions: give at most 1000 per request",
    );
    let long = "x".repeat(128 << 10);
    site.post("/api/standard/probe", long.clone() + "x").await.assert_error(413, "body-too-long", "131072 bytes");
    site.post("/api/standard/probe", long).await.assert_error(400, "bad-body", "expected value");
    for path in ["heat/ERvL", "plot/ERvL.svg"] {
        let reply = site.get(&format!("/api/standard/{path}")).await;
        reply.assert_error(422, "too-large", "ERvL has ");
        assert!(reply.text().contains("limited to 1000"));
    }
}

#[tokio::test]
async fn a_body_that_does_not_come() {
    let settings = Settings { body_time: Duration::from_millis(20), ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    let request = Request::post("/api/standard/probe").body(Body::new(Never)).unwrap();
    site.send(request).await.assert_error(408, "timeout", "did not arrive in time");
}

/// A body without data that never ends.
struct Never;

impl axum::body::HttpBody for Never {
    type Data = hyper::body::Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Self::Data>, Infallible>>> {
        std::task::Poll::Pending
    }
}
