//! The HTTP service: what the tables know, as JSON, and the explorer page that shows it.
//!
//! [`Service`] holds the rule sets and all that requests share; [`router`] makes the routes over it, which tests drive
//! without a socket; [`serve`] runs them on a listener until it is told to stop, and then finishes what was begun.
//!
//! A request goes through these hands:
//!
//! 1. [`serve`] takes the connection, if there are not too many, and reads the head, if it comes in time.
//! 2. The router finds the route; around it stand the access log, the counters and the rate limit.
//! 3. A handler reads path, query and body. Whatever is wrong with them is an [`ApiError`], of which one table says
//!    status, code and log level.
//! 4. If the answer is in memory it is sent as it is. Otherwise the tables are asked off the threads that talk to
//!    clients: so many jobs run, so many wait, and the rest is told to come again.
//!
//! An answer is bytes with an entity tag, made once. Nothing that a request says is ever part of a path on disk but
//! through a [`Material`](crate::material::Material) that was read and a rule set that was loaded at the start; the
//! page's files are inside the program.

mod ask;
mod assets;
mod batch;
mod error;
mod kept;
mod material;
mod metrics;
mod payload;
mod position;
mod prove;
mod rate;
mod routes;
mod rule_sets;
mod server;
mod service;
mod workers;

pub use error::ApiError;
pub use routes::{Peer, router};
pub use server::serve;
pub use service::{Service, Settings};
