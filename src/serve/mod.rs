//! The HTTP service: results of the tables as JSON, and the explorer page that shows them.
//!
//! [`Service`] holds the rule sets and all shared state; [`router`] builds the routes over it, which tests use without
//! a socket; [`serve`] runs them on a listener until shutdown, and then finishes open requests.
//!
//! A request is processed in these steps:
//!
//! 1. [`serve`] accepts the connection, within a limit, and reads the head, within a time limit.
//! 2. The router finds the route; middleware adds the access log, the counters and the rate limit.
//! 3. A handler reads path, query and body. Any error in them is an [`ApiError`], which one table maps to status, code
//!    and log level.
//! 4. A cached response is sent unchanged. Otherwise a worker thread probes the tables: the number of jobs and of
//!    waiting requests is limited, and further requests get 503.
//!
//! A response is bytes with an entity tag, computed once. The content of a request becomes part of a path on disk only
//! through a parsed [`Material`](crate::material::Material) and a rule set loaded at startup; the page's files are
//! embedded in the program.

mod ask;
mod assets;
mod batch;
mod bundle;
mod clients;
mod encoding;
mod error;
mod events;
mod games;
mod guess;
mod kept;
mod material;
mod metrics;
mod payload;
mod position;
mod prove;
mod rate;
mod review;
mod routes;
mod rule_sets;
mod server;
mod service;
mod workers;

pub use error::ApiError;
pub use routes::{Peer, router};
pub use server::serve;
pub use service::{Service, Settings};
