use mcp_runtime::{tool, tools};

#[tool("Add", nmae = "add", title, read_only = 1, destructive, idempotent: true, open_world(false), idempotent)]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

fn main() {
    let _ = tools![add];
}
