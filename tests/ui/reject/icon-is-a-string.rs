use mcp_runtime::{tool, tools};

#[tool(icon = "https://example.com/a.png")]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
