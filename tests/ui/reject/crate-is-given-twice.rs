use mcp_runtime::{tool, tools};

#[tool(crate = mcp_runtime, crate = ::mcp_runtime)]
fn show(number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
