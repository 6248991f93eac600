//! Every route gives the same results as the command line.

use super::client::{POSITION, PROBE, SHIPPED, Site};
use crate::common::{all_rules, rules, run, tables};
use axum::http::{Method, StatusCode};
use jungletb::game::{Color, Position, Rules};
use jungletb::material::Material;
use jungletb::probe::Tablebase;
use jungletb::serve::Settings;
use serde_json::{Value, json};
use std::path::Path;

fn encode(position: &str) -> String {
    position.replace(' ', "%20")
}

#[tokio::test]
async fn a_probe_is_what_the_program_prints() {
    let site = Site::shipped();
    for position in [
        POSITION,
        "7/3L3/7/7/7/7/7/7/c6 w",
        "7/3L3/7/7/7/7/7/7/c6 b",
        "3L3/7/7/7/7/7/7/7/c6 b",
        "7/7/7/7/7/7/7/7/c6 b",
        "E6/7/7/7/7/7/7/7/6r b",
        "7/3J3/7/7/7/7/7/7/c6 r",
    ] {
        let printed = run(&["probe", position, "--json"]).good().json();
        for key in ["position", "fen"] {
            let reply = site.get(&format!("/api/standard/probe?{key}={}", encode(position))).await.good();
            assert_eq!(reply.json(), printed);
            assert_eq!(reply.header("cache-control"), "public, max-age=3600");
        }
    }
}

#[tokio::test]
async fn many_probes_are_what_the_program_prints() {
    let site = Site::shipped();
    let positions = [POSITION, "nonsense", "", "C6/7/7/7/7/7/7/7/3r3 w", "CD4W/7/7/7/7/7/7/7/cd5 w"];
    let list = site.post("/api/standard/probe", json!(positions).to_string()).await.good();
    let object = site.post("/api/standard/probe", json!({"positions": positions}).to_string()).await.good();
    assert_eq!(list.json(), object.json());
    let answers = list.json();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), positions.len());
    assert_eq!(answers[0], site.get(PROBE).await.json());
    for bad in [1, 2] {
        assert_eq!(answers[bad]["position"], positions[bad]);
        assert_eq!(answers[bad]["code"], "bad-position");
        assert!(answers[bad]["error"].as_str().unwrap().starts_with("bad position: "));
    }
    assert_eq!(answers[3]["category"], "loss");
    assert_eq!((&answers[4]["category"], &answers[4]["code"]), (&json!("unknown"), &json!("missing-table")));
    assert_eq!(site.post("/api/standard/probe", "[]").await.good().json(), json!([]));
}

#[tokio::test]
async fn a_thousand_positions_are_answered_in_order() {
    let site = Site::shipped();
    let rules = Rules::standard();
    let base = Tablebase::open(SHIPPED, &rules).unwrap();
    let place = base.place(Material::parse(&rules, "ERvL").unwrap()).unwrap();
    let position = |n: u64| place.position(&rules, &place.class.index().decode(n * 37), Color::BOTH[(n % 2) as usize]);
    let positions: Vec<Position> = (0..1000).map(position).collect();
    let texts: Vec<String> = positions.iter().map(|position| position.to_text(&rules)).collect();
    let answers = site.post("/api/standard/probe", json!(texts).to_string()).await.good().json();
    for ((answer, text), position) in answers.as_array().unwrap().iter().zip(&texts).zip(&positions) {
        assert_eq!(answer["position"], **text);
        let value = base.value(position).unwrap();
        assert_eq!((&answer["category"], &answer["dtw"]), (&json!(value.category.name()), &json!(value.dtw)));
    }
}

