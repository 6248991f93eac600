//! Load shedding, the rate limit, CORS, compression, and common response headers.

use super::client::{POSITION, PROBE, Reply, SHIPPED, Site};
use async_compression::tokio::write::{BrotliDecoder, GzipDecoder};
use axum::body::Body;
use axum::http::{Method, Request};
use jungletb::serve::{Peer, Settings};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn what_cannot_be_done_soon_is_refused() {
    // No job runs, and one request may wait.
    let settings = Settings { jobs: 0, queue: 1, ..Settings::default() };
    let site = Arc::new(Site::new(Path::new(SHIPPED), settings));
    let waiting = tokio::spawn({
        let site = Arc::clone(&site);
        async move { site.get(PROBE).await }
    });
    tokio::task::yield_now().await;
    for path in [PROBE, "/api/standard/stats/LvR", "/api/standard/materials"] {
        let reply = site.get(path).await;
        reply.assert_error(503, "overloaded", "retry");
        assert_eq!(reply.header("retry-after"), "1");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
    site.post("/api/standard/probe", "[]").await.assert_error(503, "overloaded", "");
    // Requests that need no table are still answered.
    site.get("/health").await.good();
    site.get("/").await.good();
    assert!(site.get("/metrics").await.good().text().contains("\njungletb_shed_total 4\n"));
    // A client that disconnects leaves the queue.
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    let waits = tokio::time::timeout(Duration::from_millis(20), site.get(PROBE)).await;
    assert!(waits.is_err(), "the place in the queue is free again");
}

#[tokio::test]
async fn those_who_must_wait_are_answered_in_the_end() {
    let settings = Settings { jobs: 1, queue: 64, ..Settings::default() };
    let site = Arc::new(Site::new(Path::new(SHIPPED), settings));
    let body = format!("[{}]", [format!("\"{POSITION}\"").as_str(); 50].join(","));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let (site, body) = (Arc::clone(&site), body.clone());
        tasks.spawn(async move { site.post("/api/standard/probe", body).await.good().json() });
    }
    let all = tasks.join_all().await;
    assert_eq!(all.len(), 64);
    assert!(all.iter().all(|answers| *answers == all[0]));
}

async fn ask_from(site: &Site, address: &str, path: &str) -> Reply {
    let mut request = Request::get(path).body(Body::empty()).unwrap();
    request.extensions_mut().insert(Peer(address.parse::<IpAddr>().unwrap()));
    site.send(request).await
}

