use mcp_runtime::{tool, tools};

#[tool(range = 0..=20)]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