#[tokio::test]
async fn a_line_leads_to_the_end_of_the_game() {
    let site = Site::shipped();
    let rules = Rules::standard();
    for position in [POSITION, "7/3L3/7/7/7/7/7/7/c6 w", "E6/7/7/7/7/7/7/7/6r b"] {
        let line = site.get(&format!("/api/standard/line?position={}", encode(position))).await.good().json();
        let probe = site.get(&format!("/api/standard/probe?position={}", encode(position))).await.good().json();
        for key in ["position", "rules", "category", "dtw", "over", "line"] {
            assert_eq!(line[key], probe[key], "{key}");
        }
        let positions = line["positions"].as_array().unwrap();
        assert_eq!(positions.len(), line["line"].as_array().unwrap().len());
        let mut at = Position::parse(&rules, position).unwrap();
        for (mv, after) in line["line"].as_array().unwrap().iter().zip(positions) {
            at = at.play(&rules, jungletb::game::Move::parse(mv.as_str().unwrap()).unwrap()).unwrap();
            assert_eq!(*after, *at.to_text(&rules));
        }
        assert_eq!(at.over(&rules).is_some(), line["dtw"] != Value::Null);
    }
}

#[tokio::test]
async fn stats_and_materials_are_what_the_program_prints() {
    let site = Site::shipped();
    for material in ["LvR", "RvL", "ERvL", "EvPW"] {
        let printed = run(&["stats", material, "--json"]).good().json();
        assert_eq!(site.get(&format!("/api/standard/stats/{material}")).await.good().json(), printed[0]);
    }
    // The service tells nothing of the machine's folders.
    let mut printed = run(&["list", "--json"]).good().json();
    for table in printed["tables"].as_array_mut().unwrap() {
        table.as_object_mut().unwrap().shift_remove("folder");
    }
    for _ in 0..2 {
        assert_eq!(site.get("/api/standard/materials").await.good().json(), printed);
    }
}

#[tokio::test]
async fn heat_maps_add_up_to_the_counts() {
    let site = Site::shipped();
    for material in ["LvR", "ERvL", "LvPW"] {
        let heat = site.get(&format!("/api/standard/heat/{material}")).await.good().json();
        let stats = site.get(&format!("/api/standard/stats/{material}")).await.good().json();
        let pieces = heat["pieces"].as_array().unwrap();
        let letters: String = pieces.iter().map(|piece| piece["piece"].as_str().unwrap()).collect();
        assert_eq!(letters.to_uppercase(), material.replace('v', ""));
        for (piece, side) in pieces.iter().flat_map(|piece| [(piece, "white"), (piece, "black")]) {
            for result in ["win", "draw", "loss"] {
                let squares = piece[side][result].as_array().unwrap();
                assert_eq!(squares.len(), 63);
                let sum: u64 = squares.iter().map(|count| count.as_u64().unwrap()).sum();
                assert_eq!(stats[side][result], sum, "{material} {side} {result}");
            }
        }
    }
}

#[tokio::test]
async fn a_picture_is_what_the_program_writes() {
    let site = Site::shipped();
    for (query, piece) in [("", &[][..]), ("?piece=l", &["--piece", "l"][..])] {
        let arguments = [&["plot", "ERvL", "--out", "-"][..], piece].concat();
        let printed = run(&arguments).good().stdout;
        let reply = site.get(&format!("/api/standard/plot/ERvL.svg{query}")).await.good();
        assert_eq!(reply.header("content-type"), "image/svg+xml");
        assert!(reply.header("content-security-policy").contains("style-src 'unsafe-inline'"));
        assert_eq!(reply.text(), printed);
    }
}

#[tokio::test]
async fn every_rule_set_tells_its_board() {
    let all: Vec<Rules> = all_rules().iter().map(|name| rules(name)).collect();
    let made = tables("standard", "2");
    let site = Site::with_rules(made.path(), &all, Settings::default());
    let list = site.get("/api/rules").await.good().json();
    let list = list["rules"].as_array().unwrap();
    assert_eq!(list.len(), all.len());
    for (told, rules) in list.iter().zip(&all) {
        assert_eq!(told["name"], rules.name());
        let board = rules.board();
        assert_eq!(told["board"]["ranks"], board.ranks);
        assert_eq!(told["board"]["dens"]["black"], board.dens[1].to_string());
        assert_eq!(told["board"]["water"].as_array().unwrap().len(), board.water.len());
        assert_eq!(told["animals"].as_array().unwrap().len(), board.animals.len());
        for (animal, told) in board.animals.iter().rev().zip(told["animals"].as_array().unwrap()) {
            assert_eq!(told["letter"], animal.letter().to_string());
            for (color, name) in Color::BOTH.into_iter().zip(["white", "black"]) {
                let squares: Vec<String> =
                    rules.movement(color, *animal).domain.into_iter().map(|square| square.to_string()).collect();
                assert_eq!(told["squares"][name], json!(squares));
            }
            let swims = rules.keys().swimmers.contains(animal) && !board.water.is_empty();
            assert_eq!(told["swims"], swims);
        }
    }
    let checkers = list.iter().find(|told| told["name"] == "animal-checkers").unwrap();
    assert_eq!((&checkers["board"]["ranks"], &checkers["board"]["water"]), (&json!(7), &json!([])));
    assert_eq!(checkers["keys"]["board"], "animal-checkers");
}

