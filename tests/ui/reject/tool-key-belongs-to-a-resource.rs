use mcp_runtime::{tool, tools};

#[tool(mime_type = "text/plain")]
fn order(id: u32) -> u32 {
    id
}

fn main() {
    let _ = tools![order];
}
