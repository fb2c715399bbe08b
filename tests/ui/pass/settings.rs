use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

const SRC: &str = "https://example.com/icon.png";

#[tool(icon(src = "https://example.com/icon.png"))]
fn icon() {}

#[tool(
    icon(src = SRC, mime_type = "image/png", sizes = "48x48", theme = "dark"),
    icon(src = concat!("https://", "example.com"), theme = "light",),
    meta = serde_json::json!({ "team": "billing", "tags": ["a", "b"] }),
    timeout = 30,
    blocking,
    title = concat!("Every", " setting"),
    description = "All that is said about a tool.",
    read_only,
    destructive = false,
    idempotent = true,
    open_world = false,
    name = "every.setting-1"
)]
async fn every_setting() {}

#[tool(timeout = 0.5, blocking = false)]
fn half_a_second() {}

#[tool(timeout = 0.001, meta = "text")]
fn a_thousandth() {}

fn main() -> ExitCode {
    Server::new("settings", "1.0.0").tools(tools![icon, every_setting, half_a_second, a_thousandth]).run_from(["list"])
}
