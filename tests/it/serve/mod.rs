//! The HTTP service: every route and every error in process, random requests, the API description compared with real
//! responses, and the program itself on a socket.

mod assets;
mod client;
mod errors;
mod limits;
mod openapi;
mod process;
mod prove;
mod random;
mod routes;
mod schema;
#[cfg(unix)]
mod sockets;
