//! Streamable HTTP over real connections, with requests and answers as they are on the wire.

mod batches;
mod disconnect;
mod doors;
mod identity;
mod limits;
mod negotiation;
mod routing_headers;
mod sessionless;
mod sessions;
mod shutdown;
mod streams;
mod subscriptions;
mod support;
mod versions;
