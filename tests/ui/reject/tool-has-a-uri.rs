use mcp_runtime::{tool, tools};

#[tool("orders://{id}")]
fn order(id: u32) -> u32 {
    id
}

fn main() {
    let _ = tools![order];
}
