use mcp_runtime::{tool, tools};

#[tool]
fn add(a: u32, #[arg(rename = "a")] b: u32) -> u32 {
    a + b
}

fn main() {
    let _ = tools![add];
}
