//! Asking the client in the middle of a call, with messages as they are on the wire.

#![allow(
    clippy::unused_async,
    reason = "an `async` tool is polled where its call comes in, which is what most tests are about"
)]
#![allow(clippy::needless_pass_by_value, reason = "the JSON of a message is written where the message is made")]

#[path = "../common/mod.rs"]
mod common;
mod eras;
mod http_legacy;
mod http_modern;
mod odd;
mod rounds;
mod scenarios;
mod sealed;
mod session;
mod stdio;
mod support;
#[path = "../http/support.rs"]
#[allow(dead_code, reason = "the tests of HTTP use the rest")]
mod web;
