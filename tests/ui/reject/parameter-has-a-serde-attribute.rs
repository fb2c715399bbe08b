use mcp_runtime::{tool, tools};

#[tool]
fn page(#[serde(default)] number: u32) -> u32 {
    number
}

fn main() {
    let _ = tools![page];
}
