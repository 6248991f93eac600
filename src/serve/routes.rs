//! The routes and their middleware.

use super::ask::Ask;
use super::encoding;
use super::error::ApiError;
use super::kept::{MaterialQuery, PositionQuery};
use super::material;
use super::payload::{Freshness, Payload};
use super::position;
use super::service::Service;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{Any, CorsLayer};

/// The client address of a request, stored in its extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The service as handlers receive it.
type Shared = State<Arc<Service>>;

/// The routes over a service.
pub fn router(service: Arc<Service>) -> Router {
    let api = Router::new()
        .route("/rules", get(rules))
        .route("/openapi.json", get(openapi))
        .route("/{rules}/probe", get(probe).post(probe_many))
        .route("/{rules}/prove", post(prove))
        .route("/{rules}/games", post(games))
        .route("/{rules}/review", post(review))
        .route("/{rules}/guess", post(guess))
        .route("/{rules}/line", get(line))
        .route("/{rules}/stats/{material}", get(stats))
        .route("/{rules}/heat/{material}", get(heat))
        .route("/{rules}/plot/{material}", get(plot))
        .route("/{rules}/materials", get(materials))
        .method_not_allowed_fallback(async || ApiError::Method)
        .fallback(async || ApiError::NoRoute);
    // The page consists of many small files, and monitoring polls regularly: only the API is limited.
    let api = match service.rate_limit {
        Some(_) => api.layer(middleware::from_fn_with_state(Arc::clone(&service), limited)),
        None => api,
    };
    Router::new()
        .nest("/api", api.layer(cors()))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .method_not_allowed_fallback(async || ApiError::Method)
        .fallback(asset)
        .with_state(Arc::clone(&service))
        .layer(CatchPanicLayer::custom(|_| ApiError::Internal.into_response()))
        .layer(middleware::from_fn(encoding::negotiate))
        .layer(encoding::layer())
        .layer(middleware::from_fn_with_state(service, log_and_count))
}

/// Other sites may read the API: it holds no secrets and changes nothing.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, header::RETRY_AFTER])
        .max_age(Duration::from_hours(24))
}

/// Middleware for every request: counters, access log, and common response headers.
async fn log_and_count(State(service): Shared, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let in_flight = service.metrics.enter();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let peer = request.extensions().get::<Peer>().copied();
    let line = tracing::enabled!(tracing::Level::INFO).then(|| (request.method().clone(), request.uri().clone()));
    let mut response = next.run(request).await;
    drop(in_flight);
    let (status, time) = (response.status().as_u16(), began.elapsed());
    service.metrics.answered(route.as_ref(), status, time);
    if let Some((method, uri)) = line {
        let peer = peer.map(|peer| peer.0.to_string()).unwrap_or_default();
        tracing::info!(peer, %method, %uri, status, micros = time.as_micros() as u64);
    }
    let headers = response.headers_mut();
    for (name, value) in &SAFETY {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if service.is_closing() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Refuses requests of a rate-limited address.
async fn limited(State(service): Shared, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>();
    if let Some((limit, peer)) = service.rate_limit.as_ref().zip(peer)
        && let Err(wait) = limit.allow(peer.0)
    {
        service.metrics.rate_limited.inc();
        return ApiError::RateLimit { per_second: limit.per_second(), wait }.into_response();
    }
    next.run(request).await
}

/// A picture may use its own styles, and nothing else.
const PICTURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");

/// The page loads nothing from other sites, runs no scripts but its own files, and cannot be framed.
static SAFETY: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

async fn probe(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    let answer = position::answer(&service, &ask.set, PositionQuery::Probe, &ask.position()?).await?;
    Ok(answer.respond(ask.known.as_ref()))
}

async fn line(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    let answer = position::answer(&service, &ask.set, PositionQuery::Line, &ask.position()?).await?;
    Ok(answer.respond(ask.known.as_ref()))
}

async fn probe_many(State(service): Shared, ask: Ask, request: Request) -> Result<Payload, ApiError> {
    let peer = request.extensions().get::<Peer>().copied();
    let positions = super::batch::read(&service.settings, request).await?;
    service.charge(peer, positions.len());
    let set = ask.set;
    service.workers.run(move |cancel| position::many(&set, &positions, cancel)).await
}

async fn prove(State(service): Shared, ask: Ask, request: Request) -> Result<Response, ApiError> {
    super::prove::respond(&service, ask.set, request).await
}

async fn games(State(service): Shared, ask: Ask, request: Request) -> Result<Payload, ApiError> {
    super::games::respond(&service, &ask, request).await
}

async fn review(State(service): Shared, ask: Ask, request: Request) -> Result<Response, ApiError> {
    super::review::respond(&service, ask.set, request).await
}

async fn guess(State(service): Shared, ask: Ask, request: Request) -> Result<Payload, ApiError> {
    super::guess::respond(&service, ask.set, request).await
}

async fn stats(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    material::respond(&service, &ask.set, MaterialQuery::Stats, ask.material()?, ask.known.as_ref()).await
}

async fn heat(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    material::respond(&service, &ask.set, MaterialQuery::Heat, ask.material()?, ask.known.as_ref()).await
}

async fn plot(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    let (material, piece) = ask.picture()?;
    let mut response =
        material::respond(&service, &ask.set, MaterialQuery::Plot(piece), material, ask.known.as_ref()).await?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, PICTURE_POLICY);
    Ok(response)
}

async fn materials(State(service): Shared, ask: Ask) -> Result<Response, ApiError> {
    let set = Arc::clone(&ask.set);
    let answer = service.workers.run(move |_| material::all(&set)).await?;
    Ok(answer.respond(ask.known.as_ref()))
}

async fn rules(State(service): Shared, headers: HeaderMap) -> Response {
    service.rules.clone().respond(headers.get(header::IF_NONE_MATCH))
}

async fn openapi(State(service): Shared, headers: HeaderMap) -> Response {
    service.openapi.clone().respond(headers.get(header::IF_NONE_MATCH))
}

async fn health() -> Payload {
    Payload::json(&serde_json::json!({"status": "ok"}), Freshness::Checked)
}

async fn metrics(State(service): Shared) -> Payload {
    let tables = service.sets.iter().map(|set| &set.tables);
    service.metrics.answer(tables, service.kept.weight() + service.kept_materials.weight())
}

async fn asset(State(service): Shared, request: Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return ApiError::NoRoute.into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::Method.into_response();
    }
    match service.assets.get(request.uri().path()) {
        Some(file) => file.respond(request.headers()),
        None => (StatusCode::NOT_FOUND, "not found; the page is at /, the API is described at /api/openapi.json\n")
            .into_response(),
    }
}
