use mcp_runtime::{tool, tools};

#[tool(description = 5)]
fn show(number: u32) -> u32 {
    number
}

fn main() {
    let _ = tools![show];
}
