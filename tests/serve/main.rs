//! The HTTP service: every route and every error in process, random requests, the description against real answers,
//! and the program itself on a socket.
#![cfg(feature = "serve")]

#[path = "../common/mod.rs"]
mod common;

mod assets;
mod client;
mod errors;
mod limits;
mod openapi;
mod process;
mod random;
mod routes;
#[cfg(unix)]
mod sockets;
