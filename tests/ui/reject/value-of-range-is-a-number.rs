use mcp_runtime::{tool, tools};

#[tool]
fn show(#[arg(range = 20)] number: u8) -> u8 {
    number
}

fn main() {
    let _ = tools![show];
}
