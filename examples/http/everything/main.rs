//! A tool, a prompt and a resource for everything that a server can do, as the official conformance suite asks for them.
//!
//! ```sh
//! cargo run --package mcp-http-examples --example everything -- --http 127.0.0.1:8080
//! ```

mod asking;
mod content;
mod prompts;
mod resources;
mod rounds;

use std::process::ExitCode;

use mcp_runtime::Server;

fn main() -> ExitCode {
    let mut server = Server::new("everything", env!("CARGO_PKG_VERSION")).client_logging();
    let (tools, prompts, resources) = (server.tool_set(), server.prompt_set(), server.resource_set());
    server
        .tools(content::all())
        .tools([content::json_schema_tool()])
        .tools(asking::all())
        .tools(rounds::all())
        .prompts(prompts::all())
        .resources(resources::all())
        .state(tools)
        .state(prompts)
        .state(resources)
        .run()
}
