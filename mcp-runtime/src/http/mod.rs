//! Streamable HTTP: one endpoint for the clients of both eras. Only with the feature `http`.
//!
//! A program that ends its `main` with [`Server::run`](crate::Server::run) serves it with `--http 127.0.0.1:8080`;
//! [`Server::serve_http`](crate::Server::serve_http) serves it on a listener of your own, and
//! [`Server::into_service`](crate::Server::into_service) makes a tower service of it, to be nested in an application.
//! [`Http`] holds the settings.
#![doc = include_str!("../../docs/http.md")]
#![doc = "```nginx"]
#![doc = include_str!("../../docs/nginx.conf")]
#![doc = "```"]

mod batches;
mod body;
mod calls;
mod connection;
mod doors;
mod events;
mod extension;
mod gate;
mod header;
mod legacy;
mod message;
mod mirrors;
mod modern;
mod negotiate;
mod origin;
mod response;
pub(crate) mod server;
mod service;
mod session;
mod sessions;
mod settings;
mod store;
mod streams;

pub use extension::Extension;
pub(crate) use origin::HttpOrigin;
pub use response::HttpBody;
pub use service::HttpService;
pub use settings::{
    DEFAULT_BODY_TIMEOUT, DEFAULT_HEAD_TIMEOUT, DEFAULT_KEEP_ALIVE, DEFAULT_MAX_BODY_BYTES, DEFAULT_MAX_CALLS,
    DEFAULT_MAX_CONNECTIONS, DEFAULT_MAX_HEAD_BYTES, DEFAULT_MAX_SESSIONS, DEFAULT_MAX_STREAMS, DEFAULT_PATH,
    DEFAULT_SESSION_IDLE, Http,
};
pub use store::{DEFAULT_MAX_EVENT_BYTES, DEFAULT_MAX_SESSION_EVENT_BYTES, EventId, EventStore, MemoryEventStore};
