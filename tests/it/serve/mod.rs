//! The HTTP service: every route and every error in process, random requests, the description against real answers,
//! and the program itself on a socket.

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
