//! The API description is accurate: every path in it exists, and every response has the described form.

use super::client::{POSITION, Reply, SHIPPED, Site};
use super::schema::faults;
use axum::http::{Method, Request};
use jungletb::serve::Settings;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const GAME: &str =
    "[White \"Anna\"]\n[Position \"7/7/2r4/3L3/7/3c3/7/7/7 w\"]\n\n1. d6g6 {why?} (1. d6d7) c7c8 2. a1a2 1-0\n";

/// The description, and the responses compared with it so far.
struct Description {
    document: Value,
    seen: BTreeSet<String>,
}

impl Description {
    async fn of(site: &Site) -> Self {
        Self { document: site.get("/api/openapi.json").await.good().json(), seen: BTreeSet::new() }
    }

    /// The description of a status; follows a reference.
    fn response(&self, path: &str, method: &str, status: &str) -> &Value {
        let response = &self.document["paths"][path][method]["responses"][status];
        match response["$ref"].as_str() {
            Some(pointer) => self.document.pointer(&pointer[1..]).unwrap(),
            None => response,
        }
    }

    /// Asserts that a response matches the description.
    fn check(&mut self, path: &str, method: &str, reply: &Reply) {
        let status = reply.status.as_str();
        let what = format!("{method} {path} {status}");
        let response = self.response(path, method, status);
        assert!(response["description"].is_string(), "{what} is not described");
        if status == "304" {
            assert!(reply.body.is_empty());
        } else {
            let content_type = reply.header("content-type").split(';').next().unwrap();
            let schema = response["content"][content_type]["schema"].clone();
            assert!(schema.is_object(), "{what} is not described as {content_type}");
            if content_type == "application/json" {
                let faults = faults(&self.document, &schema, &reply.json());
                assert!(faults.is_empty(), "{what}: {faults:?}");
            }
        }
        self.seen.insert(what);
    }
}

/// Proofs, as a single response and as events.
async fn check_proofs(site: &Site, description: &mut Description) {
    let prove = "/api/{rules}/prove";
    for body in [
        json!({"position": POSITION}).to_string(),
        json!({"position": "5L1/3l2d/1tc4/7/7/7/1PWD1C1/7/7 w", "time": 10}).to_string(),
        json!({"position": "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", "plies": 3}).to_string(),
        json!({"position": "x"}).to_string(),
        "x".repeat(200_000),
    ] {
        let reply = site.post("/api/standard/prove", body.clone()).await;
        description.check(prove, "post", &reply);
        let request = Request::post("/api/standard/prove").header("accept", "text/event-stream");
        let streamed = site.send(request.body(body.into()).unwrap()).await;
        description.check(prove, "post", &streamed);
        let kinds = [("progress", "ProofProgress"), ("proof", "Proof"), ("error", "Error")];
        for event in streamed.text().split_terminator("\n\n").filter(|_| streamed.status == 200) {
            let (name, data) = event.split_once('\n').unwrap();
            let kind = kinds.iter().find(|(kind, _)| name.strip_prefix("event: ") == Some(kind)).unwrap().1;
            let schema = json!({"$ref": format!("#/components/schemas/{kind}")});
            let value: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
            let faults = faults(&description.document, &schema, &value);
            assert!(faults.is_empty(), "{kind}: {faults:?}");
        }
    }
    description.check(prove, "post", &site.post("/api/x/prove", "{}").await);
    for body in [
        json!({"position": "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", "time": 0.05}),
        json!({"position": POSITION, "time": 0.05}),
        json!({"position": "7/7/7/7/7/7/7/7/6L w", "time": 0.05}),
        json!({"position": POSITION, "time": -1}),
    ] {
        let reply = site.post("/api/standard/guess", body.to_string()).await;
        description.check("/api/{rules}/guess", "post", &reply);
    }
}

/// Games read and reviewed.
async fn check_games(site: &Site, description: &mut Description) {
    for body in [GAME, "x\n", "", "[White \"A\"]\n\n1. d6d7 {open\n"] {
        let reply = site.post("/api/standard/games", body).await;
        description.check("/api/{rules}/games", "post", &reply);
    }
    let reply = site.post("/api/standard/games?encoding=runes", GAME).await;
    description.check("/api/{rules}/games", "post", &reply);
    for body in [
        json!({"moves": ["d6g6", "c7c8", "a1a2"], "start": POSITION, "annotate": true}),
        json!({"moves": "a1a2 a9a8", "time": 0.01}),
        json!({"moves": [], "start": "x"}),
        json!({"moves": 3}),
        json!({"moves": vec!["a1a2"; 2000]}),
        json!([]),
    ] {
        let reply = site.post("/api/standard/review", body.to_string()).await;
        description.check("/api/{rules}/review", "post", &reply);
    }
}

