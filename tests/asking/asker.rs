//! A server over stdin and stdout whose tools ask. `GRACE_MILLIS` sets its grace time.

#![allow(clippy::unused_async, reason = "an `async` tool is polled where its call comes in")]

use std::process::ExitCode;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use mcp_runtime::{AskError, Context, Form, Server, tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema, Form)]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(ctx: &Context) -> Result<String, AskError> {
    let Name { name } = ctx.elicit("name", "Your name?").await?;
    Ok(format!("Hello, {name}!"))
}

/// Ask two things at once.
#[tool]
async fn two(ctx: &Context) -> Result<String, AskError> {
    let (name, roots) = tokio::join!(ctx.elicit::<Name>("name", "Your name?"), ctx.roots("roots"));
    Ok(format!("{} {}", name?.name, roots?.len()))
}

/// Opened by `open`: what waits at it goes on.
static GATE: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

/// Let everything that blocks go on.
#[tool]
fn open() {
    *GATE.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    GATE.1.notify_all();
}

/// Block the thread.
#[tool]
fn block() {
    let open = GATE.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(GATE.1.wait_while(open, |open| !*open).unwrap_or_else(PoisonError::into_inner));
}

/// Block the thread, and then ask.
#[tool]
async fn block_and_ask(ctx: &Context) -> Result<String, AskError> {
    block();
    Ok(ctx.elicit::<Name>("name", "Your name?").await?.name)
}

/// Ask, and wait for ever if there is no answer.
#[tool]
async fn obstinate(ctx: &Context) -> String {
    match ctx.elicit::<Name>("name", "Your name?").await {
        Ok(Name { name }) => name,
        Err(_) => std::future::pending().await,
    }
}

/// Say at once what was said.
#[tool]
async fn echo(text: &str) -> String {
    text.to_owned()
}

fn main() -> ExitCode {
    let server = Server::new("t", "1")
        .tools(tools![greet, two, open, block, block_and_ask, obstinate, echo])
        .ask_timeout(Duration::from_mins(5));
    let grace = std::env::var("GRACE_MILLIS").ok().and_then(|millis| millis.parse().ok());
    match grace {
        Some(millis) => server.shutdown_grace(Duration::from_millis(millis)).run(),
        None => server.run(),
    }
}
