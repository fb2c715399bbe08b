use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

#[tool]
fn r#match(r#type: &str, r#in: u8, mut r#fn: Option<u8>) -> String {
    let taken = r#fn.take();
    format!("{type}{in}{taken:?}", r#type = r#type, r#in = r#in)
}

#[tool]
async fn r#loop(r#move: bool) -> bool {
    r#move
}

/// The names that the output uses inside.
#[tool]
async fn __mcp_0(__mcp_0: u8, __mcp_call: &str, __mcp_params: u8, __mcp_returned: u8, __mcp_value: u8) -> String {
    format!("{__mcp_0}{__mcp_call}{__mcp_params}{__mcp_returned}{__mcp_value}")
}

#[tool]
fn call(call: u8, params: u8, output: u8, index: u8, name: &str, success: &str, error: &str) -> String {
    format!("{call}{params}{output}{index}{name}{success}{error}")
}

/// The compiler complains about the function only.
#[tool]
#[allow(non_snake_case)]
fn camelCase(firstNumber: u8) -> u8 {
    firstNumber
}

#[tool(name = "größe")]
#[cfg(any())]
fn never() {}

#[tool(name = "size.of-file_2")]
fn größe(größe: u8) -> u8 {
    größe
}

/// Functions and types do not share their names.
#[allow(non_camel_case_types)]
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct weather {
    place: String,
}

#[tool]
fn weather(weather: weather) -> String {
    weather.place
}

mod forecast {
    pub(crate) use super::tool;

    #[tool]
    pub(crate) fn forecast() {}
}

fn main() -> ExitCode {
    let tools = tools![r#match, r#loop, __mcp_0, call, camelCase, größe, weather, forecast::forecast];
    Server::new("names", "1.0.0").tools(tools).run_from(["list"])
}
