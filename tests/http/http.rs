//! Streamable HTTP over real connections, with requests and answers as they are on the wire.

#![allow(
    clippy::unused_async,
    reason = "an `async` tool is polled where its call comes in, which is what most tests are about"
)]
#![allow(clippy::needless_pass_by_value, reason = "the JSON of a message is written where the message is made")]
#![allow(clippy::similar_names, reason = "a server is served")]

mod batches;
mod client_log;
mod concurrency;
mod disconnect;
mod doors;
mod identity;
mod limits;
mod negotiation;
mod prompts_and_resources;
mod routing_headers;
mod sessionless;
mod sessions;
mod shutdown;
mod streams;
mod subscriptions;
mod support;
mod versions;