#[tokio::test]
async fn every_answer_has_the_form_that_is_described() {
    let site = Site::shipped();
    let mut description = Description::of(&site).await;
    assert_eq!(description.document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let probes = [
        "/api/standard/probe?position=7/7/2r4/3L3/7/3c3/7/7/7+w",
        "/api/standard/probe?fen=3L3/7/7/7/7/7/7/7/c6+b",
        "/api/standard/probe?fen=7/7/7/7/7/7/7/7/c6+b",
        "/api/standard/probe?fen=EL5/7/7/7/7/7/7/7/e5l+w",
        "/api/standard/probe?fen=ELTPW2/7/7/7/7/7/7/7/eltpw2+w",
        "/api/standard/probe?fen=x",
        "/api/x/probe?fen=x",
    ];
    let asked = [
        ("/api/rules", &["/api/rules"][..]),
        ("/api/openapi.json", &["/api/openapi.json"]),
        ("/api/{rules}/probe", &probes),
        (
            "/api/{rules}/line",
            &[
                "/api/standard/line?position=7/7/2r4/3L3/7/3c3/7/7/7+w",
                "/api/standard/line?position=3L3/7/7/7/7/7/7/7/c6+b",
                "/api/standard/line?position=EL5/7/7/7/7/7/7/7/e5l+w",
                "/api/standard/line",
            ],
        ),
        ("/api/{rules}/materials", &["/api/standard/materials", "/api/x/materials", "/api/standard/materials?x=1"]),
        (
            "/api/{rules}/stats/{material}",
            &[
                "/api/standard/stats/LvR",
                "/api/standard/stats/EvE",
                "/api/standard/stats/x",
                "/api/standard/stats/EvELT",
            ],
        ),
        (
            "/api/{rules}/heat/{material}",
            &["/api/standard/heat/LvR", "/api/standard/heat/x", "/api/standard/heat/EvELT"],
        ),
        (
            "/api/{rules}/plot/{material}.svg",
            &["/api/standard/plot/LvR.svg", "/api/standard/plot/x.svg", "/api/standard/plot/EvELT.svg"],
        ),
        ("/health", &["/health"]),
        ("/metrics", &["/metrics"]),
    ];
    for (path, requests) in asked {
        for request in requests {
            let reply = site.get(request).await;
            description.check(path, "get", &reply);
            let tag = reply.header("etag");
            if reply.status == 200 && !path.contains("metrics") && !path.contains("health") {
                let again = site.ask(Method::GET, request, &[("if-none-match", tag)]).await;
                description.check(path, "get", &again);
            }
        }
        let put = site.ask(Method::PUT, requests[0], &[]).await;
        description.check(path, "get", &put);
    }
    let bodies = [
        json!([POSITION, "x", "EL5/7/7/7/7/7/7/7/e5l w", "7/7/7/7/7/7/7/7/c6 b"]).to_string(),
        json!({"positions": [POSITION]}).to_string(),
        "x".to_owned(),
        json!(vec!["x"; 1001]).to_string(),
        "x".repeat(200_000),
    ];
    for body in bodies {
        let reply = site.post("/api/standard/probe", body).await;
        description.check("/api/{rules}/probe", "post", &reply);
    }
    description.check("/api/{rules}/probe", "post", &site.post("/api/x/probe", "[]").await);

    check_proofs(&site, &mut description).await;
    check_games(&site, &mut description).await;

    let small = Site::new(Path::new(SHIPPED), Settings { heat_positions: 1, jobs: 0, queue: 0, ..Settings::default() });
    for what in ["heat/{material}", "plot/{material}.svg"] {
        let request = format!("/api/standard/{}", what.replace("{material}", "LvR"));
        description.check(&format!("/api/{{rules}}/{what}"), "get", &small.get(&request).await);
    }
    for what in ["probe?position=EL5/7/7/7/7/7/7/7/e5l+w", "line?position=EL5/7/7/7/7/7/7/7/e5l+w", "materials"] {
        let path = format!("/api/{{rules}}/{}", what.split('?').next().unwrap());
        description.check(&path, "get", &small.get(&format!("/api/standard/{what}")).await);
    }
    // Every described path was requested, and gave its success response.
    for (path, item) in description.document["paths"].as_object().unwrap() {
        for method in ["get", "post"].iter().filter(|method| item.get(**method).is_some()) {
            assert!(description.seen.contains(&format!("{method} {path} 200")), "{method} {path}");
        }
    }
    assert!(description.seen.len() > 40, "{}", description.seen.len());
}

/// The routes in the source are those in the description.
#[tokio::test]
async fn every_route_is_described() {
    let site = Site::shipped();
    let description = Description::of(&site).await;
    let described: BTreeSet<&str> =
        description.document["paths"].as_object().unwrap().keys().map(|path| path.trim_end_matches(".svg")).collect();
    let source = include_str!("../../../src/serve/routes.rs");
    let routes: Vec<&str> = source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(routes.len() > 8);
    let in_source: BTreeSet<String> = routes
        .iter()
        .map(|route| if ["/health", "/metrics"].contains(route) { (*route).to_owned() } else { format!("/api{route}") })
        .collect();
    assert_eq!(in_source.iter().map(String::as_str).collect::<BTreeSet<_>>(), described);
}
