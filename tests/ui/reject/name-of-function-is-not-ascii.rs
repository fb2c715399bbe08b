use mcp_runtime::{tool, tools};

#[tool]
fn größe(a: u32) -> u32 {
    a
}

fn main() {
    let _ = tools![größe];
}
