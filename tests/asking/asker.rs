//! A server over stdin and stdout whose tools ask.

#![allow(clippy::unused_async, reason = "an `async` tool is polled where its call comes in")]

use std::process::ExitCode;
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

/// Block the thread.
#[tool]
fn block(milliseconds: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(milliseconds));
    milliseconds
}

/// Block the thread, and then ask.
#[tool]
async fn block_and_ask(milliseconds: u64, ctx: &Context) -> Result<String, AskError> {
    std::thread::sleep(Duration::from_millis(milliseconds));
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
    Server::new("t", "1")
        .tools(tools![greet, two, block, block_and_ask, obstinate, echo])
        .ask_timeout(Duration::from_mins(5))
        .run()
}
