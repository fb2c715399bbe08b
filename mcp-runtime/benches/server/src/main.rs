//! The server of the benchmarks over stdin and stdout.
//!
//! ```sh
//! cargo run --release --package mcp-bench-server
//! ```

mod server;

use std::process::ExitCode;

fn main() -> ExitCode {
    server::server().run()
}
