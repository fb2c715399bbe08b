use mcp_runtime::{tool, tools};

#[tool]
fn add(#[arg(header = "Count")] a: u32, #[arg(header = "count")] b: u32) -> u32 {
    a + b
}

fn main() {
    let _ = tools![add];
}
