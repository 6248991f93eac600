//! Connections: accepted, bounded, and closed without losing a request.
//!
//! The number of connections is limited, and that of one client address too, so that one client cannot keep all others
//! out. A connection is closed when a head or a body does not arrive in time, or when the client does not read its
//! answer. A client may close its side of the connection after the request; it is answered all the same.
//!
//! On shutdown, pending connections are accepted, and then no more. For a moment every request is still answered, with
//! `Connection: close`, because a client may already have sent one. Then idle connections are closed, and busy ones
//! finish.

use super::clients::{Clients, Guest};
use super::error::ApiError;
use super::routes::{Peer, router};
use super::service::Service;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tower::Service as _;

/// Limit on a request's head, in bytes.
const HEAD_BYTES: usize = 16 << 10;
/// Maximum number of header fields of a request.
const HEAD_FIELDS: usize = 64;
/// How long a shutdown waits for requests that are still arriving.
const LAST_CALL: Duration = Duration::from_millis(500);
/// Delay before a retry when the system cannot accept another connection, for example for lack of file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` completes, then finishes open requests. Returns whether all of them finished in time.
pub async fn serve(service: Arc<Service>, listener: TcpListener, stop: impl Future<Output = ()>) -> bool {
    let all = service.settings.connections;
    let time = service.settings.stop_time;
    let places = Arc::new(Semaphore::new(all as usize));
    let server = Server::new(Arc::clone(&service));
    let mut stop = pin!(stop);
    let next = async || {
        // The semaphore is never closed.
        let place = Arc::clone(&places).acquire_owned().await.ok();
        (listener.accept().await, place)
    };
    loop {
        let (accepted, place) = tokio::select! {
            biased;
            () = &mut stop => break,
            next = next() => next,
        };
        match accepted {
            Ok((stream, peer)) => server.connect(stream, peer, place),
            // The client has disconnected already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::error!("cannot accept a connection: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    for (stream, peer) in waiting(listener) {
        server.connect(stream, peer, Arc::clone(&places).try_acquire_owned().ok());
    }
    // A client that reconnects finds no listener.
    service.close();
    let _ = tokio::time::timeout(LAST_CALL, places.acquire_many(all)).await;
    tokio::time::timeout(time, server.connections.shutdown()).await.is_ok()
}

/// The pending connections, after which no more are accepted.
fn waiting(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    // Non-blocking: an error means that no connection is pending.
    let accepted = std::iter::from_fn(|| listener.accept().ok());
    let streams = accepted.filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    });
    streams.collect()
}

struct Server {
    router: Router,
    http: http1::Builder,
    write_time: Duration,
    connections: GracefulShutdown,
    clients: Clients,
}

/// The places that an open connection holds.
type Places = (Option<OwnedSemaphorePermit>, Guest);

impl Server {
    fn new(service: Arc<Service>) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .half_close(true)
            .header_read_timeout(service.settings.head_time)
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEAD_FIELDS);
        let write_time = service.settings.write_time;
        let clients = Clients::new(service.settings.address_connections);
        Self { router: router(service), http, write_time, connections: GracefulShutdown::new(), clients }
    }

    /// Admits a connection, or refuses it if its client has too many.
    fn connect(&self, stream: TcpStream, peer: SocketAddr, place: Option<OwnedSemaphorePermit>) {
        match self.clients.admit(peer.ip()) {
            Some(guest) => self.answer(stream, peer, (place, guest)),
            None => refuse(&stream, peer, self.clients.limit()),
        }
    }

    /// Answers the requests of a connection, and releases its places at the end.
    fn answer(&self, stream: TcpStream, peer: SocketAddr, places: Places) {
        // Responses are written in one piece; waiting for more data would only delay them.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.write_time));
        let router = self.router.clone();
        let answer = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().call(request.map(Body::new))
        });
        let connection = self.http.serve_connection(TokioIo::new(Box::pin(stream)), answer);
        let connection = self.connections.watch(connection);
        tokio::spawn(async move {
            // The client ended the connection early; the error cannot be reported to anyone.
            if let Err(error) = connection.await {
                tracing::debug!(%peer, "connection ended: {error}");
            }
            drop(places);
        });
    }
}

/// Sends the error without waiting for a request. The connection is new, so the few bytes fit its buffer.
fn refuse(stream: &TcpStream, peer: SocketAddr, limit: u32) {
    tracing::info!(%peer, "connection refused: {limit} are open from this address");
    let error = ApiError::Connections(limit);
    let body = error.json().to_string();
    let head = format!(
        "HTTP/1.1 {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nretry-after: 1\r\n\
         cache-control: no-store\r\naccess-control-allow-origin: *\r\nconnection: close\r\n\r\n",
        error.row().0,
        body.len()
    );
    let _ = stream.try_write((head + &body).as_bytes());
}
