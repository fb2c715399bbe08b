//! Tools that take their time: one that waits, and can be cancelled, and one that blocks its thread.
//!
//! ```sh
//! cargo run --example slow -- call nap '{"seconds":2}' --trace
//! ```
//!
//! Served to a client, a ping and other calls are answered while both of them run.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use mcp_runtime::{Context, Server, tool, tools};

/// Sleep, reporting progress each second. Ends early if the call is cancelled.
#[tool(read_only, idempotent)]
async fn nap(
    /// How long, in seconds.
    seconds: f64,
    ctx: &Context,
) -> Result<String, String> {
    let length = duration(seconds)?;
    let start = Instant::now();
    loop {
        let slept = start.elapsed();
        ctx.progress(slept.as_secs_f64().min(seconds), Some(seconds), Some("asleep"));
        if slept >= length {
            return Ok(format!("slept for {seconds} s"));
        }
        tokio::time::sleep(length.saturating_sub(slept).min(Duration::from_secs(1))).await;
    }
}

/// Compute without a pause, blocking the thread. Looks from time to time whether the call is cancelled.
#[tool(read_only, idempotent)]
fn spin(
    /// How long, in seconds.
    seconds: f64,
    ctx: &Context,
) -> Result<String, String> {
    let length = duration(seconds)?;
    let start = Instant::now();
    while start.elapsed() < length {
        if ctx.is_cancelled() {
            return Err("cancelled".to_owned());
        }
        std::hint::spin_loop();
    }
    Ok(format!("spun for {seconds} s"))
}

fn duration(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`seconds` must not be negative, got {seconds}"))
}

fn main() -> ExitCode {
    Server::new("slow", env!("CARGO_PKG_VERSION")).tools(tools![nap, spin]).run()
}
