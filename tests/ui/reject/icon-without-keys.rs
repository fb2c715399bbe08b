use mcp_runtime::{tool, tools};

#[tool(icon)]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
