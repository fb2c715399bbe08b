//! A server that logs to its clients.

use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

/// Log a word, at a level below what the log shows.
#[tool]
async fn say(word: String) {
    tracing::info!(word);
    tracing::info!(target: "database", "select * from words");
    tokio::task::yield_now().await;
    tracing::warn!("said {word}");
}

fn main() -> ExitCode {
    Server::new("talkative", "1").forward_events(["talkative"]).tools(tools![say]).run()
}
