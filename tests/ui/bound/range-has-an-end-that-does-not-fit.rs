use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(range = 0..=300)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
