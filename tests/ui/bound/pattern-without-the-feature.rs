use mcp_runtime::{tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Name(String);

#[tool]
fn show(#[arg(pattern = "^[a-z]+$")] name: Name) -> String {
    name.0
}

fn main() {
    let _ = tools![show];
}
