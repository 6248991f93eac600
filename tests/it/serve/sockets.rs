//! Connection limits, with short timeouts.

use super::client::{PROBE, SHIPPED};
use jungletb::game::Rules;
use jungletb::serve::{Service, Settings, serve};
use jungletb::table::SearchPath;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(30);

/// A service on a socket, within the test.
struct Serving {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    /// Whether all requests finished in time.
    end: JoinHandle<bool>,
}

impl Serving {
    async fn start(settings: Settings) -> Self {
        let service = Arc::new(Service::new(&SearchPath::new([SHIPPED]), &[Rules::standard()], settings).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        Self { address, stop, end: tokio::spawn(serve(service, listener, stopped)) }
    }

    async fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn stop(self) -> bool {
        self.stop.send(()).unwrap();
        self.end.await.unwrap()
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")
}

/// Reads until the connection is closed, or until nothing arrives for a short time.
async fn read(stream: &mut TcpStream) -> (String, bool) {
    let mut text = Vec::new();
    loop {
        let mut bytes = [0; 4096];
        match tokio::time::timeout(SHORT, stream.read(&mut bytes)).await {
            Ok(Ok(0) | Err(_)) => return (String::from_utf8(text).unwrap(), true),
            Ok(Ok(len)) => text.extend_from_slice(&bytes[..len]),
            Err(_) => return (String::from_utf8(text).unwrap(), false),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_connections_wait_for_a_place() {
    let serving = Serving::start(Settings { connections: 2, ..Settings::default() }).await;
    let mut first = serving.send(&get("/health")).await;
    let mut second = serving.send(&get("/health")).await;
    let mut third = serving.send(&get("/health")).await;
    assert!(read(&mut first).await.0.ends_with("{\"status\":\"ok\"}"));
    assert!(read(&mut second).await.0.ends_with("{\"status\":\"ok\"}"));
    assert_eq!(read(&mut third).await, (String::new(), false));
    drop(first);
    assert!(read(&mut third).await.0.ends_with("{\"status\":\"ok\"}"));
    // A connection that waits to be accepted when the service stops is still answered.
    let mut last = serving.send(&get(PROBE)).await;
    assert_eq!(read(&mut last).await, (String::new(), false));
    assert!(serving.stop().await);
    let (text, is_closed) = read(&mut last).await;
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.contains("connection: close\r\n") && is_closed, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_many_connections_keeps_nobody_out() {
    let serving = Serving::start(Settings { address_connections: 2, ..Settings::default() }).await;
    let mut first = serving.send(&get("/health")).await;
    let second = serving.send("").await;
    assert!(read(&mut first).await.0.ends_with("{\"status\":\"ok\"}"));
    let mut third = serving.send("").await;
    let (text, is_closed) = read(&mut third).await;
    assert!(text.starts_with("HTTP/1.1 503 ") && text.contains("retry-after: 1\r\n") && is_closed, "{text}");
    assert!(text.ends_with(
        "{\"error\":\"too many connections from this address: the limit is 2\",\"code\":\"too-many-connections\"}"
    ));
    drop((first, second));
    let began = Instant::now();
    loop {
        let mut fourth = serving.send("").await;
        // The service may have heard of the closed connections a moment later.
        let refused = tokio::time::timeout(SHORT, fourth.read(&mut [0; 10])).await.is_ok();
        if !refused {
            fourth.write_all(get("/health").as_bytes()).await.unwrap();
            assert!(read(&mut fourth).await.0.ends_with("{\"status\":\"ok\"}"));
            break;
        }
        assert!(began.elapsed() < LONG);
    }
    assert!(serving.stop().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_no_more_is_answered() {
    let serving = Serving::start(Settings::default()).await;
    for path in ["/health", PROBE, "/api/standard/heat/LvR"] {
        let mut stream = serving.send(&get(path)).await;
        stream.shutdown().await.unwrap();
        let mut text = String::new();
        tokio::time::timeout(LONG, stream.read_to_string(&mut text)).await.unwrap().unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with('}'), "{path}: {text}");
    }
    assert!(serving.stop().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_is_dropped() {
    let serving = Serving::start(Settings { write_time: SHORT, connections: 1, ..Settings::default() }).await;
    let mut greedy = TcpStream::connect(serving.address).await.unwrap();
    let began = Instant::now();
    let many = get("/api/openapi.json").repeat(100);
    // Until the service has closed the connection, which makes writing fail.
    while greedy.write_all(many.as_bytes()).await.is_ok() {
        assert!(began.elapsed() < LONG, "still open");
    }
    let mut next = serving.send(&get("/health")).await;
    assert!(read(&mut next).await.0.ends_with("{\"status\":\"ok\"}"), "the place is free again");
    assert!(serving.stop().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_has_its_time_on_every_request() {
    let serving = Serving::start(Settings { head_time: 2 * SHORT, ..Settings::default() }).await;
    let began = Instant::now();
    let mut slow = serving.send(&get("/health")).await;
    assert!(read(&mut slow).await.0.ends_with("{\"status\":\"ok\"}"));
    slow.write_all(b"GET /health HTTP/1.1\r\nhost:").await.unwrap();
    let mut closed = false;
    while !closed && began.elapsed() < LONG {
        closed = slow.write_all(b" ").await.is_err() || read(&mut slow).await.1;
    }
    assert!(closed);
    assert!(serving.stop().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_too_long_is_cut_off_at_the_end() {
    // No job ever runs.
    let settings = Settings { jobs: 0, queue: 10, stop_time: SHORT, ..Settings::default() };
    let serving = Serving::start(settings).await;
    let mut waiting = serving.send(&get("/api/standard/stats/LvR")).await;
    assert_eq!(read(&mut waiting).await, (String::new(), false));
    assert!(!serving.stop().await);
}
