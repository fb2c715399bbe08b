use mcp_runtime::{tool, tools};

#[tool(crate = 3)]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