#[tokio::test]
async fn who_asks_too_often_must_wait() {
    let settings = Settings { rate_limit: Some(5), ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    for _ in 0..5 {
        ask_from(&site, "10.0.0.1", PROBE).await.good();
    }
    let reply = ask_from(&site, "10.0.0.1", PROBE).await;
    reply.assert_error(429, "rate-limited", "the limit is 5 per second");
    assert_eq!((reply.header("retry-after"), reply.header("access-control-allow-origin")), ("1", "*"));
    // Other clients, and routes outside the API, are unaffected.
    ask_from(&site, "10.0.0.2", PROBE).await.good();
    for path in ["/", "/health", "/metrics"] {
        ask_from(&site, "10.0.0.1", path).await.good();
    }
    assert!(site.get("/metrics").await.text().contains("\njungletb_rate_limited_total 1\n"));
}

#[tokio::test]
async fn many_positions_count_as_many_requests() {
    let settings = Settings { rate_limit: Some(5), ..Settings::default() };
    let site = Site::new(Path::new(SHIPPED), settings);
    let post = async |path: &str, body: String| {
        let mut request = Request::post(path).body(Body::from(body)).unwrap();
        request.extensions_mut().insert(Peer("10.0.0.1".parse().unwrap()));
        site.send(request).await
    };
    let positions = serde_json::json!(vec![POSITION; 20]).to_string();
    assert_eq!(post("/api/standard/probe", positions).await.good().json().as_array().unwrap().len(), 20);
    let reply = ask_from(&site, "10.0.0.1", PROBE).await;
    reply.assert_error(429, "rate-limited", "the limit is 5 per second");
    // 20 positions take 4 seconds, of which one is allowed in advance.
    let wait: u32 = reply.header("retry-after").parse().unwrap();
    assert!((2..=4).contains(&wait), "{wait}");
    ask_from(&site, "10.0.0.2", PROBE).await.good();
}

#[tokio::test]
async fn pages_of_other_sites_may_ask() {
    let site = Site::shipped();
    let reply = site.ask(Method::GET, PROBE, &[("origin", "https://example.org")]).await.good();
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert!(reply.header("access-control-expose-headers").contains("etag"));
    for method in ["GET", "POST"] {
        let headers = [
            ("origin", "https://example.org"),
            ("access-control-request-method", method),
            ("access-control-request-headers", "content-type"),
        ];
        let reply = site.ask(Method::OPTIONS, "/api/standard/probe", &headers).await.good();
        assert_eq!(reply.header("access-control-allow-origin"), "*");
        assert!(reply.header("access-control-allow-methods").contains(method));
        assert!(reply.header("access-control-allow-headers").contains("content-type"));
        assert_eq!(reply.header("access-control-max-age"), "86400");
    }
    // Other sites can read errors too; the page itself cannot be framed.
    let error = site.ask(Method::GET, "/api/standard/probe", &[("origin", "https://example.org")]).await;
    assert_eq!((error.status.as_u16(), error.header("access-control-allow-origin")), (400, "*"));
    let page = site.ask(Method::GET, "/", &[("origin", "https://example.org")]).await.good();
    assert_eq!(page.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn answers_are_compressed_for_those_who_can_read_it() {
    let site = Site::shipped();
    let short = site.ask(Method::GET, PROBE, &[("accept-encoding", "gzip, br")]).await.good();
    assert_eq!(short.header("content-encoding"), "");
    for path in
        ["/api/standard/plot/LvR.svg", "/api/rules", "/api/standard/materials", "/api/openapi.json", "/index.html"]
    {
        let plain = site.get(path).await.good();
        assert_eq!(plain.header("content-encoding"), "");
        for encoding in ["gzip", "br"] {
            let reply = site.ask(Method::GET, path, &[("accept-encoding", encoding)]).await.good();
            assert_eq!(reply.header("content-encoding"), encoding, "{path}");
            assert!(reply.header("vary").contains("accept-encoding"));
            assert_eq!(reply.header("etag"), plain.header("etag"));
            assert!(reply.body.len() < plain.body.len());
            let mut unpacked = Vec::new();
            if encoding == "gzip" {
                let mut decoder = GzipDecoder::new(&mut unpacked);
                decoder.write_all(&reply.body).await.unwrap();
                decoder.shutdown().await.unwrap();
            } else {
                let mut decoder = BrotliDecoder::new(&mut unpacked);
                decoder.write_all(&reply.body).await.unwrap();
                decoder.shutdown().await.unwrap();
            }
            assert_eq!(unpacked, plain.body, "{path}");
        }
    }
}

#[tokio::test]
async fn a_client_gets_no_form_that_it_refuses() {
    let site = Site::shipped();
    let get = async |path, accepted| site.ask(Method::GET, path, &[("accept-encoding", accepted)]).await;
    for path in [PROBE, "/", "/health", "/lang/en/general.js", "/api/nothing"] {
        for refused in ["identity;q=0", "*;q=0", "deflate, identity;q=0"] {
            let reply = get(path, refused).await;
            assert_eq!(reply.status.as_u16(), 406, "{path} {refused}: {}", reply.text());
            assert!(reply.text().contains("Accept-Encoding"));
        }
        // Short answers too.
        let reply = get(path, "identity;q=0, gzip;q=0.1").await;
        assert_eq!(reply.header("content-encoding"), "gzip", "{path}");
        assert!(reply.header("vary").contains("accept-encoding"));
    }
    let tag = get(PROBE, "gzip").await.good().header("etag").to_owned();
    let headers = [("accept-encoding", "gzip, identity;q=0"), ("if-none-match", tag.as_str())];
    let known = site.ask(Method::GET, PROBE, &headers).await;
    assert_eq!((known.status.as_u16(), known.body.len(), known.header("vary")), (304, 0, "accept-encoding"));
}

#[tokio::test]
async fn every_response_bears_the_same_policy() {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                          connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";
    let site = Site::shipped();
    for path in [PROBE, "/", "/nothing", "/api/nothing", "/metrics", "/api/standard/probe"] {
        let reply = site.get(path).await;
        assert_eq!(reply.header("content-security-policy"), POLICY, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
    }
}
