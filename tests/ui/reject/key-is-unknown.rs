use mcp_runtime::{tool, tools};

#[tool(audience = "all")]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn main() {
    let _ = tools![add];
}
