use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(default =)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
