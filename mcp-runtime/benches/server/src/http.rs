//! The server of the benchmarks over HTTP, at `http://127.0.0.1:PORT/mcp`.
//!
//! ```sh
//! cargo run --release --package mcp-bench-server --features http --bin bench-http -- 8080
//! ```

mod server;

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(port) = std::env::args().nth(1) else {
        eprintln!("usage: bench-http PORT");
        return ExitCode::from(2);
    };
    server::server().run_from(["--http".to_owned(), format!("127.0.0.1:{port}")])
}
