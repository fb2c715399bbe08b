//! Middleware: one place around every tool call, to record it and to limit how many there are.
//!
//! ```sh
//! cargo run --example guarded -- call lookup '{"word":"crate"}'
//! ```
//!
//! The fourth call of a process is refused; each is recorded on stderr.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use mcp_runtime::{Next, Server, ToolError, ToolRequest, ToolResponse, tool, tools};

/// How many calls there may be.
const MAX_CALLS: u32 = 3;

static CALLS: AtomicU32 = AtomicU32::new(0);

/// Look up what a word means.
#[tool(read_only)]
fn lookup(word: &str) -> Result<&'static str, String> {
    match word {
        "crate" => Ok("the unit that the Rust compiler looks at"),
        "trait" => Ok("what several types can do"),
        _ => Err(format!("no entry for {word}")),
    }
}

/// Refuses a call once there were too many.
async fn limit(request: ToolRequest, next: Next) -> ToolResponse {
    if CALLS.fetch_add(1, Ordering::Relaxed) < MAX_CALLS {
        next.run(request).await
    } else {
        ToolError::failure(format!("{MAX_CALLS} calls are all that a session has; start another one")).into()
    }
}

/// Records how long a call took, and how it ended.
async fn record(request: ToolRequest, next: Next) -> ToolResponse {
    let (tool, start) = (request.tool().to_owned(), Instant::now());
    let response = next.run(request).await;
    eprintln!("{tool}: {:?}, {}", start.elapsed(), if response.is_success() { "well" } else { "failed" });
    response
}

fn main() -> ExitCode {
    Server::new("guarded", env!("CARGO_PKG_VERSION")).tools(tools![lookup]).middleware(record).middleware(limit).run()
}