#[tokio::test]
async fn rule_sets_are_kept_apart() {
    let made = tables("standard", "2");
    tables("animal-checkers", "2");
    let all = [Rules::standard(), Rules::preset("animal-checkers").unwrap()];
    let site = Site::with_rules(made.path(), &all, Settings::default());
    let probe = |rules: &str, position: &str| site_probe(rules, position);
    let standard = site.get(&probe("standard", "E6/7/7/7/7/7/7/7/6r b")).await.good().json();
    assert_eq!(standard["rules"], "standard");
    let checkers = site.get(&probe("animal-checkers", "E6/7/7/7/7/7/6r b")).await.good().json();
    assert_eq!((&checkers["rules"], checkers["category"] != "unknown"), (&json!("animal-checkers"), true));
    site.get(&probe("animal-checkers", "E6/7/7/7/7/7/7/7/6r b")).await.assert_error(400, "bad-position", "9 ranks");
}

fn site_probe(rules: &str, position: &str) -> String {
    format!("/api/{rules}/probe?position={}", encode(position))
}

#[tokio::test]
async fn what_the_client_has_is_not_sent_again() {
    let site = Site::shipped();
    for path in [
        PROBE,
        "/api/standard/line?fen=7/7/2r4/3L3/7/3c3/7/7/7+w",
        "/api/standard/stats/LvR",
        "/api/standard/heat/LvR",
        "/api/standard/plot/LvR.svg",
        "/api/standard/materials",
        "/api/rules",
        "/api/openapi.json",
        "/",
        "/index.html",
    ] {
        let first = site.get(path).await.good();
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{path}: {tag}");
        // A service that has not computed the response yet knows its tag all the same.
        for site in [&site, &Site::shipped()] {
            for known in [&*tag, "*", &format!("\"other\", {tag}")] {
                let again = site.ask(Method::GET, path, &[("if-none-match", known)]).await;
                assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
                assert_eq!(again.header("etag"), tag);
                assert!(!again.header("cache-control").is_empty());
            }
        }
        let other = site.ask(Method::GET, path, &[("if-none-match", "\"other\"")]).await.good();
        assert_eq!(other.body, first.body, "{path}");
    }
}

#[tokio::test]
async fn heads_are_those_of_the_answers() {
    let site = Site::shipped();
    for path in [PROBE, "/api/standard/stats/LvR", "/api/rules", "/", "/health", "/metrics", "/api/standard/probe"] {
        let get = site.get(path).await;
        let head = site.ask(Method::HEAD, path, &[]).await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        for name in ["content-type", "etag", "cache-control"] {
            if path != "/metrics" || name != "etag" {
                assert_eq!(head.header(name), get.header(name), "{path} {name}");
            }
        }
        if path != "/metrics" {
            assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
        }
    }
}

