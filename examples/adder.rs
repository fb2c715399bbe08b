//! The smallest server there is.
//!
//! ```sh
//! cargo run --example adder -- call add '{"a":2,"b":3}'
//! ```

use mcp_runtime::{Server, tool, tools};

/// Add two numbers.
#[tool]
fn add(a: i32, b: i32) -> i64 {
    i64::from(a) + i64::from(b)
}

fn main() -> std::process::ExitCode {
    Server::new("adder", "1.0.0").tools(tools![add]).run()
}
