use mcp_runtime::{tool, tools};

#[tool]
fn add(number: u32, number: u32) -> u32 {
    number
}

fn main() {
    let _ = tools![add];
}