#[tokio::test]
async fn health_and_metrics_tell_how_it_is() {
    let site = Site::shipped();
    assert_eq!(site.get("/health").await.good().json(), json!({"status": "ok"}));
    for path in [PROBE, PROBE, "/api/standard/probe", "/api/standard/stats/LvR", "/api/no/such/path/at/all", "/"] {
        site.get(path).await;
    }
    site.post("/api/standard/probe", json!([POSITION, "bad"]).to_string()).await.good();
    let reply = site.get("/metrics").await.good();
    assert!(reply.header("content-type").starts_with("text/plain"));
    let text = reply.text();
    for line in [
        "jungletb_requests_total{route=\"/api/{rules}/probe\",status=\"200\"} 3",
        "jungletb_requests_total{route=\"/api/{rules}/probe\",status=\"400\"} 1",
        "jungletb_requests_total{route=\"/api/{rules}/stats/{material}\",status=\"200\"} 1",
        "jungletb_requests_total{route=\"other\",status=\"404\"} 1",
        "jungletb_requests_total{route=\"other\",status=\"200\"} 1",
        "jungletb_request_seconds_count{route=\"/api/{rules}/probe\"} 4",
        "jungletb_request_seconds_bucket{route=\"/api/{rules}/probe\",le=\"+Inf\"} 4",
        "jungletb_requests_in_flight 1",
        "jungletb_probes_total{rules=\"standard\"} 4",
        "jungletb_answers_total{result=\"hit\",rules=\"standard\"} 1",
        "jungletb_answers_total{result=\"miss\",rules=\"standard\"} 1",
        "jungletb_shed_total 0",
        "jungletb_rate_limited_total 0",
        concat!("jungletb_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1"),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    for name in [
        "jungletb_block_lookups_total",
        "jungletb_unpacked_bytes_total",
        "jungletb_block_bytes",
        "jungletb_answer_bytes",
    ] {
        let value = text.lines().find(|line| line.starts_with(name)).and_then(|line| line.rsplit(' ').next());
        assert!(value.is_some_and(|value| value.parse::<u64>().unwrap() > 0), "{name} in\n{text}");
    }
}

#[tokio::test]
async fn a_table_that_comes_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::new(folder.path(), Settings::default());
    let ask = "/api/standard/probe?position=E6/7/7/7/7/7/7/7/6r+b";
    site.get(ask).await.assert_error(404, "missing-table", "no table for EvR (class EvR)");
    assert_eq!(site.get("/api/standard/materials").await.good().json()["tables"][0]["state"], "missing");
    copy("EvR", Path::new(SHIPPED), folder.path());
    assert_eq!(site.get(ask).await.good().json()["category"], "win");
    let list = site.get("/api/standard/materials").await.good().json();
    let states: Vec<&Value> = list["tables"].as_array().unwrap().iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "ok").count(), 1);
}

/// Responses without distances are dropped once distances are available.
#[tokio::test]
async fn a_table_that_tells_more_is_used_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    copy("EvR", Path::new(SHIPPED), folder.path());
    let distances = folder.path().join("standard/EvR.dtw");
    let later = folder.path().join("later");
    std::fs::rename(&distances, &later).unwrap();
    let site = Site::new(folder.path(), Settings::default());
    let shipped = Site::shipped();
    let asked =
        ["probe?position=E6/7/7/7/7/7/7/7/6r+b", "line?position=E6/7/7/7/7/7/7/7/6r+b", "stats/EvR", "plot/EvR.svg"]
            .map(|what| format!("/api/standard/{what}"));
    for path in &asked {
        for _ in 0..2 {
            let reply = site.get(path).await.good();
            assert_eq!(reply.header("cache-control"), "no-cache", "{path}");
            assert_ne!(reply.body, shipped.get(path).await.body, "{path}");
        }
    }
    std::fs::rename(&later, &distances).unwrap();
    for path in &asked {
        let (reply, expected) = (site.get(path).await.good(), shipped.get(path).await.good());
        assert!(reply.body == expected.body && reply.header("etag") == expected.header("etag"), "{path}");
        assert_eq!(reply.header("cache-control"), "public, max-age=3600", "{path}");
    }
}

/// Copies the tables of a class.
pub fn copy(class: &str, from: &Path, to: &Path) {
    std::fs::create_dir_all(to.join("standard")).unwrap();
    for metric in ["wdl", "dtw"] {
        let name = format!("standard/{class}.{metric}");
        std::fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}
